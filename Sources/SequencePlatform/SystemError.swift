import Glibc

/// A system call that failed, and why.
public struct SystemError: ExplainedError, Equatable, Sendable {
  /// The call, or the attempt that used it.
  public let call: String
  /// The number of the error, as in `errno`.
  public let code: Int32

  /// A failure of a call with an error number.
  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The error text of the C library, such as `No space left on device`.
  public var reason: String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// The call and why it failed, with the way to get rid of a link where none is followed, such as a lock.
  public var problem: Problem {
    Problem("\(call) failed: \(reason)", remedy: code == ELOOP ? "remove the link" : nil)
  }

  /// Returns the result of a call that returns a negative number on failure; repeats it after `EINTR`.
  package static func check<Result: SignedInteger>(
    _ call: String, _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(call: call, code: code) }
    }
  }
}
