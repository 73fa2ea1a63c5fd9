import Platform
package import SequenceRunner

/// How a step is named in a line of text.
package enum StepText {
  /// The step, its time and its place, as in `"Work" 0:07 left, round 2 of 8, step 4 of 17`.
  package static func line(_ position: RunPosition) -> String {
    // Put together by hand: `joined` takes a tenth of the time in which a short command is done.
    place(position.step, of: position.stepCount).reduce(
      quote(position.step.card.title) + " " + time(position)
    ) { $0 + ", " + $1 }
  }

  /// What the clock of a step shows, in words.
  package static func time(_ position: RunPosition) -> String {
    if let remaining = position.remaining {
      guard remaining == .zero else { return "\(ClockText.remaining(remaining)) left" }
      return "\(ClockText.elapsed(position.overtime)) over its time"
    }
    guard let target = position.target else { return "\(ClockText.elapsed(position.elapsed)) so far" }
    return "\(ClockText.elapsed(position.elapsed)) of \(DurationText.shown(target))"
  }

  /// Where a step is: its rounds and its number.
  package static func place(_ step: Step, of count: Int) -> [String] {
    rounds(step) + ["step \(step.number) of \(count)"]
  }

  /// The rounds of a step, outermost first, each as in `round 2 of 8`.
  package static func rounds(_ step: Step) -> [String] { step.rounds.map { "round \($0.text)" } }

  /// A number of steps, as in `1 step`.
  package static func count(_ steps: Int) -> String { steps == 1 ? "1 step" : "\(steps) steps" }

  /// How long a card is meant to last.
  package static func length(_ card: Card) -> String {
    switch card.timing {
    case .countdown(let duration, .automatic): DurationText.format(duration)
    case .countdown(let duration, .manual): DurationText.format(duration) + ", then until you go on"
    case .countUp(nil): "until you go on"
    case .countUp(let goal?): "goal " + DurationText.format(goal.duration)
    }
  }
}

extension Step.Round {
  /// The round and how many there are, as in `2 of 8`.
  package var text: String { "\(round) of \(of)" }
}
