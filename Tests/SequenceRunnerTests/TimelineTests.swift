import SequenceRunner
import Testing

struct TimelineTests {
  @Test func `groups expand in order, and the last round omits the cards marked for it`() throws {
    let timeline = try Sequences.workout()
    let titles = (0..<timeline.count).map { timeline.step(at: $0).card.title }
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
      try Sequences.timeline(.group(Group(rounds: rounds, elements: [Sequences.countdown("A", 1)])))
    }
  }

  @Test(arguments: [
    Timing.countdown(.zero, advance: .automatic), .countdown(.nanoseconds(Int64.max), advance: .manual),
    .countUp(goal: Goal(duration: .seconds(-1))), .countUp(goal: Goal(duration: .seconds(1), reminders: -1)),
    .countUp(goal: Goal(duration: .seconds(1), reminders: 101)),
    .countUp(goal: Goal(duration: .seconds(1), cadence: .seconds(31 * 86_400))),
  ])
  func `times and numbers outside their limits are refused`(timing: Timing) {
    #expect(throws: TimelineError.unusableTiming) { try Sequences.timeline(Sequences.card("A", timing)) }
  }

  @Test func `groups without steps take no time, however many groups and rounds there are`() throws {
    let rest = Sequences.card("Rest", .countdown(.seconds(1), advance: .automatic), skipsLast: true)
    let empty = SequenceElement.group(Group(rounds: 1, elements: [rest]))
    let elements = [empty, Sequences.countdown("A", 1)] + Array(repeating: empty, count: 50_000)
    let endless = SequenceElement.group(Group(rounds: .max, elements: []))
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
}
