enum CallFailures {
  /// The possible errors of each call.
  ///
  /// EINTR is used only for calls that wait. Linux interrupts neither fsync, mmap, rename and similar calls,
  /// nor SQLite's locks, which don't wait.
  static let errors: [String: [String]] = [
    "openat": ["EACCES", "EMFILE", "EIO", "EROFS", "ENOSPC", "EINTR"],
    "read": ["EIO", "EINTR"],
    "pread64": ["EIO", "EINTR"],
    "write": ["EIO", "ENOSPC", "EINTR"],
    "pwrite64": ["EIO", "ENOSPC", "EINTR"],
    "writev": ["EIO"],
    "fsync": ["EIO", "ENOSPC"],
    "fdatasync": ["EIO", "ENOSPC"],
    "ftruncate": ["EIO", "ENOSPC", "EINTR"],
    "truncate": ["EIO"],
    "fallocate": ["ENOSPC"],
    "mmap": ["ENOMEM"],
    "brk": ["ENOMEM"],
    "fcntl": ["ENOLCK"],
    "unlink": ["EIO", "EACCES"],
    "renameat2": ["EIO", "EACCES"],
    "mkdir": ["EACCES", "ENOSPC", "EROFS"],
    "newfstatat": ["EIO", "EACCES"],
    "fstat": ["EIO"],
    "stat": ["EIO", "EACCES"],
    "lstat": ["EIO", "EACCES"],
    "statx": ["EIO"],
    "access": ["EACCES", "EIO"],
    "readlink": ["EIO", "EACCES"],
    "getdents64": ["EIO"],
    "getcwd": ["ENOMEM"],
    "lseek": ["EIO"],
    "fchmod": ["EIO"],
    "fchown": ["EIO"],
    "clone": ["EAGAIN", "ENOMEM"],
    "clone3": ["EAGAIN", "ENOMEM"],
    "vfork": ["EAGAIN", "ENOMEM"],
    "execve": ["ENOMEM"],
    "pipe2": ["EMFILE"],
    "poll": ["EINTR", "ENOMEM"],
    "ppoll": ["EINTR", "ENOMEM"],
    "epoll_wait": ["EINTR"],
    "inotify_init1": ["EMFILE", "ENOMEM"],
    "inotify_add_watch": ["ENOSPC", "ENOMEM"],
    "timerfd_create": ["EMFILE", "ENOMEM"],
    "timerfd_settime": ["ENOMEM"],
    "signalfd4": ["EMFILE", "ENOMEM"],
    "eventfd2": ["EMFILE", "ENOMEM"],
    "rt_sigprocmask": [],
    "socket": ["EMFILE", "EACCES"],
    "connect": ["ECONNREFUSED", "EACCES", "EINTR"],
    "sendmsg": ["EPIPE", "EINTR"],
    "recvmsg": ["ECONNRESET", "EINTR"],
    "sendto": ["EPIPE", "EINTR"],
    "recvfrom": ["ECONNRESET", "EINTR"],
  ]

  /// The calls that change a store or its locks; a kill matters only before one of these.
  static let effective = [
    "openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "fcntl", "unlink", "renameat2", "mkdir",
    "mmap",
    "clone", "clone3", "vfork", "close", "munmap", "exit_group",
  ]

  /// Returns whether a call requested memory for the process; the Swift runtime aborts without it.
  static func isForMemory(_ calls: [String]) -> Bool {
    calls.contains { $0.contains("brk(") || $0.contains("mmap(") && $0.contains("MAP_ANONYMOUS") }
  }
}
