import NotifierDelivery

extension Courier {
  /// Begins a turn and returns the next order.
  func advance() throws -> DesktopOrder? { try advance(at: beginTurn()) }
}
