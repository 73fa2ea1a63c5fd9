import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@testable import SequencePresentation

struct ProgressTests {
  private let clock = ManualClock()

  /// Returns the progress after some steps were skipped and a time has passed.
  private func progress(_ specs: [String], skipping skipped: Int, after time: Duration) throws -> Double? {
    var run = ActiveRunSnapshot(timeline: try CardSpec.sequence(cards: specs), at: clock.now())
    for _ in 0..<skipped {
      guard case .active(let next) = try run.applying(.skip, at: clock.now()) else { break }
      run = next
    }
    clock.advance(by: time)
    guard case .active(let settled) = run.settled(at: clock.now()) else { return nil }
    return RunView(settled, at: clock.now()).progress
  }

  @Test(
    arguments: [
      (["A 1m", "B 1m"], 0, .zero, 0),
      (["A 1m", "B 3m"], 0, .seconds(30), 0.125),
      // A skipped step is done, though no time has passed.
      (["A 1h", "B 1h"], 1, .zero, 0.5),
      (["A 1h", "B 1h"], 1, .seconds(1800), 0.75),
      // The time left is unknown, so steps count.
      (["A 1m", "B", "C 1m", "D"], 0, .seconds(90), 0.25),
      (["A"], 0, .seconds(30), nil),
    ] as [([String], Int, Duration, Double?)])
  func `progress is planned time, or steps if the time left is unknown`(
    specs: [String], skipped: Int, time: Duration, expected: Double?
  ) throws {
    #expect(try progress(specs, skipping: skipped, after: time) == expected)
  }
}
