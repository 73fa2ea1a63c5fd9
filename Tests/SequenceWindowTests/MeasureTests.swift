import Foundation
import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore
import Testing

@testable import SequenceWindow

@Suite struct MeasureTests {
  @Test func measure() throws {
    let store = try RunStore(
      in: StateDirectory(path: "/tmp/t1/big/sequence"), clock: SystemClock(), parts: [], observers: [])
    let days = LocalDays()
    let today = CivilDay(year: 2026, month: 11, day: 27)
    func time(_ name: String, _ body: () throws -> Int) rethrows {
      for _ in 0..<2 {
        let start = ContinuousClock.now
        let count = try body()
        print("MEASURE", name, count, ContinuousClock.now - start)
      }
    }
    try time("all summaries") { try store.historySummaries().count }
    try time("all statistics, as before") {
      var statistics = Statistics(days)
      try statistics.add(from: store, since: Moment(microseconds: .min))
      return statistics.total.runs
    }
    try time("first page") { try store.historySummaries(HistoryQuery(most: 51)).count }
    try time("page after 50,000") {
      let runs = try store.historySummaries(HistoryQuery(most: 1))
      var query = HistoryQuery(after: runs[0], most: 51)
      query.until = days.start(of: today + -900)
      return try store.historySummaries(query).count
    }
    try time("day filter") {
      try store.historySummaries(HistoryQuery(today + -400..<today + -399, days)).count
    }
    try time("streak") { try Streak.current(in: store, today: today, days) }
    for span in PastPeriod.spans {
      for grouping in [StatisticsGrouping.sequence, .label] {
        try time("\(span) by \(grouping)") {
          try PeriodStatistics(
            PastPeriod(span, of: today, after: -1, days), by: grouping, from: store, days, colors: [:]
          ).total.runs
        }
      }
    }
  }
}
