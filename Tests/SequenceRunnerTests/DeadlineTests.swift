import Foundation
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

struct DeadlineTests {
  private let clock = ManualClock()
  private let temporary: TemporaryDirectory

  init() throws { temporary = try TemporaryDirectory() }

  private static func minutes(_ count: Double) -> Duration { .nanoseconds(Int64(count * 60e9)) }

  private static func talk(_ minutes: Double, _ least: Double?, _ most: Double?) -> Card {
    Card(
      id: UUID(), title: "Talk", timing: .countdown(self.minutes(minutes)),
      atLeast: least.map { self.minutes($0) }, atMost: most.map { self.minutes($0) })
  }

  private func run(_ cards: [Card], minutes: Double) throws -> ActiveRunSnapshot {
    let timeline = try Timeline(
      SequenceDefinition(
        id: UUID(), title: "Session", elements: cards.map { .card($0) }, onSuspend: nil, onLock: nil))
    let now = clock.now()
    return ActiveRunSnapshot(
      timeline: timeline, until: now.wall.advanced(by: DeadlineTests.minutes(minutes)), at: now)
  }

  private func lengths(_ run: ActiveRunSnapshot) -> [Double] {
    (run.log.count..<run.timeline.end).compactMap { run.step(at: $0).timing.duration.map { $0.seconds / 60 } }
  }

  private func settled(_ run: ActiveRunSnapshot) throws -> ActiveRunSnapshot {
    guard case .active(let settled) = run.settled(at: clock.now()) else {
      throw TestSupportError("the run is over")
    }
    return settled
  }

  private func performing(_ commands: RunCommand..., on run: ActiveRunSnapshot) throws -> ActiveRunSnapshot {
    try commands.reduce(run) { run, command in
      guard case .active(let next) = try settled(run).applying(command, at: clock.now()) else {
        throw TestSupportError("the run is over")
      }
      return next
    }
  }

  private func late(_ run: ActiveRunSnapshot) throws -> Double? {
    try settled(run).late(at: clock.now()).map { $0.seconds / 60 }
  }

  @Test func `steps share missing and spare time in proportion to what each can give or take`() throws {
    let talks = [
      DeadlineTests.talk(20, 15, 25), DeadlineTests.talk(20, 20, nil), DeadlineTests.talk(20, 5, 50),
    ]
    #expect(lengths(try run(talks, minutes: 60)) == [20, 20, 20])
    #expect(lengths(try run(talks, minutes: 56)) == [19, 20, 17])
    #expect(lengths(try run(talks, minutes: 40)) == [15, 20, 5])
    #expect(lengths(try run(talks, minutes: 30)) == [15, 20, 5])
    #expect(lengths(try run(talks, minutes: 67)) == [21, 20, 26])
    #expect(try late(run(talks, minutes: 56)) == 0)
    #expect(try late(run(talks, minutes: 30)) == 10)
    #expect(try late(run(talks, minutes: 96)) == -1)
  }

  @Test func `a pause makes the steps after it shorter, and none shorter than what has elapsed`() throws {
    var run = try run([DeadlineTests.talk(20, 10, nil), DeadlineTests.talk(20, 10, nil)], minutes: 40)
    clock.advance(by: DeadlineTests.minutes(16))
    run = try performing(.pause, on: run)
    clock.advance(by: DeadlineTests.minutes(8))
    #expect(try late(run) == 0)
    #expect(run.target == DeadlineTests.minutes(20))
    run = try performing(.resume(), on: run)
    #expect(lengths(run) == [16, 16])
    // The first talk has no time left, so the second one begins at once.
    #expect(try settled(run).log.count == 1)
    #expect(try late(run) == 0)
    run = try performing(.pause, on: run)
    clock.advance(by: DeadlineTests.minutes(10))
    #expect(try late(run) == 4)
  }

  @Test func `a length by hand stays, and the steps after it make up for it`() throws {
    var run = try run([DeadlineTests.talk(20, 10, nil), DeadlineTests.talk(20, 10, 30)], minutes: 40)
    run = try performing(.extend(DeadlineTests.minutes(5)), on: run)
    #expect(lengths(run) == [25, 15])
    run = try performing(.extend(DeadlineTests.minutes(-5)), on: run)
    #expect(lengths(run) == [20, 20])
    clock.advance(by: DeadlineTests.minutes(4))
    run = try performing(.pause, on: run)
    clock.advance(by: DeadlineTests.minutes(4))
    run = try performing(.resume(), on: run)
    #expect(lengths(run) == [20, 16])
    // From its beginning, the length is fitted again.
    run = try performing(.restart, on: run)
    #expect(lengths(run) == [16, 16])
  }

