import SequenceConfiguration
import SequenceRunner

/// The events that hooks and cues subscribe to for a run.
struct EventSubscriptions {
  let hooks: [Hook]
  let cues: Cues
  let events: Set<RunEvent.Name>
  /// The remaining times of a countdown that are events.
  let remainingMarks: Set<Duration>

  /// - Parameter options: those of the run, which override the configuration.
  init(_ configuration: Configuration, _ options: RunOptions) {
    hooks = configuration.hooks
    cues = configuration.cues.with(options)
    events = configuration.subscribedEvents(of: options)
    remainingMarks = cues.remainingMarks.union(
      hooks.filter { $0.events.contains(.remaining) }.map(\.remaining))
  }

  var isEmpty: Bool { events.isEmpty }
}
