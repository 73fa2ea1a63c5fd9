import CLinux
import Foundation
import Glibc
import SequenceRunner

/// The processes of the machine, as /proc has them.
enum Processes {
  /// Those whose last arguments are these.
  static func withArguments(_ last: [String]) -> [pid_t] {
    // A process that ends while it is looked at is not one of them.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let arguments = arguments(of: process)
      return arguments.suffix(last.count) == last[...] && arguments.first?.hasSuffix("sequence-agent") == true
    }
  }

  /// Kills a process that need not be a child, and waits until its files are closed.
  static func end(_ process: pid_t) {
    let descriptor = sequence_pidfd_open(process)
    // It is gone already.
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

  /// Waits for those that died while they were nobody's children but this process's, which is their reaper
  /// where it is the first of a namespace.
  ///
  /// - Returns: the signals that ended agents.
  static func reapOrphans(keeping children: Set<pid_t> = []) -> [Int32] {
    var signals: [Int32] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in names.compactMap({ pid_t($0) }) where !children.contains(process) {
      guard let text = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { continue }
      let fields =
        String(decoding: text, as: UTF8.self).split(separator: ") ").last?.split(separator: " ") ?? []
      guard fields.count > 1, fields[0] == "Z", pid_t(fields[1]) == getpid() else { continue }
      guard String(decoding: text, as: UTF8.self).contains("(sequence-agent)") else { continue }
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == process else { continue }
      if status & 0x7F != 0 { signals.append(status & 0x7F) }
    }
    return signals
  }
}
