import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceClient

/// The cost of a page of the history, which doesn't grow with the history.
struct LongHistoryTests {
  private let days = LocalDays()
  private let end = Moment(microseconds: 1_794_009_600_000_000)
  private let directory: TemporaryDirectory
  /// Histories with as many runs each day, one of them of eight times as many days.
  private let stores: [RunStore]

  private static let count = 500

  init() throws {
    directory = try TemporaryDirectory()
    stores = try [1, 8].map { [directory, end] times in
      let store = try RunStore(
        in: StateDirectory(path: "\(directory.path)/\(times)"), clock: ManualClock(wall: end), parts: [],
        observers: [])
      try LongHistory.write(
        LongHistoryTests.count * times, to: store, over: .seconds(50 * times * 86_400), until: end)
      return store
    }
  }

  @Test(arguments: [
    HistoryQuery(most: 51), HistoryQuery(label: "garden", most: 21),
    HistoryQuery(since: Moment(microseconds: 1_794_009_600_000_000 - 8 * 86_400_000_000), most: 51),
    HistoryQuery(until: Moment(microseconds: 1_794_009_600_000_000 - 8 * 86_400_000_000), most: 51),
  ])
  func `a page costs the same in a longer history, and so does the next one`(query: HistoryQuery) throws {
    let costs = try stores.map { store in
      var query = query
      return try (0..<2).map { _ in
        try cost(store) {
          let page = try store.historySummaries(query)
          try #require(page.count == query.most)
          // The next page ends in the same history.
          if query.since.microseconds == .min { query.last = page.last }
        }
      }
    }
    for (few, many) in zip(costs[0], costs[1]) { #expect(many < few * 3 / 2 + 200, "\(costs)") }
  }

  @Test func `the last starts of sequences cost the same in a longer history`() throws {
    let costs = try stores.map { store in
      let sequences = Set(try store.historySummaries(HistoryQuery(most: 51)).map(\.sequenceID)).sorted()
      return try cost(store) { _ = try store.lastStarts(of: sequences.suffix(10)) }
    }
    #expect(costs[1] < costs[0] * 3 / 2 + 200, "\(costs)")
  }

  @Test func `a streak costs the same for each of its days`() throws {
    let today = days.day(of: end).day
    let costs = try stores.map { store in
      var streak = 0
      let cost = try cost(store) { streak = try Streak.current(in: store, today: today, days) }
      try #require(streak > 45)
      // Today, which has no run, costs a look at the others.
      return Double(cost) / Double(streak)
    }
    #expect(costs[1] < costs[0] * 1.5, "\(costs)")
  }

  /// Returns the instructions that SQLite runs, which grow with the rows that it visits.
  private func cost(_ store: RunStore, _ body: () throws -> Void) throws -> Int {
    // Nothing is settled or prepared then for the first time.
    _ = try store.settle()
    let before = store.database.instructionCount
    try body()
    return store.database.instructionCount - before
  }
}
