/// A scenario: the sequences to run and the events, in order.
///
/// Durations and moments are whole ticks. A tick is a whole number of microseconds, so counting ticks is
/// exact.
package struct Scenario: Equatable, Sendable {
  /// The length of a tick, in microseconds.
  package var quantum: Int
  /// Whether the notification server keeps the requested id of a notification, rather than choosing its own.
  package var keepsNumbers: Bool
  /// The time between the preparation of a notification and its due time, in ticks.
  package var preparation = 0
  /// How many notifications are planned ahead.
  package var horizon = 64
  package var sequences: [ScenarioSequence]
  package var events: [ScenarioEvent]

  /// At least the time that passes in it, in ticks.
  var length: Int { events.reduce(0) { $0 + $1.length } }
}

package struct ScenarioSequence: Equatable, Sendable {
  package var away = Away.continue
  package var lock = Away.continue
  package var elements: [ScenarioElement]

  package enum Away: String, Sendable { case `continue`, pause, ask }
}

package indirect enum ScenarioElement: Equatable, Sendable {
  case card(ScenarioCard)
  /// The rounds of a group; `nil` for endless ones, which only the last element of a sequence can have.
  case group(rounds: Int?, elements: [ScenarioElement])
}

/// A card of a sequence, identified by its position in the sequence.
package struct ScenarioCard: Equatable, Sendable {
  package var kind: Kind
  /// How a countdown differs in the rounds after the first one.
  package var later: Later?
  /// The shortest and the longest length of a countdown that a deadline may change, in ticks.
  package var least: Int?
  package var most: Int?
  package var skipsLastRound = false

  package enum Later: Equatable, Sendable {
    /// The ticks of each of these rounds.
    case lengths([Int])
    /// The ticks that each of these rounds adds.
    case adding(Int)
  }

  func bounds(inRound round: Int) -> ClosedRange<Int>? {
    guard least != nil || most != nil, case .automatic(let ticks) = kind(inRound: round) else { return nil }
    return (least ?? ticks)...(most ?? ticks)
  }

  /// - Parameter round: a round of the group around the card, from 1.
  func kind(inRound round: Int) -> Kind {
    func changed(_ ticks: Int) -> Int {
      switch later {
      case .lengths(let lengths) where round > 1: lengths[round - 2]
      case .adding(let more): ticks + more * (round - 1)
      case .lengths, nil: ticks
      }
    }
    return switch kind {
    case .automatic(let ticks): .automatic(changed(ticks))
    case .manual(let ticks, let insist): .manual(changed(ticks), insist: insist)
    case .open, .goal: kind
    }
  }

  /// The timing, in ticks.
  package enum Kind: Equatable, Sendable {
    case automatic(Int)
    /// A countdown that waits at zero, with reminders at this interval.
    case manual(Int, insist: Int?)
    /// A count-up without a goal.
    case open
    /// A count-up with a goal and reminders at this cadence.
    case goal(Int, reminders: Int, cadence: Int)
  }
}

package struct ScenarioStart: Equatable, Sendable {
  /// The place of the sequence in the scenario.
  package var sequence: Int
  package var source = ScenarioSource.file
  /// The name of the run; `nil` for one that the program chooses.
  package var name: String?
  package var isBeside = false
  package var isReplacing = false
  package var step = 0
  package var isPaused = false
  /// Whether another sequence stays the current run, as at a start by a schedule.
  package var isYielding = false
  /// The time until the run is to end, in ticks.
  package var deadline: Int?

  package init(sequence: Int) { self.sequence = sequence }
}

package enum ScenarioSource: String, CaseIterable, Sendable { case file, timer, cards }
