import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@testable import SequencePresentation

/// The wake-ups of a follower: each change of any displayed second.
struct TickTests {
  private let clock = ManualClock()

  private func status(_ specs: [String], after commands: [(Duration, RunCommand)] = []) throws -> RunStatus {
    var run = ActiveRunSnapshot(timeline: try CardSpec.sequence(cards: specs), at: clock.now())
    for (time, command) in commands {
      clock.advance(by: time)
      guard case .active(let next) = try run.applying(command, at: clock.now()) else { break }
      run = next
    }
    return RunStatus(reading: clock.now(), run: run)
  }

  private func shown(_ status: RunStatus) throws -> [String] {
    let fields = ["{state}", "{time}", "{elapsed}", "{remaining}", "{total.elapsed}", "{total.remaining}"]
    return try fields.map { try Template($0).filled(with: status) }
  }

  @Test(
    arguments: [
      (["A 20s"], []), (["A 2.3s", "B 10s"], []),
      (["A 10s", "B 1.7s", "C"], [(.milliseconds(1700), RunCommand.next)]),
      (["A", "B 10s"], [(.milliseconds(300), .next), (.milliseconds(2500), .restart)]),
      (["A 1.5s", "B 3.25s"], [(.milliseconds(400), .skip)]),
    ] as [([String], [(Duration, RunCommand)])])
  func `no displayed value changes before the tick, and one does at the tick`(
    specs: [String], commands: [(Duration, RunCommand)]
  ) throws {
    var status = try status(specs, after: commands)
    for _ in 0..<8 {
      let tick = try #require(VisibleClocks.all.nextChange(of: status))
      let before = try shown(status)
      let almost = status.reading.advanced(by: tick - status.reading.boot - .nanoseconds(1))
      let run = try #require(status.run)
      guard case .active(let waiting) = run.settled(at: almost) else { return }
      // Time left is rounded up, so exactly at a whole second it still shows that second.
      #expect(try shown(RunStatus(reading: almost, run: waiting)) == before)
      clock.advance(by: tick - status.reading.boot)
      guard case .active(let next) = run.settled(at: clock.now()) else { return }
      status = RunStatus(reading: clock.now(), run: next)
      #expect(try shown(status) != before)
    }
  }
}
