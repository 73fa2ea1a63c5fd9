import CSequenceAdwaita

/// Something that GLib's main loop calls, until it is cancelled or freed.
final class LoopSource {
  private var identifier: guint

  private init(_ identifier: guint) { self.identifier = identifier }

  deinit { cancel() }

  /// Calls a handler again and again: a source that ended by itself would be cancelled twice.
  private static let repeatedly: GSourceFunc = { data in
    unsafe Handler<() -> Void>.of(data)?.body()
    return 1
  }

  func cancel() {
    guard identifier != 0 else { return }
    g_source_remove(identifier)
    identifier = 0
  }

  /// Calls a handler whenever a descriptor is readable.
  static func readable(_ descriptor: Int32, _ handler: @escaping () -> Void) -> LoopSource {
    let call: GUnixFDSourceFunc = { _, _, data in
      unsafe Handler<() -> Void>.of(data)?.body()
      return 1
    }
    return LoopSource(
      unsafe g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, descriptor, G_IO_IN, call, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler when a signal of the system arrives.
  static func signal(_ number: Int32, _ handler: @escaping () -> Void) -> LoopSource {
    return LoopSource(
      unsafe g_unix_signal_add_full(
        G_PRIORITY_DEFAULT, number, repeatedly, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler each time a number of seconds has passed, until it is cancelled.
  static func after(seconds: Int, _ handler: @escaping () -> Void) -> LoopSource {
    return LoopSource(
      unsafe g_timeout_add_seconds_full(
        G_PRIORITY_DEFAULT, guint(seconds), repeatedly, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler each time a number of milliseconds has passed, until it is cancelled.
  static func after(milliseconds: Int, _ handler: @escaping () -> Void) -> LoopSource {
    return LoopSource(
      unsafe g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(milliseconds), repeatedly, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler once, before the next frame is laid out.
  ///
  /// What is changed while widgets get their sizes would be lost.
  static func soon(_ handler: @escaping () -> Void) { idle(G_PRIORITY_HIGH_IDLE, handler) }

  /// Calls a handler once the widgets have their places.
  static func afterLayout(_ handler: @escaping () -> Void) { idle(G_PRIORITY_DEFAULT_IDLE, handler) }

  private static func idle(_ priority: gint, _ handler: @escaping () -> Void) {
    let call: GSourceFunc = { data in
      unsafe Handler<() -> Void>.of(data)?.body()
      return 0
    }
    unsafe g_idle_add_full(
      priority, call, Handler(handler).retained, { unsafe releaseHandler($0) })
  }
}
