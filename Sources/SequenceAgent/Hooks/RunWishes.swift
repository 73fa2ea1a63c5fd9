import FoundationEssentials
import NotificationLedger
import SequenceConfiguration
import SequenceRunner

/// What is to be told of a run, and to whom.
struct RunWishes {
  let hooks: [Hook]
  let cues: Cues
  let events: Set<RunEvent.Name>
  let lefts: Set<Duration>

  /// - Parameters:
  ///   - choice: the cues of some run, which go before those of the configuration if it is this one.
  ///   - run: the run; `nil` for none.
  init(_ configuration: Configuration, _ choice: CueChoice?, of run: UUID?) {
    hooks = configuration.hooks
    let own = choice.flatMap { $0.runID == run ? ($0.sound, $0.speech) : nil }
    cues = configuration.cues.with(own)
    let byHooks = hooks.filter { $0.events.contains(.last) }.map(\.last)
    events = hooks.reduce(into: cues.events) { $0.formUnion($1.events) }
    lefts = cues.lefts.union(byHooks)
  }
}
