import FoundationEssentials
import SequenceFiles
package import SequencePlatform
package import SequenceRunner
import SequenceStore

/// A history of many runs of a few sequences, finished and stopped, with and without labels.
package enum LongHistory {
  private static let labels = [
    ["health"], ["client-a"], ["client-a", "client-b"], [], ["garden"], [],
  ]

  /// Adds runs at equal distances to a store.
  ///
  /// - Parameter end: the moment before which all of them start.
  package static func write(
    _ count: Int, to store: RunStore, over span: Duration, until end: Moment, seed: UInt64 = 1
  ) throws {
    var random = SplitMix64(seed: seed)
    let sequences = try (1...40).map { number in
      try CardSpec.sequence(
        cards: [
          "Work \(random.number(in: 20...240))s", "Rest \(random.number(in: 5...60))s",
          "Stretch 30s",
        ],
        rounds: .times(random.number(in: 1...4)), title: "Sequence \(number)")
    }
    let start = end.advanced(by: .zero - span)
    for first in stride(from: 0, to: count, by: 1000) {
      let runs = try (first..<min(first + 1000, count)).map { number in
        let wall = start.advanced(by: span * number / count)
        let sequence = random.number(in: 0...sequences.count - 1)
        return try ended(
          sequences[sequence], at: ClockReading(wall: wall, boot: .seconds(1000), bootID: "boot"),
          labels: labels[sequence % labels.count], finishes: random.happens(80))
      }
      try store.base.transaction { database throws(StoreError) in
        for run in runs { try database.archive(run) }
      }
    }
  }

  private static func ended(
    _ timeline: Timeline, at start: ClockReading, labels: [String], finishes: Bool
  ) throws -> EndedRun {
    let run = ActiveRunSnapshot(
      timeline: timeline,
      options: RunOptions(suspendPolicy: nil, sound: nil, speech: nil, labels: labels),
      at: start)
    let length = timeline.duration(of: 0..<timeline.listedCount)
    let reading = start.advanced(by: finishes ? length : length / 2)
    var state = run.settled(at: reading)
    if case .active(let run) = state {
      state = try RunStatus(reading: reading, run: run).applying(.stop)
    }
    guard case .ended(let ended) = state else { throw TestSupportError("a run did not end") }
    return ended
  }
}
