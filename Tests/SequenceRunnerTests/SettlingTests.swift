import Foundation
import TestSupport
import Testing

@testable import SequenceRunner

struct SettlingTests {
  @Test func `a run whose steps are all over has ended, even if it was stored as active`() throws {
    let start = ManualClock().now()
    let run = ActiveRunSnapshot(timeline: try Sequences.timeline(Sequences.countdown("A", 10)), at: start)
    guard case .ended(let ended) = try run.applying(.next, at: start) else {
      throw TestSupportError("the run continues")
    }
    #expect(ended.snapshot.settled(at: start.advanced(by: .seconds(60))) == .ended(ended))
  }

  private let clock = ManualClock()

  private func active(_ state: SettledRun) throws -> ActiveRunSnapshot {
    guard case .active(let run) = state else { throw TestSupportError("the run is over") }
    return run
  }

  @Test(arguments: [1, 2, 3, 4, 5])
  func `a thousand steps of 0.1 s end exactly 100 s after the start, whenever they are read`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let tenth = Sequences.card("A", .countdown(.milliseconds(100), advance: .automatic))
    let timeline = try Sequences.timeline(.group(Group(rounds: 1000, elements: [tenth])))
    let start = clock.now()
    var run = ActiveRunSnapshot(timeline: timeline, at: start)
    while true {
      clock.advance(by: .nanoseconds(Int64.random(in: 1...900_000_000, using: &random)))
      // The settled run is sometimes kept, as if stored, and sometimes discarded.
      switch run.settled(at: clock.now()) {
      case .active(let settled):
        #expect(clock.now().boot < start.boot + .seconds(100))
        let elapsed = clock.now().boot - start.boot
        #expect(settled.log.count == Int(elapsed / .milliseconds(100)))
        #expect(settled.position(at: clock.now())?.totalElapsed == elapsed)
        if Bool.random(using: &random) { run = settled }
      case .ended(let ended):
        #expect(clock.now().boot >= start.boot + .seconds(100))
        #expect(ended.endedAt == start.wall.advanced(by: .seconds(100)))
        #expect(ended.outcome == .finished)
        let records = ended.records
        #expect(records.count == 1000)
        #expect(
          records.enumerated().allSatisfy {
            $1.startedAt == start.wall.advanced(by: .milliseconds(100 * $0)) && $1.outcome == .completed
          })
        return
      }
    }
  }

  @Test func `a step with no time left is over`() throws {
    let run = ActiveRunSnapshot(timeline: try Sequences.workout(), at: clock.now())
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(try active(run.settled(at: clock.now())).log.count == 0)
    clock.advance(by: .nanoseconds(1))
    let settled = try active(run.settled(at: clock.now()))
    #expect(settled.log.count == 1)
    #expect(settled.elapsed(at: clock.now()) == .zero)
  }

  @Test(arguments: [Duration.seconds(3600), .seconds(-3600), .seconds(86_400 * 365)])
  func `setting the wall clock moves nothing`(by step: Duration) throws {
    let run = ActiveRunSnapshot(timeline: try Sequences.workout(), at: clock.now())
    clock.advance(by: .seconds(12))
    let before = try active(run.settled(at: clock.now())).position(at: clock.now())?.remaining
    clock.setWall(by: step)
    let after = try active(run.settled(at: clock.now())).position(at: clock.now())?.remaining
    #expect(before == .seconds(18))
    #expect(after == before)
  }

  @Test func `a run continues across a reboot by the wall clock`() throws {
    let start = clock.now().wall
    let run = ActiveRunSnapshot(timeline: try Sequences.workout(), at: clock.now())
    clock.advance(by: .seconds(4))
    clock.reboot(after: .seconds(28))
    let settled = try active(run.settled(at: clock.now()))
    #expect(settled.log.count == 2)
    #expect(settled.position(at: clock.now())?.remaining == .seconds(3))
    let records = settled.log.records(in: settled.timeline)
    #expect(records.map(\.endedAt) == [start.advanced(by: .seconds(10)), start.advanced(by: .seconds(30))])
    // Once anchored in the new boot, the wall clock has no influence.
    clock.setWall(by: .seconds(-7200))
    clock.advance(by: .seconds(1))
    #expect(try active(settled.settled(at: clock.now())).position(at: clock.now())?.remaining == .seconds(2))
  }

  @Test func `a wall clock set back during a reboot does not remove time`() throws {
    let run = ActiveRunSnapshot(timeline: try Sequences.workout(), at: clock.now())
    clock.advance(by: .seconds(4))
    clock.reboot(after: .seconds(-100))
    #expect(try active(run.settled(at: clock.now())).elapsed(at: clock.now()) == .zero)
  }

  @Test func `a paused run stays unchanged whatever the clocks do`() throws {
    let fresh = ActiveRunSnapshot(timeline: try Sequences.workout(), at: clock.now())
    clock.advance(by: .seconds(13))
    let paused = try active(active(fresh.settled(at: clock.now())).applying(.pause, at: clock.now()))
    clock.reboot(after: .seconds(3600))
    clock.setWall(by: .seconds(100_000))
    let later = try active(paused.settled(at: clock.now()))
    #expect(later == paused)
    #expect(later.position(at: clock.now())?.remaining == .seconds(17))
  }

  @Test func `a step does not end before its start, even if the clock was set back during a pause`()
    throws
  {
    let fresh = ActiveRunSnapshot(timeline: try Sequences.workout(), at: clock.now())
    let start = clock.now().wall
    clock.advance(by: .seconds(4))
    let paused = try active(fresh.applying(.pause, at: clock.now()))
    clock.setWall(by: .seconds(-3600))
    let resumed = try active(paused.applying(.resume(), at: clock.now()))
    let again = clock.now().wall
    clock.advance(by: .seconds(6))
    let settled = try active(resumed.settled(at: clock.now()))
    let record = try #require(settled.log.last(in: settled.timeline))
    #expect(record.startedAt == start)
    #expect(record.endedAt == start)
    #expect(settled.current.startedAt == again.advanced(by: .seconds(6)))
  }

  @Test func `a manual card and a count-up wait and count overtime`() throws {
    let timeline = try Sequences.timeline(
      Sequences.countdown("Coffee", 4, manual: true), Sequences.countdown("B", 1))
    let run = ActiveRunSnapshot(timeline: timeline, at: clock.now())
    clock.advance(by: .seconds(10))
    let position = try #require(run.position(at: clock.now()))
    #expect(position.step.index == 0)
    #expect(position.state == .overtime)
    #expect(position.remaining == .zero)
    #expect(position.overtime == .seconds(6))
    #expect(position.totalRemaining == .seconds(1))
  }
}