  @Test func `a step that waits counts as its length, and late is what it takes more`() throws {
    let shower = Card(id: UUID(), title: "Shower", timing: .countUp(goal: Goal(duration: .seconds(300))))
    var run = try run([shower, DeadlineTests.talk(20, 18, 30)], minutes: 25)
    clock.advance(by: DeadlineTests.minutes(5))
    #expect(try late(run) == 0)
    #expect(lengths(run) == [20])
    clock.advance(by: DeadlineTests.minutes(3))
    #expect(try late(run) == 1)
    run = try performing(.next, on: run)
    #expect(lengths(run) == [18])
    #expect(try late(run) == 1)
  }

  @Test func `the deadline goes into another boot with the clock, and the steps keep their lengths`() throws {
    var run = try run([DeadlineTests.talk(10, 5, nil), DeadlineTests.talk(10, 5, nil)], minutes: 16)
    clock.advance(by: DeadlineTests.minutes(2))
    // Set before the power went.
    clock.setWall(by: DeadlineTests.minutes(60))
    #expect(try late(run) == 0)
    run = try performing(.pause, .resume(), on: run)
    let before = lengths(run)
    let wall = clock.now().wall
    clock.set(
      to: ClockReading(
        wall: wall.advanced(by: DeadlineTests.minutes(3)), boot: .seconds(5), bootID: "another boot"))
    run = try settled(run)
    #expect(lengths(run) == before)
    #expect(try late(run) == 0)
    #expect(run.deadline?.bootID == "another boot")
    clock.setWall(by: DeadlineTests.minutes(-600))
    #expect(try late(run) == 0)
    clock.advance(by: DeadlineTests.minutes(11) - .nanoseconds(1))
    #expect(try settled(run).log.count == 1)
    clock.advance(by: .nanoseconds(1))
    guard case .ended(let ended) = run.settled(at: clock.now()) else {
      throw TestSupportError("the run is active")
    }
    #expect(ended.late == .zero)
    #expect(ended.records.map { $0.actual.seconds / 60 } == [8, 8])
  }

  @Test func `the history has the lengths that were, and how late the run ended`() throws {
    var run = try run((1...5).map { _ in DeadlineTests.talk(7, 4, nil) }, minutes: 31)
    clock.advance(by: DeadlineTests.minutes(20))
    run = try settled(run)
    let copy = try StoredRun(run).decoded(path: "")
    #expect(copy == run)
    #expect(run.records.map(\.actual) == run.records.map(\.planned))
    #expect(run.records.map { $0.actual.seconds / 60 } == [6.2, 6.2, 6.2])
    guard case .ended(let ended) = try settled(copy).applying(.stop, at: clock.now()) else {
      throw TestSupportError("the run is active")
    }
    #expect(ended.late == DeadlineTests.minutes(-11))
  }

