import Foundation
package import Glibc
import SequencePlatform
package import SequenceRunner

/// A program that a test runs.
///
/// It is killed and reaped when the test releases it, and killed when the test process ends. All its output
/// is read immediately, so that it never blocks.
package final class ChildProcess {
  package let identifier: pid_t
  private let name: String
  private let record = ChildRecord()

  /// Starts a program with exactly this environment, plus the options of a sanitizer.
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
    // The process group includes the program's own children, except those that have left it.
    end()
    record.with { $0.isAbandoned = true }
  }

  package func send(_ line: String) throws { try write(line + "\n") }

  /// Writes to standard input; throws if the program has closed it or ended.
  package func write(_ text: String) throws {
    guard record.with({ $0.status == nil }) else { throw TestSupportError("\(name) has ended") }
    // SIGPIPE would end the tests, so it is blocked and its pending instance removed.
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

  package func endInput() throws { try record.input.fileHandleForWriting.close() }

  /// Ends the program and the programs of its process group, and waits for its end.
  ///
  /// Does nothing if it has ended: another group may have its number by then.
  package func end() {
    record.with { if $0.status == nil { kill(-identifier, SIGKILL) } }
    _ = record.wait(within: .seconds(20), for: \.status)
  }

  package func signal(_ number: Int32) {
    record.with { if $0.status == nil { kill(identifier, number) } }
  }

  /// Returns a descriptor that is readable once the program has ended; `nil` if it was reaped already.
  package func ending() throws -> FileDescriptor? {
    try record.openEnding(of: identifier).map { FileDescriptor(owning: $0) }
  }

  /// Returns the next line of standard output.
  ///
  /// - Throws: if there is none within the limit, or the output ends.
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

  /// Returns all lines of standard output until its end.
  package func lines(within limit: Duration = .seconds(20)) throws -> [String] {
    let text: String? = record.wait(within: limit) { state in
      guard state.hasEndedOutput else { return nil }
      defer { state.output = [] }
      return String(decoding: state.output, as: UTF8.self)
    }
    return try (text ?? fail("did not end its output", limit)).split(separator: "\n").map(String.init)
  }

  /// Returns the text of standard error; waits for its end.
  package func errorText(within limit: Duration = .seconds(20)) throws -> String {
    let text: String? = record.wait(within: limit) { state in
      state.hasEndedErrors ? String(decoding: state.errors, as: UTF8.self) : nil
    }
    return try text ?? fail("did not end its standard error", limit)
  }

  /// Returns the exit status, or 128 plus the number of the signal that ended the program.
  package func exitStatus(within limit: Duration = .seconds(20)) throws -> Int32 {
    try record.wait(within: limit, for: \.status) ?? fail("did not end", limit)
  }

  private func fail<Value>(_ what: String, _ limit: Duration) throws -> Value {
    let errors = record.with { String(decoding: $0.errors, as: UTF8.self) }
    throw TestSupportError("\(name) \(what) within \(limit)" + (errors.isEmpty ? "" : ": \(errors)"))
  }

  package struct Output {
    package let status: Int32
    package let text: String
    package let errors: String
  }

  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: String? = nil,
    within limit: Duration = .seconds(30)
  ) throws -> Output {
    let deadline = ContinuousClock.now + limit
    let child = try ChildProcess(program, arguments, environment: environment)
    // A program need not read all of its input.
    if let input { try? child.write(input) }
    try child.endInput()
    return try child.outcome(within: deadline - .now)
  }

  /// Waits for the end of the program; the text consists of the lines that were not read yet.
  package func outcome(within limit: Duration = .seconds(20)) throws -> Output {
    let deadline = ContinuousClock.now + limit
    let text = try lines(within: limit).joined(separator: "\n")
    return Output(
      status: try exitStatus(within: deadline - .now), text: text,
      errors: try errorText(within: deadline - .now))
  }
}
