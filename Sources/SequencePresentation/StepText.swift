import SequencePlatform
package import SequenceRunner

package enum StepText {
  /// - Parameter count: the number of steps; `nil` for an endless sequence.
  package static func place(_ step: Step, of count: Int?) -> [String] {
    rounds(step) + [number(step.number, of: count)]
  }

  /// Returns the number of a step, such as `step 4 of 17`, or `step 31` of an endless sequence.
  package static func number(_ number: Int, of count: Int?) -> String {
    guard let count else { return translated("step {}", String(number)) }
    return translated("step {number} of {count}", ["number": String(number), "count": String(count)])
  }

  /// Returns the rounds of a step, outermost first, such as `round 2 of 8`; a group of one round has none.
  package static func rounds(_ step: Step) -> [String] {
    step.rounds.filter { $0.of != 1 }.map(name)
  }

  /// Returns rounds in one text, outermost first, such as `Round 1 of 3 · 2 of 4`.
  ///
  /// - Parameter isSentence: whether it begins with a capital letter.
  package static func line(_ rounds: [Step.Round], separator: String, isSentence: Bool) -> String {
    rounds.enumerated().map { index, round in
      switch (index, isSentence) {
      case (0, true):
        text(round, one: { translated("Round {}", $0) }, of: { translated("Round {number} of {count}", $0) })
      case (0, false): name(round)
      default: text(round, one: { $0 }, of: { translated("{number} of {count}", $0) })
      }
    }.joined(separator: separator)
  }

  private static func name(_ round: Step.Round) -> String {
    text(round, one: { translated("round {}", $0) }, of: { translated("round {number} of {count}", $0) })
  }

  private static func text(
    _ round: Step.Round, one: (String) -> String, of: (KeyValuePairs<String, String>) -> String
  ) -> String {
    let number = String(round.round)
    return round.of.map { of(["number": number, "count": String($0)]) } ?? one(number)
  }

  package static func count(_ steps: Int) -> String { plural("1 step", "{} steps", count: steps) }

  /// Returns an outcome inside a line.
  package static func name(_ outcome: RunOutcome) -> String {
    switch outcome {
    case .finished: translated("finished")
    case .stopped: translated("stopped")
    case .lost: translated("lost")
    }
  }

  /// Returns how many steps of a run were completed, such as `5 of 17 steps`, or `31 steps` of an endless sequence.
  package static func completed(_ run: EndedRunSummary) -> String {
    guard let steps = run.steps else { return count(run.completed) }
    return plural(
      "{completed} of 1 step", "{completed} of {} steps", count: steps, ["completed": String(run.completed)])
  }

  package static func length(_ step: Step, _ format: (Duration) -> String = DurationText.format) -> String {
    switch step.timing {
    case .countdown(let duration, _):
      format(duration) + (step.fitted == nil ? bounds(step.card, format) : "") + wait(step.card)
    case .countUp(let goal): aim(goal?.duration, format)
    }
  }

  /// The lengths that a deadline can give a card, such as ` (15m to 25m)`.
  private static func bounds(_ card: Card, _ format: (Duration) -> String) -> String {
    switch (card.atLeast, card.atMost) {
    case (nil, nil): ""
    case (let least?, let most?):
      " " + translated("({least} to {most})", ["least": format(least), "most": format(most)])
    case (let least?, nil): " " + translated("(at least {})", format(least))
    case (nil, let most?): " " + translated("(at most {})", format(most))
    }
  }

  /// Returns the length of a card in all rounds, such as `20s, +5s each round`.
  package static func length(_ card: Card, _ format: (Duration) -> String = DurationText.format) -> String {
    switch card.timing {
    case .countdown(let duration, _):
      lengths(duration, card.laterRounds, format) + bounds(card, format) + wait(card)
    case .countUp(let goal): aim(goal?.duration, format)
    }
  }

  private static func lengths(
    _ first: Duration, _ later: LaterRounds?, _ format: (Duration) -> String
  ) -> String {
    switch later {
    case nil: format(first)
    case .adding(let time):
      format(first) + ", " + translated("{} each round", change(time, format))
    case .lengths(let lengths):
      StepText.lengths(
        ([first] + lengths).prefix(mostLengths).map(format).joined(separator: ", "),
        more: lengths.count + 1 - mostLengths)
    }
  }

  private static func lengths(_ lengths: String, more: Int) -> String {
    guard more > 0 else { return lengths }
    return plural("{lengths} and 1 more", "{lengths} and {} more", count: more, ["lengths": lengths])
  }

  private static let mostLengths = 6

  /// Returns the time that each round adds, such as `+5s`.
  package static func change(_ time: Duration, _ format: (Duration) -> String) -> String {
    (time < .zero ? "−" : "+") + format(time < .zero ? .zero - time : time)
  }

  private static func wait(_ card: Card) -> String {
    guard !card.timing.endsByItself else { return "" }
    guard let time = card.insist else { return ", " + translated("then waits for you") }
    return ", " + translated("then waits for you with a reminder every {}", DurationText.format(time))
  }

  package static func aim(_ goal: Duration?, _ format: (Duration) -> String) -> String {
    goal.map { translated("goal {}", format($0)) } ?? translated("until you complete it")
  }
}

package enum SuspendText {
  /// Returns the suspend and the commands that are possible now.
  package static func line(_ suspend: Suspend) -> String {
    guard let past = past(suspend) else { return goes(suspend.cause) }
    return translated("{} (resume, or resume --count-suspend)", past)
  }

  /// Returns the suspend and its length; `nil` until it is over.
  package static func past(_ suspend: Suspend) -> String? {
    guard let length = suspend.length else { return nil }
    let time = DurationText.format(length.wholeSeconds)
    return switch suspend.cause {
    case .sleep: translated("the computer slept for {}", time)
    case .shutdown: translated("the computer was off for {}", time)
    case .lock: translated("the screen was locked for {}", time)
    case .powerLoss: translated("the computer lost power; last activity {} ago", time)
    }
  }

  package static func goes(_ cause: SuspendCause) -> String {
    switch cause {
    case .sleep: translated("the computer is going to sleep")
    case .shutdown: translated("the computer is shutting down")
    case .lock: translated("the screen is locked")
    case .powerLoss: translated("the computer lost power")
    }
  }

  package static func text(
    _ cause: SuspendCause, _ length: Duration, _ format: (Duration) -> String = DurationText.format
  ) -> String {
    let time = format(length.wholeSeconds)
    return switch cause {
    case .sleep: translated("The computer slept for {}", time)
    case .shutdown: translated("The computer was off for {}", time)
    case .lock: translated("The screen was locked for {}", time)
    case .powerLoss: translated("The computer lost power; last activity {} ago", time)
    }
  }
}

package enum NotificationText {
  package static func title(of step: Step) -> String {
    let title = TextSafety.isolated(step.card.title)
    return switch step.timing {
    case .countdown(let duration, _): "\(title), \(DurationText.shown(duration))"
    case .countUp(nil): title
    case .countUp(let goal?):
      translated("{title}, goal {time}", ["title": title, "time": DurationText.format(goal.duration)])
    }
  }

  package static func line(_ parts: [String]) -> String { parts.joined(separator: " · ") }

  /// Returns a body with another part at the end of its first line; the note follows on the last line.
  package static func adding(_ part: String, to body: String) -> String {
    let (first, rest) = (body.prefix { $0 != "\n" }, body.drop { $0 != "\n" })
    return (first.isEmpty ? part : line([String(first), part])) + rest
  }
}
