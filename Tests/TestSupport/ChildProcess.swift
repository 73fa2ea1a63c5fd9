package import Foundation
import Glibc

/// A program that a test runs; it is killed and reaped when the test is done with it.
package final class ChildProcess {
  package let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var buffered: [UInt8] = []

  /// Starts a program with exactly this environment.
  package init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The other ends are the child's alone, or their closing would not be noticed.
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  package var identifier: pid_t { process.processIdentifier }

  package func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  package func signal(_ number: Int32) { _ = kill(identifier, number) }

  /// The next line of standard output.
  ///
  /// - Throws: if none comes within the limit, or the output ends.
  package func line(within limit: Duration = .seconds(20)) throws -> String {
    let deadline = ContinuousClock.now + limit
    while true {
      if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffered.removeFirst(end + 1) }
        return String(decoding: buffered[..<end], as: UTF8.self)
      }
      guard try waitForBytes(of: output, until: deadline) else {
        throw TestSupportError("no line of \(process.executableURL?.lastPathComponent ?? "") within \(limit)")
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw TestSupportError("the output ended") }
      buffered += data
    }
  }

  /// All lines of standard output until it ends.
  package func lines(within limit: Duration = .seconds(20)) throws -> [String] {
    let deadline = ContinuousClock.now + limit
    while try waitForBytes(of: output, until: deadline) {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty {
        defer { buffered = [] }
        return String(decoding: buffered, as: UTF8.self).split(separator: "\n").map(String.init)
      }
      buffered += data
    }
    throw TestSupportError("the output did not end within \(limit)")
  }

  /// What was written to standard error; waits for its end.
  package func errorText() -> String {
    String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// The exit status, or 128 and the number of the signal that ended it.
  package func exitStatus() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  private func waitForBytes(of pipe: Pipe, until deadline: ContinuousClock.Instant) throws -> Bool {
    let left = (deadline - .now) / .milliseconds(1)
    var entry = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Int32(max(0, left))) > 0
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
    let child = try ChildProcess(program, arguments, environment: environment)
    if let input { try child.input.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try child.input.fileHandleForWriting.close()
    let text = try child.lines(within: limit).joined(separator: "\n")
    return Output(status: child.exitStatus(), text: text, errors: child.errorText())
  }
}
