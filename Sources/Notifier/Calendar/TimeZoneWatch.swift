import CSequenceLinux
import Glibc
import Platform

/// Reports when the time zone of the system is set, once.
///
/// It is set by a new link in the place of the old one, so the link is watched and not what it points to.
struct TimeZoneWatch: ~Copyable {
  private let watch: FileDescriptor?

  /// Starts to watch; without a link, or beyond the kernel's limit of watches, nothing is reported.
  init(path: String = SystemTimeZone.path) {
    watch = try? TimeZoneWatch.watch(path)
  }

  /// The descriptor to wait on, if there is one: readable once the time zone was set.
  var descriptors: [Int32] {
    switch watch {
    case .some(let watch): [watch.number]
    case nil: []
    }
  }

  private static func watch(_ path: String) throws(SystemError) -> FileDescriptor {
    let descriptor = FileDescriptor(
      owning: try SystemError.check("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) })
    let events = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW
    _ = try SystemError.check("watch \(path)") {
      unsafe inotify_add_watch(descriptor.number, path, UInt32(events))
    }
    return descriptor
  }
}
