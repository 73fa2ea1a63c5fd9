import Glibc

/// A problem in words, and its remedy.
///
/// The two texts are joined only when they are printed. Both are parts of a sentence: they begin in lower case and end
/// without a full stop. It is thrown itself if nothing in the program depends on which problem it is; an error that code
/// tells apart is a type of its own, and an ``ExplainedError``.
public struct Problem: ExplainedError, Codable, Equatable, Sendable {
  /// The problem, with the values that cause it.
  public let text: LocalizedText
  /// The remedy; `nil` if there is nothing to recommend.
  public let remedy: LocalizedText?

  /// Creates a problem from its two texts.
  public init(_ text: LocalizedText, remedy: LocalizedText? = nil) {
    self.text = text
    self.remedy = remedy
  }

  /// The problem itself.
  public var problem: Problem { self }
  /// The text and the remedy in one line, in English.
  public var description: String { line.description }
  /// The text and the remedy in one line.
  public var line: LocalizedText { remedy.map { "\(text); \($0)" } ?? text }
}

/// An error that can be shown to a user.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// The error in words, with its remedy.
  var problem: Problem { get }
}

extension ExplainedError {
  /// The problem and the remedy in one line.
  public var description: String { problem.description }
}

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
  public var reason: LocalizedText {
    unsafe strerror(code).map { unsafe LocalizedText(lookingUp: String(cString: $0)) } ?? "error \(code)"
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
