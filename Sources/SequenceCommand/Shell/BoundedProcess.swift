import CLinux
import Glibc
import SequenceRunner

/// A program that was run to its end, for a limited time, and what it wrote to standard error.
struct BoundedProcess {
  let ending: Ending
  /// The last that it wrote to standard error.
  let errors: String

  /// How it ended.
  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
    /// It was killed, since its time was over.
    case timeOver
  }

  /// How much of its words is kept, in bytes.
  private static let mostErrors = 4096

  /// Runs a program to its end; its standard output is not read.
  ///
  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - limit: how long it may take before it is killed, with the processes that it started.
  ///   - clock: what tells how long it takes.
  init(
    _ words: [String], environment: [String: String], within limit: Duration, by clock: any ReadingClock
  ) throws(SystemError) {
    let timer = try DeadlineTimer()
    try timer.arm(clock.now().boot + limit)
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check("pipe") { unsafe pipe(&ends) }
    let reader = FileDescriptor(owning: ends[0])
    let process = try BoundedProcess.spawn(words, environment, FileDescriptor(owning: ends[1]))
    (ending, errors) = try BoundedProcess.follow(process, reader, timer)
  }

  /// The writing end is closed here, so that the reading one ends with the program.
  private static func spawn(
    _ words: [String], _ environment: [String: String], _ writer: consuming FileDescriptor
  ) throws(SystemError) -> pid_t {
    try DetachedProcess.spawn(
      words, environment: environment.map { "\($0.key)=\($0.value)" },
      files: (
        .path("/dev/null", flags: O_RDONLY), .path("/dev/null", flags: O_WRONLY), .descriptor(writer.number)
      ))
  }

  private static func follow(
    _ process: pid_t, _ reader: borrowing FileDescriptor, _ timer: borrowing DeadlineTimer
  ) throws(SystemError) -> (Ending, String) {
    let text: String?
    do throws(SystemError) {
      text = try watch(process, reader, timer)
    } catch {
      _ = try end(process, killing: true)
      throw error
    }
    let status = try end(process, killing: text == nil)
    guard let text else { return (.timeOver, "") }
    // As <sys/wait.h> has it: a signal in the low bits, else the exit status above them.
    let signal = status & 0x7f
    return (signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal), text)
  }

  /// What a process writes until it ends; `nil` if its time is over first.
  private static func watch(
    _ process: pid_t, _ reader: borrowing FileDescriptor, _ timer: borrowing DeadlineTimer
  ) throws(SystemError) -> String? {
    let end = FileDescriptor(
      owning: try SystemError.check("pidfd_open") { sequence_pidfd_open(process) })
    // What it leaves running may keep the pipe open: its own end is what counts.
    let flags = try SystemError.check("fcntl") { fcntl(reader.number, F_GETFL) }
    _ = try SystemError.check("fcntl") { fcntl(reader.number, F_SETFL, flags | O_NONBLOCK) }
    var bytes: [UInt8] = []
    var waited = [end.number, timer.descriptor, reader.number]
    while true {
      let ready = try waitUntilReadable(waited)
      if ready.contains(reader.number), let read = try reader.read(atMost: mostErrors) {
        bytes = Array((bytes + read).suffix(mostErrors))
        if read.isEmpty { waited.removeAll { $0 == reader.number } }
      } else if ready.contains(end.number) {
        return String(decoding: bytes, as: UTF8.self)
      }
      if ready.contains(timer.descriptor) { return nil }
    }
  }

  /// Waits for the end of a process, and returns its status.
  private static func end(_ process: pid_t, killing: Bool) throws(SystemError) -> Int32 {
    if killing {
      // It leads a session, and with it a group of processes, of its own.
      _ = try SystemError.check("kill") { kill(-process, SIGKILL) }
    }
    var status: Int32 = 0
    _ = try SystemError.check("waitpid") { unsafe waitpid(process, &status, 0) }
    return status
  }
}
