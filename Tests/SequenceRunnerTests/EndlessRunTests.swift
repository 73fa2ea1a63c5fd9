import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

struct EndlessRunTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path + "/state"), clock: clock)
  }

  @discardableResult
  private func start(_ elements: SequenceElement..., replacing: Bool = false) throws -> RunStatus {
    let sequence = SequenceDefinition(
      id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil)
    return try store.start(try Timeline(sequence), RunStart(replacing: replacing))
  }

  private func forever(_ elements: SequenceElement...) -> SequenceElement {
    .group(Group(rounds: .forever, elements: elements))
  }

  @Test func `a run beyond 100,000 steps is stored, read and stopped`() throws {
    try start(Sequences.countdown("A", 1), forever(Sequences.countdown("B", 1), Sequences.countdown("C", 2)))
    clock.advance(by: .seconds(3_000_001))
    // A second store has nothing in memory.
    let other = try RunStore(in: StateDirectory(path: directory.path + "/state"), clock: clock)
    _ = try other.perform(.pause)
    let position = try #require(try store.settle().position)
    #expect(position.step.index == 2_000_001)
    #expect(position.step.rounds == [Step.Round(round: 1_000_001, of: nil)])
    #expect(position.step.card.title == "B")
    #expect(position.stepCount == nil && position.totalRemaining == nil)
    #expect(position.totalElapsed == .seconds(3_000_001))
    #expect(position.next?.card.title == "C")

    guard case .ended(let ended) = try store.perform(.stop, notAfter: nil).after else {
      throw TestSupportError("the run continues")
    }
    #expect(ended.outcome == .finished)
    let read = try #require(try other.history().first)
    #expect(read == ended)
    #expect(read.active == .seconds(3_000_001))
    #expect(read.stepCount == 2_000_002)
    #expect(read.records.count == SequenceLimits.mostSteps)
    #expect(read.records.last?.index == SequenceLimits.mostSteps - 1)
    #expect(read.records.last?.endedAt == read.snapshot.startedAt.advanced(by: .seconds(149_999)))
    let summary = try #require(try other.historySummaries().first)
    #expect(summary == EndedRunSummary(ended))
    #expect(summary.steps == nil && summary.completed == 2_000_001 && summary.skipped == 1)
  }

  @Test func `a run that is stopped is finished once one whole round is over`() throws {
    for (seconds, outcome, event) in [(6, RunOutcome.stopped, RunEvent.Name.stop), (7, .finished, .runEnd)] {
      let position = try store.eventPosition(at: clock.now())
      try start(
        Sequences.countdown("A", 1), forever(Sequences.countdown("B", 2), Sequences.countdown("C", 4)))
      clock.advance(by: .seconds(seconds))
      guard case .ended(let ended) = try store.perform(.stop, notAfter: nil).after else {
        throw TestSupportError("the run continues")
      }
      #expect(ended.outcome == outcome)
      let events = try store.events(after: position, until: clock.now()).runs.flatMap(\.events)
      #expect(events.last?.kind == .ended(outcome) && events.last?.kind.name == event)
      #expect(events.last?.step == ended.stepCount - 1)
    }
    // One that is replaced is stopped, too.
    try start(forever(Sequences.countdown("A", 1)))
    clock.advance(by: .seconds(1))
    try start(Sequences.countdown("B", 1), replacing: true)
    #expect(try store.history().first?.outcome == .finished)
  }

  @Test func `commands work in any round`() throws {
    try start(forever(Sequences.countdown("A", 10), Sequences.card("B", .countUp(goal: nil))))
    for _ in 1...50 { _ = try store.perform(.next) }
    #expect(try store.settle().position?.step.index == 50)
    _ = try store.perform(.back)
    clock.advance(by: .seconds(3600))
    // The count-up waits for the user.
    #expect(try store.settle().position?.step.rounds == [Step.Round(round: 25, of: nil)])
    _ = try store.perform(.skip)
    clock.advance(by: .seconds(4))
    let position = try #require(store.perform(.restart).run?.position(at: clock.now()))
    #expect(position.step.index == 50 && position.elapsed == .zero)
    #expect(position.totalElapsed == .seconds(3604))
  }

  // MARK: - Events

  @Test func `events of rounds that nobody has read are counted, and their number is exact`() throws {
    let start = try store.eventPosition(at: clock.now())
    try self.start(
      Sequences.countdown("A", 5), forever(Sequences.countdown("B", 1), Sequences.countdown("C", 2)))
    clock.advance(by: .seconds(30 * 86_400))
    let batch = try store.events(after: start, until: clock.now()) { _ in [.seconds(1)] }
    let run = try #require(batch.runs.first)
    let rounds = try #require(run.skipped.first)
    #expect(run.skipped.count == 1)
    #expect(rounds.length == .seconds(3) && rounds.steps == 2)
    // Per round two starts, two halves, two ends, and one second before the end of the longer step.
    #expect(rounds.events.count == 7)
    #expect(run.events.count < 4000)
    // Those before are the start of the run and its first step, with the start of the first round.
    let before = run.events[..<rounds.place]
    #expect(before.map(\.kind.name) == [.runStart, .stepStart, .half, .remaining, .stepEnd, .stepStart])
    let first = try #require(run.events.dropFirst(rounds.place).first)
    #expect(first.step == 1 + rounds.count * 2)
    // 863,998 whole rounds, and the first step of another.
    #expect(run.events.last?.step == 1 + 2 * 863_998 + 1)
    // A round later the same reader continues without a gap.
    clock.advance(by: .seconds(3))
    let more = try store.events(after: batch.end, until: clock.now()) { _ in [.seconds(1)] }
    #expect(more.runs.flatMap(\.events).count == 7)
    #expect(more.runs.flatMap(\.skipped) == [])
  }

  @Test func `a round counts for a moment if its event was at or after it`() throws {
    let start = try store.eventPosition(at: clock.now())
    try self.start(forever(Sequences.countdown("A", 1)))
    let began = clock.now().wall
    clock.advance(by: .seconds(5000))
    let rounds = try #require(
      try store.events(after: start, until: clock.now()).runs.first?.skipped.first)
    let event = try #require(rounds.events.last)
    #expect(rounds.count(of: event, notBefore: nil) == rounds.count)
    #expect(rounds.count(of: event, notBefore: began) == rounds.count)
    #expect(rounds.count(of: event, notBefore: event.at.wall) == 1)
    #expect(rounds.count(of: event, notBefore: event.at.wall.advanced(by: .seconds(-1))) == 2)
    #expect(rounds.count(of: event, notBefore: event.at.wall.advanced(by: .microseconds(1))) == 0)
  }

  @Test func `an event that never comes is not searched forever`() throws {
    try start(Sequences.countdown("A", 1), forever(Sequences.countdown("B", 1, manual: true)))
    let run = try #require(try store.settle().run)
    #expect(run.agenda(after: clock.now()).first(ofKinds: [.overtime])?.step == 1)
    try start(forever(Sequences.countdown("A", 1), Sequences.countdown("B", 3)), replacing: true)
    let endless = try #require(try store.settle().run)
    #expect(endless.agenda(after: clock.now()).first(ofKinds: [.runEnd, .goal]) == nil)
    #expect(endless.agenda(after: clock.now(), marks: [.seconds(2)]).first(ofKinds: [.remaining])?.step == 1)
    clock.advance(by: .seconds(3))
    #expect(endless.agenda(after: clock.now(), marks: [.seconds(2)]).first(ofKinds: [.remaining])?.step == 3)
  }

  @Test func `the log of a damaged store with too many steps is refused`() throws {
    let start = Moment(microseconds: 0)
    #expect(StepLog(entries: [.chain(steps: 1 << 62, start: start)]) != nil)
    #expect(StepLog(entries: [.chain(steps: 1 << 62, start: start), .chain(steps: 1, start: start)]) == nil)
    #expect(StepLog(entries: [.chain(steps: 0, start: start)]) == nil)
  }
}

extension SettledRun {
  fileprivate var run: ActiveRunSnapshot? { if case .active(let run) = self { run } else { nil } }
}
