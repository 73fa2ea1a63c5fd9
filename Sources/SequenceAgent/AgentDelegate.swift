import NotifierDelivery
import SequenceNotifications
import SequenceRunner

/// The work of the agent other than delivery: inhibiting sleep, dispatching events, and the panel.
final class AgentDelegate: DeliveryDelegate {
  private let suspendMonitor: SuspendMonitor
  private let dispatcher: EventDispatcher
  private let panel: Panel
  /// The runs as they are in this turn.
  private var status: RunStatus?

  init(_ suspendMonitor: SuspendMonitor, _ dispatcher: EventDispatcher, _ panel: Panel) {
    self.suspendMonitor = suspendMonitor
    self.dispatcher = dispatcher
    self.panel = panel
  }

  var descriptors: [Int32] {
    dispatcher.descriptors + [panel.descriptor] + (suspendMonitor.displayDescriptor.map { [$0] } ?? [])
  }

  var nextWake: Duration? {
    [suspendMonitor.nextWake, dispatcher.nextWake, panel.nextWake].compactMap { $0 }.min()
  }

  /// Performs the commands of the panel, and settles the runs.
  func beginTurn() throws -> ClockReading {
    try panel.act()
    let settled = try suspendMonitor.update()
    status = settled
    return settled.reading
  }

  func finishTurn(_ ready: [Int32]) throws {
    if let displays = suspendMonitor.displayDescriptor, ready.contains(displays) { try suspendMonitor.look() }
    guard let status else { return }
    try panel.show(status)
    try dispatcher.dispatch(ready, status)
  }

  func hasNothingToWaitFor() throws -> Bool {
    try suspendMonitor.hasNothingToWaitFor() && dispatcher.hasNothingToWaitFor()
      && panel.hasNothingToWaitFor()
  }
}
