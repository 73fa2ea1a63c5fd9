import Foundation
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// The distribution of active time over local days.
@Suite(.timeLimit(.minutes(1)))
struct LocalDayTests {
  /// Returns the active time of each day in seconds, as printed by the built program.
  private func days(_ history: SampleHistory, zone: String) throws -> [String: Double] {
    let text = try history.tool("stats", "--json", zone: zone)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let rows = try #require(document["days"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (row["day"] as? String ?? "", (row["total"] as? [String: Any])?["active"] as? Double ?? -1)
      })
  }

  @Test func `a day has 23, 24 or 25 hours when clocks are set forward or back`() throws {
    let history = try SampleHistory()
    // From noon to noon in Berlin, around the last Sundays of March and October.
    try history.run(from: "2026-03-28T11:00:00Z", for: .seconds(47 * 3600))
    try history.run(from: "2026-10-24T10:00:00Z", for: .seconds(49 * 3600))
    let hours: [String: Double] = [
      "2026-03-28": 12, "2026-03-29": 23, "2026-03-30": 12, "2026-10-24": 12, "2026-10-25": 25,
      "2026-10-26": 12,
    ]
    #expect(try days(history, zone: "Europe/Berlin") == hours.mapValues { $0 * 3600 })
    #expect(try days(history, zone: "UTC")["2026-10-25"] == 24 * 3600)
  }

  @Test func `a day begins at one o'clock if clocks are set forward at midnight`() throws {
    let history = try SampleHistory()
    // In Brazil 2018-11-04 began at 01:00, and the last hour of 2018-02-17 occurred twice.
    try history.run(from: "2018-11-04T02:30:00Z", for: .seconds(3600))
    try history.run(from: "2018-02-18T00:30:00Z", for: .seconds(4 * 3600))
    let seconds: [String: Double] = [
      "2018-11-03": 1800, "2018-11-04": 1800, "2018-02-17": 9000, "2018-02-18": 5400,
    ]
    #expect(try days(history, zone: "America/Sao_Paulo") == seconds)
    let since = try history.tool("stats", "--since", "2018-11-04", "--json", zone: "America/Sao_Paulo")
    #expect(since.contains(#""active":1800,"#) && since.contains(#""since":"2018-11-04""#), "\(since)")
    #expect(
      try history.tool("history", "--csv", "--since", "2018-11-04", zone: "America/Sao_Paulo").contains(
        "Test"))
  }

  @Test func `a skipped calendar day, and clocks set a minute after midnight`() throws {
    let history = try SampleHistory()
    // Samoa went from the 29th to the 31st; Newfoundland set its clocks at 00:01.
    try history.run(from: "2011-12-30T09:00:00Z", for: .seconds(2 * 3600))
    #expect(try days(history, zone: "Pacific/Apia") == ["2011-12-29": 3600, "2011-12-31": 3600])
    let newfoundland = try days(history, zone: "America/St_Johns")
    #expect(newfoundland.values.reduce(0, +) == 2 * 3600)
    let other = try SampleHistory()
    try other.run(from: "2010-11-06T22:30:00Z", for: .seconds(30 * 3600))
    #expect(try days(other, zone: "America/St_Johns").values.reduce(0, +) == 30 * 3600)
  }

  @Test func `a step over midnight moves to the days of the present time zone, with the same sum`() throws {
    let history = try SampleHistory()
    try history.set("2026-11-16T22:30:00Z")
    try history.perform("start", "--card", "A 2h", "--card", "B 1h")
    history.pass(.seconds(7200))
    try history.perform("stop")
    let seconds: [String: [String: Double]] = [
      "UTC": ["2026-11-16": 5400, "2026-11-17": 1800],
      "Europe/Berlin": ["2026-11-16": 1800, "2026-11-17": 5400],
      "Pacific/Honolulu": ["2026-11-16": 7200], "Pacific/Kiritimati": ["2026-11-17": 7200],
      "Asia/Kolkata": ["2026-11-17": 7200],
    ]
    for (zone, days) in seconds {
      #expect(try self.days(history, zone: zone) == days)
      let since = try history.tool("stats", "--since", "2026-11-17", "--json", zone: zone)
      #expect(since.contains("\"active\":\(Int(days["2026-11-17"] ?? 0)),"), "\(zone): \(since)")
    }
  }

  @Test(.enabled(if: ToolTests.canRestart, "needs a user namespace"))
  func `a system that changes its time zone during a step changes the end, not the time`() throws {
    let tool = try Tool()
    tool.environment["TZ"] = nil
    let script = """
      zone() { mount --bind "/usr/share/zoneinfo/$1" "$(readlink -f /etc/localtime)"; }
      zone Etc/UTC
      "$0" start --card 'A 100h' >/dev/null
      "$0" status --format '{until} {duration}'
      zone Pacific/Kiritimati
      "$0" status --format '{until} {duration}'
      zone Pacific/Honolulu
      "$0" status --format '{until} {duration}'
      "$0" stop >/dev/null
      """
    let output = try ChildProcess.run(
      "/usr/bin/unshare",
      ToolTests.namespaces + ["sh", "-c", script, try BuiltProducts.path(of: "sequence")],
      environment: tool.environment, within: .seconds(60))
    let ends = output.text.split(separator: "\n").map { $0.split(separator: " ") }
    // As in 14:35 on 1 Dec 100:00:00.
    try #require(ends.count == 3 && ends.allSatisfy { $0.count >= 5 }, "\(output)")
    let minutes = try ends.map { end in
      let parts = end[0].split(separator: ":").compactMap { Int($0) }
      try #require(parts.count == 2, "\(output)")
      return parts[0] * 60 + parts[1]
    }
    // The last two zones are a day apart.
    #expect(minutes.dropFirst().map { ($0 - minutes[0] + 1440) % 1440 } == [14 * 60, 14 * 60])
    #expect(ends[1].dropFirst().dropLast() != ends[2].dropFirst().dropLast())
    #expect(Set(ends.map(\.last)).count == 1)
  }

  @Test func `the text of a moment is local too`() throws {
    let history = try SampleHistory()
    try history.run(from: "2026-01-01T04:30:00Z", for: .seconds(60))
    #expect(try history.tool("history", zone: "America/New_York").contains("2025-12-31 23:30"))
    #expect(try history.tool("history", zone: "Asia/Kolkata").contains("2026-01-01 10:00"))
  }

  /// The zone, the number of the first day of daylight saving time after 2026-03-01, and the hours from UTC to local
  /// time before it.
  private static let nights = [
    ("Europe/Berlin", CivilDay(year: 2026, month: 3, day: 29), 1),
    ("America/New_York", CivilDay(year: 2026, month: 3, day: 8), -5),
    ("Europe/Berlin", CivilDay(year: 2026, month: 10, day: 25), 2),
    ("America/New_York", CivilDay(year: 2026, month: 11, day: 1), -4),
  ]

  @Test(arguments: nights)
  func `whoever works past midnight keeps a streak over the night in which clocks are set`(
    zone: String, change: CivilDay, offset: Int
  ) throws {
    let history = try SampleHistory()
    let changed = change.date.month < 6 ? offset + 1 : offset - 1
    for number in -10..<20 {
      let day = change + number
      let hour = 22 - (number < 0 ? offset : changed)
      let utc = hour < 24 ? (day, hour) : (day + 1, hour - 24)
      try history.run("Night", from: "\(utc.0)T\(padded(utc.1, 2)):00:00Z", for: .seconds(4 * 3600 - 600))
    }
    try history.configure("dayStart: 3:00\n")
    let document = try history.tool("stats", "--json", zone: zone)
    let (first, last) = (change + -10, change + 19)
    #expect(document.contains(#""longest":30,"longestEnd":"\#(last)""#), "\(document)")
    let seconds = Double(4 * 3600 - 600)
    #expect(
      try days(history, zone: zone)
        == Dictionary(uniqueKeysWithValues: (0..<30).map { ((first + $0).description, seconds) }))
    // Two at night is still the day before.
    #expect(
      try history.tool("stats", "--since", "\(last)", "--json", zone: zone).contains(#""runs":1,"#))
    try history.configure("")
    #expect(try history.tool("stats", "--json", zone: zone).contains(#""longest":31"#))
  }

  @Test func `a week begins on the day that the configuration says`() throws {
    let history = try SampleHistory()
    // A Sunday and the Monday after it.
    for day in [15, 16] { try history.run(from: "2026-11-\(day)T10:00:00Z", for: .seconds(60)) }
    #expect(
      try history.tool("stats", "--by", "week", "--csv", zone: "UTC").contains("2026-W46,2026-11-09,1,"))
    try history.configure("weekStart: sunday\n")
    #expect(try history.tool("stats", "--by", "week", "--csv", zone: "UTC").contains("\n,2026-11-15,2,"))
    let weeks = try history.tool("stats", "--by", "week", "--json", zone: "UTC")
    #expect(weeks.contains(#""weeks":[{"start":"2026-11-15","total""#), "\(weeks)")
    #expect(
      try history.tool("stats", "--by", "week", "--since", "2026-11-14", zone: "UTC").contains(
        "from 2026-11-15     2"))
    try history.configure("weekStart: saturday\n")
    #expect(try history.tool("stats", "--by", "week", "--csv", zone: "UTC").contains("\n,2026-11-14,2,"))
  }
}
