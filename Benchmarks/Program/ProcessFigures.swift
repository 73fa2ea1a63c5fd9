import Foundation
import Glibc

/// What the kernel has counted of a process, all its threads together.
struct ProcessFigures {
  /// The time on a processor in nanoseconds, that of threads included which have ended.
  let processorTime: Int64
  /// How often each thread waited, and so was woken, or was made to wait.
  private let switches: [String: Int]

  init(of process: pid_t) throws {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else { throw BenchmarkError("\(process) has ended") }
    processorTime = time(of: clock)
    let tasks = "/proc/\(process)/task"
    var switches: [String: Int] = [:]
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      // A thread may end while it is looked at.
      guard let status = try? text("\(tasks)/\(task)/status") else { continue }
      let counts = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .compactMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } }
      guard counts.count == 2 else { throw BenchmarkError("the switches of \(process) are not told") }
      switches[task] = counts[0] + counts[1]
    }
    self.switches = switches
  }

  /// How often threads waited since then; those that have ended meanwhile do not count.
  func switches(since before: ProcessFigures) -> Int {
    switches.reduce(0) { $0 + $1.value - before.switches[$1.key, default: 0] }
  }
}

/// The memory of a process in KiB.
struct ProcessMemory {
  /// What of it is in memory.
  let resident: Int
  /// The same, where what several processes share is divided by their number.
  let proportional: Int
  /// What of it is its own, and from no file.
  let anonymous: Int

  init(of process: pid_t) throws {
    var sizes: [Substring: Int] = [:]
    for line in try text("/proc/\(process)/smaps_rollup").split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, let size = Int(words[1]) { sizes[words[0]] = size }
    }
    guard let resident = sizes["Rss:"], let proportional = sizes["Pss:"], let anonymous = sizes["Anonymous:"]
    else { throw BenchmarkError("the memory of \(process) is not told") }
    (self.resident, self.proportional, self.anonymous) = (resident, proportional, anonymous)
  }
}

/// The text of a file; of those below `/proc` nobody knows the size before.
func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

/// The first child of a process.
func child(of process: pid_t) throws -> pid_t? {
  try text("/proc/\(process)/task/\(process)/children").split(separator: " ").first.flatMap { pid_t($0) }
}
