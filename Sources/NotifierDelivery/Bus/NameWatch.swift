import CSequenceGLib

/// Tells of each program that takes a name on a bus, and of one that has it already.
///
/// It tells in the thread that made it, while that thread's context is served.
@safe package final class NameWatch {
  private let identifier: UInt32

  /// - Parameter onOwner: called for each new owner.
  package init(_ name: String, on connection: BusConnection, onOwner: @escaping () -> Void) {
    let holder = unsafe Unmanaged.passRetained(Holder(onOwner)).toOpaque()
    identifier = unsafe g_bus_watch_name_on_connection(
      connection.pointer, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, _, context in
        if let context = unsafe context {
          unsafe Unmanaged<Holder>.fromOpaque(context).takeUnretainedValue().onOwner()
        }
      }, nil, holder,
      { context in unsafe context.map { unsafe Unmanaged<Holder>.fromOpaque($0).release() } })
  }

  deinit { g_bus_unwatch_name(identifier) }

  /// What C code keeps of the watch.
  private final class Holder {
    let onOwner: () -> Void
    init(_ onOwner: @escaping () -> Void) { self.onOwner = onOwner }
  }
}
