package import SequenceRunner

extension EventBatch.Run {
  /// The events with those of the rounds that were only counted.
  package var allEvents: [RunEvent] {
    var all = events
    for rounds in skipped.reversed() {
      let counted = (0..<rounds.count).reversed().flatMap { round in
        rounds.events.map { event in
          RunEvent(
            kind: event.kind, step: event.step - round * rounds.steps,
            at: event.at.advanced(by: .zero - rounds.length * round), elapsed: event.elapsed,
            target: event.target)
        }
      }
      all.insert(contentsOf: counted, at: rounds.place)
    }
    return all
  }
}
