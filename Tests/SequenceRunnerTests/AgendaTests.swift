import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceRunner

/// The events that time brings to a run, compared with an observer who counts ticks.
struct AgendaTests {
  private let clock = ManualClock()
  private let marks = [1, 2, 3].map { Duration.seconds($0) }

  // MARK: The observer

  /// An observer who never looks away: it knows nothing but how much of the step has passed at each tick.
  private struct Observer {
    static let tick = Duration.milliseconds(250)

    let timings: [Timing]
    let marks: [Int]
    let start: ClockReading
    var step: Int
    var elapsed: Int
    var target: Int?
    var events: [RunEvent] = []

    static func ticks(_ duration: Duration) -> Int { Int(duration.nanoseconds / tick.nanoseconds) }

    init(_ run: ActiveRunSnapshot, _ marks: [Duration], at reading: ClockReading) {
      timings = Observer.timings(of: run.sequence.elements)
      self.marks = marks.map(Observer.ticks).sorted(by: >)
      start = reading
      step = run.log.count
      elapsed = Observer.ticks(run.elapsed(at: reading))
      target = run.target.map(Observer.ticks)
    }

    /// The timings of the steps, round by round.
    static func timings(of elements: [SequenceElement], inRound round: Int = 1) -> [Timing] {
      elements.flatMap { element -> [Timing] in
        switch element {
        case .card(let card):
          guard case .adding(let time) = card.laterRounds,
            case .countdown(let first, let advance) = card.timing
          else { return [card.timing] }
          return [.countdown(first + time * (round - 1), advance: advance)]
        case .group(let group):
          guard case .times(let rounds) = group.rounds else { return [] }
          return (1...rounds).flatMap { round in
            timings(
              of: group.elements.filter {
                guard case .card(let card) = $0 else { return true }
                return round < rounds || !card.skipsLastRound
              }, inRound: round)
          }
        }
      }
    }

    /// Watches until only the user can pass the step.
    mutating func watch() {
      var now = 0
      endStep(at: now)
      while step < timings.count, isWaitingForTime {
        now += 1
        elapsed += 1
        notice(at: now)
        endStep(at: now)
      }
    }

    private var isWaitingForTime: Bool {
      guard let target else { return false }
      switch timings[step] {
      case .countdown: return elapsed < target
      case .countUp(let goal):
        guard let goal else { return false }
        return elapsed < target + max(goal.reminders - 1, 0) * Observer.ticks(goal.cadence)
      }
    }

    private mutating func notice(at now: Int) {
      guard let target else { return }
      switch timings[step] {
      case .countdown(_, let advance):
        if elapsed * 2 == target { add(.half, at: now) }
        for mark in marks where elapsed > 0 && elapsed + mark == target {
          add(.remaining(Observer.tick * mark), at: now)
        }
        if advance == .manual, elapsed == target { add(.overtime, at: now) }
      case .countUp(let goal):
        if elapsed == target { add(.goal, at: now) }
        guard let goal, elapsed > target else { return }
        let (number, rest) = (elapsed - target).quotientAndRemainder(
          dividingBy: Observer.ticks(goal.cadence))
        if rest == 0, number < goal.reminders { add(.reminder(number + 1), at: now) }
      }
    }

    private mutating func endStep(at now: Int) {
      guard case .countdown(_, .automatic) = timings[step], let target, elapsed >= target else { return }
      add(.stepEnd(.completed), at: now)
      guard step + 1 < timings.count else {
        add(.ended(.finished), at: now)
        step += 1
        return
      }
      step += 1
      elapsed = 0
      self.target = timings[step].target.map(Observer.ticks)
      add(.stepStart, at: now)
    }

    private mutating func add(_ kind: RunEvent.Kind, at now: Int) {
      events.append(
        RunEvent(
          kind: kind, step: step, at: start.advanced(by: Observer.tick * now),
          elapsed: Observer.tick * elapsed, target: target.map { Observer.tick * $0 }))
    }
  }

  // MARK: Random runs

  private func timing(_ random: inout SplitMix64) -> Timing {
    let duration = Duration.seconds(random.number(in: 1...9))
    switch random.number(in: 1...20) {
    case 1: return .countdown(duration, advance: .manual)
    case 2: return .countUp(goal: nil)
    case 3: return .countUp(goal: Goal(duration: duration, reminders: random.number(in: 0...3)))
    default: return .countdown(duration, advance: .automatic)
    }
  }

  private func elements(_ random: inout SplitMix64, depth: Int) -> [SequenceElement] {
    (0..<random.number(in: 1...4)).map { _ in
      guard depth < 3, random.happens(30) else {
        let timing = timing(&random)
        let grows = depth > 1 && timing.duration != nil && random.happens(40)
        return .card(
          Card(
            "\(random.next())", timing,
            laterRounds: grows ? .adding(.seconds(random.number(in: 0...3))) : nil,
            skipsLastRound: random.happens(20)))
      }
      return .group(
        Group(rounds: .times(random.number(in: 1...3)), elements: elements(&random, depth: depth + 1)))
    }
  }

