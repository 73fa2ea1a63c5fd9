import CSequenceAdwaita

/// Follows whether a program on the session bus has a name, until it is freed.
final class BusName {
  private let identifier: guint

  /// - Parameter onChange: called with whether a program has the name: soon, and after each change.
  init(_ name: String, onChange: @escaping (Bool) -> Void) {
    identifier = unsafe g_bus_watch_name(
      G_BUS_TYPE_SESSION, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, _, data in unsafe Handler<(Bool) -> Void>.of(data)?.body(true) },
      { _, _, data in unsafe Handler<(Bool) -> Void>.of(data)?.body(false) }, Handler(onChange).retained,
      { unsafe releaseHandler($0) })
  }

  deinit { g_bus_unwatch_name(identifier) }
}
