package import SequenceRunner

/// Texts that describe a step in one line.
package enum StepText {
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
    case .countdown(let duration, .manual):
      format(duration) + ", then waits for you"
        + (card.insist.map { " with a reminder every \(DurationText.format($0))" } ?? "")
    case .countUp(let goal): aim(goal?.duration, format)
    }
  }

  /// Returns the aim of a count-up.
  ///
  /// - Parameter format: the notation of durations.
  package static func aim(_ goal: Duration?, _ format: (Duration) -> String) -> String {
    goal.map { "goal " + format($0) } ?? "until you complete it"
  }
}
