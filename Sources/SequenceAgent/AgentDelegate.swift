import Notifier
import SequenceRunner

/// The work of the agent other than delivery: inhibiting sleep, and dispatching events.
final class AgentDelegate: DeliveryDelegate {
  private let away: SuspendMonitor
  private let dispatcher: EventDispatcher
  /// The run as it is in this turn.
  private var status: RunStatus?

  init(_ away: SuspendMonitor, _ dispatcher: EventDispatcher) {
    self.away = away
    self.dispatcher = dispatcher
  }

  var descriptors: [Int32] { dispatcher.descriptors }

  var nextWake: Duration? { [away.nextWake, dispatcher.nextWake].compactMap { $0 }.min() }

  /// Settles the run at the beginning of a turn.
  func settle() throws -> RunStatus {
    let settled = try away.tend()
    status = settled
    return settled
  }

  func tend(_ ready: [Int32]) throws { if let status { try dispatcher.tend(ready, status) } }

  func isAtRest() throws -> Bool { try away.isAtRest() && dispatcher.isAtRest() }
}
