import SequencePlatform
package import SequenceRunner

/// Texts that describe a step in one line.
package enum StepText {
  /// Returns the step, its time and its place, such as `"Work" 0:07 left, round 2 of 8, step 4 of 17`.
  package static func line(_ position: RunPosition) -> String {
    // Joined by hand, because `joined` takes a tenth of the run time of a short command.
    place(position.step, of: position.stepCount).reduce(
      quote(position.step.card.title) + " " + time(position)
    ) { $0 + ", " + $1 }
  }

  /// Returns the time of a step in words: left, overtime, or elapsed.
  package static func time(_ position: RunPosition) -> String {
    if let remaining = position.remaining {
      guard remaining == .zero else { return "\(ClockText.remaining(remaining)) left" }
      return "\(ClockText.elapsed(position.overtime)) over"
    }
    guard let target = position.target else { return "\(ClockText.elapsed(position.elapsed)) so far" }
    return "\(ClockText.elapsed(position.elapsed)) of \(DurationText.shown(target))"
  }

  /// Returns the rounds and the number of a step.
  ///
  /// - Parameter count: the number of steps; `nil` for an endless sequence.
  package static func place(_ step: Step, of count: Int?) -> [String] {
    rounds(step) + [number(step.number, of: count)]
  }

  /// Returns the number of a step, such as `step 4 of 17`, or `step 31` of an endless sequence.
  package static func number(_ number: Int, of count: Int?) -> String {
    "step \(number)" + (count.map { " of \($0)" } ?? "")
  }

  /// Returns the rounds of a step, outermost first, such as `round 2 of 8`; a group of one round has none.
  package static func rounds(_ step: Step) -> [String] {
    step.rounds.filter { $0.of != 1 }.map { "round \($0)" }
  }

  /// Returns a number of steps, such as `1 step`.
  package static func count(_ steps: Int) -> String { steps == 1 ? "1 step" : "\(steps) steps" }

  /// Returns how many steps of a run were completed, such as `5 of 17 steps`, or `31 steps` of an endless sequence.
  package static func completed(_ run: EndedRunSummary) -> String {
    run.steps.map { "\(run.completed) of \(count($0))" } ?? count(run.completed)
  }

  /// Returns the planned length of a card.
  ///
  /// - Parameter format: the notation of durations.
  package static func length(_ card: Card, _ format: (Duration) -> String = DurationText.format) -> String {
    switch card.timing {
    case .countdown(let duration, .automatic): format(duration)
    case .countdown(let duration, .manual): format(duration) + ", then waits for you"
    case .countUp(nil): "until you complete it"
    case .countUp(let goal?): "goal " + format(goal.duration)
    }
  }
}
