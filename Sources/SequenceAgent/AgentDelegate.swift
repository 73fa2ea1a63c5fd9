import NotifierDelivery
import SequenceNotifications
import SequenceRunner

/// The work of the agent other than delivery: inhibiting sleep, and dispatching events.
final class AgentDelegate: DeliveryDelegate {
  private let suspendMonitor: SuspendMonitor
  private let dispatcher: EventDispatcher
  /// The run as it is in this turn.
  private var status: RunStatus?

  init(_ suspendMonitor: SuspendMonitor, _ dispatcher: EventDispatcher) {
    self.suspendMonitor = suspendMonitor
    self.dispatcher = dispatcher
  }

  var descriptors: [Int32] { dispatcher.descriptors }

  var nextWake: Duration? { [suspendMonitor.nextWake, dispatcher.nextWake].compactMap { $0 }.min() }

  /// Settles the run at the beginning of a turn.
  func beginTurn() throws -> RunStatus {
    let settled = try suspendMonitor.beginTurn()
    status = settled
    return settled
  }

  func finishTurn(_ ready: [Int32]) throws { if let status { try dispatcher.dispatch(ready, status) } }

  func hasNothingToWaitFor() throws -> Bool {
    try suspendMonitor.hasNothingToWaitFor() && dispatcher.hasNothingToWaitFor()
  }
}
