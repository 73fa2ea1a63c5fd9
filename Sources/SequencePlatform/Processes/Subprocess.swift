import CSequenceLinux
import Glibc

/// A program that this process has started.
///
/// It handles every signal as a fresh process does, and has its standard streams and no other descriptors.
package struct Subprocess: ~Copyable {
  package let identifier: Int32
  private let session: Session
  private let ending: FileDescriptor

  package enum Stream {
    case path(String, flags: Int32)
    case descriptor(Int32)

    /// Reads as empty, and takes everything.
    package static let null = Stream.path("/dev/null", flags: O_RDWR)
  }

  package enum Session {
    /// A session of its own, which has no terminal.
    case own
    /// Those of this process, whose terminal it shares.
    case shared
  }

  /// POSIX_SPAWN_SETSID, which <spawn.h> has for _GNU_SOURCE only.
  private static let newSession: Int32 = 0x80

  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - environment: the environment of the program, each as `NAME=value`.
  ///   - streams: standard input, output and error.
  ///   - directory: its working directory; `nil` for that of this process.
  package init(
    _ words: [String], environment: [String], streams: (Stream, Stream, Stream), in directory: String? = nil,
    session: Session = .own
  ) throws(SystemError) {
    let process = try Subprocess.spawn(
      words, environment: environment, streams: streams, in: directory, session: session)
    ending = try Subprocess.ending(of: process, session)
    identifier = process
    self.session = session
  }

  /// Opens a descriptor for the end of a process; on failure it kills the process, whose end would go unnoticed.
  private static func ending(of process: Int32, _ session: Session) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try FileDescriptor(ofProcess: process)
    } catch {
      kill(process, session)
      throw error
    }
  }

  /// Readable once the program has ended.
  package var descriptor: Int32 { ending.number }

  /// - Parameter isCollected: whether to release its process id; until then `kill` reaches its remaining children.
  package func wait(collecting isCollected: Bool = true) throws(SystemError) -> Termination {
    try Termination.wait(for: identifier, collecting: isCollected)
  }

  /// Kills the program, with its own process group if it has one, and waits for its end, a second at most: a disk that
  /// hangs may keep it.
  package func kill() { Subprocess.kill(identifier, session) }

  /// Kills the program, with its own process group if it has one, without waiting for its end.
  package func sendKill() { Subprocess.sendKill(identifier, session) }

  private static func kill(_ process: Int32, _ session: Session) {
    sendKill(process, session)
    collect(killed: [process])
  }

  /// Collects the ends of killed programs by their ids, and waits for them, a second at most: a disk that hangs may
  /// keep one.
  package static func collect(killed processes: [Int32]) {
    var left = processes
    for _ in 0..<1000 {
      var status: Int32 = 0
      // It fails only if the end was collected before.
      left.removeAll { unsafe waitpid($0, &status, WNOHANG) != 0 }
      if left.isEmpty { return }
      _ = poll(nil, 0, 1)
    }
  }

  private static func sendKill(_ process: Int32, _ session: Session) {
    switch session {
    case .own: _ = Glibc.kill(-process, SIGKILL)
    case .shared: _ = Glibc.kill(process, SIGKILL)
    }
  }

  /// Starts a program without supervising it.
  ///
  /// - Returns: its process id; the caller has to collect its exit status.
  package static func spawn(
    _ words: [String], environment: [String], streams: (Stream, Stream, Stream), in directory: String? = nil,
    session: Session = .own
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    try check("posix_spawn_file_actions_init", unsafe posix_spawn_file_actions_init(&actions))
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [
      (STDIN_FILENO, streams.0), (STDOUT_FILENO, streams.1), (STDERR_FILENO, streams.2),
    ] {
      switch stream {
      case .path(let path, let flags):
        try check("addopen", unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600))
      case .descriptor(let own):
        try check("adddup2", unsafe posix_spawn_file_actions_adddup2(&actions, own, number))
      }
    }
    // Those that this process was started with would be inherited.
    try check(
      "addclosefrom", unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
    if let directory {
      try check("addchdir", unsafe posix_spawn_file_actions_addchdir_np(&actions, directory))
    }
    var attributes = posix_spawnattr_t()
    try check("posix_spawnattr_init", unsafe posix_spawnattr_init(&attributes))
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    try prepare(&attributes, session)

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

  private static func prepare(
    _ attributes: inout posix_spawnattr_t, _ session: Session
  ) throws(SystemError) {
    var none = sigset_t()
    var all = sigset_t()
    // They fail for a bad address only.
    _ = unsafe (sigemptyset(&none), sigfillset(&all))
    try check("setsigmask", unsafe posix_spawnattr_setsigmask(&attributes, &none))
    try check("setsigdefault", unsafe posix_spawnattr_setsigdefault(&attributes, &all))
    let flags =
      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (session == .own ? newSession : 0)
    try check("setflags", unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
  }

  private static func check(_ call: String, _ code: Int32) throws(SystemError) {
    guard code == 0 else { throw SystemError(call: call, code: code) }
  }
}

package enum Termination: Equatable, Sendable {
  case exit(Int32)
  case signal(Int32)

  /// - Parameter isCollected: whether to release the process id; until then no other process can have it.
  package static func wait(
    for process: Int32, collecting isCollected: Bool = true
  ) throws(SystemError) -> Termination {
    var (code, status) = (Int32(0), Int32(0))
    _ = try SystemError.check("waitid") {
      unsafe sequence_wait(process, isCollected ? 0 : WNOWAIT, &code, &status)
    }
    return code == CLD_EXITED ? .exit(status) : .signal(status)
  }
}
