import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

struct FirstStepTests {
  private let clock = ManualClock()

  /// Returns a run that starts at a step of: 10 s, then two rounds of 20 s and 5 s whose last rest is left out, then a
  /// count-up.
  private func workout(from first: Int, after seconds: Int = 0) throws -> ActiveRunSnapshot {
    try run(Sequences.workout(), from: first, after: seconds)
  }

  private func run(_ timeline: Timeline, from first: Int, after seconds: Int = 0) throws -> ActiveRunSnapshot
  {
    let run = ActiveRunSnapshot(timeline: timeline, firstStep: first, at: clock.now())
    clock.advance(by: .seconds(seconds))
    return try active(run.settled(at: clock.now()))
  }

  private func active(_ state: SettledRun) throws -> ActiveRunSnapshot {
    guard case .active(let run) = state else { throw TestSupportError("the run is over") }
    return run
  }

  private func doing(_ commands: RunCommand..., to run: ActiveRunSnapshot) throws -> ActiveRunSnapshot {
    try commands.reduce(run) { try active($0.applying($1, at: clock.now())) }
  }

  private func ending(_ command: RunCommand, _ run: ActiveRunSnapshot) throws -> EndedRun {
    guard case .ended(let ended) = try run.applying(command, at: clock.now()) else {
      throw TestSupportError("the run continues")
    }
    return ended
  }

  private func position(_ run: ActiveRunSnapshot) throws -> RunPosition {
    try #require(run.position(at: clock.now()))
  }

  @Test func `the first step keeps its number and its rounds, and nothing is recorded before it`() throws {
    let run = try workout(from: 2, after: 3)
    #expect(run.firstStep == 2 && run.records == [])
    let position = try position(run)
    #expect(position.step.number == 3 && position.stepCount == 5)
    #expect(position.step.rounds == [Step.Round(round: 1, of: 2)])
    #expect(position.elapsed == .seconds(3) && position.totalElapsed == .seconds(3))
    #expect(position.remaining == .seconds(2))
  }

  @Test func `steps that time ends are recorded from the first one on`() throws {
    let start = clock.now().wall
    let run = try workout(from: 1, after: 27)
    #expect(run.log.count == 3 && run.log.endedCount == 2)
    #expect(run.records.map(\.index) == [1, 2])
    #expect(run.records.map(\.startedAt) == [start, start.advanced(by: .seconds(20))])
    #expect(run.records.map(\.actual) == [.seconds(20), .seconds(5)])
    #expect(try position(run).totalElapsed == .seconds(27))
  }

  @Test(arguments: [RunCommand.next, .skip])
  func `the first step is completed or skipped like any other`(command: RunCommand) throws {
    let run = try doing(command, to: workout(from: 2, after: 3))
    #expect(run.records.map(\.index) == [2])
    #expect(run.records.map(\.outcome) == [command == .next ? .completed : .skipped])
    #expect(try position(run).step.number == 4)
  }

  @Test func `back goes no further than to the first step, which it restarts`() throws {
    let run = try doing(.next, to: workout(from: 2, after: 3))
    clock.advance(by: .seconds(4))
    let first = try doing(.back, to: run)
    #expect(try position(first).step.number == 3 && first.records == [])
    #expect(try position(first).totalElapsed == .seconds(7))
    clock.advance(by: .seconds(1))
    let again = try doing(.back, to: first)
    #expect(try position(again).step.number == 3 && position(again).elapsed == .zero)
    #expect(try position(again).totalElapsed == .seconds(8))
  }

  @Test func `restart, extend, pause and resume act on the first step`() throws {
    let run = try doing(.restart, .extend(.seconds(30)), .pause, to: workout(from: 2, after: 3))
    clock.advance(by: .seconds(100))
    let resumed = try doing(.resume(), to: run)
    #expect(try position(resumed).step.number == 3)
    #expect(try position(resumed).remaining == .seconds(35))
  }

  @Test func `a stopped run has only the steps that were begun`() throws {
    let stopped = try ending(.stop, workout(from: 1, after: 22))
    #expect(stopped.outcome == .stopped && stopped.stepCount == 2)
    #expect(stopped.records.map(\.index) == [1, 2])
    let summary = EndedRunSummary(stopped)
    #expect(summary.steps == 4 && summary.completed == 1 && summary.skipped == 1)
  }

  @Test func `a run from the last step is finished after it, with one step`() throws {
    let finished = try ending(.next, workout(from: 4))
    #expect(finished.outcome == .finished && finished.stepCount == 1)
    let summary = EndedRunSummary(finished)
    #expect(summary.steps == 1 && summary.completed == 1 && summary.skipped == 0)
  }

  @Test func `steps are counted on their days from the first one on`() throws {
    let timeline = try Sequences.timeline(
      .group(Group(rounds: 3, elements: [Sequences.countdown("A", 10), Sequences.countdown("B", 20)])))
    let start = clock.now()
    let run = ActiveRunSnapshot(timeline: timeline, firstStep: 1, at: start)
    guard case .ended(let ended) = run.settled(at: start.advanced(by: .seconds(200))) else {
      throw TestSupportError("the run continues")
    }
    // B, then A and B as a chain end within the first minute: after 20, 30 and 50 s.
    let minute = start.wall.advanced(by: .seconds(60))
    var counts: [Int] = []
    ended.countSteps(untilEnd: { $0 < minute ? minute : $0.advanced(by: .seconds(3600)) }) {
      _, completed, _ in
      counts.append(completed)
    }
    #expect(counts == [1, 2, 2])
    #expect(ended.active == .seconds(80))
    #expect(ended.records.map(\.index) == [1, 2, 3, 4, 5])
  }

