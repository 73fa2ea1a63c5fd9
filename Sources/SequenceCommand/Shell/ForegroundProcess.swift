import CSequenceLinux
import Glibc
import Platform
import SequenceRunner

/// Programs that have the terminal until they end, as an editor has.
enum ForegroundProcess {
  /// How a program ended.
  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The signals that the keys of a terminal send to all that run in it, and that are the program's meanwhile.
  private static let keys = [SIGINT, SIGQUIT]

  /// Runs a program with the streams of this process, and waits for its end.
  ///
  /// - Parameter words: the path of the program, and its arguments.
  static func run(_ words: [String], environment: EnvironmentVariables) throws(SystemError) -> Ending {
    let handlers = keys.map { key in (key, signal(key, SIG_IGN)) }
    defer { for handler in handlers { _ = signal(handler.0, handler.1) } }
    let process = try spawn(words, environment: environment)
    var status: Int32 = 0
    _ = try SystemError.check("waitpid") { unsafe waitpid(process, &status, 0) }
    // As <sys/wait.h> has it: a signal in the low bits, else the exit status above them.
    let number = status & 0x7f
    return number == 0 ? .exit(status >> 8 & 0xff) : .signal(number)
  }

  private static func spawn(
    _ words: [String], environment: EnvironmentVariables
  ) throws(SystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    try check("posix_spawnattr_init", unsafe posix_spawnattr_init(&attributes))
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    // It fails for a bad address only.
    _ = unsafe sigfillset(&all)
    try check("setsigdefault", unsafe posix_spawnattr_setsigdefault(&attributes, &all))
    try check("setflags", unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF)))
    var process: pid_t = 0
    let status = unsafe withCStrings(words) { words in
      unsafe withCStrings(environment.entries) { environment in
        unsafe words[0].map { unsafe posix_spawn(&process, $0, nil, &attributes, words, environment) }
          ?? EINVAL
      }
    }
    try check("start \(words.first ?? "")", status)
    return process
  }

  private static func check(_ call: String, _ code: Int32) throws(SystemError) {
    guard code == 0 else { throw SystemError(call: call, code: code) }
  }
}
