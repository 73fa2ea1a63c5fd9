import TestSupport
import Testing

@testable import SequenceRunner

struct CommandTests {
  private let clock = ManualClock()

  private func run(_ timeline: Timeline, after time: Duration = .zero) throws -> ActiveRunSnapshot {
    let run = ActiveRunSnapshot(timeline: timeline, at: clock.now())
    clock.advance(by: time)
    return try active(run.settled(at: clock.now()))
  }

  private func active(_ state: SettledRun) throws -> ActiveRunSnapshot {
    guard case .active(let run) = state else { throw TestSupportError("the run is over") }
    return run
  }

  private func ended(_ state: SettledRun) throws -> EndedRun {
    guard case .ended(let ended) = state else { throw TestSupportError("the run goes on") }
    return ended
  }

  private func doing(_ command: RunCommand, to run: ActiveRunSnapshot) throws -> ActiveRunSnapshot {
    try active(run.applying(command, at: clock.now()))
  }

  @Test func `a pause does not count, and pausing twice is an error`() throws {
    let paused = try doing(.pause, to: run(Sequences.workout(), after: .seconds(4)))
    #expect(throws: RunError.alreadyPaused) { try paused.applying(.pause, at: clock.now()) }
    clock.advance(by: .seconds(1000))
    let resumed = try doing(.resume(), to: paused)
    #expect(resumed.position(at: clock.now())?.remaining == .seconds(6))
    #expect(throws: RunError.alreadyRunning) { try resumed.applying(.resume(), at: clock.now()) }
    #expect(try doing(.toggle, to: resumed).isPaused)
    #expect(try !doing(.toggle, to: paused).isPaused)
  }

  @Test func `next completes, skip does not, and both start the next step at once`() throws {
    let now = try run(Sequences.workout(), after: .seconds(4))
    for (command, outcome) in [(RunCommand.next, StepOutcome.completed), (.skip, .skipped)] {
      let then = try doing(command, to: now)
      #expect(then.log.count == 1)
      #expect(then.log.last(in: then.timeline)?.outcome == outcome)
      #expect(then.log.last(in: then.timeline)?.actual == .seconds(4))
      #expect(then.log.last(in: then.timeline)?.planned == .seconds(10))
      #expect(then.position(at: clock.now())?.remaining == .seconds(20))
    }
  }

  @Test func `on the last step next and skip end the run`() throws {
    let timeline = try Sequences.timeline(Sequences.card("A", .countUp(goal: nil)))
    #expect(try ended(run(timeline).applying(.next, at: clock.now())).outcome == .finished)
    #expect(try ended(run(timeline).applying(.skip, at: clock.now())).records.map(\.outcome) == [.skipped])
  }

  @Test func `stop ends the run and records the current step`() throws {
    let stopped = try ended(run(Sequences.workout(), after: .seconds(13)).applying(.stop, at: clock.now()))
    #expect(stopped.outcome == .stopped)
    #expect(stopped.records.map(\.outcome) == [.completed, .skipped])
    #expect(stopped.records.last?.actual == .seconds(3))
  }

  @Test func `back restarts the previous step and removes its record`() throws {
    let now = try run(Sequences.workout(), after: .seconds(33))
    #expect(now.log.count == 2)
    let then = try doing(.back, to: now)
    #expect(then.log.count == 1)
    #expect(then.position(at: clock.now())?.remaining == .seconds(20))
    let first = try doing(.back, to: doing(.back, to: then))
    #expect(first.log.count == 0)
    #expect(first.position(at: clock.now())?.totalElapsed == .seconds(33))
  }

  @Test func `the active time of a step left by restart or back counts`() throws {
    let restarted = try doing(.restart, to: run(Sequences.workout(), after: .seconds(13)))
    #expect(restarted.position(at: clock.now())?.elapsed == .zero)
    #expect(restarted.position(at: clock.now())?.totalElapsed == .seconds(13))
    clock.advance(by: .seconds(2))
    let back = try doing(.back, to: restarted)
    #expect(back.position(at: clock.now())?.totalElapsed == .seconds(15))
    #expect(try StoredRun(back).decoded(path: "") == back)
  }

  @Test(arguments: [RunCommand.next, .skip, .back, .restart])
  func `a paused run moves and stays paused at the start of the step`(command: RunCommand) throws {
    let paused = try doing(.pause, to: run(Sequences.workout(), after: .seconds(13)))
    clock.advance(by: .seconds(5))
    let moved = try doing(command, to: paused)
    #expect(moved.isPaused)
    #expect(moved.elapsed(at: clock.now()) == .zero)
    clock.advance(by: .seconds(5))
    #expect(try doing(.resume(), to: moved).current.startedAt == clock.now().wall)
  }

  @Test func `extending moves the end, but not below the elapsed time`() throws {
    let now = try run(Sequences.workout(), after: .seconds(4))
    #expect(try doing(.extend(.seconds(30)), to: now).position(at: clock.now())?.remaining == .seconds(36))
    #expect(try doing(.extend(.seconds(-6)), to: now).target == .seconds(4))
    #expect(throws: RunError.shortenedTooMuch(most: .seconds(6))) {
      try now.applying(.extend(.seconds(-7)), at: clock.now())
    }
    #expect(throws: RunError.extendedTooMuch) {
      try now.applying(.extend(SequenceLimits.longestDuration), at: clock.now())
    }
    #expect(try doing(.restart, to: doing(.extend(.seconds(30)), to: now)).target == .seconds(10))
  }

  @Test func `extending moves a goal, in overtime from now, and needs a goal`() throws {
    let goal = try Sequences.timeline(Sequences.card("A", .countUp(goal: Goal(duration: .seconds(60)))))
    #expect(try doing(.extend(.seconds(30)), to: run(goal, after: .seconds(10))).target == .seconds(90))
    #expect(try doing(.extend(.seconds(30)), to: run(goal, after: .seconds(100))).target == .seconds(130))
    let none = try run(Sequences.timeline(Sequences.card("A", .countUp(goal: nil))))
    #expect(throws: RunError.nothingToExtend(title: "A")) {
      try none.applying(.extend(.seconds(1)), at: clock.now())
    }
  }
}
