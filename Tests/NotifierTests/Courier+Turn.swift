import Notifier

extension Courier {
  /// Begins a turn and decides what to order.
  func advance() throws -> DesktopOrder? { try advance(at: settle()) }
}
