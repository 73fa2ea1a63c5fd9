import Foundation

/// What the kernel has counted of a process, all its threads together.
struct ProcessFigures {
  /// The time on a processor, in nanoseconds.
  let processorTime: Int64
  /// How often a thread waited, and so was woken, or was made to wait.
  let switches: Int

  init(of process: pid_t) throws {
    let tasks = "/proc/\(process)/task"
    var (time, switches) = (Int64(0), 0)
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      time += try ProcessFigures.number(0, in: "\(tasks)/\(task)/schedstat")
      for line in try text("\(tasks)/\(task)/status").split(separator: "\n")
      where line.contains("ctxt_switches") {
        guard let count = line.split(whereSeparator: \.isWhitespace).last.flatMap({ Int($0) }) else {
          throw BenchmarkError("\(line) has no number")
        }
        switches += count
      }
    }
    (processorTime, self.switches) = (time, switches)
  }

  private static func number(_ index: Int, in path: String) throws -> Int64 {
    let words = try text(path).split(whereSeparator: \.isWhitespace)
    guard words.count > index, let number = Int64(words[index]) else {
      throw BenchmarkError("\(path) has no number")
    }
    return number
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
