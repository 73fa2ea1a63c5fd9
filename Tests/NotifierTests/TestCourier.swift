import NotifierDelivery
import NotifierLedger
import SequenceNotifications
import SequencePlanning
import SequenceRunner
import TestSupport
import Testing

/// A courier that takes its turns at the present moment, and a well-behaved server that answers it.
struct TestCourier {
  static let epoch = ServerEpoch(busID: "bus", owner: ":1.1")

  let courier: Courier
  private let beginTurn: () throws -> Turn

  init(_ courier: Courier, beginTurn: @escaping () throws -> Turn) {
    self.courier = courier
    self.beginTurn = beginTurn
  }

  /// Creates the courier of the runs in a store, which each turn settles first.
  init(
    of store: RunStore, process: Int32 = 1, horizon: PlanningHorizon = .standard,
    preparation: Duration = .milliseconds(50), waitsForServer: Bool = false
  ) {
    let notifications = RunNotifications(store: store, horizon: horizon, onFailure: { Issue.record($0) })
    let courier = notifications.courier(
      process: process, preparation: preparation, waitsForServer: waitsForServer)
    self.init(courier) {
      let status = try store.settle()
      return Turn(reading: status.reading, presenter: notifications.presenter(status))
    }
  }

  var preparation: Duration { courier.preparation }

  func takeOver() throws { try courier.takeOver(at: beginTurn()) }
  func clockWasSet() throws { try courier.clockWasSet(at: beginTurn().reading) }
  func receive(_ event: DesktopEvent) throws { try courier.receive(event, at: beginTurn()) }
  func advance() throws -> DesktopOrder? { try courier.advance(at: beginTurn()) }
  func nextWake() throws -> Duration? { try courier.nextWake() }
  func hasNothingToWaitFor() throws -> Bool { try courier.hasNothingToWaitFor() }

  static func server(_ epoch: ServerEpoch = epoch) -> NotificationServer {
    NotificationServer(epoch: epoch, name: "test", version: "1", capabilities: [])
  }

  func carryOut(_ order: DesktopOrder) throws {
    switch order {
    case .probe, .startServer: try receive(.serverAvailable(TestCourier.server()))
    case .status: Issue.record("a courier does not look")
    case .show(let entry, _, let shown): try receive(.shown(entry: entry, shown))
    case .close(let entry, _): try receive(.closed(entry: entry))
    case .callOff(let entry): try receive(.notShown(entry: entry, .calledOff))
    }
  }

  /// Answers orders until there are no more, and returns them.
  @discardableResult
  func carryAllOut() throws -> [DesktopOrder] {
    var orders: [DesktopOrder] = []
    while let order = try advance() {
      orders.append(order)
      try carryOut(order)
    }
    return orders
  }

  /// Answers orders until there are no more, and returns what was shown.
  @discardableResult
  func deliver() throws -> [NotificationContent] {
    try carryAllOut().compactMap { if case .show(_, let content, _) = $0 { content } else { nil } }
  }

  /// Returns the next order to show, without an answer; answers the orders before it.
  func nextShow() throws -> (entry: Int64, content: NotificationContent, shown: ShownNotification) {
    while let order = try advance() {
      if case .show(let entry, let content, let shown) = order { return (entry, content, shown) }
      try carryOut(order)
    }
    throw TestSupportError("nothing is shown")
  }

  /// Returns the next order to show, after the server has carried it out.
  func showNext() throws -> (entry: Int64, content: NotificationContent, shown: ShownNotification) {
    let show = try nextShow()
    try receive(.shown(entry: show.entry, show.shown))
    return show
  }
}
