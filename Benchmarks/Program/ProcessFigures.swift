import Foundation
import Glibc

/// The kernel's counts for a process with all its threads.
struct ProcessFigures {
  /// The processor time in nanoseconds, including ended threads.
  let processorTime: Int64
  /// The number of context switches of each thread, voluntary and involuntary.
  private let switches: [String: Int]

  init(of process: pid_t) throws {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else { throw BenchmarkError("\(process) has ended") }
    processorTime = time(of: clock)
    let tasks = "/proc/\(process)/task"
    var switches: [String: Int] = [:]
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      // A thread may end during the read.
      guard let status = try? text("\(tasks)/\(task)/status") else { continue }
      let counts = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .compactMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } }
      guard counts.count == 2 else { throw BenchmarkError("the switches of \(process) are not told") }
      switches[task] = counts[0] + counts[1]
    }
    self.switches = switches
  }

  /// Returns the number of context switches since an earlier count; threads that ended since then do not
  /// count.
  func switches(since before: ProcessFigures) -> Int {
    switches.reduce(0) { $0 + $1.value - before.switches[$1.key, default: 0] }
  }
}

/// The memory of a process in KiB.
struct ProcessMemory {
  let resident: Int
  /// The resident memory, with shared pages divided by the number of their users.
  let proportional: Int
  /// The private memory that belongs to no file.
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

/// Returns the text of a file; files below `/proc` have no known size.
func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

func child(of process: pid_t) throws -> pid_t? {
  try text("/proc/\(process)/task/\(process)/children").split(separator: " ").first.flatMap { pid_t($0) }
}
