import CSequenceLinux
import Glibc
import SequencePlatform
import SequenceRunner

struct WholeProcess {
  let words: [String]
  let environment: [String: String]

  init(_ words: [String], _ environment: [String: String] = ["PATH": "/usr/bin:/bin"]) {
    self.words = words
    self.environment = environment
  }

  /// Returns the time from its start to its end; its output is discarded.
  func duration() throws -> Duration {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in [STDIN_FILENO, STDOUT_FILENO] {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    let assignments = environment.map { "\($0.key)=\($0.value)" }
    let start = ContinuousClock.now
    var process: pid_t = 0
    let code = withCStrings(words) { words in
      withCStrings(assignments) { environment in
        words[0].map { posix_spawn(&process, $0, &actions, nil, words, environment) } ?? EINVAL
      }
    }
    guard code == 0 else { throw SystemError(call: "start \(words)", code: code) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let duration = ContinuousClock.now - start
    guard status == 0 else { throw BenchmarkError("\(words) ended with status \(status)") }
    return duration
  }
}
