import Glibc
import Platform
import SequenceRunner

/// A program that was run for a limited time, and what it wrote.
struct BoundedProcess {
  let ending: Ending
  /// The last that it wrote to standard output.
  let output: String
  /// The last that it wrote to standard error.
  let errors: String

  /// How it ended.
  enum Ending: Equatable {
    /// It ended by itself.
    case ended(Termination)
    /// It was killed, since its time was over.
    case timedOut
    /// It gave its answer, and was left to what it does after that.
    case answered
  }

  /// How much of what it wrote is kept, in bytes.
  private static let mostOutput = 65_536
  private static let mostErrors = 4096

  /// Runs a program to its end, or to the end of its answer.
  ///
  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - limit: how long it may take before it is killed, with the processes that it started.
  ///   - clock: what tells how long it takes.
  ///   - isAnswer: whether all that it wrote to standard output is what it was run for; its end is not waited for
  ///     then.
  init(
    _ words: [String], environment: EnvironmentVariables, within limit: Duration, by clock: any ClockSource,
    until isAnswer: (String) -> Bool = { _ in false }
  ) throws(SystemError) {
    let timer = try DeadlineTimer()
    try timer.arm(clock.now().boot + limit)
    var output = try OutputPipe(keeping: BoundedProcess.mostOutput)
    var errors = try OutputPipe(keeping: BoundedProcess.mostErrors)
    let process = try Subprocess(
      words, environment: environment.entries,
      streams: (.null, .descriptor(output.writerNumber), .descriptor(errors.writerNumber)))
    output.closeWriter()
    errors.closeWriter()
    do throws(SystemError) {
      switch try BoundedProcess.watch(process, &output, &errors, timer, isAnswer) {
      case .answered: ending = .answered
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

  /// Listens to a process until it ends, its time is over, or it has answered.
  private static func watch(
    _ process: borrowing Subprocess, _ output: inout OutputPipe, _ errors: inout OutputPipe,
    _ timer: borrowing DeadlineTimer, _ isAnswer: (String) -> Bool
  ) throws(SystemError) -> Stop {
    let end = process.descriptor
    // What it leaves running may keep the pipes open: its own end is what counts.
    try output.doNotWait()
    try errors.doNotWait()
    while true {
      let ready = try waitUntilReadable(
        [end, timer.descriptor] + output.descriptors + errors.descriptors)
      let isHeard = try output.listen(ready)
      if isHeard, !output.isOpen, isAnswer(output.text) { return .answered }
      if try !errors.listen(ready), !isHeard, ready.contains(end) { return .ended }
      if ready.contains(timer.descriptor) { return .timedOut }
    }
  }
}

/// A pipe, and the last that came through it.
private struct OutputPipe: ~Copyable {
  private let reader: FileDescriptor
  private var writer: FileDescriptor?
  private var bytes: [UInt8] = []
  /// Whether there may be more to come.
  private(set) var isOpen = true

  /// How much is kept, in bytes.
  private let most: Int

  init(keeping most: Int) throws(SystemError) {
    self.most = most
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check("pipe") { unsafe pipe(&ends) }
    reader = FileDescriptor(owning: ends[0])
    writer = FileDescriptor(owning: ends[1])
  }

  /// The end that the program is to write to.
  var writerNumber: Int32 {
    switch writer {
    case .some(let writer): writer.number
    case .none: -1
    }
  }

  /// Closes that end here, so that the other ends with the program.
  mutating func closeWriter() { writer = nil }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// What to wait on.
  var descriptors: [Int32] { isOpen ? [reader.number] : [] }

  func doNotWait() throws(SystemError) {
    let flags = try SystemError.check("fcntl") { fcntl(reader.number, F_GETFL) }
    _ = try SystemError.check("fcntl") { fcntl(reader.number, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Takes what is there, if the descriptor is among those that are ready; says whether it did.
  mutating func listen(_ ready: [Int32]) throws(SystemError) -> Bool {
    guard isOpen, ready.contains(reader.number), let read = try reader.read(atMost: most) else {
      return false
    }
    isOpen = !read.isEmpty
    bytes = Array((bytes + read).suffix(most))
    return true
  }
}
