import Foundation
import SequenceRunner
import TestSupport
import Testing

struct TimelineTests {
  @Test(arguments: [1, 3]) func `a group has the rounds of a variable`(rounds: Int) throws {
    let timeline = try Timeline(SequenceDefinition("T") { Group(rounds) { Card("A", .countUp()) } })
    #expect(timeline.count == rounds)
  }

  @Test func `groups expand in order, and the last round omits the cards marked for it`() throws {
    let timeline = try Sequences.workout()
    let titles = (0..<timeline.listedCount).map { timeline.step(at: $0).card.title }
    #expect(titles == ["Warm up", "Work", "Rest", "Work", "Stretch"])
    #expect(timeline.step(at: 3).rounds == [Step.Round(round: 2, of: 2)])
    #expect(timeline.step(at: 0).rounds == [])
  }

  @Test func `rounds of nested groups are listed outermost first`() throws {
    let inner = Group(rounds: 3, elements: [Sequences.countdown("A", 1)])
    let outer = Group(rounds: 2, elements: [.group(inner), Sequences.countdown("B", 1)])
    let timeline = try Sequences.timeline(.group(outer))
    #expect(timeline.count == 8)
    #expect(timeline.step(at: 6).rounds == [.init(round: 2, of: 2), .init(round: 3, of: 3)])
    #expect(timeline.step(at: 7).rounds == [.init(round: 2, of: 2)])
  }

  @Test func `the step at a time is found, and a step with no time left is over`() throws {
    let timeline = try Sequences.workout()
    #expect(timeline.stepReached(from: 0, after: .zero) == 0)
    #expect(timeline.stepReached(from: 0, after: .seconds(10) - .nanoseconds(1)) == 0)
    #expect(timeline.stepReached(from: 0, after: .seconds(10)) == 1)
    #expect(timeline.stepReached(from: 1, after: .seconds(25)) == 3)
    #expect(timeline.stepReached(from: 0, after: .seconds(9999)) == 4)
  }

