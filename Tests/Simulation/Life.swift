/// All that happens in one life of the program, as a value: what is run, and what befalls it, in order.
///
/// Durations and moments are whole ticks, of which each lasts a whole number of microseconds, so that whoever
/// counts ticks is exact.
package struct Life: Equatable, Sendable {
  /// How long a tick lasts, in microseconds.
  package var quantum: Int
  /// Whether the notification server knows a notification by the number that it is asked for, or by one of its own.
  package var keepsNumbers: Bool
  /// How long before its time the agent has a notification made ready, in ticks.
  package var preparation = 0
  /// The sequences that are run.
  package var sequences: [LifeSequence]
  /// What happens.
  package var events: [LifeEvent]
}

/// A sequence of a life.
package struct LifeSequence: Equatable, Sendable {
  /// What becomes of its runs while the machine is away.
  package var away = Away.continue
  package var elements: [LifeElement]

  package enum Away: String, Sendable { case `continue`, pause, ask }
}

/// A card, or a group of rounds.
package indirect enum LifeElement: Equatable, Sendable {
  case card(LifeCard)
  case group(rounds: Int, elements: [LifeElement])
}

/// A card of a sequence; its place in the sequence names it.
package struct LifeCard: Equatable, Sendable {
  package var kind: Kind
  package var skipsLastRound = false

  /// How it lasts, in ticks.
  package enum Kind: Equatable, Sendable {
    /// A countdown that ends by itself.
    case automatic(Int)
    /// A countdown that waits at zero.
    case manual(Int)
    /// A count-up without a goal.
    case open
    /// A count-up with a goal, and a number of reminders with so many ticks between them.
    case goal(Int, reminders: Int, cadence: Int)
  }
}
