import Foundation
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand
@testable import SequenceWindow

@Suite struct PastPeriodTests {
  private let today = CivilDay(year: 2026, month: 11, day: 27)

  @Test(arguments: [
    (StatisticsGrouping.week, 0, "This Week"), (.week, -1, "Last Week"), (.week, -2, "9–15 November"),
    (.week, -4, "26 October – 1 November"), (.week, -47, "29 December 2025 – 4 January"),
    (.week, -48, "22–28 December 2025"), (.month, 0, "November"), (.month, -11, "December 2025"),
    (.year, -1, "2025"),
  ])
  func `a period has the name that people use`(span: StatisticsGrouping, after: Int, title: String) {
    let days = LocalDays()
    let period = PastPeriod(span, of: today, after: after, days)
    #expect(period.title(today: today, days) == title)
  }

  @Test func `a week begins as the configuration says, and a year has its months`() {
    var configuration = Configuration()
    configuration.weekStart = .sunday
    let week = PastPeriod(.week, of: today, LocalDays(configuration))
    #expect(week.bars.map(\.lowerBound.date.day) == Array(22...28))
    let year = PastPeriod(.year, of: today, LocalDays())
    #expect(year.bars.map { $0.upperBound.number - $0.lowerBound.number }.prefix(3) == [31, 28, 31])
    #expect(year.bars.last?.upperBound == year.days.upperBound)
  }

  @Test
  func `bars have the sums of the statistics, by sequence and label, and a night belongs to its evening`()
    throws
  {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    configuration.dayStart = try #require(TimeOfDay(hour: 3, minute: 0))
    let days = LocalDays(configuration)
    let monday = CivilDay(year: 2026, month: 11, day: 16)
    let evening = try #require(LocalDays.moments(of: monday, hour: 22, minute: 0).first)
    let clock = ManualClock(wall: evening)
    let store = try RunStore(
      in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
    for number in 0..<8 {
      let hours = number == 0 ? 4 : 1
      let labels = number < 2 ? ["night", "work"] : []
      _ = try store.start(
        CardSpec.sequence(cards: ["A \(hours)h"], title: "Sequence \(number)"),
        options: RunOptions(suspendPolicy: nil, sound: nil, speech: nil, labels: labels), RunStart())
      clock.advance(by: .seconds(hours * 3600))
      _ = try store.settle()
    }
    let period = PastPeriod(.week, of: monday, days)
    let statistics = try PeriodStatistics(period, by: .sequence, from: store, days, colors: ["x": .blue])
    #expect(statistics.total.runs == 8)
    #expect(statistics.total.active == .seconds(11 * 3600))
    // Until 3:00 it is Monday.
    #expect([0, 1].map(statistics.active) == [.seconds(5 * 3600), .seconds(6 * 3600)])
    #expect(statistics.longest == .seconds(6 * 3600))
    #expect(statistics.series.map(\.name).first == "Sequence 0")
    #expect(statistics.series.map(\.name).last == "Other")
    #expect(statistics.series.reduce(.zero) { $0 + $1.active } == statistics.total.active)
    let colors = statistics.series.compactMap(\.color)
    #expect(Set(colors).count == statistics.series.count - 1)
    #expect(
      statistics.text(of: 2, today: today) == "Wednesday, 18 November: no active time")
    #expect(
      statistics.text(of: 0, today: today).hasPrefix("Monday, 16 November: 5\u{A0}h\nSequence 0 4\u{A0}h\n"))

    let labels = try PeriodStatistics(period, by: .label, from: store, days, colors: [:])
    #expect(Set(labels.series.map(\.name)) == ["night", "work", "No Label"])
    #expect(labels.runsWithSeveralLabels == 2)
    #expect(labels.series.map(\.active) == [.seconds(6 * 3600), .seconds(5 * 3600), .seconds(5 * 3600)])
    #expect(try Streak.current(in: store, today: monday + 1, days) == 2)
    #expect(try store.historySummaries(days.query(monday..<monday + 1)).count == 2)
  }
}

/// The sums of a history, which each form has for itself.
@Suite struct SameSumsTests {
  private let days = LocalDays()
  private let spring = CivilDay(year: 2026, month: 3, day: 1)

