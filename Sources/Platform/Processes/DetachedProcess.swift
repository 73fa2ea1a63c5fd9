import CSequenceLinux
import FoundationEssentials
import Glibc

/// Starts programs in a session of their own, which have the descriptors they are given and no others, and
/// handle every signal as a fresh process does.
package enum DetachedProcess {
  /// What a descriptor of the new process is.
  package enum File {
    /// A file that is opened for it.
    case path(String, flags: Int32)
    /// A descriptor of this process.
    case descriptor(Int32)
  }

  /// POSIX_SPAWN_SETSID, which <spawn.h> has for _GNU_SOURCE only.
  private static let newSession: Int32 = 0x80

  /// Starts a program, and does not wait for it.
  ///
  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - environment: the environment of the program, each as `NAME=value`.
  ///   - files: standard input, output and error.
  ///   - directory: the directory that it works in; `nil` for that of this process.
  package static func spawn(
    _ words: [String], environment: [String], files: (File, File, File), in directory: String? = nil
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    try check("posix_spawn_file_actions_init", unsafe posix_spawn_file_actions_init(&actions))
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in [(STDIN_FILENO, files.0), (STDOUT_FILENO, files.1), (STDERR_FILENO, files.2)] {
      switch file {
      case .path(let path, let flags):
        try check("addopen", unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600))
      case .descriptor(let own):
        try check("adddup2", unsafe posix_spawn_file_actions_adddup2(&actions, own, number))
      }
    }
    for descriptor in try openDescriptors() where descriptor > STDERR_FILENO {
      try check("addclose", unsafe posix_spawn_file_actions_addclose(&actions, descriptor))
    }
    if let directory {
      try check("addchdir", unsafe posix_spawn_file_actions_addchdir_np(&actions, directory))
    }
    var attributes = posix_spawnattr_t()
    try check("posix_spawnattr_init", unsafe posix_spawnattr_init(&attributes))
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    try prepare(&attributes)

    var process: pid_t = 0
    let status = unsafe withCStrings(words) { words in
      unsafe withCStrings(environment) { environment in
        unsafe words[0].map { unsafe posix_spawn(&process, $0, &actions, &attributes, words, environment) }
          ?? EINVAL
      }
    }
    try check("start \(words.first ?? "")", status)
    return process
  }

  /// The descriptors of this process, some of which may be closed again: closing those does no harm.
  ///
  /// Those that the program was started with are inherited by what it starts.
  private static func openDescriptors() throws(SystemError) -> [Int32] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    } catch {
      // What else may be wrong with it: a system without /proc.
      throw SystemError(call: "read /proc/self/fd", code: ENOENT)
    }
  }

  private static func prepare(_ attributes: inout posix_spawnattr_t) throws(SystemError) {
    var none = sigset_t()
    var all = sigset_t()
    // They fail for a bad address only.
    _ = unsafe (sigemptyset(&none), sigfillset(&all))
    try check("setsigmask", unsafe posix_spawnattr_setsigmask(&attributes, &none))
    try check("setsigdefault", unsafe posix_spawnattr_setsigdefault(&attributes, &all))
    let flags = newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    try check("setflags", unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
  }

  private static func check(_ call: String, _ code: Int32) throws(SystemError) {
    guard code == 0 else { throw SystemError(call: call, code: code) }
  }
}
