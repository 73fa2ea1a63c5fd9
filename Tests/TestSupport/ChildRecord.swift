import CSequenceLinux
import Foundation
import Glibc
import SequencePlatform
import SequenceRunner

/// The known output and exit status of a program.
///
/// Each program has a thread that starts it, reads all its output immediately, and reaps it. The kernel kills
/// the program with the thread that started it, and so with the tests, however they end.
final class ChildRecord: @unchecked Sendable {
  struct State {
    /// The process, or the reason why it could not be started.
    var start: Result<pid_t, any Error>?
    var output: ArraySlice<UInt8> = []
    var errors: ArraySlice<UInt8> = []
    var hasEndedOutput = false
    var hasEndedErrors = false
    /// The exit status, or 128 plus the number of the signal that ended the program.
    var status: Int32?
    /// Whether the test has released the program.
    var isAbandoned = false
  }

  let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private let changed = NSCondition()
  private var state = State()

  init() {
    for pipe in [input, output, errors] {
      for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
    }
  }

  func with<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    try changed.withLock {
      defer { changed.broadcast() }
      return try body(&state)
    }
  }

  /// Waits for a value; `nil` if there is none within the limit.
  func wait<Value>(within limit: Duration, for look: (inout State) throws -> Value?) rethrows -> Value? {
    let deadline = ContinuousClock.now + limit
    return try changed.withLock {
      while true {
        if let value = try look(&state) { return value }
        let left = deadline - .now
        guard left > .zero else { return nil }
        _ = changed.wait(until: Date(timeIntervalSinceNow: left / .seconds(1)))
      }
    }
  }

  /// Opens a descriptor that is readable once a program has ended; `nil` if it was reaped.
  func openEnding(of process: pid_t) throws -> Int32? {
    try with { state in
      guard state.status == nil else { return nil }
      return try SystemError.check("pidfd_open") { sequence_pidfd_open(process) }
    }
  }

  /// Starts a program, and keeps the record until its end.
  func keep(of words: [String], environment: [String]) {
    let process: pid_t
    let ending: FileDescriptor
    do {
      let ends = [input.fileHandleForReading, output.fileHandleForWriting, errors.fileHandleForWriting]
      process = try ChildRecord.spawn(words, environment: environment, files: ends.map(\.fileDescriptor))
      // Only the program may hold these, otherwise their closing would go unnoticed.
      for end in ends { try end.close() }
      let descriptor = sequence_pidfd_open(process)
      guard descriptor >= 0 else {
        let code = errno
        kill(process, SIGKILL)
        _ = ChildRecord.reap(process)
        throw SystemError(call: "pidfd_open", code: code)
      }
      ending = FileDescriptor(owning: descriptor)
    } catch {
      with { $0.start = .failure(error) }
      return
    }
    with { $0.start = .success(process) }

    let descriptors = [
      output.fileHandleForReading.fileDescriptor, errors.fileHandleForReading.fileDescriptor, ending.number,
    ]
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while entries.contains(where: { $0.fd >= 0 }) {
      // Processes that the program started may keep its output open for longer than it is needed.
      let hasEnded = entries[2].fd < 0
      if hasEnded && with({ $0.isAbandoned }) { return }
      guard poll(&entries, 3, hasEnded ? 100 : -1) > 0 else { continue }
      for index in entries.indices where entries[index].fd >= 0 && entries[index].revents != 0 {
        if index == 2 {
          // In one step, so that no signal is sent to a process that no longer exists.
          with { $0.status = ChildRecord.reap(process) }
        } else if !read(entries[index].fd, isErrors: index == 1) {
          continue
        }
        // poll ignores descriptors below zero.
        entries[index].fd = -1
      }
    }
  }

  /// Reads the available data; returns whether the output has ended.
  private func read(_ descriptor: Int32, isErrors: Bool) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0 && errno == EINTR { return false }
    with { state in
      switch (count > 0, isErrors) {
      case (true, false): state.output += bytes.prefix(count)
      case (true, true): state.errors += bytes.prefix(count)
      case (false, false): state.hasEndedOutput = true
      case (false, true): state.hasEndedErrors = true
      }
    }
    return count <= 0
  }

  private static func reap(_ process: pid_t) -> Int32 {
    // Fails only if there is no such child.
    switch try? Termination.wait(for: process) {
    case .exit(let status): return status
    case .signal(let number): return 128 + number
    case nil: return -1
    }
  }

  /// Starts a program in its own process group, with default signal handling and only these files.
  private static func spawn(_ words: [String], environment: [String], files: [Int32]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    // setpriv requests the death signal first. If the parent has died before that, the parent id differs.
    let check = #"[ "$PPID" = "$0" ] && exec /usr/bin/env -i "$@""#
    let start = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--", "/bin/sh", "-c", check, String(getpid())]
    var process: pid_t = 0
    let code = withCStrings(start + environment + words) { words in
      withCStrings([]) { environment in
        words[0].map { posix_spawn(&process, $0, &actions, &attributes, words, environment) } ?? EINVAL
      }
    }
    guard code == 0 else { throw SystemError(call: "start \(words[0])", code: code) }
    return process
  }
}
