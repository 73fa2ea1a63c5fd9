import FoundationEssentials
import Glibc

extension TerminalGuardian {
  /// Starts a shell in a session of its own that has two descriptors and no others, and handles every signal
  /// as a fresh process does.
  static func spawn(_ arguments: [String], input: Int32, output: Int32) throws(TerminalError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    try check("posix_spawn_file_actions_init", unsafe posix_spawn_file_actions_init(&actions))
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    try check("adddup2", unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO))
    try check("adddup2", unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
    try check(
      "addopen", unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0))
    for descriptor in try openDescriptors() where descriptor > STDERR_FILENO {
      try check("addclose", unsafe posix_spawn_file_actions_addclose(&actions, descriptor))
    }

    var attributes = posix_spawnattr_t()
    try check("posix_spawnattr_init", unsafe posix_spawnattr_init(&attributes))
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    try prepare(&attributes)

    var process: pid_t = 0
    let status = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(["PATH=\(path)"]) { environment in
        unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
      }
    }
    try check("posix_spawn", status)
    return process
  }

  /// The usual places behind the user's own: on some systems only that leads to `stty`.
  private static var path: String {
    let own = unsafe getenv("PATH").map { unsafe String(cString: $0) + ":" } ?? ""
    return own + "/usr/bin:/bin"
  }

  /// The descriptors of this process, some of which may be closed again: closing those does no harm.
  ///
  /// Those that the program was started with are inherited by what it starts.
  private static func openDescriptors() throws(TerminalError) -> [Int32] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    } catch {
      // What else may be wrong with it: a system without /proc.
      throw .system(call: "opendir /proc/self/fd", code: ENOENT)
    }
  }

  /// POSIX_SPAWN_SETSID, which <spawn.h> has for _GNU_SOURCE only.
  private static let newSession: Int32 = 0x80

  private static func prepare(_ attributes: inout posix_spawnattr_t) throws(TerminalError) {
    var none = sigset_t()
    var all = sigset_t()
    // They fail for a bad address only.
    _ = unsafe (sigemptyset(&none), sigfillset(&all))
    try check("setsigmask", unsafe posix_spawnattr_setsigmask(&attributes, &none))
    try check("setsigdefault", unsafe posix_spawnattr_setsigdefault(&attributes, &all))
    let flags = newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    try check("setflags", unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
  }

  private static func check(_ call: String, _ code: Int32) throws(TerminalError) {
    guard code == 0 else { throw .system(call: call, code: code) }
  }

  /// Calls with an array of C strings, ended by a null pointer.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let bytes = strings.map { Array($0.utf8CString) }
    let size = bytes.reduce(0) { $0 + $1.count }
    let storage = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer { unsafe storage.deallocate() }
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    var offset = 0
    for string in bytes {
      unsafe storage.advanced(by: offset).initialize(from: string, count: string.count)
      unsafe pointers.append(storage + offset)
      offset += string.count
    }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array ends with a null pointer") }
      return unsafe body(base)
    }
  }
}
