import Foundation
import TestSupport

struct CallCount {
  private let strace: ChildProcess
  private let output: String

  /// Starts to count the calls of a process and all its threads.
  init(of process: pid_t, in directory: TemporaryDirectory) throws {
    output = directory.path + "/calls.\(process)"
    strace = try ChildProcess(
      "/usr/bin/strace", ["-f", "-o", output, "-p", String(process)], environment: ["PATH": "/usr/bin:/bin"])
  }

  /// Ends the count, and returns it.
  ///
  /// A call that only waited during the whole count is left out, and so is its restart when strace attaches.
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