  @Test func `endless rounds are finished after as many steps as a round has`() throws {
    let timeline = try Sequences.timeline(
      Sequences.countdown("A", 1),
      .group(
        Group(rounds: .forever, elements: [Sequences.countdown("B", 10), Sequences.countdown("C", 20)])))
    let begun = try run(timeline, from: 2)
    #expect(try position(begun).step.rounds == [Step.Round(round: 1, of: nil)])
    #expect(try ending(.stop, begun).outcome == .stopped)
    let second = try doing(.next, to: begun)
    #expect(try position(second).step.rounds == [Step.Round(round: 2, of: nil)])
    #expect(try ending(.stop, second).outcome == .stopped)
    let third = try doing(.next, to: second)
    let ended = try ending(.stop, third)
    #expect(ended.outcome == .finished && ended.records.map(\.index) == [2, 3, 4])
    #expect(EndedRunSummary(ended).steps == nil)
  }

  @Test(arguments: [(-1, 0), (0, 0), (4, 4), (5, 4), (Int.max, 4)])
  func `a snapshot starts at the nearest step`(first: Int, expected: Int) throws {
    #expect(try workout(from: first).firstStep == expected)
  }

  @Test(arguments: [-1, 5, 100_001, Int64(1) << 62])
  func `a stored run from a step that the sequence does not have is damaged`(first: Int64) throws {
    var stored = StoredRun(try workout(from: 2))
    try #require(stored.snapshot.text.contains(#""first":2"#))
    stored.snapshot = StoredText(stored.snapshot.text.replacing(#""first":2"#, with: #""first":\#(first)"#))
    let error = #expect(throws: StoreError.self) { try stored.decoded(path: "") }
    guard case .damaged = error else { throw TestSupportError("\(String(describing: error))") }
  }

  @Test func `a stored run is read as it was written, and one from the first step has no mark of it`() throws
  {
    for run in [try workout(from: 3, after: 30), try workout(from: 0, after: 12)] {
      let stored = StoredRun(run)
      #expect(try stored.decoded(path: "") == run)
      #expect(stored.snapshot.text.contains(#""first""#) == (run.firstStep > 0))
    }
  }
}

/// Stores with runs that start at a later step.
struct StoredFirstStepTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path + "/state"), clock: clock)
  }

  private func reopened() throws -> RunStore {
    try RunStore(in: StateDirectory(path: directory.path + "/state"), clock: clock)
  }

  @Test(arguments: [-1, 5, Int.max])
  func `a step that does not exist is refused, and nothing is changed`(step: Int) throws {
    let workout = try Sequences.workout()
    _ = try store.start(workout)
    let error = #expect(throws: RunError.self) {
      try store.start(workout, RunStart(replacing: true, firstStep: step))
    }
    #expect(error == .noSuchStep(step, count: 5))
    #expect(error?.problem.text == "there is no step \(Int128(step) + 1)")
    #expect(error?.problem.remedy == "use a step from 1 to 5")
    #expect(try store.settle().runs.map(\.firstStep) == [0])
  }

  @Test func `of endless rounds a run starts in the first one`() throws {
    let timeline = try Sequences.timeline(
      Sequences.countdown("A", 1), .group(Group(rounds: .forever, elements: [Sequences.countdown("B", 10)])))
    #expect(throws: RunError.noSuchStep(2, count: 2)) {
      try store.start(timeline, RunStart(firstStep: 2))
    }
    #expect(try store.start(timeline, RunStart(firstStep: 1)).position?.step.card.title == "B")
  }

  @Test func `events begin with the first step, across a restart of the machine`() throws {
    _ = try store.start(Sequences.workout(), RunStart(firstStep: 2))
    clock.advance(by: .seconds(2))
    _ = try store.perform(.pause)
    clock.reboot(after: .seconds(3600))
    let other = try reopened()
    let paused = try #require(try other.settle().run)
    #expect(paused.firstStep == 2 && paused.card.title == "Rest" && paused.records == [])
    _ = try other.perform(.resume())
    clock.advance(by: .seconds(3))
    #expect(try other.settle().position?.step.number == 4)
    _ = try other.perform(.back)
    _ = try other.perform(.back)
    let status = try other.settle()
    #expect(status.position?.step.number == 3 && status.run?.records == [])
    let events = try other.events(after: .beginning, until: clock.now()).runs.flatMap(\.events)
    #expect(
      events.filter { $0.kind.name != .half }.map { "\($0.kind.name.rawValue) \($0.step)" } == [
        "run-start 2", "step-start 2", "pause 2", "resume 2", "step-end 2", "step-start 3", "step-start 2",
        "step-start 2",
      ])
  }

  @Test func `the history has the steps from the first one to the end`() throws {
    let run = try #require(try store.start(Sequences.workout(), RunStart(firstStep: 3)).run)
    clock.advance(by: .seconds(25))
    _ = try store.perform(.next)
    let ended = try #require(try reopened().history().first)
    #expect(ended.runID == run.runID && ended.outcome == .finished && ended.snapshot.firstStep == 3)
    #expect(ended.records.map(\.index) == [3, 4] && ended.active == .seconds(25))
    let summary = try #require(try store.historySummaries().first)
    #expect(summary.steps == 2 && summary.completed == 2 && summary.skipped == 0)
    #expect(try store.activity(of: ended).map(\.active) == [.seconds(25)])
  }

  @Test func `an entry of the journal before the first step is damage`() throws {
    let run = try #require(try store.start(Sequences.workout(), RunStart(firstStep: 2)).run)
    let entry = try #require(try store.database.lastJournalEntry(of: run.runID))
    #expect(entry.step == 2 && entry.isPossible(in: run))
    let later = ActiveRunSnapshot(
      runID: run.runID, timeline: run.timeline, firstStep: 3, at: clock.now())
    #expect(!entry.isPossible(in: later))
  }
}
