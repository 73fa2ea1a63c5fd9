import Foundation
import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// The printed forms of the history and its statistics.
@Suite(.timeLimit(.minutes(1)))
struct HistoryFormTests {
  /// Returns a run of two rounds with a pause, an extension and a skipped step.
  private func history(title: String = "Tabata") throws -> SampleHistory {
    let history = try SampleHistory()
    try history.set("2026-11-20T21:00:00Z")
    try history.perform(
      "start", "--title", title, "--card", "日本語, \"W\" 20s", "--card", "Rest 10s", "--rounds", "2")
    history.pass(.seconds(5))
    try history.perform("pause")
    history.pass(.seconds(3600))
    try history.perform("resume")
    try history.perform("extend", "30s")
    history.pass(.seconds(46))
    try history.perform("skip")
    history.pass(.milliseconds(20_500))
    try history.perform("next")
    return history
  }

  private func id(_ history: SampleHistory) throws -> String {
    try #require(try history.store().history().first).runID.uuidString
  }

  @Test func `a table lists each run, with --steps also planned and actual times`() throws {
    let history = try history()
    let short = try id(history).prefix(8)
    #expect(
      try history.tool("history", zone: "Europe/Berlin") == """
        run       started           outcome   steps  work  rest  active  sequence
        \(short)  2026-11-20 22:00  finished    3/4  1:10  0:01    1:11  Tabata
        """)
    let steps = """
      run       started           outcome   steps  work  rest  active  sequence
      \(short)  2026-11-20 22:00  finished    3/4  1:10  0:01    1:11  Tabata
      step  title        round  started              planned  actual  difference  outcome
         1  日本語, "W"  1/2    2026-11-20 22:00:00     0:50    0:50              completed
         2  Rest         1/2    2026-11-20 23:00:50     0:10    0:01       -0:09  skipped
         3  日本語, "W"  2/2    2026-11-20 23:00:51     0:20    0:20              completed
         4  Rest         2/2    2026-11-20 23:01:11     0:10    0:00       -0:10  completed
      paused 2026-11-20 22:00:05 for 1:00:00
      """
    #expect(try history.tool("history", "--steps", zone: "Europe/Berlin") == steps)
    #expect(try history.tool("history", short.lowercased(), zone: "Europe/Berlin") == steps)
  }

  @Test func `pages of a list keep its columns, and have titles when a run with rests adds some`() {
    func run(_ title: String, active: Int, rest: Int = 0) -> EndedRunSummary {
      EndedRunSummary(
        runID: "A", sequenceID: "B", title: title, startedAt: Moment(microseconds: 0),
        endedAt: Moment(microseconds: 0), outcome: .finished, steps: 4, completed: 4, skipped: 0,
        active: .seconds(active), rest: .seconds(rest))
    }
    var table = HistoryTable(DisplayStyle.detect(environment: [:]).glyphs)
    let runs = [
      run("First", active: 36_000), run("Other", active: 60), run("Third", active: 60, rest: 10),
      run("Last.", active: 60),
    ]
    let pages = runs.map { table.lines(ofPage: [$0]) }
    #expect(pages.map(\.count) == [2, 1, 2, 1])
    #expect(pages[0][1].count == pages[1][0].count)
    #expect(pages[2][1].count == pages[3][0].count)
    #expect(!pages[0][0].contains("rest") && pages[2][0].contains("rest"))
  }

  @Test func `a history of many pages is printed whole`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-20T21:00:00Z")
    let count = 1203
    try LongHistory.write(
      count, to: history.store(), over: .seconds(86_400 * 30), until: Moment("2026-11-20T20:00:00Z"))
    let runs = try history.store().historySummaries()
    for (words, meant) in [
      (["history"], runs), (["history", "--label", "garden"], runs.filter { $0.labels == ["garden"] }),
      (["history", "--search", "stretch"], runs),
      (["history", "--outcome", "stopped"], runs.filter { $0.outcome == .stopped }),
    ] {
      let lines = try history.run(words).text.split(separator: "\n")
      #expect(lines.count == meant.count + 1, "\(words)")
      #expect(lines.dropFirst().map { String($0.prefix(8)) } == meant.map { String($0.runID.prefix(8)) })
    }
  }

  @Test func `runs are found by sequence, outcome and words`() throws {
    let history = try history()
    try history.perform("start", "--title", "Stopped, early", "--card", "Squats 20s")
    try history.perform("stop")
    func titles(_ words: String...) throws -> [String] {
      let outcome = try history.run(["history", "--csv"] + words)
      #expect(outcome.status == 0)
      return outcome.text.components(separatedBy: "\r\n").dropFirst().dropLast().map {
        $0.contains("Tabata") ? "Tabata" : $0.contains("Stopped") ? "Stopped" : $0
      }
    }
    #expect(try titles() == ["Stopped", "Tabata"])
    #expect(try titles("--sequence", "TABATA") == ["Tabata"])
    let id = try #require(try history.store().history().last).snapshot.historyID.uuidString
    #expect(try titles("--sequence", id) == ["Tabata"])
    #expect(try titles("--sequence", "Tab").isEmpty)
    #expect(try titles("--outcome", "stopped") == ["Stopped"])
    // The words of a card, in any order and case; with --steps, there is a record for each step.
    #expect(try titles("--search", "rest TABATA") == ["Tabata"])
    #expect(try titles("--search", "squats") == ["Stopped"])
    #expect(try titles("--search", "squats", "--steps") == ["Stopped"])
    #expect(try titles("--search", "squats rest").isEmpty)
    #expect(try history.run(["history", "--outcome", "lost"]).errors == "no such runs\n")
    #expect(try history.run(["history", "1234", "--search", "a"]).errors.contains("RUN and --search"))
    #expect(try history.run(["history", "--ics", "--csv"]).errors.contains("--csv and --ics cannot"))
  }

  @Test(arguments: HistoryForm.allCases)
  func `a file has the bytes that the command prints of the same days`(form: HistoryForm) throws {
    let history = try history()
    try history.run("Later", from: "2026-11-25T10:00:00Z", for: .seconds(300), stops: true)
    let (store, days) = (try history.store(), LocalDays())
    let day = CivilDay(year: 2026, month: 11, day: 24)
    for (query, words) in [
      (HistoryQuery(), []), (days.query(day..<day + 7), ["--since", "2026-11-24"]),
    ] {
      let path = history.directory.path + "/file"
      try form.write(query, of: store, to: path)
      let printed = try history.run(["history", "--\(form.rawValue)"] + words).text
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(printed.utf8))
      #expect(printed.contains("Tabata") == words.isEmpty && printed.contains("Later"))
    }
    #expect(throws: ClientError.self) {
      try form.write(HistoryQuery(), of: store, to: "/none/file")
    }
  }

  @Test(arguments: [
    ("/a/history.csv", HistoryForm.csv, "/a/history.csv", HistoryForm.csv),
    ("/a/history.JSON", .csv, "/a/history.JSON", .json), ("/a/x.ics", .json, "/a/x.json", .json),
    ("/a.b/history", .calendar, "/a.b/history.ics", .calendar),
    ("/x.2026", .csv, "/x.2026.csv", .csv),
  ])
  func `the end of a name or the chosen kind is the form of a file`(
    path: String, chosen: HistoryForm, written: String, form: HistoryForm
  ) {
    let file = HistoryForm.file(path, chosen: chosen)
    #expect(file.path == written && file.form == form)
  }

  @Test func `a calendar has an event for each run`() throws {
    let history = try history(title: "Legs; arms, \\ and " + String(repeating: "日本語", count: 12))
    try history.perform("start", "--title", "Nothing", "--card", "Squats 20s")
    try history.perform("stop")
    let text = try history.run(["history", "--ics"]).text
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.last?.isEmpty == true)
    let runs = try history.store().history().map { $0.runID.uuidString.lowercased() }
    let expected = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Sequence//History//EN
      CALSCALE:GREGORIAN
      BEGIN:VEVENT
      UID:\(runs[0])@sequence
      DTSTAMP:20261120T220111Z
      DTSTART:20261120T220111Z
      SUMMARY:Nothing
      DESCRIPTION:stopped\\, 0 of 1 step\\, 0:00 active
      TRANSP:TRANSPARENT
      END:VEVENT
      BEGIN:VEVENT
      UID:\(runs[1])@sequence
      DTSTAMP:20261120T220111Z
      DTSTART:20261120T210000Z
      DTEND:20261120T220111Z
      SUMMARY:Legs\\; arms\\, \\\\ and \(String(repeating: "日本語", count: 12))
      DESCRIPTION:3 of 4 steps\\, 1:11 active
      TRANSP:TRANSPARENT
      END:VEVENT
      END:VCALENDAR

      """
    // Unfolded as a calendar does it.
    #expect(text.replacing("\r\n ", with: "").replacing("\r\n", with: "\n") == expected)
  }

  @Test func `the remark of an ended run is in every form, and found`() throws {
    let history = try history()
    let id = try id(history)
    #expect(
      try history.perform("note", "Tired, at last") == "set the remark of \"Tabata\": \"Tired, at last\"\n")
    #expect(try history.perform("history", "--json").contains(#""remark":"Tired, at last","#))
    for words in [["--csv"], ["--csv", "--steps"]] {
      #expect(try history.run(["history"] + words).text.contains(",\"Tired, at last\",\r\n"))
    }
    #expect(try history.perform("history", id).contains("\nremark: Tired, at last\n"))
    #expect(try history.perform("history", "--ics").contains("active\\nTired\\, at last\r\n"))
    #expect(try history.perform("history", "--search", "LAST tabata rest").contains("Tabata"))
    #expect(try history.run(["history", "--search", "first"]).text == "")
    // It replaces the former one, also by id; an empty text removes it.
    #expect(
      try history.perform("note", "=1", id.lowercased(), "--json")
        == #"{"remark":"=1","run":"\#(id)","schema":1}"# + "\n")
    #expect(try history.perform("history", "--csv").hasSuffix(",1.17,'=1,\r\n"))
    #expect(try history.perform("note", " ", id) == "removed the remark of \"Tabata\"\n")
    #expect(try !history.perform("history", "--json").contains("remark"))
  }

  @Test func `the remark of an active run goes with it into the history`() throws {
    let history = try history()
    try history.perform("start", "--name", "tea", "--card", "Pour 10s", "--card", "Steep 60s")
    #expect(try history.perform("note", "Oolong") == "set the remark of tea: \"Oolong\"\n")
    #expect(try history.perform("status", "--json").contains(#""remark":"Oolong""#))
    history.pass(.seconds(20))
    // Written while a step is over that nothing has recorded yet.
    try history.perform("note", "Assam", "tea")
    try history.perform("next")
    let runs = try history.store().history()
    #expect(runs.map(\.snapshot.remark) == ["Assam", nil])
    #expect(runs[0].records.map(\.actual) == [.seconds(10), .seconds(10)])
    #expect(try history.store().historySummaries() == runs.map(EndedRunSummary.init))
    try history.store().base.check()
  }

  @Test func `a run keeps its labels, whatever becomes of the file`() throws {
    let history = try SampleHistory()
    let path = try history.directory.write(
      "title: Yoga\nlabels: [health, morning]\ncards: [{ title: A, countdown: 5m }]\n", to: "yoga.yaml")
    try history.perform("start", path, "--label", "Urgent", "--label", "health")
    #expect(try history.perform("status", "--json").contains(#""labels":["health","morning","urgent"],"#))
    _ = try history.directory.write(
      "title: Yoga\nlabels: [evening]\ncards: [{ title: A, countdown: 5m }]\n", to: "yoga.yaml")
    try history.perform("stop")
    try history.perform("start", path)
    try history.perform("stop")
    try history.perform("start", "--card", "A 5m")
    try history.perform("stop")
    for (label, count) in [("health", 1), ("urgent", 1), ("evening", 1), ("heal", 0), ("morning", 1)] {
      #expect(
        try history.run(["history", "--label", label, "--csv"]).text.split(separator: "\r\n").count == 1
          + count)
      #expect(
        try history.run(["history", "--label", label, "--json"]).text.components(separatedBy: "endedAt").count
          == 1 + 2 * count)
    }
    #expect(
      try history.perform("history", "--label", "urgent", "--csv").hasSuffix(",,health morning urgent\r\n"))
    #expect(
      try history.perform("history", "--label", "urgent", "--ics").contains(
        "CATEGORIES:health,morning,urgent\r\n"))
    let id = try #require(try history.store().historySummaries(HistoryQuery(label: "urgent")).first).runID
    #expect(try history.perform("history", id).contains("\nlabels: health, morning, urgent\n"))
    #expect(try history.store().historySummaries() == history.store().history().map(EndedRunSummary.init))
  }

  @Test func `the active time of a run includes restarted steps`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-20T21:00:00Z")
    try history.perform("start", "--card", "A 20s", "--card", "B 20s")
    history.pass(.seconds(26))
    try history.perform("back")
    history.pass(.seconds(3))
    try history.perform("restart")
    history.pass(.seconds(4))
    try history.perform("stop")
    #expect(try history.perform("history").contains("  0:33  "))
    #expect(try history.perform("history", "--json").contains(#""active":33,"#))
    #expect(try history.perform("history", "--csv").contains(",33,0,2026-11-20,0.55,0.55,,\r\n"))
    let statistics = try history.statistics()
    #expect(statistics.total.active == .seconds(33))
    #expect(statistics.days.values.map(\.active) == [.seconds(33)])
  }

  @Test(arguments: [["history"], ["history", "--csv"], ["stats"], ["stats", "--by", "sequence"]])
  func `a list of runs reads no snapshot`(words: [String]) throws {
    let history = try self.history()
    let database = try Database(path: history.directory.path + "/sequence.db")
    try database.run("UPDATE history SET snapshot = 'damaged'")
    let output = try history.run(words)
    #expect(output.status == 0 && output.errors == "" && output.text.contains("finished"))
  }

  @Test func `CSV has a record per run or step, with CR LF and quotes where needed`()
    throws
  {
    let history = try history(title: "=1+1")
    let id = try id(history)
    let runs = try history.perform("history", "--csv").components(separatedBy: "\r\n")
    #expect(runs.count == 3 && runs[2] == "")
    #expect(
      runs[0] == "run,sequence,title,run_started,run_ended,run_outcome,steps,completed,skipped,active,"
        + "rest,date,minutes,work_minutes,remark,labels")
    #expect(runs[1].hasPrefix(id + ","))
    #expect(
      runs[1].hasSuffix(
        ",'=1+1,2026-11-20T21:00:00.000Z,2026-11-20T22:01:11.500Z,finished,4,3,1,71.5,1.5,2026-11-20,1.19,1.17,,"
      ))
    let steps = try history.perform("history", "--csv", "--steps").components(separatedBy: "\r\n")
    #expect(steps.count == 6)
    #expect(
      steps[0].hasSuffix(
        "step,card,step_title,rounds,step_started,step_ended,planned,actual,step_outcome,is_rest,date,minutes,remark,labels"
      ))
    #expect(steps[1].contains(#","日本語, ""W""",1 of 2,2026-11-20T21:00:00.000Z,"#))
    #expect(steps[1].hasSuffix(",50,50,completed,0,2026-11-20,0.83,,"))
    #expect(steps[2].hasSuffix(",10,1,skipped,1,2026-11-20,0.02,,"))
  }

  @Test(
    arguments: [
      (CSVText.Field.foreign("=cmd"), "'=cmd"), (.foreign("+1"), "'+1"), (.foreign("-1"), "'-1"),
      (.foreign("@x"), "'@x"),
      (.foreign("  =x"), "'  =x"), (.foreign("\t=x"), "' =x"), (.foreign("＝x"), "'＝x"),
      (.foreign("=\u{301}x"), "'=\u{301}x"),
      (.foreign("a=b"), "a=b"), (.foreign("a\"\u{301},=cmd"), "\"a\"\"\u{301},=cmd\""),
      (.foreign("a\u{1B}[1m\nb"), "a[1m b"), (.foreign("a\"b"), "\"a\"\"b\""),
      (.foreign("=\"a\",b"), "\"'=\"\"a\"\",b\""),
      (.foreign(""), ""), (.text("a,b"), "\"a,b\""), (.text("a\r\nb"), "\"a\r\nb\""), (.number(-1.5), "-1.5"),
      (.number(20), "20"), (.number(1e300), "1e+300"), (.none, ""),
    ] as [(CSVText.Field, String)])
  func `a CSV field is text whatever it contains`(field: CSVText.Field, text: String) {
    #expect(CSVText.record([field, field]) == text + "," + text)
  }

  @Test func `a table is as wide as a terminal shows it`() {
    var table = TextTable([
      .init(title: "a"), .init(title: "b", alignment: .right), .init(title: "c", most: 4),
    ])
    table.add(["日本", "1", "🏋️‍♀️🏋️‍♀️🏋️‍♀️"])
    table.add(["x", "100", ""])
    #expect(table.lines() == ["a       b  c", "日本    1  🏋️‍♀️…", "x     100"])
    #expect(table.lines(hasTitles: false, ellipsis: "~")[0] == "日本    1  🏋️‍♀️~")
  }

  @Test(
    arguments: [
      (["history", "--csv", "--json"], 64), (["history", "abc"], 64),
      (["history", "ABC%"], 64),
      (["history", "ABCD", "--since", "2026-01-01"], 64), (["stats", "--by", "decade"], 64),
      (["stats", "--since", "2026-02-29"], 64), (["history", "ABCDEF0123"], 1),
    ] as [([String], Int32)])
  func `invalid options are refused`(words: [String], status: Int32) throws {
    let history = try SampleHistory()
    try history.run(from: "2026-01-01T00:00:00Z", for: .seconds(1))
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words + ["--state-dir", history.directory.path],
      environment: ["HOME": history.directory.path])
    #expect(output.status == status)
    #expect(output.text == "" && output.errors.split(separator: "\n").count == 1)
  }

  @Test func `statistics have work and rest apart, in a table, in JSON and in CSV`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-19T08:00:00Z")
    try history.perform(
      "start", "--title", "Work", "--card", "Focus 25m", "--card", "Rest 5m", "--rounds", "2")
    history.pass(.seconds(3600))
    let text = try history.perform("stats")
    #expect(
      text.hasPrefix(
        "1 run, 1 finished; 4 steps completed, 0 skipped\n1:00:00 active: 50:00 work, 10:00 rest\n"))
    #expect(text.contains("day             runs  finished   work   rest   active\n"))
    #expect(text.contains("2026-11-19 Thu     1         1  50:00  10:00  1:00:00  ██"))
    #expect(
      try history.perform("stats", "--json").contains(
        #""active":3600,"completed":4,"finished":1,"rest":600,"#))
    let columns = "runs,finished,completed,skipped,active,work,rest,minutes,work_minutes,rest_minutes\r\n"
    let values = "1,1,4,0,3600,3000,600,60,50,10\r\n"
    #expect(try history.perform("stats", "--csv") == "day,\(columns)2026-11-19,\(values)")
    #expect(
      try history.perform("stats", "--csv", "--by", "week")
        == "week,start,\(columns)2026-W47,2026-11-16,\(values)")
    #expect(
      try history.perform("stats", "--csv", "--by", "month")
        == "month,start,\(columns)2026-11,2026-11-01,\(values)")
    #expect(
      try history.perform("stats", "--json", "--by", "year").contains(
        #""years":[{"start":"2026-01-01","total":{"active":3600,"#))
    let sequences = try history.perform("stats", "--csv", "--by", "sequence")
    #expect(sequences.hasPrefix("sequence,title,last_started,last_date,\(columns)"))
    #expect(sequences.hasSuffix(",Work,2026-11-19T08:00:00.000Z,2026-11-19,\(values)"))
    #expect(try SampleHistory().perform("stats", "--csv") == "day,\(columns)")
    #expect(try history.run(["stats", "--csv", "--json"]).status == 64)
  }

  @Test func `statistics have totals, streaks, a row per day and a chart`() throws {
    let history = try SampleHistory()
    try history.run("Run", from: "2026-11-18T08:00:00Z", for: .seconds(1800))
    try history.run("Run", from: "2026-11-19T08:00:00Z", for: .seconds(3600))
    try history.run("Lift", from: "2026-11-19T18:00:00Z", for: .seconds(900), stops: true)
    let today = CivilDay(year: 2026, month: 11, day: 20)
    func lines(_ grouping: StatisticsGrouping, from first: CivilDay?) throws -> [String] {
      try StatisticsTable(.unicode, columns: 80).lines(
        history.statistics(by: grouping), from: first, today: today)
    }
    #expect(
      try lines(.day, from: today + -3) == [
        "3 runs, 2 finished; 2 steps completed, 1 skipped; 1:45:00 active",
        "streak: 2 days, the longest 2 days (until 2026-11-19)", "",
        "day             runs  finished   active", "2026-11-17 Tue",
        "2026-11-18 Wed     1         1    30:00  " + String(repeating: "█", count: 15) + "▌",
        "2026-11-19 Thu     2         1  1:15:00  " + String(repeating: "█", count: 39), "2026-11-20 Fri",
      ])
    let week = try lines(.week, from: today + -14)
    #expect(week.count == 4 + 3)
    #expect(week.last?.hasPrefix("2026-W47, from 2026-11-16     3         2  1:45:00  ██") == true)
    let months = try lines(.month, from: CivilDay(year: 2025, month: 12, day: 24))
    #expect(months.count == 4 + 12 && months[4] == "2025-12" && months[14] == "2026-10")
    #expect(months[15].hasPrefix("2026-11     3         2  1:45:00  ██"))
    #expect(try lines(.year, from: nil)[4].hasPrefix("2026     3         2  1:45:00  ██"))
    let sequence = try lines(.sequence, from: nil)
    #expect(sequence[4].hasPrefix("Run          2         2  1:30:00  ████"))
    #expect(sequence[5].hasPrefix("Lift         1         0    15:00  ████"))
    let total =
      #"{"active":4500,"completed":1,"finished":1,"rest":0,"runs":2,"skipped":1,"work":4500}"#
    let document = try StatisticsDocument(
      history.statistics(since: today + -1, by: .week), since: today + -1, today: today)
    #expect(
      try JSONText.encode(document)
        == #"{"schema":1,"since":"2026-11-19","streak":{"current":1,"longest":1,"longestEnd":"2026-11-19"},"#
        + #""total":\#(total),"weeks":[{"start":"2026-11-16","total":\#(total),"week":"2026-W47"}]}"#)
    let empty = try SampleHistory()
    try empty.set("2026-11-20T09:00:00Z")
    #expect(try empty.perform("stats") == "")
    #expect(try empty.perform("stats", "--json").contains(#""days":[]"#))
  }
}
