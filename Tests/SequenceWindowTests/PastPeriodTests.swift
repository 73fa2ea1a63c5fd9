import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

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

@Suite struct PeriodChartTests {
  @Test(arguments: [
    (0, 1), (119, 1), (121, 2), (13_380, 120), (86_400, 720), (86_401, 1440), (400_000, 5760),
  ])
  func `the upper line is at or above the longest bar`(seconds: Int, minutes: Int) {
    #expect(PeriodChart.step(longest: .seconds(seconds)) == .seconds(minutes * 60))
  }
}
