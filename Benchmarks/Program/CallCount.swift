import Foundation
import TestSupport

/// Counts the system calls of processes.
struct CallCount {
  private let strace: ChildProcess
  private let output: String

  /// Begins to count those of a process and of all its threads.
  init(of process: pid_t, in directory: TemporaryDirectory) throws {
    output = directory.path + "/calls.\(process)"
    strace = try ChildProcess(
      "/usr/bin/strace", ["-f", "-o", output, "-p", String(process)], environment: ["PATH": "/usr/bin:/bin"])
  }

  /// Ends counting, and says how many there were.
  ///
  /// A call in which a thread waited all the time is none, nor is its being taken up again once strace is there.
  func end() throws -> Int {
    strace.signal(SIGINT)
    _ = try strace.exitStatus()
    let errors = try strace.errorText()
    guard errors.contains("attached") else { throw BenchmarkError("strace: \(errors)") }
    return try text(output).split(separator: "\n").count {
      !$0.contains("resumed>") && !$0.contains("<detached ...>") && !$0.contains("restart_syscall")
        && !$0.contains("---")
    }
  }
}
