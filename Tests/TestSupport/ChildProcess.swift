import Foundation
package import Glibc
import Platform
package import SequenceRunner

/// A program that a test runs.
///
/// It is killed and reaped when the test is done with it, and killed when the tests themselves are. All that it
/// says is read at once, so that it never waits for the test.
package final class ChildProcess {
  package let identifier: pid_t
  private let name: String
  private let record = ChildRecord()

  /// Starts a program with exactly this environment, and what a sanitizer is told by it.
  package init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    name = URL(filePath: program).lastPathComponent
    guard access(program, X_OK) == 0 else { throw SystemError(call: "start \(program)", code: errno) }
    let environment = environment.merging(Sanitizer.environment) { own, _ in own }.map { "\($0)=\($1)" }
    Thread { [record] in record.keep(of: [program] + arguments, environment: environment) }.start()
    guard let start = record.wait(within: .seconds(20), for: \.start) else {
      throw TestSupportError("\(name) does not start")
    }
    identifier = try start.get()
  }

  deinit {
    // With the process group goes what the program started itself, except for what has left it.
    record.with { if $0.status == nil { kill(-identifier, SIGKILL) } }
    _ = record.wait(within: .seconds(20), for: \.status)
    record.with { $0.isAbandoned = true }
  }

  package func send(_ line: String) throws { try write(line + "\n") }

  /// Writes to standard input; fails if the program has closed it or ended.
  package func write(_ text: String) throws {
    guard record.with({ $0.status == nil }) else { throw TestSupportError("\(name) has ended") }
    // The signal of a closed pipe would end the tests: it waits until it is taken back.
    var (closedPipe, before, noTime) = (sigset_t(), sigset_t(), timespec())
    sigemptyset(&closedPipe)
    sigaddset(&closedPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &closedPipe, &before)
    defer {
      while sigtimedwait(&closedPipe, nil, &noTime) == SIGPIPE {}
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    try writeAll(Array(text.utf8), to: record.input.fileHandleForWriting.fileDescriptor)
  }

  /// Ends standard input.
  package func endInput() throws { try record.input.fileHandleForWriting.close() }

  package func signal(_ number: Int32) {
    record.with { if $0.status == nil { kill(identifier, number) } }
  }

  /// A descriptor that is readable once the program has ended; `nil` if it is over already.
  package func ending() throws -> FileDescriptor? {
    try record.openEnding(of: identifier).map { FileDescriptor(owning: $0) }
  }

  /// The next line of standard output.
  ///
  /// - Throws: if none comes within the limit, or the output ends.
  package func line(within limit: Duration = .seconds(20)) throws -> String {
    let line: String? = try record.wait(within: limit) { state in
      guard let end = state.output.firstIndex(of: UInt8(ascii: "\n")) else {
        guard !state.hasEndedOutput else {
          throw TestSupportError(
            "the output of \(name) ended: \(String(decoding: state.errors, as: UTF8.self))")
        }
        return nil
      }
      defer { state.output = state.output[(end + 1)...] }
      return String(decoding: state.output[..<end], as: UTF8.self)
    }
    return try line ?? fail("wrote no line", limit)
  }

  /// All lines of standard output until it ends.
  package func lines(within limit: Duration = .seconds(20)) throws -> [String] {
    let text: String? = record.wait(within: limit) { state in
      guard state.hasEndedOutput else { return nil }
      defer { state.output = [] }
      return String(decoding: state.output, as: UTF8.self)
    }
    return try (text ?? fail("did not end its output", limit)).split(separator: "\n").map(String.init)
  }

  /// What was written to standard error; waits for its end.
  package func errorText(within limit: Duration = .seconds(20)) throws -> String {
    let text: String? = record.wait(within: limit) { state in
      state.hasEndedErrors ? String(decoding: state.errors, as: UTF8.self) : nil
    }
    return try text ?? fail("did not end its standard error", limit)
  }

  /// The exit status, or 128 and the number of the signal that ended it.
  package func exitStatus(within limit: Duration = .seconds(20)) throws -> Int32 {
    try record.wait(within: limit, for: \.status) ?? fail("did not end", limit)
  }

  private func fail<Value>(_ what: String, _ limit: Duration) throws -> Value {
    let errors = record.with { String(decoding: $0.errors, as: UTF8.self) }
    throw TestSupportError("\(name) \(what) within \(limit)" + (errors.isEmpty ? "" : ": \(errors)"))
  }

  /// What a program said, and how it ended.
  package struct Output {
    package let status: Int32
    package let text: String
    package let errors: String
  }

  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: String? = nil,
    within limit: Duration = .seconds(30)
  ) throws -> Output {
    let deadline = ContinuousClock.now + limit
    let child = try ChildProcess(program, arguments, environment: environment)
    // Whether a program reads its input to the end is its own affair.
    if let input { try? child.write(input) }
    try child.endInput()
    return try child.outcome(within: deadline - .now)
  }

  /// Waits until the program has ended; the text is what was not yet read of its lines.
  package func outcome(within limit: Duration = .seconds(20)) throws -> Output {
    let deadline = ContinuousClock.now + limit
    let text = try lines(within: limit).joined(separator: "\n")
    return Output(
      status: try exitStatus(within: deadline - .now), text: text,
      errors: try errorText(within: deadline - .now))
  }
}
