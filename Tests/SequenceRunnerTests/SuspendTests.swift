import Foundation
import SequenceFiles
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

/// The effect of suspend on a run, with and without a store.
@Suite(.timeLimit(.minutes(1)))
struct SuspendTests {
  private let clock = ManualClock()
  private let temporary: TemporaryDirectory

  init() throws { temporary = try TemporaryDirectory() }

  private func store() throws -> RunStore {
    try RunStore(in: StateDirectory(path: temporary.path + "/state"), clock: clock)
  }

  private func run(
    _ away: SuspendPolicy? = .pause, _ elements: SequenceElement...
  ) throws -> ActiveRunSnapshot {
    let elements = elements.isEmpty ? [Sequences.countdown("A", 10), Sequences.countdown("B", 20)] : elements
    return ActiveRunSnapshot(
      timeline: try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: away, onLock: nil)),
      at: clock.now())
  }

  /// Returns the run, settled and paused for a suspend that begins now.
  private func left(_ run: ActiveRunSnapshot, _ cause: SuspendCause = .sleep) throws -> ActiveRunSnapshot {
    try #require(try active(run.settled(at: clock.now())).leaving(cause, at: clock.now()))
  }

  private func active(_ state: SettledRun) throws -> ActiveRunSnapshot {
    guard case .active(let run) = state else { throw TestSupportError("the run is over") }
    return run
  }

  @Test func `a run with onSuspend continue and a paused run stay unchanged`() throws {
    #expect(try run(nil).leaving(.sleep, at: clock.now()) == nil)
    #expect(try run(.continue).leaving(.sleep, at: clock.now()) == nil)
    let paused = try active(try run().applying(.pause, at: clock.now()))
    #expect(paused.leaving(.sleep, at: clock.now()) == nil)
    #expect(paused.suspend == nil)
  }

  @Test func `the clock stops at the beginning of the suspend`() throws {
    let run = try run()
    clock.advance(by: .seconds(4))
    let left = try left(run)
    #expect(left.isPaused)
    #expect(left.suspend == Suspend(cause: .sleep, since: clock.now(), until: nil))
    clock.advance(by: .seconds(3600))
    #expect(left.settled(at: clock.now()) == .active(left))
    #expect(left.position(at: clock.now())?.remaining == .seconds(6))
    #expect(throws: RunError.alreadyPaused) { try left.applying(.pause, at: clock.now()) }
    let resumed = try active(try left.applying(.resume(), at: clock.now()))
    #expect(resumed.position(at: clock.now())?.remaining == .seconds(6))
    #expect(resumed.suspend == nil)
  }

  @Test
  func `a step that ends exactly at the suspend has ended, and the next has not begun to count`()
    throws
  {
    let run = try run()
    clock.advance(by: .seconds(10))
    let left = try left(run)
    #expect(left.log.count == 1)
    #expect(left.elapsed(at: clock.now()) == .zero)
    let end = clock.now().wall
    clock.advance(by: .seconds(500))
    let resumed = try active(try left.applying(.resume(), at: clock.now()))
    #expect(resumed.log.records(in: resumed.timeline).map(\.endedAt) == [end])
    #expect(resumed.current.startedAt == clock.now().wall)
  }

  /// Returns a run as the store has it after its suspend was counted.
  private func counting(_ run: ActiveRunSnapshot) throws -> SettledRun {
    try active(run.applying(.resume(countingSuspend: true), at: clock.now()))
      .continued(until: clock.now(), counting: run.suspend)
  }

  @Test func `overtime and a count-up stop too`() throws {
    for element in [Sequences.countdown("A", 10, manual: true), Sequences.card("A", .countUp(goal: nil))] {
      let run = try run(.ask, element)
      clock.advance(by: .seconds(15))
      let left = try left(run)
      clock.advance(by: .seconds(100))
      #expect(left.elapsed(at: clock.now()) == .seconds(15))
      let counted = try active(counting(left))
      #expect(counted.elapsed(at: clock.now()) == .seconds(115))
    }
  }

  @Test(arguments: [Duration.zero, .seconds(5), .seconds(6), .seconds(7), .seconds(26), .seconds(100)])
  func `a counted suspend leaves the run as if it had not happened`(length: Duration) throws {
    let run = try run()
    clock.advance(by: .seconds(4))
    let left = try left(run)
    clock.advance(by: length)
    switch (try counting(left), run.settled(at: clock.now())) {
    case (.active(let counted), .active(let without)):
      #expect(counted.position(at: clock.now()) == without.position(at: clock.now()))
      #expect(counted.targetReachedAt == without.targetReachedAt)
      #expect(counted.log == without.log)
    case (.ended(let counted), .ended(let without)):
      #expect(counted.records == without.records)
      #expect(counted.endedAt == without.endedAt)
    case let (counted, without): Issue.record("\(counted) and \(without)")
    }
  }

  @Test func `a counted suspend across a reboot is anchored in the new boot`() throws {
    let run = try run(.ask)
    clock.advance(by: .seconds(4))
    let left = try left(run, .shutdown)
    clock.reboot(after: .seconds(8))
    let back = try active(left.settled(at: clock.now()))
    #expect(back.suspend?.length == .seconds(8))
    let counted = try active(counting(back))
    #expect(counted.log.count == 1)
    #expect(counted.elapsed(at: clock.now()) == .seconds(2))
    clock.setWall(by: .seconds(1000))
    #expect(counted.elapsed(at: clock.now()) == .seconds(2))
  }

  @Test(arguments: [Duration.seconds(-1000), .seconds(1000)])
  func `setting the clock after the return does not change the counted time`(amount: Duration) throws {
    // The first step is at 9 s of 10 s, or over.
    for (off, step, elapsed) in [(5, 0, 10), (8, 1, 3)] {
      let run = try run(.ask, Sequences.countdown("A", 10, manual: off == 5), Sequences.countdown("B", 20))
      clock.advance(by: .seconds(4))
      let left = try left(run, .shutdown)
      clock.reboot(after: .seconds(off))
      let back = try active(left.settled(at: clock.now()))
      clock.setWall(by: amount)
      clock.advance(by: .seconds(1))
      let counted = try active(counting(back))
      #expect(counted.log.count == step)
      #expect(counted.elapsed(at: clock.now()) == .seconds(elapsed))
    }
  }

  @Test func `a run that was over at the return ended then, even if the clock is set`() throws {
    let run = try run(.ask)
    let left = try left(run, .shutdown)
    let end = clock.now().wall.advanced(by: .seconds(30))
    clock.reboot(after: .seconds(30))
    let back = try active(left.settled(at: clock.now()))
    clock.setWall(by: .seconds(-25))
    guard case .ended(let ended) = try counting(back) else {
      throw TestSupportError("the run continues")
    }
    #expect(ended.endedAt == end)
  }

  @Test func `only a suspend can be counted`() throws {
    let run = try run()
    #expect(throws: RunError.alreadyRunning) {
      try run.applying(.resume(countingSuspend: true), at: clock.now())
    }
    let paused = try active(try run.applying(.pause, at: clock.now()))
    #expect(throws: RunError.notSuspended) {
      try paused.applying(.resume(countingSuspend: true), at: clock.now())
    }
    let moved = try active(try left(run).applying(.next, at: clock.now()))
    #expect(moved.isPaused)
    #expect(throws: RunError.notSuspended) {
      try moved.applying(.resume(countingSuspend: true), at: clock.now())
    }
  }

  @Test func `a power loss stops a run at the last sign of life, otherwise at the start of its clock`()
    throws
  {
    let run = try run()
    let start = clock.now()
    clock.reboot(after: .seconds(3600))
    let found = try active(run.settled(at: clock.now()))
    #expect(found.suspend == Suspend(cause: .powerLoss, since: start, until: clock.now()))
    #expect(found.elapsed(at: clock.now()) == .zero)
    #expect(found.settled(at: clock.now()) == .active(found))

    let sign = start.advanced(by: .seconds(12))
    let later = try active(run.settled(at: clock.now(), lastSignOfLife: sign))
    #expect(later.log.count == 1)
    #expect(later.elapsed(at: clock.now()) == .seconds(2))
    #expect(later.suspend?.since == sign)
    // Neither a sign from another boot nor an earlier one counts.
    for sign in [clock.now(), start.advanced(by: .seconds(-1))] {
      #expect(try active(run.settled(at: clock.now(), lastSignOfLife: sign)) == found)
    }
  }

  @Test func `an extension is a sign of life`() throws {
    let run = try run(.ask, Sequences.countdown("A", 600))
    clock.advance(by: .seconds(100))
    let extended = try active(try run.applying(.extend(.seconds(30)), at: clock.now()))
    let sign = clock.now()
    clock.advance(by: .seconds(50))
    clock.reboot(after: .seconds(3600))
    let found = try active(extended.settled(at: clock.now()))
    #expect(found.suspend?.since == sign)
    #expect(found.elapsed(at: clock.now()) == .seconds(100))
    #expect(found.target == .seconds(630))
  }

  @Test func `a run that is known to have ended before a power loss is over`() throws {
    let run = try run()
    let end = clock.now().advanced(by: .seconds(30))
    clock.reboot(after: .seconds(3600))
    guard case .ended(let ended) = run.settled(at: clock.now(), lastSignOfLife: end) else {
      throw TestSupportError("the run continues")
    }
    #expect(ended.endedAt == end.wall)
  }

  @Test func `a run that continues through a reboot is anchored as usual`() throws {
    let run = try run(.continue)
    let sign = clock.now().advanced(by: .seconds(1))
    clock.reboot(after: .seconds(12))
    let found = try active(run.settled(at: clock.now(), lastSignOfLife: sign))
    #expect(found.log.count == 1)
    #expect(found.elapsed(at: clock.now()) == .seconds(2))
    #expect(!found.isPaused)
  }

  @Test func `the store pauses as of the suspend signal, however late it can write`()
    throws
  {
    let store = try store()
    _ = try store.start(try run().timeline)
    clock.advance(by: .seconds(4))
    let heard = clock.now()
    clock.advance(by: .seconds(100))
    #expect(try store.suspend(for: .sleep, at: heard))
    #expect(try store.settle().position?.remaining == .seconds(6))
    #expect(try store.suspend(for: .sleep, at: clock.now()) == false)
    #expect(try store.endSuspend())
    #expect(try store.settle().run?.suspend?.length == .seconds(100))
    #expect(try store.endSuspend() == false)
  }

  @Test func `user actions after the suspend signal are not undone`() throws {
    let store = try store()
    _ = try store.start(try run().timeline)
    let heard = clock.now()
    clock.advance(by: .seconds(4))
    _ = try store.perform(.next)
    #expect(try store.suspend(for: .sleep, at: heard))
    let status = try store.settle()
    #expect(status.position?.step.index == 1)
    #expect(status.position?.elapsed == .zero)
    // The time before it is not counted again either.
    clock.advance(by: .seconds(3))
    _ = try store.perform(.resume(countingSuspend: true))
    #expect(try store.settle().position?.elapsed == .seconds(3))
  }

  @Test func `a regular restart is found once, with its length`() throws {
    let store = try store()
    _ = try store.start(try run().timeline)
    clock.advance(by: .seconds(4))
    try store.suspend(for: .shutdown, at: clock.now())
    clock.reboot(after: .seconds(60))
    let suspend = try store.settle().run?.suspend
    #expect(suspend?.cause == .shutdown)
    #expect(suspend?.length == .seconds(60))
    clock.advance(by: .seconds(5))
    #expect(try store.settle().run?.suspend == suspend)
    #expect(try store.perform(.resume(), onStep: 0, notAfter: nil).before.suspend == suspend)
    #expect(try store.settle().position?.remaining == .seconds(6))
  }

  @Test func `the policy of a run overrides that of its sequence`() throws {
    func policy(of sequence: SuspendPolicy?, _ chosen: SuspendPolicy?) throws -> SuspendPolicy {
      let options = RunOptions(suspendPolicy: chosen, sound: nil, speech: nil)
      return ActiveRunSnapshot(timeline: try run(sequence).timeline, options: options, at: clock.now())
        .suspendPolicy
    }
    #expect(try policy(of: nil, .ask) == .ask)
    #expect(try policy(of: nil, nil) == .continue)
    #expect(try policy(of: .pause, nil) == .pause)
    #expect(try policy(of: .pause, .ask) == .ask)
  }

  @Test(arguments: ["continue", "pause", "ask"])
  func `a file names a policy`(policy: String) throws {
    let text = "title: T\nonSuspend: \(policy)\ncards: [{ title: A, countdown: 1s }]"
    #expect(try SequenceFile.parse(Array(text.utf8)).definition.onSuspend?.rawValue == policy)
  }

  @Test func `an unknown policy is refused`() throws {
    let text = "title: T\nonSuspend: stop\ncards: [{ title: A, countdown: 1s }]"
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(text.utf8)) }
    #expect(
      error?.message(inFile: "f")
        == #"f:2:12: onSuspend must be continue, pause or ask, not "stop""#)
  }
}
