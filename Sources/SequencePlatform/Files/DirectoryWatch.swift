import CSequenceLinux
import Glibc

/// Reports when a file in a directory was written, created, renamed or removed.
///
/// The directory is watched and not a file in it, because a watch on a file is gone with the file.
package struct DirectoryWatch: ~Copyable {
  private let watch: FileDescriptor
  private let clock: ManualClock?

  /// - Throws: `SystemError` if the kernel's limit of watches is reached, or the directory is not there.
  package init(path: String) throws(SystemError) {
    try self.init(
      path: path,
      events: IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
  }

  /// Starts to watch the file of a lock, which is never removed: whether it is written, or a process that can write it
  /// closes it or ends.
  ///
  /// - Throws: `SystemError` if the kernel's limit of watches is reached, or the file is not there.
  package init(lock path: String) throws(SystemError) {
    try self.init(path: path, events: IN_MODIFY | IN_CLOSE_WRITE)
  }

  private init(path: String, events: Int32) throws(SystemError) {
    let descriptor = FileDescriptor(
      owning: try SystemError.check("inotify_init1") {
        inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      })
    _ = try SystemError.check("watch \(path)") {
      unsafe inotify_add_watch(descriptor.number, path, UInt32(events))
    }
    watch = descriptor
    clock = nil
  }

  /// Starts to watch the stores with a manual clock, which are used in one process only.
  ///
  /// The kernel gives a user few watches of directories: a hundred tests side by side would take all of them.
  init(of clock: ManualClock) throws(SystemError) {
    watch = try clock.makeStoreDescriptor()
    self.clock = clock
  }

  deinit { clock?.forget(watch.number) }

  package var descriptor: Int32 { watch.number }

  /// Removes all events, so that the descriptor is no longer readable.
  ///
  /// The events themselves are ignored: callers read the store, and an overflow of the queue is an event too.
  package func drain() throws(SystemError) {
    while let events = try watch.read(atMost: 4096), !events.isEmpty {}
  }
}
