import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@testable import SequencePresentation

struct ProgressTests {
  private let clock = ManualClock()

  /// Returns the progress after some steps were skipped and a time has passed.
  private func progress(
    _ specs: [String], from first: Int = 0, skipping skipped: Int = 0, after time: Duration
  ) throws -> Double? {
    let timeline = try CardSpec.sequence(cards: specs)
    var run = ActiveRunSnapshot(timeline: timeline, firstStep: first, at: clock.now())
    for _ in 0..<skipped {
      guard case .active(let next) = try run.applying(.skip, at: clock.now()) else { break }
      run = next
    }
    clock.advance(by: time)
    guard case .active(let settled) = run.settled(at: clock.now()) else { return nil }
    return RunView(RunStatus(reading: clock.now(), run: settled))?.progress
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

  @Test(
    arguments: [
      (["A 1h", "B 1m", "C 3m"], 1, .zero, 0),
      (["A 1h", "B 1m", "C 3m"], 1, .seconds(120), 0.5),
      (["A 1h", "B 1m", "C 3m"], 2, .seconds(90), 0.5),
      (["A 1m", "B 1m", "C", "D", "E"], 1, .seconds(90), 0.25),
      // One step without a duration is left.
      (["A 1m", "B"], 1, .seconds(30), nil),
    ] as [([String], Int, Duration, Double?)])
  func `progress of a run from a later step begins at zero there`(
    specs: [String], first: Int, time: Duration, expected: Double?
  ) throws {
    #expect(try progress(specs, from: first, after: time) == expected)
  }
}
