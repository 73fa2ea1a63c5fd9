import Notifier
import SequenceRunner

/// The work of the agent beside delivering: holding off sleep, and dispatching events.
final class AgentCompanion: DeliveryCompanion {
  private let away: AwayKeeper
  private let dispatcher: EventDispatcher
  /// The run as it is in this turn.
  private var look: RunLook?

  init(_ away: AwayKeeper, _ dispatcher: EventDispatcher) {
    self.away = away
    self.dispatcher = dispatcher
  }

  var descriptors: [Int32] { dispatcher.descriptors }

  var nextWake: Duration? { [away.nextWake, dispatcher.nextWake].compactMap { $0 }.min() }

  /// Settles the run at the beginning of a turn.
  func settle() throws -> RunLook {
    let settled = try away.tend()
    look = settled
    return settled
  }

  func tend(_ ready: [Int32]) throws { if let look { try dispatcher.tend(ready, look) } }

  func isAtRest() throws -> Bool { try away.isAtRest() && dispatcher.isAtRest() }
}
