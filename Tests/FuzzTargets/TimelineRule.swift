import SequenceRunner

/// The rule for timelines: they equal a simple walk through the definition.
enum TimelineRule {
  /// The largest number of elements to walk through.
  private static let mostSteps = 2000

  static func check(_ timeline: Timeline) throws {
    try require((1...SequenceLimits.mostSteps).contains(timeline.count), "\(timeline.count) steps")
    let total = timeline.duration(of: 0..<timeline.count)
    try require(total >= .zero && total <= SequenceLimits.longestTotal, "\(total) in total")
    guard work(timeline.definition.elements) <= mostSteps else { return }
    let steps = unfolded(timeline.definition.elements, rounds: [])
    try require(steps.count == timeline.count, "\(timeline.count) steps, which are \(steps.count) by hand")
    var start = Duration.zero
    for (index, step) in steps.enumerated() {
      try require(timeline.duration(of: 0..<index) == start, "step \(index) starts at another time")
      let found = timeline.step(at: index)
      try require(found.card == step.card && found.rounds == step.rounds, "step \(index) is another one")
      start += step.card.timing.duration ?? .zero
    }
    try require(total == start, "it takes \(total), which is \(start) by hand")
  }

  /// Returns all cards of elements, once each.
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
        let (inner, overflowed) = group.rounds.multipliedReportingOverflow(by: 1 + work(group.elements))
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
        (1...group.rounds).flatMap { number in
          let elements = number < group.rounds ? group.elements : group.elements.filter { !$0.isLeftOutLast }
          return unfolded(elements, rounds: rounds + [Step.Round(round: number, of: group.rounds)])
        }
      }
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
