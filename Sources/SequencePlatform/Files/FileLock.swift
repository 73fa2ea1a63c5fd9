import CSequenceLinux
package import Glibc

/// A lock that other processes see, and that ends with the process that holds it, even after SIGKILL.
///
/// It is an open file description lock on a file that Sequence never renames or removes. Asking who holds it does not take
/// it, so a question never blocks another process.
package struct FileLock: ~Copyable {
  private var file: FileDescriptor
  private let path: String

  package init(path: String) throws(SystemError) {
    file = try FileLock.open(path)
    self.path = path
  }

  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW)
  }

  /// Whether the file is still the one at its path, which other processes ask.
  package var isInPlace: Bool {
    guard let identity = FileIdentity(descriptor: file.number) else { return false }
    return identity == FileIdentity(path: path)
  }

  /// Opens the file at the path, if that is another one by now; the lock of the former file is given back.
  package mutating func follow() throws(SystemError) {
    guard !isInPlace else { return }
    // If the directory is gone, nobody asks for the lock.
    do throws(SystemError) { file = try FileLock.open(path) } catch  where error.code == ENOENT {}
  }

  /// Takes the lock if it is free, and returns whether it did.
  package func take() throws(SystemError) -> Bool { try take(FileLock.request(Int16(F_WRLCK))) }

  /// Takes a region of the lock that processes share, and returns whether it did: not if a process has all of the lock.
  ///
  /// Each process locks the byte of the region at the place of its process id.
  package func share(_ region: UInt32) throws(SystemError) -> Bool {
    try take(FileLock.request(Int16(F_RDLCK), from: FileLock.start(of: region) + off_t(getpid()), length: 1))
  }

  private func take(_ request: flock) throws(SystemError) -> Bool {
    var request = request
    do throws(SystemError) {
      _ = try SystemError.check("lock \(path)") {
        unsafe fcntl(file.number, Int32(SEQUENCE_F_OFD_SETLK), &request)
      }
      return true
    } catch  where error.code == EAGAIN || error.code == EACCES {
      return false
    }
  }

  /// Returns whether the lock became free in time.
  package func take(within limit: Duration) throws(SystemError) -> Bool {
    let pause = Duration.milliseconds(10)
    var waited = Duration.zero
    while try !take() {
      guard waited < limit else { return false }
      _ = poll(nil, 0, 10)
      waited += pause
    }
    return true
  }

  /// Takes the lock as soon as it is free, woken by the kernel; returns whether it was taken in time.
  ///
  /// For a program that has no other use for SIGALRM.
  package func takeOnceFree(within limit: Duration) throws(SystemError) -> Bool {
    var action = sigaction()
    // Nothing is done, and the call that waits isn't begun again.
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    _ = try SystemError.check("sigaction") { unsafe sigaction(SIGALRM, &action, nil) }
    var timer = FileLock.alarm(after: limit)
    _ = try SystemError.check("setitimer") { unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil) }
    var request = FileLock.request(Int16(F_WRLCK))
    let isTaken = unsafe fcntl(file.number, Int32(SEQUENCE_F_OFD_SETLKW), &request) == 0
    let code = errno
    timer = itimerval()
    _ = try SystemError.check("setitimer") { unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil) }
    guard isTaken || code == EINTR else { throw SystemError(call: "lock \(path)", code: code) }
    return isTaken
  }

  package static func alarm(after limit: Duration) -> itimerval {
    // A time of zero would mean that there is no signal.
    let time = max(1, limit.nanoseconds / 1000)
    let first = timeval(tv_sec: Int(time / 1_000_000), tv_usec: Int(time % 1_000_000))
    // It repeats, in case the first signal comes before the wait begins.
    return itimerval(it_interval: timeval(tv_sec: 1, tv_usec: 0), it_value: first)
  }

  /// Gives the lock back, with all regions.
  package func release() throws(SystemError) {
    var request = FileLock.request(Int16(F_UNLCK))
    _ = try SystemError.check("unlock \(path)") {
      unsafe fcntl(file.number, Int32(SEQUENCE_F_OFD_SETLK), &request)
    }
  }

  /// Wakes those who watch the file, because what this process shares has changed.
  package func signal() throws(SystemError) {
    var byte: UInt8 = 0
    _ = try SystemError.check("write \(path)") { unsafe pwrite(file.number, &byte, 1, 0) }
  }

  package func isHeldByAnother() throws(SystemError) -> Bool {
    var request = FileLock.request(Int16(F_WRLCK))
    _ = try SystemError.check("read the lock \(path)") {
      unsafe fcntl(file.number, Int32(SEQUENCE_F_OFD_GETLK), &request)
    }
    return request.l_type != Int16(F_UNLCK)
  }

  /// Whether another process shares a region of the lock, or holds the lock, and isn't stopped: a stopped process keeps
  /// its locks.
  package func isSharedByRunningProcess(_ region: UInt32) throws(SystemError) -> Bool {
    let start = FileLock.start(of: region)
    return try isHeldByRunningProcess(in: start, from: start, to: start + FileLock.largestProcess + 1)
  }

  private func isHeldByRunningProcess(
    in region: off_t, from start: off_t, to end: off_t
  ) throws(SystemError) -> Bool {
    guard start < end else { return false }
    var request = FileLock.request(Int16(F_WRLCK), from: start, length: end - start)
    _ = try SystemError.check("read the lock \(path)") {
      unsafe fcntl(file.number, Int32(SEQUENCE_F_OFD_GETLK), &request)
    }
    guard request.l_type != Int16(F_UNLCK) else { return false }
    let holder = request.l_start
    guard request.l_len == 1, try FileLock.isStopped(holder - region) else { return true }
    // The kernel reports any one of the locks.
    if try isHeldByRunningProcess(in: region, from: start, to: holder) { return true }
    return try isHeldByRunningProcess(in: region, from: holder + 1, to: end)
  }

  /// The first byte of a region, which has one for each process id.
  private static func start(of region: UInt32) -> off_t { off_t(region) << 23 }

  /// The kernel's limit of process ids.
  private static let largestProcess: off_t = 1 << 22

  /// Whether a process is stopped by a signal; not if it is unknown here, such as one in another container.
  private static func isStopped(_ process: off_t) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let file = try FileDescriptor(opening: "/proc/\(process)/stat", O_RDONLY)
      let text = String(decoding: try file.read(atMost: 4096) ?? [], as: UTF8.self)
      // The state follows the name, which may have any character.
      return text[(text.lastIndex(of: ")") ?? text.startIndex)...].hasPrefix(") T")
    } catch {
      guard error.code == ENOENT || error.code == ESRCH || error.code == EACCES else { throw error }
      return false
    }
  }

  private static func request(_ type: Int16, from start: off_t = 0, length: off_t = 0) -> flock {
    flock(l_type: type, l_whence: Int16(SEEK_SET), l_start: start, l_len: length, l_pid: 0)
  }
}
