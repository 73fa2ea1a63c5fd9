import CSequenceLinux
import Glibc
import NotificationLedger
import Platform
import SequenceConfiguration
import SequenceRunner

/// The program that plays sounds, while it runs.
///
/// It is told ahead of time what to play when. Once it is told that nothing more comes, it ends when what it plays has.
final class SoundProcess {
  private let process: Int32
  private let ending: FileDescriptor
  private let errors: BoundedFile
  private var orders: FileDescriptor?

  /// Starts the program, which connects to the sound server and has the sounds loaded.
  init(_ program: String, environment: [String]) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    // A socket, since writing to a pipe that nobody reads any more would end this process.
    _ = try SystemError.check("socketpair") {
      unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    }
    let reader = FileDescriptor(owning: ends[0])
    let writer = FileDescriptor(owning: ends[1])
    let errors = try BoundedFile(size: 4096)
    let process = try DetachedProcess.spawn(
      [program] + CueSound.allCases.map(\.rawValue), environment: environment,
      files: (
        .descriptor(reader.number), .path("/dev/null", flags: O_WRONLY), .descriptor(errors.descriptor)
      ))
    do throws(SystemError) {
      ending = try FileDescriptor(ofProcess: process)
    } catch {
      SoundProcess.end(process)
      throw error
    }
    self.process = process
    self.errors = errors
    orders = consume writer
  }

  /// What to wait on: readable once the program has ended.
  var descriptor: Int32 { ending.number }

  /// Whether the program has been told that nothing more comes.
  var isClosed: Bool {
    switch orders {
    case .some: false
    case .none: true
    }
  }

  /// Tells the program something; one that has ended, or does not listen, is told nothing.
  func tell(_ lines: [String]) {
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    switch orders {
    // That it has ended is heard of in another way, and nothing waits for one that hangs.
    case .some(let orders): _ = unsafe send(orders.number, bytes, bytes.count, flags)
    case .none: break
    }
  }

  /// Tells the program that nothing more comes.
  func close() { orders = nil }

  /// Takes note that the program has ended.
  ///
  /// - Returns: what went wrong; `nil` if nothing did.
  func finish() throws(SystemError) -> String? {
    var status: Int32 = 0
    _ = try SystemError.check("waitpid") { unsafe waitpid(process, &status, 0) }
    guard status != 0 else { return nil }
    let said = try errors.text().split(whereSeparator: \.isNewline).last
    return said.map { TextSafety.sanitised(String($0)) } ?? "sequence-sound ended with status \(status)"
  }

  /// Ends the program at once.
  func kill() { SoundProcess.end(process) }

  private static func end(_ process: Int32) {
    _ = Glibc.kill(process, SIGKILL)
    var status: Int32 = 0
    // It fails only if there is no such child.
    _ = unsafe waitpid(process, &status, 0)
  }
}
