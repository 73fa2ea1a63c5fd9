import CSequenceLinux
import Foundation
import Glibc
import SequencePlatform
import SequenceRunner
import Synchronization

/// The processes of the machine, from /proc.
enum Processes {
  static func withArguments(_ last: [String]) -> [pid_t] {
    // A process that ends during the search is left out.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let arguments = arguments(of: process)
      // An agent that has started again has one argument more.
      let isMeant = [arguments[...], arguments.dropLast()].contains { $0.suffix(last.count) == last[...] }
      return isMeant && arguments.first?.hasSuffix("sequence-agent") == true
    }
  }

  /// Kills a process that need not be a child, and waits until its files are closed.
  static func end(_ process: pid_t) {
    let descriptor = sequence_pidfd_open(process)
    // It has ended already.
    guard descriptor >= 0 else { return }
    let ending = FileDescriptor(owning: descriptor)
    kill(process, SIGKILL)
    var entry = pollfd(fd: ending.number, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, 30_000)
  }

  private static func arguments(of process: pid_t) -> [String] {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return [] }
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The signals that ended unattended agents, except requests to exit.
  private static let crashes = Mutex<[Int32]>([])

  /// Reaps the agents that died as orphans; this process is their reaper if it is the first of a PID
  /// namespace.
  static func reapOrphans() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in names.compactMap({ pid_t($0) }) where isOrphan(process) {
      // The process has ended, so this does not block.
      guard case .signal(let signal) = try? Termination.wait(for: process) else { continue }
      if ![SIGKILL, SIGTERM].contains(signal) { crashes.withLock { $0.append(signal) } }
    }
  }

  static func takeCrashes() -> [Int32] {
    crashes.withLock { signals in
      defer { signals = [] }
      return signals
    }
  }

  /// Returns whether a process is a dead agent that this process must reap.
  private static func isOrphan(_ process: pid_t) -> Bool {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
    // The name of the program is in parentheses, followed by the state and the parent.
    let parts = String(decoding: data, as: UTF8.self).split(separator: ") ")
    let fields = parts.last?.split(separator: " ") ?? []
    return parts.first?.hasSuffix("(sequence-agent") == true && fields.count > 1 && fields[0] == "Z"
      && pid_t(fields[1]) == getpid()
  }
}
