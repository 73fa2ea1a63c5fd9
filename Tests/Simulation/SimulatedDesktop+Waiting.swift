import NotifierLedger
import NotifierDelivery
import SequenceRunner

/// A prepared notification that waits for its due time.
struct ReadyOrder {
  let order: DesktopOrder
  let entry: Int64
  let due: Duration

  /// Returns `nil` if the order has nothing to wait for.
  init?(_ order: DesktopOrder, at now: Duration) {
    guard case .show(let entry, let content, _) = order, content.due > now else { return nil }
    (self.order, self.entry, due) = (order, entry, content.due)
  }
}

/// Orders are executed one after the other, and a prepared notification blocks the others until its due time.
extension SimulatedDesktop {
  /// The largest lateness of the wake-up that still shows the notification.
  private static let latestEnd = Duration.seconds(1)

  private var now: Duration { clock.now().boot }

  /// The end of the wait, on the boot clock in nanoseconds.
  var wake: Int? { ready.map { Int($0.due.nanoseconds) } }

  var canAct: Bool {
    guard let ready else { return !orders.isEmpty }
    return ready.due <= now || calledOff.contains(ready.entry)
  }

  /// Receives an order; cancelling precedes the other orders.
  func send(_ order: DesktopOrder) {
    if case .callOff(let entry) = order { calledOff.insert(entry) } else { orders.append(order) }
  }

  func carryOut() {
    if let ready { return endWaiting(ready) }
    let order = orders.removeFirst()
    if let later = ReadyOrder(order, at: now) { return makeReady(later) }
    if case .show(let entry, let content, _) = order,
      takeCalledOff().contains(entry) || content.latest.map({ $0 < now }) ?? false
    {
      return inbox.append(.notShown(entry: entry, .calledOff))
    }
    carryOut(order)
  }

  /// Prepares a notification, if there is a server that answers.
  private func makeReady(_ later: ReadyOrder) {
    guard isBusOpen else { return fail(later.order, .noBus(reason: "simulated")) }
    guard let epoch else { return fail(later.order, .noServer) }
    if silences > 0 {
      silences -= 1
      return fail(later.order, .notAnswering)
    }
    answer()
    guard case .show(_, _, let shown) = later.order, shown.epoch == SimulatedDesktop.epochName(epoch) else {
      return fail(later.order, .otherServer)
    }
    if let refusal = refusalWhileMadeReady(of: later.entry) {
      return inbox.append(.notShown(entry: later.entry, refusal))
    }
    ready = later
  }

  private func endWaiting(_ waiting: ReadyOrder) {
    ready = nil
    // If the due time has also come, either may be noticed first.
    let isNoticed = waiting.due > now || waiting.entry.isMultiple(of: 2)
    if isNoticed && takeCalledOff().contains(waiting.entry) || now - waiting.due > Self.latestEnd {
      inbox.append(.notShown(entry: waiting.entry, .calledOff))
    } else if untold.contains(where: { $0 == .serverGone || $0 == .serverChanged }), isBusOpen {
      // A change of the server is reported first.
      inbox += untold + [.notShown(entry: waiting.entry, .otherServer)]
      untold = []
    } else {
      carryOut(waiting.order)
    }
    inbox += untold
    untold = []
  }

  private func takeCalledOff() -> Set<Int64> {
    defer { calledOff = [] }
    return calledOff
  }
}
