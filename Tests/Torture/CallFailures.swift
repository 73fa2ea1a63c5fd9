/// Which system calls are made to fail, and how each of them can.
enum CallFailures {
  /// The errors that are apt for each call.
  ///
  /// There is EINTR for calls that wait only: Linux interrupts neither fsync, mmap, rename and the like, nor the locks of
  /// SQLite, which asks for one without waiting for it.
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
    "rename": ["EIO", "EACCES"],
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

  /// What changes a store or its locks: a process that is killed matters before each of these only.
  static let effective = [
    "openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "fcntl", "unlink", "rename", "mkdir",
    "mmap",
    "clone", "clone3", "vfork", "close", "munmap", "exit_group",
  ]

  /// Whether a call was one for memory of the process's own, without which the Swift runtime ends it at once.
  static func isForMemory(_ calls: [String]) -> Bool {
    calls.contains { $0.contains("brk(") || $0.contains("mmap(") && $0.contains("MAP_ANONYMOUS") }
  }
}