  private let commands: [RunCommand] = [
    .pause, .resume(), .next, .skip, .back, .restart, .extend(.seconds(4)), .extend(.seconds(-2)),
    .extend(.milliseconds(-500)),
  ]

  /// A run to which a random user has done something, and the reading of the last action.
  private func randomRun(_ seed: Int) throws -> (run: ActiveRunSnapshot, reading: ClockReading)? {
    var random = SplitMix64(seed: UInt64(seed))
    // A sequence may be empty because the last round leaves everything out.
    guard
      let timeline = try? Sequences.timeline(.group(Group(rounds: 1, elements: elements(&random, depth: 1))))
    else { return nil }
    var reading = clock.now()
    var run = ActiveRunSnapshot(timeline: timeline, at: reading)
    for _ in 0..<random.number(in: 0...8) {
      reading = reading.advanced(by: .milliseconds(500) * random.number(in: 0...20))
      guard case .active(let settled) = run.settled(at: reading) else { return nil }
      guard let state = try? settled.applying(random.one(of: commands), at: reading) else {
        run = settled
        continue
      }
      guard case .active(let next) = state else { return nil }
      run = next
    }
    return (run, reading)
  }

  // MARK: Properties

  @Test func `the agenda has what an observer sees who never looks away`() throws {
    var kinds: Set<RunEvent.Name> = []
    for seed in 1...600 {
      guard let (run, reading) = try randomRun(seed) else { continue }
      var observer = Observer(run, marks, at: reading)
      if !run.isPaused { observer.watch() }
      try #require(Array(run.agenda(after: reading, marks: marks)) == observer.events, "seed \(seed)")
      kinds.formUnion(observer.events.map(\.kind.name))
    }
    #expect(
      kinds == [.half, .remaining, .stepEnd, .stepStart, .overtime, .goal, .reminder, .runEnd],
      "the runs are too much alike")
  }

  /// Readings at, right before and right after random events, and between them.
  private func cuts(_ events: [RunEvent], _ random: inout SplitMix64) -> [ClockReading] {
    (0..<random.number(in: 1...12)).map { _ in
      let at = random.one(of: events).at
      let offset: Duration = random.one(of: [
        .zero, .zero, .nanoseconds(-1), .nanoseconds(1), .milliseconds(130),
      ])
      return at.advanced(by: offset)
    }.sorted { $0.boot < $1.boot }
  }

  @Test func `how often and when one reads makes no difference`() throws {
    for seed in 1...400 {
      guard let (run, reading) = try randomRun(seed) else { continue }
      let whole = Array(run.agenda(after: reading, marks: marks))
      var random = SplitMix64(seed: UInt64(seed))
      guard !whole.isEmpty else { continue }
      let cuts = cuts(whole, &random).filter { $0.boot > reading.boot }

      var events: [RunEvent] = []
      var position = reading
      for cut in cuts {
        events += run.agenda(after: position, marks: marks).prefix { $0.at.boot <= cut.boot }
        position = cut
      }
      events += run.agenda(after: position, marks: marks)
      try #require(events == whole, "seed \(seed)")
    }
  }

  @Test func `a settled run has the rest of the agenda`() throws {
    for seed in 1...400 {
      guard let (run, reading) = try randomRun(seed) else { continue }
      let whole = Array(run.agenda(after: reading, marks: marks))
      guard !whole.isEmpty else { continue }
      var random = SplitMix64(seed: UInt64(seed))
      for cut in cuts(whole, &random) where cut.boot > reading.boot {
        let rest = whole.filter { $0.at.boot > cut.boot }.map(Known.init)
        switch run.settled(at: cut) {
        case .active(let settled):
          let known = settled.agenda(after: cut, marks: marks).map(Known.init)
          try #require(known == rest, "seed \(seed)")
        case .ended: try #require(rest == [], "seed \(seed)")
        }
      }
    }
  }

  /// An event, whose moment is rounded to a microsecond from wherever it is calculated.
  private struct Known: Equatable {
    let kind: RunEvent.Kind
    let step: Int
    let boot: Duration
    let elapsed: Duration
    let target: Duration?

    init(_ event: RunEvent) {
      (kind, step, boot) = (event.kind, event.step, event.at.boot)
      (elapsed, target) = (event.elapsed, event.target)
    }
  }

  @Test func `the end of a step is where settling puts it`() throws {
    for seed in 1...200 {
      guard let (run, reading) = try randomRun(seed) else { continue }
      for event in run.agenda(after: reading) where event.kind.name == .stepEnd {
        let log =
          switch run.settled(at: event.at) {
          case .active(let settled): settled.log
          case .ended(let ended): ended.snapshot.log
          }
        let record = try #require(log.last(in: run.timeline))
        try #require(record.index == event.step, "seed \(seed)")
        try #require(record.endedAt == event.at.wall, "seed \(seed)")
        guard case .active(let before) = run.settled(at: event.at.advanced(by: .nanoseconds(-1))) else {
          Issue.record("seed \(seed): the run is over too early")
          return
        }
        try #require(before.log.count == event.step || event.at.boot == reading.boot, "seed \(seed)")
      }
    }
  }

  // MARK: Equality

  private func run(_ elements: SequenceElement..., commands: (Int, RunCommand)...) throws -> ActiveRunSnapshot
  {
    let sequence = SequenceDefinition(
      id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil)
    var run = ActiveRunSnapshot(timeline: try Timeline(sequence), at: clock.now())
    for (seconds, command) in commands {
      clock.advance(by: .seconds(seconds))
      guard case .active(let next) = try run.applying(command, at: clock.now()) else {
        throw TestSupportError("the run is over")
      }
      run = next
    }
    return run
  }

  @Test func `a step that is shortened to what has elapsed ends at once`() throws {
    let run = try run(
      Sequences.countdown("A", 10), Sequences.countdown("B", 5), commands: (4, .extend(.seconds(-6))))
    let agenda = Array(run.agenda(after: clock.now()))
    #expect(
      agenda.map(\.kind) == [
        .stepEnd(.completed), .stepStart, .half, .stepEnd(.completed), .ended(.finished),
      ])
    #expect(agenda.first?.at == clock.now())
    #expect(run.agenda(after: clock.now().advanced(by: .nanoseconds(1))).first { _ in true }?.kind == .half)
  }

  @Test(arguments: [
    Timing.countdown(.seconds(10), advance: .manual),
    .countUp(goal: Goal(duration: .seconds(10), reminders: 1)),
  ])
  func `a time that is over already is not on the agenda`(timing: Timing) throws {
    let run = try run(
      Sequences.card("A", timing), commands: (10, .pause), (5, .resume()))
    #expect(Array(run.agenda(after: clock.now())) == [])
    let shortened = try self.run(Sequences.card("A", timing), commands: (4, .extend(.seconds(-6))))
    #expect(Array(Agenda(shortened.chain)) == [])
  }

  @Test func `a card that insists is repeated thirty times, or until a command says that the user knows`()
    throws
  {
    let card = SequenceElement.card(
      Card("A", .countdown(.seconds(10), advance: .manual), insist: .seconds(60)))
    let events = Array(try run(card).agenda(after: clock.now()))
    #expect(events.map(\.kind) == [.half, .overtime] + (1...30).map { .reminder($0) })
    #expect(events.last?.elapsed == .seconds(10 + 30 * 60))
    #expect(Array(try run(card, commands: (10, .pause), (5, .resume())).agenda(after: clock.now())) == [])
    let extended = try run(card, commands: (70, .extend(.seconds(30)))).agenda(after: clock.now())
    #expect(extended.map(\.kind) == [.overtime] + (1...30).map { .reminder($0) })
  }

  @Test func `a paused run has no agenda`() throws {
    let run = try run(Sequences.countdown("A", 10), commands: (4, .pause))
    #expect(Array(run.agenda(after: clock.now())) == [])
  }

  @Test
  func `marks that are longer than the step are left out, and half comes before a mark of the same time`()
    throws
  {
    let run = try run(Sequences.countdown("A", 6))
    let kinds = run.agenda(after: clock.now(), marks: [3, 6, 7].map { .seconds($0) }).map(\.kind)
    #expect(kinds == [.half, .remaining(.seconds(3)), .stepEnd(.completed), .ended(.finished)])
  }

  // MARK: Cost

  @Test func `the first event costs the same wherever one begins in 100,000 steps`() throws {
    let timeline = try Sequences.timeline(
      .group(Group(rounds: 25_000, elements: (1...4).map { Sequences.countdown("\($0)", $0) })))
    #expect(timeline.count == 100_000)
    let start = clock.now()
    let run = ActiveRunSnapshot(timeline: timeline, at: start)
    var count = 0
    var last: RunEvent?
    let whole = processorTime {
      for event in run.agenda(after: start) { (count, last) = (count + 1, event) }
    }
    #expect(count == 300_000, "half, end and next start of each step, and the end of the run")
    #expect(last?.at == start.advanced(by: .seconds(250_000)))

    var firsts: [RunEvent?] = []
    let positions = (0..<100).map { start.advanced(by: .seconds($0 * 2500) + .milliseconds(100)) }
    let hundred = processorTime {
      for position in positions { firsts.append(run.agenda(after: position).first { _ in true }) }
    }
    #expect(firsts.map { $0?.kind } == Array(repeating: .half, count: 100))
    #expect(firsts.map { $0?.step } == (0..<100).map { $0 * 1000 })
    #expect(hundred < whole, "a hundred first events cost more than all 300,000")
  }
}
