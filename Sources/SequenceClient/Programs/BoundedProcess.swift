import Glibc
package import SequencePlatform
import SequenceRunner

package struct BoundedProcess {
  package let ending: Ending
  /// The end of its standard output.
  package let output: String
  /// The end of its standard error.
  package let errors: String

  package enum Ending: Equatable {
    case ended(Termination)
    case timedOut
    /// It gave its answer and may still be running.
    case answered
  }

  /// The number of bytes of its output that are kept.
  package static let mostOutput = 65_536
  private static let mostErrors = 4096

  /// Runs a program until it ends or has answered.
  ///
  /// - Parameters:
  ///   - words: the path of the program and its arguments.
  ///   - session: whether it has a session of its own, and is killed with the processes that it started.
  ///   - limit: the time after which it is killed; `nil` for none.
  ///   - size: the number of bytes of its standard output that are kept.
  ///   - isAnswer: whether its standard output is a complete answer; its end isn't awaited then.
  package init(
    _ words: [String], environment: EnvironmentVariables, input: Subprocess.Stream = .null,
    session: Subprocess.Session = .own, within limit: Duration?, by clock: any ClockSource,
    keeping size: Int = BoundedProcess.mostOutput, until isAnswer: (String) -> Bool = { _ in false }
  ) throws(SystemError) {
    let timer = try DeadlineTimer()
    try timer.arm(limit.map { clock.now().boot + $0 })
    var output = try OutputPipe(keeping: size)
    var errors = try OutputPipe(keeping: BoundedProcess.mostErrors)
    let process = try Subprocess(
      words, environment: environment.entries,
      streams: (input, .descriptor(output.writerNumber), .descriptor(errors.writerNumber)), session: session)
    output.closeWriter()
    errors.closeWriter()
    do throws(SystemError) {
      switch try BoundedProcess.watch(process, &output, &errors, timer, isAnswer) {
      case .answered:
        ending = .answered
        let identifier = process.identifier
        // It fails only if the end was collected before. Until its end a program that hangs holds up nothing else.
        try startThread { _ = try? Termination.wait(for: identifier) }
      case .timedOut:
        process.kill()
        ending = .timedOut
      case .ended: ending = .ended(try process.wait())
      }
    } catch {
      process.kill()
      throw error
    }
    self.output = output.text
    self.errors = errors.text
  }

  private enum Stop {
    case ended
    case timedOut
    case answered
  }

  private static func watch(
    _ process: borrowing Subprocess, _ output: inout OutputPipe, _ errors: inout OutputPipe,
    _ timer: borrowing DeadlineTimer, _ isAnswer: (String) -> Bool
  ) throws(SystemError) -> Stop {
    let end = process.descriptor
    // A process that it leaves running may keep the pipes open, so only its own end counts.
    try output.doNotWait()
    try errors.doNotWait()
    while true {
      let ready = try waitUntilReadable(
        [end, timer.descriptor] + output.descriptors + errors.descriptors)
      let hasRead = try output.listen(ready)
      if hasRead, !output.isOpen, isAnswer(output.text) { return .answered }
      if try !errors.listen(ready), !hasRead, ready.contains(end) { return .ended }
      if ready.contains(timer.descriptor) { return .timedOut }
    }
  }
}

/// A pipe and the last bytes written to it.
private struct OutputPipe: ~Copyable {
  private let reader: FileDescriptor
  private var writer: FileDescriptor?
  private var bytes: [UInt8] = []
  private(set) var isOpen = true

  /// The number of bytes that are kept.
  private let most: Int

  init(keeping most: Int) throws(SystemError) {
    self.most = most
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check("pipe") { unsafe pipe(&ends) }
    reader = FileDescriptor(owning: ends[0])
    writer = FileDescriptor(owning: ends[1])
  }

  var writerNumber: Int32 {
    switch writer {
    case .some(let writer): writer.number
    case .none: -1
    }
  }

  /// Closes the writing end in this process, so that the pipe is closed when the program ends.
  mutating func closeWriter() { writer = nil }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  var descriptors: [Int32] { isOpen ? [reader.number] : [] }

  func doNotWait() throws(SystemError) {
    let flags = try SystemError.check("fcntl") { fcntl(reader.number, F_GETFL) }
    _ = try SystemError.check("fcntl") { fcntl(reader.number, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Reads available output if the descriptor is ready, and returns whether it did.
  mutating func listen(_ ready: [Int32]) throws(SystemError) -> Bool {
    guard isOpen, ready.contains(reader.number), let read = try reader.read(atMost: most) else {
      return false
    }
    isOpen = !read.isEmpty
    bytes = Array((bytes + read).suffix(most))
    return true
  }
}