  @Test(arguments: [
    (0, TimelineError.noRounds), (100_001, .tooManySteps), (Int.max, .tooManySteps),
  ])
  func `a sequence that cannot run is refused`(rounds: Int, error: TimelineError) {
    #expect(throws: error) {
      try Sequences.timeline(.group(Group(rounds: .times(rounds), elements: [Sequences.countdown("A", 1)])))
    }
  }

  @Test(arguments: [
    Timing.countdown(.zero, advance: .automatic), .countdown(.nanoseconds(Int64.max), advance: .manual),
    .countUp(goal: Goal(duration: .seconds(-1))), .countUp(goal: Goal(duration: .seconds(1), reminders: -1)),
    .countUp(goal: Goal(duration: .seconds(1), reminders: 101)),
    .countUp(goal: Goal(duration: .seconds(1), cadence: .seconds(31 * 86_400))),
    .countdown(.nanoseconds(1) / 2), .countUp(goal: Goal(duration: .nanoseconds(1) / 2)),
  ])
  func `times and numbers outside their limits are refused`(timing: Timing) {
    #expect(throws: TimelineError.unusableTiming) { try Sequences.timeline(Sequences.card("A", timing)) }
  }

  @Test(arguments: [
    (Timing.countdown(.seconds(1)), 60.0), (.countUp(), 60), (.countdown(.seconds(1), advance: .manual), 9.9),
    (.countdown(.seconds(1), advance: .manual), 31 * 86_400),
  ])
  func `only a countdown that waits can insist, and not too often`(timing: Timing, interval: Double) {
    let card = Card("A", timing, insist: .seconds(interval))
    #expect(throws: TimelineError.unusableTiming) { try Sequences.timeline(.card(card)) }
  }

  @Test func `a time of a nanosecond is the shortest one`() throws {
    #expect(try Sequences.timeline(Sequences.card("A", .countdown(.nanoseconds(1)))).count == 1)
  }

  @Test(arguments: [
    (String(repeating: "a", count: 1000), true), (String(repeating: "a", count: 1001), false),
    (String(repeating: "\u{1F600}", count: 1000), true),
    // One character.
    ("a" + String(repeating: "\u{301}", count: 2000), false),
  ])
  func `titles, notes and paths have a limit, in characters and in bytes`(text: String, isUsable: Bool) {
    let timing = Timing.countdown(.seconds(1))
    for (title, card) in [
      (text, Card("A", timing)), ("A", Card(text, timing)), ("A", Card("A", timing, note: text)),
      ("A", Card("A", timing, image: text)),
    ] {
      let definition = SequenceDefinition(title) { Group(2) { card } }
      if isUsable {
        #expect(throws: Never.self) { try Timeline(definition) }
      } else {
        #expect(throws: TimelineError.textTooLong) { try Timeline(definition) }
      }
    }
  }

  @Test func `all titles and notes together have a limit, whatever the rounds`() throws {
    let note = String(repeating: "n", count: 996)
    func timeline(_ cards: Int) throws(TimelineError) -> Timeline {
      try Timeline(
        SequenceDefinition("Test") {
          Group(20) { for _ in 0..<cards { Card("1234", .countdown(.seconds(1)), note: note) } }
        })
    }
    let most = (SequenceLimits.largestText - "Test".utf8.count) / 1000
    #expect(try timeline(most).count == most * 20)
    #expect(throws: TimelineError.tooMuchText) { try timeline(most + 1) }
  }

  @Test(arguments: [
    (["a b"], TimelineError.wrongLabel("a b")), (["a", ""], .wrongLabel("")),
    ((1...11).map { "l\($0)" }, .tooManyLabels),
  ])
  func `labels are at most 10, and written like names of runs`(labels: [String], error: TimelineError) {
    #expect(throws: error) {
      try Timeline(SequenceDefinition("T", labels: labels) { Card("A", .countdown(.seconds(5))) })
    }
  }

  @Test func `two cards with one id are refused, in whatever groups`() throws {
    let (id, timing) = (UUID(), Timing.countdown(.seconds(1)))
    let card = Card(id: id, title: "A", timing: timing)
    for elements: [SequenceElement] in [
      [.card(card), .card(Card(id: id, title: "B", timing: timing))],
      [.card(card), .group(Group(rounds: 2, elements: [.card(card)]))],
      [.card(card), .group(Group(rounds: .forever, elements: [.card(card)]))],
      [.card(Card("Rest", timing)), .card(Card("Rest", timing))],
    ] {
      let repeated = elements[0].cards[0].id
      #expect(throws: TimelineError.repeatedID(repeated)) {
        try Timeline(
          SequenceDefinition(id: UUID(), title: "T", elements: elements, onSuspend: nil, onLock: nil))
      }
    }
    // Built in code, each card gets an id from its place.
    let definition = SequenceDefinition("T") {
      Card("Rest", timing)
      Card("Rest", timing)
    }
    #expect(try Timeline(definition).count == 2)
  }

  @Test func `groups without steps take no time, however many groups and rounds there are`() throws {
    func empty() -> SequenceElement {
      let rest = Sequences.card("Rest", .countdown(.seconds(1), advance: .automatic), skipsLast: true)
      return .group(Group(rounds: 1, elements: [rest]))
    }
    let elements = [empty(), Sequences.countdown("A", 1)] + (0..<50_000).map { _ in empty() }
    let endless = SequenceElement.group(Group(rounds: .times(.max), elements: []))
    let timeline = try Sequences.timeline(
      endless, .group(Group(rounds: 100_000, elements: elements)), endless)
    #expect(timeline.count == 100_000)
    #expect(timeline.step(at: 99_999).rounds == [.init(round: 100_000, of: 100_000)])
  }

  @Test func `no steps, too long and too deep are refused`() {
    let rest = Sequences.card("Rest", .countdown(.seconds(1), advance: .automatic), skipsLast: true)
    #expect(throws: TimelineError.noSteps) {
      try Sequences.timeline(.group(Group(rounds: 1, elements: [rest])))
    }
    let month = Sequences.card("Long", .countdown(.seconds(30 * 86_400), advance: .automatic))
    #expect(throws: TimelineError.tooLong) {
      try Sequences.timeline(.group(Group(rounds: 1217, elements: [month])))
    }
    let deep = (0...16).reduce(Sequences.countdown("A", 1)) { element, _ in
      .group(Group(rounds: 1, elements: [element]))
    }
    #expect(throws: TimelineError.tooDeep) { try Sequences.timeline(deep) }
  }

  // MARK: - Lengths by round

  private func varied(
    _ later: LaterRounds, after first: Duration = .seconds(20), rounds: Rounds = 3, skipsLast: Bool = false
  ) throws -> Timeline {
    try Timeline(
      SequenceDefinition("T") {
        Group(rounds) { Card("A", .countdown(first), laterRounds: later, skipsLastRound: skipsLast) }
        Card("B", .countUp())
      })
  }

  @Test func `a step has the length of its round`() throws {
    let ladder = try varied(.adding(.seconds(5)))
    #expect(
      (0..<3).map { ladder.step(at: $0).timing.duration } == [.seconds(20), .seconds(25), .seconds(30)])
    let list = try varied(.lengths([.seconds(60)]), skipsLast: true)
    #expect((0..<2).map { list.step(at: $0).timing.duration } == [.seconds(20), .seconds(60)])
    #expect(list.count == 3)
    #expect(list.duration(of: 0..<2) == .seconds(80))
  }

  @Test func `rounds that last equally long have steps that do not`() throws {
    let timeline = try Timeline(
      SequenceDefinition("T") {
        Group(3) {
          Card("Plank", .countdown(.seconds(30)), laterRounds: .adding(.seconds(5)))
          Card("Squat", .countdown(.seconds(30)), laterRounds: .adding(.seconds(-5)))
        }
      })
    #expect(
      (0...6).map { timeline.duration(of: 0..<$0) }
        == [0, 30, 60, 95, 120, 160, 180].map(Duration.seconds))
    #expect([94, 95, 119, 120].map { timeline.stepReached(from: 0, after: .seconds($0)) } == [2, 3, 3, 4])
  }

  @Test func `lengths by round are refused where there are no such rounds`() throws {
    let lengths = LaterRounds.lengths([.seconds(30), .seconds(40)])
    #expect(throws: TimelineError.otherRounds(card: "A", lengths: 3, rounds: 4, fitting: 3)) {
      try varied(lengths, rounds: 4)
    }
    #expect(throws: TimelineError.otherRounds(card: "A", lengths: 3, rounds: 2, fitting: 4)) {
      try varied(lengths, skipsLast: true)
    }
    for later in [lengths, .adding(.seconds(1))] {
      #expect(throws: TimelineError.roundsNotPossible(card: "A")) {
        try Timeline(SequenceDefinition("T") { Card("A", .countdown(.seconds(20)), laterRounds: later) })
      }
      #expect(throws: TimelineError.roundsNotPossible(card: "A")) {
        try Timeline(
          SequenceDefinition("T") {
            Group(.forever) { Card("A", .countdown(.seconds(20)), laterRounds: later) }
          })
      }
      #expect(throws: TimelineError.roundsNotPossible(card: "A")) {
        try Timeline(SequenceDefinition("T") { Group(3) { Card("A", .countUp(), laterRounds: later) } })
      }
    }
  }

  @Test func `each round lasts from a second to 30 days`() throws {
    #expect(throws: TimelineError.roundOutOfRange(card: "A", round: 5, length: .zero)) {
      try varied(.adding(.seconds(-5)), rounds: 99_999)
    }
    #expect(throws: TimelineError.roundOutOfRange(card: "A", round: 1, length: .milliseconds(500))) {
      try varied(.adding(.seconds(5)), after: .milliseconds(500))
    }
    let days = Duration.seconds(86_400)
    #expect(throws: TimelineError.roundOutOfRange(card: "A", round: 3, length: days * 31)) {
      try varied(.adding(days * 15), after: days)
    }
    #expect(throws: TimelineError.unusableTiming) { try varied(.adding(days * 31)) }
    #expect(throws: TimelineError.unusableTiming) { try varied(.adding(.nanoseconds(Int64.min))) }
    #expect(throws: TimelineError.roundOutOfRange(card: "A", round: 2, length: .milliseconds(999))) {
      try varied(.lengths([.milliseconds(999), .seconds(1)]))
    }
    // The last round, which leaves the card out, doesn't count.
    _ = try varied(.adding(.seconds(-5)), after: .seconds(6), skipsLast: true)
  }

  @Test func `the longest total holds for lengths by round, too`() throws {
    let month = SequenceLimits.longestDuration
    #expect(throws: TimelineError.tooLong) {
      try varied(.adding((month - .seconds(1)) / 2500), after: .seconds(1), rounds: 2501)
    }
    #expect(throws: TimelineError.tooLong) {
      try varied(.adding((.seconds(1) - month) / 99_000), after: month, rounds: 99_001)
    }
    #expect(throws: TimelineError.tooLong) {
      try varied(.lengths(.init(repeating: month, count: 1217)), after: month, rounds: 1218)
    }
    let cards = (0..<1217).map { SequenceElement.card(Card("\($0)", .countdown(month))) }
    let growing = (0..<1217).map {
      SequenceElement.card(
        Card("\($0)", .countdown(.seconds(1)), laterRounds: .adding(month - .seconds(1))))
    }
    for elements in [cards, growing] {
      #expect(throws: TimelineError.tooLong) {
        try Sequences.timeline(.group(Group(rounds: 2, elements: elements)))
      }
    }
  }

  @Test func `a total beyond all numbers is too long`() throws {
    let month = SequenceLimits.longestDuration
    func cards(_ later: LaterRounds) -> [SequenceElement] {
      (0..<3700).map { .card(Card("\($0)", .countdown(.seconds(1)), laterRounds: later)) }
    }
    for (later, rounds) in [
      (LaterRounds.lengths([month]), 2), (.lengths([.seconds(1), month]), 3),
      (.adding(month - .seconds(1)), 2), (.adding((month - .seconds(1)) / 2), 3),
    ] {
      #expect(throws: TimelineError.tooLong) {
        try Sequences.timeline(.group(Group(rounds: .times(rounds), elements: cards(later))))
      }
    }
    // Each group is as long as a sequence may be.
    func longest(_ title: String) -> SequenceElement {
      .group(Group(rounds: 1216, elements: [.card(Card(title, .countdown(month)))]))
    }
    #expect(throws: TimelineError.tooLong) {
      try Sequences.timeline(
        longest("A"), .group(Group(rounds: .forever, elements: [longest("B"), longest("C")])))
    }
  }

  // MARK: - Compared with the steps written out

  /// Returns random elements with at most so many levels of groups.
  ///
  /// - Parameter rounds: those of the group around the elements; `nil` outside of groups and in endless rounds.
  private func elements(
    levels: Int, in rounds: Int? = nil, _ random: inout SplitMix64
  ) -> [SequenceElement] {
    (0..<Int.random(in: 1...4, using: &random)).map { number in
      if levels > 0, Int.random(in: 0..<3, using: &random) == 0 {
        let rounds = Int.random(in: 1...6, using: &random)
        return .group(
          Group(rounds: .times(rounds), elements: elements(levels: levels - 1, in: rounds, &random)))
      }
      let seconds = Int.random(in: 1...3, using: &random)
      let timing: Timing =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .countUp(goal: nil)
        case 1: .countdown(.seconds(seconds), advance: .manual)
        default: .countdown(.seconds(seconds), advance: .automatic)
        }
      let skipsLast = Int.random(in: 0..<4, using: &random) == 0
      let laterRounds = timing.duration.flatMap { _ in
        rounds.flatMap { self.laterRounds(after: seconds, in: skipsLast ? $0 - 1 : $0, &random) }
      }
      return .card(
        Card("\(number)-\(UUID())", timing, laterRounds: laterRounds, skipsLastRound: skipsLast))
    }
  }

  private func laterRounds(after seconds: Int, in rounds: Int, _ random: inout SplitMix64) -> LaterRounds? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where rounds > 0:
      .lengths((1..<rounds).map { _ in .seconds(Int.random(in: 1...4, using: &random)) })
    case 1: .adding(.seconds(Int.random(in: 0...2, using: &random)))
    case 2 where rounds > 1: .adding(.milliseconds(-1000 * (seconds - 1) / (rounds - 1)))
    default: nil
    }
  }

  /// The number of rounds that are written out for endless ones.
  private static let endlessRounds = 7

  private struct UnrolledStep {
    let card: Card
    let timing: Timing
  }

  /// Returns the steps of elements, one by one.
  private func unrolled(_ elements: [SequenceElement], inRound round: Int = 1) -> [UnrolledStep] {
    elements.flatMap { element -> [UnrolledStep] in
      switch element {
      case .card(let card):
        var timing = card.timing
        if case .countdown(let first, let advance) = timing, round > 1 {
          switch card.laterRounds {
          case .lengths(let lengths): timing = .countdown(lengths[round - 2], advance: advance)
          case .adding(let time): timing = .countdown(first + time * (round - 1), advance: advance)
          case nil: break
          }
        }
        return [UnrolledStep(card: card, timing: timing)]
      case .group(let group):
        let count: Int? = if case .times(let count) = group.rounds { count } else { nil }
        return (1...(count ?? TimelineTests.endlessRounds)).flatMap { round in
          unrolled(
            group.elements.filter {
              guard round == count, case .card(let card) = $0 else { return true }
              return !card.skipsLastRound
            }, inRound: round)
        }
      }
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `steps, times and stops are those of the steps written out`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let elements = elements(levels: 3, &random)
    let steps = unrolled(elements)
    guard !steps.isEmpty else { return }
    let timeline = try Timeline(
      SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil))
    try #require(timeline.count == steps.count)
    var (time, rest) = (Duration.zero, Duration.zero)
    for index in steps.indices {
      #expect(timeline.card(at: index) == steps[index].card)
      #expect(timeline.timing(at: index) == steps[index].timing)
      #expect(timeline.step(at: index).timing == steps[index].timing)
      #expect(timeline.duration(of: 0..<index) == time)
      #expect(timeline.rest(of: 0..<index) == rest)
      if steps[index].card.isRest { rest += steps[index].timing.duration ?? .zero }
      time += steps[index].timing.duration ?? .zero
      let stop = steps[index...].firstIndex { !$0.timing.endsByItself }
      #expect(timeline.firstStop(from: index) == stop)
      let hasCountUp = steps[index...].contains { $0.timing.duration == nil }
      #expect(timeline.hasCountUp(from: index) == hasCountUp)
      for seconds in 0...12 {
        var (reached, left) = (index, Duration.seconds(seconds))
        while reached < stop ?? steps.count, let length = steps[reached].timing.duration, left >= length {
          (reached, left) = (reached + 1, left - length)
        }
        #expect(timeline.stepReached(from: index, after: .seconds(seconds)) == reached)
      }
    }
    #expect(timeline.duration(of: 0..<steps.count) == time)
    #expect(timeline.rest(of: 0..<steps.count) == rest)
    #expect(timeline.firstStop(from: steps.count) == nil)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `endless rounds go on like the steps written out`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let before = Bool.random(using: &random) ? elements(levels: 2, &random) : []
    let round = elements(levels: 2, &random) + [Sequences.countdown("last", 1)]
    let elements = before + [.group(Group(rounds: .forever, elements: round))]
    let steps = unrolled(elements)
    let timeline = try Timeline(
      SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil))
    #expect(timeline.count == nil)
    let loop = try #require(timeline.firstEndlessRound)
    #expect(loop.lowerBound == unrolled(before).count)
    #expect(loop.count * TimelineTests.endlessRounds == steps.count - loop.lowerBound)
    // Enough rounds for the search of the next stop.
    let known = steps.count - 2 * loop.count
    var (time, rest) = (Duration.zero, Duration.zero)
    for index in 0..<known {
      #expect(timeline.card(at: index) == steps[index].card)
      #expect(timeline.timing(at: index) == steps[index].timing)
      #expect(timeline.step(at: index).timing == steps[index].timing)
      #expect(timeline.duration(of: 0..<index) == time)
      #expect(timeline.rest(of: 0..<index) == rest)
      if steps[index].card.isRest { rest += steps[index].timing.duration ?? .zero }
      time += steps[index].timing.duration ?? .zero
      if index >= loop.lowerBound {
        let number = (index - loop.lowerBound) / loop.count + 1
        #expect(timeline.step(at: index).rounds.first == .init(round: number, of: nil))
      }
      let stop = steps[index...].firstIndex { !$0.timing.endsByItself }
      #expect(timeline.firstStop(from: index) == stop)
      #expect(
        timeline.hasCountUp(from: index)
          == steps[index...].contains { $0.timing.duration == nil })
      for seconds in 0...12 {
        var (reached, left) = (index, Duration.seconds(seconds))
        while reached < stop ?? .max, reached < steps.count, let length = steps[reached].timing.duration,
          left >= length
        {
          (reached, left) = (reached + 1, left - length)
        }
        guard reached < steps.count else { continue }
        #expect(timeline.stepReached(from: index, after: .seconds(seconds)) == reached)
      }
    }
  }

  @Test func `endless rounds are counted beyond all clocks`() throws {
    func month() -> SequenceElement {
      Sequences.card("Long", .countdown(SequenceLimits.longestDuration, advance: .automatic))
    }
    let timeline = try Sequences.timeline(
      month(), .group(Group(rounds: .forever, elements: [month(), month()])))
    let far = 1 << 61
    #expect(timeline.step(at: far).rounds == [.init(round: far / 2, of: nil)])
    #expect(timeline.duration(of: far..<far + 1) == SequenceLimits.longestDuration)
    #expect(timeline.duration(of: 0..<far) == .nanoseconds(Int64.max))
    #expect(timeline.stepReached(from: far, after: SequenceLimits.longestDuration) == far + 1)
    #expect(timeline.stepReached(from: 0, after: .nanoseconds(Int64.max)) == 3558)
    #expect(timeline.outcome(ofStopInStepAt: 2) == .stopped)
    #expect(timeline.outcome(ofStopInStepAt: 3) == .finished)
  }

  @Test func `short rounds with a stop can be waited in for any time`() throws {
    let short = Sequences.card("A", .countdown(.nanoseconds(1), advance: .automatic))
    let waiting = SequenceElement.group(
      Group(rounds: 99_999, elements: [Sequences.card("B", .countUp(goal: nil))]))
    let timeline = try Sequences.timeline(.group(Group(rounds: .forever, elements: [short, waiting])))
    #expect(timeline.stepReached(from: 0, after: .nanoseconds(Int64.max)) == 1)
    #expect(timeline.stepReached(from: 99_999, after: .nanoseconds(Int64.max)) == 99_999)
    #expect(timeline.stepReached(from: 100_000, after: .nanoseconds(Int64.max)) == 100_001)
    #expect(timeline.stepReached(from: 100_000, after: .zero) == 100_000)
  }

  @Test func `endless rounds are possible only at the end, and for a second at least`() throws {
    let short = Sequences.card("A", .countdown(.milliseconds(999), advance: .automatic))
    let waiting = Sequences.card("B", .countdown(.milliseconds(1), advance: .manual))
    let endless = SequenceElement.group(Group(rounds: .forever, elements: [Sequences.countdown("A", 1)]))
    #expect(throws: TimelineError.endlessRoundTooShort) {
      try Sequences.timeline(.group(Group(rounds: .forever, elements: [short])))
    }
    #expect(throws: TimelineError.endlessRoundTooShort) {
      try Sequences.timeline(short, .group(Group(rounds: .forever, elements: [])))
    }
    #expect(throws: TimelineError.foreverNotLast) { try Sequences.timeline(endless, short) }
    #expect(throws: TimelineError.foreverNotLast) {
      try Sequences.timeline(.group(Group(rounds: 1, elements: [endless])))
    }
    #expect(throws: TimelineError.tooManySteps) {
      try Sequences.timeline(
        .group(Group(rounds: 100_000, elements: [short])),
        .group(Group(rounds: .forever, elements: [waiting])))
    }
    #expect(try Sequences.timeline(.group(Group(rounds: .forever, elements: [waiting]))).count == nil)
  }

  @Test func `a group of many cards that wait for the user takes time in proportion to its cards`() throws {
    let cards = (0..<100_000).map { _ in Sequences.card("A", .countUp(goal: nil)) }
    let timeline = try Sequences.timeline(.group(Group(rounds: 1, elements: cards)))
    #expect(timeline.firstStop(from: 99_999) == 99_999)
  }
}
