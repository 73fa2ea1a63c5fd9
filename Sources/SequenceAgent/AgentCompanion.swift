import Notifier

/// The work of the agent beside delivering: holding off sleep, and dispatching events.
final class AgentCompanion: DeliveryCompanion {
  private let away: AwayKeeper
  private let dispatcher: EventDispatcher

  init(_ away: AwayKeeper, _ dispatcher: EventDispatcher) {
    self.away = away
    self.dispatcher = dispatcher
  }

  var descriptors: [Int32] { dispatcher.descriptors }

  var nextWake: Duration? { [away.nextWake, dispatcher.nextWake].compactMap { $0 }.min() }

  func tend(_ ready: [Int32]) throws { try dispatcher.tend(ready) }

  func isAtRest() throws -> Bool { try away.isAtRest() && dispatcher.isAtRest() }
}