  @Test func `commands, window, JSON and CSV have the same sums in 1,000 random histories`() throws {
    let directory = try TemporaryDirectory()
    let store = try RunStore(
      in: StateDirectory(path: directory.path), clock: ManualClock(), parts: [], observers: [])
    var random = SplitMix64(seed: 7)
    let year = PastPeriod(.year, of: spring, days)
    for seed in 0..<1000 {
      try store.base.transaction { database throws(StoreError) in
        _ = try database.rows("DELETE FROM history RETURNING run_id") { $0.text(0) }
      }
      let span = Duration.seconds(random.number(in: 3600...90 * 86_400))
      let end = days.start(of: spring + 91 + random.number(in: 0...100))
      try LongHistory.write(
        random.number(in: 1...8), to: store, over: span, until: end, seed: UInt64(seed))
      let runs = try store.historySummaries()
      let sum = runs.reduce(0) { $0 + $1.active.seconds }
      try #require(!runs.isEmpty && sum > 0)
      for today in try [#require(runs.first), #require(runs.last)].map({ days.day(of: $0.endedAt).day }) {
        var whole = Statistics(days)
        try whole.add(from: store, since: Moment(microseconds: .min))
        #expect(try Streak.current(in: store, today: today, days) == whole.streak(today: today).current)
      }
      var statistics = Statistics(days)
      try statistics.add(from: store, since: Moment(microseconds: .min))
      let sums = [
        statistics.total.active.seconds, try json(statistics),
        try csv(StatisticsCSV.records(statistics)),
        try csv(HistoryForm.csv.text(runs, of: store).components(separatedBy: "\r\n")),
        try history(HistoryForm.json.text(runs, of: store)),
      ]
      let model = try PeriodStatistics(year, by: .sequence, from: store, days, colors: [:])
      let map = try #require(model.map)
      let squares = (map.days.lowerBound.number..<map.days.upperBound.number).map {
        map.active(on: CivilDay(number: $0)).seconds
      }
      let parts = [
        model.total.active.seconds, model.series.reduce(0) { $0 + $1.active.seconds },
        model.bars.indices.reduce(0) { $0 + model.active(of: $1).seconds }, squares.reduce(0, +),
      ]
      for other in sums + parts {
        #expect(abs(other - sum) < 0.001, "seed \(seed): \(sums) \(parts)")
      }
      let labels = try PeriodStatistics(year, by: .label, from: store, days, colors: [:])
      let labeled = runs.reduce(0) { $0 + $1.active.seconds * Double(max(1, $1.labels.count)) }
      #expect(
        abs(labels.series.reduce(0) { $0 + $1.active.seconds } - labeled) < 0.001, "seed \(seed)")
    }
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private func json(_ statistics: Statistics) throws -> Double {
    let document = try object(
      JSONText.encode(StatisticsDocument(statistics, since: nil, today: spring)))
    let days = try #require(document["days"] as? [[String: Any]])
    let total = try #require((document["total"] as? [String: Any])?["active"] as? Double)
    let sum = days.reduce(0) {
      $0 + (($1["total"] as? [String: Any])?["active"] as? Double ?? .nan)
    }
    #expect(abs(sum - total) < 0.001)
    return sum
  }

  private func history(_ json: String) throws -> Double {
    let runs = try #require(try object(json)["runs"] as? [[String: Any]])
    return runs.reduce(0) { $0 + ($1["active"] as? Double ?? .nan) }
  }

  private func csv(_ records: [String]) throws -> Double {
    let column = try #require(records.first?.split(separator: ",").firstIndex(of: "active"))
    return records.dropFirst().reduce(0) { sum, record in
      let fields = record.trimmingCharacters(in: .newlines).split(
        separator: ",", omittingEmptySubsequences: false)
      return sum + (fields.indices.contains(column) ? Double(fields[column]) ?? .nan : 0)
    }
  }
}

@Suite struct PeriodChartTests {
  @Test(arguments: [(47, 1, 1), (23.6, 1, 2), (19, 2, 4), (6, 2, 12)])
  func `names of months don't touch each other`(room: Double, textScale: Double, step: Int) {
    #expect(PeriodChart.monthStep(room: room, textScale: textScale) == step)
  }

  @Test(arguments: [
    (0, 1), (119, 1), (121, 2), (13_380, 120), (86_400, 720), (86_401, 1440), (400_000, 5760),
  ])
  func `the upper line is at or above the longest bar`(seconds: Int, minutes: Int) {
    #expect(PeriodChart.step(longest: .seconds(seconds)) == .seconds(minutes * 60))
  }
}
