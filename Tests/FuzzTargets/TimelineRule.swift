import SequenceRunner

/// The rule for timelines: they equal a simple walk through the definition.
enum TimelineRule {
  private static let mostSteps = 2000

  static func check(_ timeline: Timeline) throws {
    let count = timeline.listedCount
    try require((1...SequenceLimits.mostSteps).contains(count), "\(count) steps")
    let total = timeline.duration(of: 0..<timeline.listedCount)
    try require(total >= .zero && total <= SequenceLimits.longestTotal, "\(total) in total")
    guard work(timeline.definition.elements) <= mostSteps else { return }
    let steps = unfolded(timeline.definition.elements, rounds: [])
    try require(steps.count == count, "\(count) steps, which are \(steps.count) by hand")
    var start = Duration.zero
    for (index, step) in steps.enumerated() {
      try require(timeline.duration(of: 0..<index) == start, "step \(index) starts at another time")
      let found = timeline.step(at: index)
      try require(found.card == step.card && found.rounds == step.rounds, "step \(index) is another one")
      let timing = TimelineRule.timing(of: step.card, inRound: step.rounds.last?.round ?? 1)
      try require(found.timing == timing, "step \(index) has another length")
      start += timing.duration ?? .zero
    }
    try require(total == start, "it takes \(total), which is \(start) by hand")
  }

  private static func timing(of card: Card, inRound round: Int) -> Timing {
    guard round > 1, case .countdown(let first, let advance) = card.timing else { return card.timing }
    return switch card.laterRounds {
    case nil: card.timing
    case .lengths(let lengths): .countdown(lengths[round - 2], advance: advance)
    case .adding(let time): .countdown(first + time * (round - 1), advance: advance)
    }
  }

  static func cards(_ elements: [SequenceElement]) -> [Card] {
    elements.flatMap { element in
      switch element {
      case .card(let card): [card]
      case .group(let group): cards(group.elements)
      }
    }
  }

  /// Returns the number of elements visited in all rounds, limited by the range of numbers.
  private static func work(_ elements: [SequenceElement]) -> Int {
    elements.reduce(0) { sum, element in
      switch element {
      case .card: return sum + 1
      case .group(let group):
        let (inner, overflowed) = group.count.multipliedReportingOverflow(by: 1 + work(group.elements))
        let (all, overflowedAgain) = sum.addingReportingOverflow(inner)
        return overflowed || overflowedAgain ? Int.max / 2 : all
      }
    }
  }

  private static func unfolded(
    _ elements: [SequenceElement], rounds: [Step.Round]
  ) -> [(card: Card, rounds: [Step.Round])] {
    elements.flatMap { element -> [(card: Card, rounds: [Step.Round])] in
      switch element {
      case .card(let card): [(card, rounds)]
      case .group(let group):
        (1...group.count).flatMap { number in
          let isLast = group.rounds == .times(number)
          let elements = isLast ? group.elements.filter { !$0.isLeftOutLast } : group.elements
          let of = group.rounds == .forever ? nil : group.count
          return unfolded(elements, rounds: rounds + [Step.Round(round: number, of: of)])
        }
      }
    }
  }
}

extension Group {
  /// The number of rounds to walk through: one of endless rounds.
  fileprivate var count: Int {
    switch rounds {
    case .times(let count): count
    case .forever: 1
    }
  }
}

extension SequenceElement {
  fileprivate var isLeftOutLast: Bool {
    switch self {
    case .card(let card): card.skipsLastRound
    case .group: false
    }
  }
}