  @Test func `a run that would end over a minute early is refused, and so are endless rounds`() throws {
    let store = try RunStore(in: StateDirectory(path: temporary.path + "/state"), clock: clock)
    let now = clock.now().wall
    let talk = DeadlineTests.talk(20, 15, 25)
    func start(_ element: SequenceElement, minutes: Double) throws {
      _ = try store.start(
        Sequences.timeline(element), replacing: true,
        until: now.advanced(by: DeadlineTests.minutes(minutes)))
    }
    try start(.card(talk), minutes: 26)
    let early = #expect(throws: RunError.self) { try start(.card(talk), minutes: 60) }
    #expect(early?.description == #""Test" takes 25m, so it would end 35m early; start it in 35m"#)
    let endless = #expect(throws: RunError.self) {
      try start(
        .group(Group(rounds: .forever, elements: [Sequences.countdown("Work", 240)])), minutes: 30)
    }
    #expect(endless == .endlessUntil(title: "Test", rounds: 7))
    #expect(try store.status().late == DeadlineTests.minutes(-1))
  }

  @Test(arguments: [
    (Card("A", .countUp(), atLeast: .seconds(5)), TimelineError.boundsNotPossible(card: "A")),
    (
      Card("A", .countdown(.seconds(9), advance: .manual), atMost: .seconds(10)),
      .boundsNotPossible(card: "A")
    ),
    (
      Card("A", .countdown(.seconds(9)), atLeast: .seconds(10)),
      .outOfBounds(card: "A", round: nil, length: .seconds(9))
    ),
    (
      Card("A", .countdown(.seconds(9)), atMost: .seconds(8)),
      .outOfBounds(card: "A", round: nil, length: .seconds(9))
    ),
    (
      Card("A", .countdown(.seconds(9)), laterRounds: .adding(.seconds(1)), atMost: .seconds(10)),
      .outOfBounds(card: "A", round: 3, length: .seconds(11))
    ),
    (
      Card(
        "A", .countdown(.seconds(9)), laterRounds: .lengths([.seconds(4), .seconds(9)]), atLeast: .seconds(5)),
      .outOfBounds(card: "A", round: 2, length: .seconds(4))
    ),
    (Card("A", .countdown(.seconds(9)), atMost: .seconds(31 * 86_400)), .unusableTiming),
  ])
  func `lengths that a deadline can't give are refused`(card: Card, error: TimelineError) {
    #expect(throws: error) { try Sequences.timeline(.group(Group(rounds: 3, elements: [.card(card)]))) }
  }

  @Test func `endless rounds have no other lengths`() {
    let card = Card("A", .countdown(.seconds(9)), atLeast: .seconds(5))
    #expect(throws: TimelineError.boundsNotPossible(card: "A")) {
      try Sequences.timeline(
        .group(Group(rounds: .forever, elements: [.group(Group(rounds: 2, elements: [.card(card)]))])))
    }
  }

  // MARK: - Sums

  private static func element(_ random: inout SplitMix64, depth: Int, in rounds: Int?) -> SequenceElement {
    if depth < 3, random.happens(40) {
      let rounds = random.number(in: 1...4)
      let elements = (0..<random.number(in: 1...3)).map { _ in
        element(&random, depth: depth + 1, in: rounds)
      }
      return .group(Group(rounds: .times(rounds), elements: elements))
    }
    let first = random.number(in: 20...40)
    var (later, lengths) = (LaterRounds?.none, [first])
    if let rounds, rounds > 1, random.happens(60) {
      if random.happens(50) {
        lengths += (1..<rounds).map { _ in random.number(in: 10...50) }
        later = .lengths(lengths.dropFirst().map { .seconds($0) })
      } else {
        let change = random.number(in: -4...4)
        lengths = (0..<rounds).map { first + $0 * change }
        later = .adding(.seconds(change))
      }
    }
    let isBound = random.happens(70)
    return .card(
      Card(
        id: UUID(), title: "Card", timing: .countdown(.seconds(first), advance: .automatic),
        laterRounds: later,
        atLeast: isBound && random.happens(70)
          ? .seconds((lengths.min() ?? 1) - random.number(in: 0...5)) : nil,
        atMost: isBound ? .seconds((lengths.max() ?? 1) + random.number(in: 0...20)) : nil))
  }

  @Test(arguments: 1...300)
  func `the sums over steps are those of a walk over them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let timeline = try Timeline(
      SequenceDefinition(
        id: UUID(), title: "Test",
        elements: (0...random.number(in: 0...2)).map { _ in
          DeadlineTests.element(&random, depth: 0, in: nil)
        }, onSuspend: nil, onLock: nil))
    let steps = (0..<timeline.end).map { timeline.step(at: $0) }
    let first = random.number(in: 0...steps.count - 1)
    let amount = Int64(random.number(in: -100...100)) * 999_999_937
    func room(_ step: Step) -> Int64 {
      guard step.index >= first, let length = step.timing.duration?.nanoseconds else { return 0 }
      return amount < 0
        ? length - (step.card.atLeast?.nanoseconds ?? length)
        : (step.card.atMost?.nanoseconds ?? length) - length
    }
    let all = steps.reduce(0) { $0 + room($1) }
    var (ends, sum, given, time) = ([Int64](), Int64(0), Int64(0), Int64(0))
    for step in steps {
      sum += room(step)
      let (share, rest) = (Int128(abs(amount)) * Int128(sum)).quotientAndRemainder(
        dividingBy: Int128(max(all, 1)) * 1000)
      let next = abs(amount) >= all ? sum : min(abs(amount), Int64(rest > 0 ? share + 1 : share) * 1000)
      time += (step.timing.duration?.nanoseconds ?? 0) + (amount < 0 ? given - next : next - given)
      given = next
      ends.append(time)
    }
    let shares = try #require(timeline.shares(of: SpareTime(.nanoseconds(amount), from: first)))
    for (index, end) in ends.enumerated() {
      #expect(timeline.duration(of: 0..<index + 1, sharing: shares).nanoseconds == end)
      for nanoseconds in [end - 1, end, end + 1] {
        #expect(
          timeline.stepReached(from: 0, after: .nanoseconds(nanoseconds), sharing: shares)
            == ends.firstIndex { $0 > nanoseconds } ?? ends.count)
      }
    }
    #expect(
      timeline.rest(of: SpareTime(.nanoseconds(amount), from: first)).nanoseconds
        == amount + (amount < 0 ? given : -given))
  }
}
