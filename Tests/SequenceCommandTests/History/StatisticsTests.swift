import Foundation
import SequencePlatform
@testable import SequenceClient
import SequenceFiles
import TestSupport
import Testing

@testable import SequenceCommand
@testable import SequenceRunner

/// The statistics of runs, with days of 24 hours.
@Suite struct StatisticsTests {
  private func statistics(_ history: SampleHistory, since: CivilDay? = nil) throws -> Statistics {
    try history.statistics(since: since)
  }

  private let monday = CivilDay(year: 2026, month: 11, day: 16)

  /// Returns a run across midnight, a stopped run, two runs of one day, and a run a week later.
  private func history() throws -> SampleHistory {
    let history = try SampleHistory()
    try history.run("Run", from: "2026-11-16T23:50:00Z", for: .seconds(1200))
    try history.run("Run", from: "2026-11-18T08:00:00Z", for: .seconds(60), stops: true)
    try history.run("日本語", from: "2026-11-19T08:00:00Z", for: .seconds(3600))
    try history.run("Run", from: "2026-11-19T23:30:00Z", for: .seconds(600))
    try history.run("Run", from: "2026-11-25T10:00:00Z", for: .seconds(300))
    return history
  }

  @Test func `a run across midnight counts for both days but once in total`() throws {
    let statistics = try statistics(history())
    #expect(statistics.days[monday]?.runs == 1 && statistics.days[monday]?.active == .seconds(600))
    #expect(statistics.days[monday + 1]?.runs == 1 && statistics.days[monday + 1]?.active == .seconds(600))
    #expect(statistics.days[monday + 1]?.completed == 1 && statistics.days[monday]?.completed == 0)
    #expect(statistics.days[monday + 2]?.finished == 0 && statistics.days[monday + 2]?.skipped == 1)
    #expect(statistics.days[monday + 3]?.runs == 2)
    #expect(statistics.total.runs == 5 && statistics.total.finished == 4)
    #expect(statistics.total.active == .seconds(1200 + 60 + 3600 + 600 + 300))
    let weeks = try history().statistics(by: .week)
    #expect(weeks.periods.mapValues(\.runs) == [monday: 4, monday + 7: 1])
    #expect(
      try history().statistics(by: .month).periods.mapValues(\.runs) == [
        CivilDay(year: 2026, month: 11, day: 1): 5
      ])
    #expect(
      try history().statistics(by: .year).periods.mapValues(\.runs) == [
        CivilDay(year: 2026, month: 1, day: 1): 5
      ])
    #expect(statistics.sequencesByTime.map(\.entry.title) == ["日本語", "Run"])
    #expect(statistics.sequencesByTime.map(\.entry.tally.runs) == [1, 4])
  }

  @Test func `time before the first day does not count, even of a run that crosses it`() throws {
    let statistics = try statistics(history(), since: monday + 1)
    #expect(statistics.days[monday] == nil)
    #expect(statistics.total.runs == 5 && statistics.total.active == .seconds(600 + 60 + 3600 + 600 + 300))
  }

  @Test func `work and rest count apart, each on the day on which it passed`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-16T23:50:00Z")
    try history.perform(
      "start", "--card", "Focus 25m", "--card", "Rest 5m", "--card", "Rest 10m", "--title", "T")
    history.pass(.seconds(26 * 60))
    try history.perform("pause")
    history.pass(.seconds(3600))
    try history.perform("resume")
    history.pass(.seconds(4 * 60 + 30))
    try history.perform("skip")
    try history.run(from: "2026-11-17T08:00:00Z", for: .seconds(60))
    let statistics = try history.statistics()
    #expect(statistics.days[monday]?.work == .seconds(600) && statistics.days[monday]?.rest == .zero)
    #expect(statistics.days[monday + 1]?.rest == .seconds(330))
    #expect(statistics.days[monday + 1]?.work == .seconds(900 + 60))
    #expect(statistics.total.rest == .seconds(330) && statistics.total.work == .seconds(1500 + 60))
    // The figures that the list of runs has are the same.
    #expect(
      try history.store().historySummaries(HistoryQuery(since: Moment(microseconds: 0))).map(\.rest) == [
        .zero, .seconds(330),
      ])
  }

  @Test func `restarted steps count once, on the day on which they were active`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-16T23:50:00Z")
    try history.perform("start", "--card", "A 1h", "--card", "B 1h")
    history.pass(.seconds(900))
    try history.perform("restart")
    history.pass(.seconds(60))
    try history.perform("next")
    history.pass(.seconds(30))
    try history.perform("back")
    history.pass(.seconds(10))
    try history.perform("stop")
    let statistics = try statistics(history)
    #expect(statistics.days.mapValues(\.active) == [monday: .seconds(600), monday + 1: .seconds(400)])
    #expect(statistics.total.active == .seconds(1000))
  }

  @Test func `a run counts for each of its labels, and once in the total`() throws {
    let history = try SampleHistory()
    for (labels, length) in [(["a", "b"], 60), (["b"], 30), ([], 10)] {
      try history.set("2026-11-16T08:00:00Z")
      let started = try history.run(["start", "--card", "Only 30d"] + labels.flatMap { ["--label", $0] })
      try #require(started.status == 0)
      history.pass(.seconds(length))
      try history.perform("next")
    }
    let statistics = try history.statistics(by: .label)
    #expect(statistics.labelsByTime.map(\.label) == ["b", "a", nil])
    #expect(statistics.labelsByTime.map(\.tally.active) == [.seconds(90), .seconds(60), .seconds(10)])
    #expect(statistics.labelsByTime.map(\.tally.finished) == [2, 1, 1])
    #expect(statistics.total.runs == 3 && statistics.total.active == .seconds(100))
    let text = try history.perform("stats", "--by", "label")
    #expect(text.contains("\n1 run has several labels, and counts for each of them\n"))
    #expect(text.contains("\nwithout a label     1         1    0:10"))
    #expect(
      try history.perform("stats", "--by", "label", "--csv").components(separatedBy: "\r\n").map {
        $0.prefix(6)
      }
        == ["label,", "b,2,2,", "a,1,1,", ",1,1,1", ""])
    let json = try history.perform("stats", "--by", "label", "--json")
    #expect(
      json.contains(#""runsWithSeveralLabels":1,"#) && json.contains(#"{"label":"a","total":{"active":60,"#))
    #expect(try history.perform("stats", "--label", "a", "--json").contains(#""total":{"active":60,"#))
    #expect(try history.run(["stats", "--label", "c"]).errors == "no past runs with the label c\n")
    #expect(
      try history.run(["stats", "--label", "c", "--since", "2026-11-16"]).errors
        == "no past runs with the label c since 2026-11-16\n")
  }

  @Test func `a year is a map of its days`() throws {
    let history = try history()
    try history.set("2026-11-27T12:00:00Z")
    let lines = try history.perform("stats", "--year", "2026").components(separatedBy: "\n")
    #expect(lines[0] == "5 runs, 4 finished; 4 steps completed, 1 skipped; 1:36:00 active")
    #expect(lines[2].hasPrefix("    Jan Feb Mar  Apr"))
    // Four days of one week and a Wednesday of the next one, until Friday.
    let ends = lines[3...9].map { String($0.suffix(2)) }
    #expect(Array(ends) == ["░·", "░·", "░░", "█·", "··", "··", "··"], "\(lines)")
    #expect(lines[3].count - lines[9].count == 1, "Sunday hasn't come")
    #expect(lines[11] == "· none  ░ up to 17:30  ▒ up to 35:00  ▓ up to 52:30  █ up to 1:10:00")
    #expect(try history.run(["stats", "--year", "2025"]).errors == "no past runs in 2025\n")
    #expect(
      try history.run(["stats", "--year", "2026", "--label", "x"]).errors
        == "no past runs with the label x in 2026\n")
    #expect(
      try history.run(["stats", "--year", "26"]).errors.contains(
        "\"26\" is not a year; write it like 2026"))
    #expect(
      try history.run(["stats", "--year", "2026", "--csv"]).errors.contains("--year and --csv"))
  }

  @Test func `the times of a card are medians of its last steps, those that take longest first`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-16T08:00:00Z")
    func run(_ steps: [(extension: String?, length: Int, command: String)]) throws {
      try history.perform(
        "start", "--title", "T", "--card", "Plan 60s", "--card", "Write 60s", "--card", "Read")
      for step in steps {
        if let time = step.extension { try history.perform("extend", time) }
        history.pass(.seconds(step.length))
        try history.perform(step.command)
      }
      try history.perform("stop")
    }
    // An older run than the last 20 doesn't count, nor does a step that was skipped or had no plan.
    try run([(nil, 1, "next"), (nil, 1, "next")])
    for number in 1...20 {
      try run([("2m", number == 20 ? 150 : 90, "next"), (nil, 50, number % 2 == 0 ? "next" : "skip")])
    }
    let rows = try history.statistics(by: .card).cards.rows
    #expect(rows.map(\.title) == ["Plan", "Write"] && rows.map(\.steps) == [20, 10])
    #expect(rows.map(\.planned) == [.seconds(60), .seconds(60)])
    #expect(rows.map(\.actual) == [.seconds(90), .seconds(50)])
    #expect(rows.map(\.difference) == [.seconds(30), .seconds(-10)])
    #expect(
      try history.perform("stats", "--by", "card").hasSuffix(
        """

        card   steps  planned  actual  difference  sequence
        Plan      20     1:00    1:30       +0:30  T
        Write     10     1:00    0:50       -0:10  T

        """))
    #expect(try history.perform("stats", "--by", "card", "--csv").contains(",T,20,60,90,30\r\n"))
    let json = try history.perform("stats", "--by", "card", "--json")
    #expect(json.contains(#""steps":20"#) && json.contains(#""difference":30,"planned":60,"#))
  }

  @Test func `neither pauses nor time from a set clock count for a day`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-16T23:00:00Z")
    try history.perform("start", "--card", "A 1h", "--card", "B 1h")
    history.pass(.seconds(600))
    try history.perform("pause")
    history.pass(.seconds(3 * 86_400))
    try history.perform("resume")
    history.pass(.seconds(300))
    try history.perform("next")
    // The wall clock is set back by a year, so B ends before it began.
    try history.set("2025-11-20T00:00:00Z")
    history.pass(.seconds(120))
    try history.perform("next")
    let statistics = try statistics(history)
    #expect(statistics.days.mapValues(\.active) == [monday: .seconds(600), monday + 3: .seconds(420)])
  }

  @Test func `chains of steps are split at midnight to the nanosecond`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-16T23:59:58.25Z")
    try history.perform("start", "--card", "A 0.3s", "--card", "B 0.2s", "--rounds", "10")
    history.pass(.seconds(5))
    let statistics = try statistics(history)
    #expect(statistics.days[monday]?.active == .milliseconds(1750))
    #expect(statistics.days[monday + 1]?.active == .milliseconds(3250))
    // Six steps ended before midnight, and the step across midnight belongs to the next day.
    #expect(statistics.days[monday]?.completed == 6 && statistics.days[monday + 1]?.completed == 14)
  }

  @Test func `a history with any numbers is printed without a trap`() throws {
    let timeline = try CardSpec.sequence(cards: ["A 1s"])
    var all = StatisticsGrouping.allCases.map { Statistics(LocalDays(), by: $0) }
    var longest = ActiveDays(LocalDays())
    for start in [Int64.min, -1, 0, .max] {
      let reading = ClockReading(wall: Moment(microseconds: start), boot: .zero, bootID: "a")
      var run = ActiveRunSnapshot(timeline: timeline, at: reading)
      for actual in [Int64.min, -1, 0, 1] {
        run.log = StepLog(entries: [
          .single(
            .init(
              startedAt: Moment(microseconds: start), endedAt: Moment(microseconds: .min), planned: nil,
              actual: .nanoseconds(actual), outcome: .completed))
        ])!
        for index in all.indices {
          all[index].add(
            EndedRun(snapshot: run, endedAt: Moment(microseconds: start), outcome: .finished),
            activity: [ActiveInterval(start: Moment(microseconds: start), active: .nanoseconds(actual))])
        }
      }
      let parts = longest.parts(of: .nanoseconds(Int64.max / 100), from: Moment(microseconds: start))
      #expect(parts.reduce(.zero) { $0 + $1.duration } == .nanoseconds(Int64.max / 100))
    }
    for statistics in all {
      #expect(statistics.total.runs == 16)
      #expect(statistics.total.active == .nanoseconds(4))
      let document = StatisticsDocument(statistics, since: nil, today: monday)
      #expect(try JSONText.encode(document).contains(#""runs":16"#))
      let lines = StatisticsTable(.ascii, columns: 80).lines(
        statistics, from: nil, today: monday)
      #expect(lines.count < 600, "long gaps are one line")
    }
  }
}
