import Foundation
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand
@testable import SequencePresentation

@Suite struct RunSummaryTests {
  private func lines(_ history: SampleHistory, columns: Int = 80) throws -> [String] {
    let ended = try #require(try history.store().history().first)
    return RunSummary.table(ended, columns: columns, glyphs: .unicode) + [RunSummary.line(ended)]
  }

  /// Returns a run with an extension and a skipped rest.
  private func workout() throws -> SampleHistory {
    let history = try SampleHistory()
    try history.set("2026-11-20T21:00:00Z")
    try history.perform(
      "start", "--title", "Tabata", "--card", "日本語 W 20s", "--card", "Rest 10s", "--rounds", "2")
    history.pass(.seconds(5))
    try history.perform("extend", "30s")
    history.pass(.seconds(46))
    try history.perform("skip")
    history.pass(.seconds(25))
    try history.perform("stop")
    return history
  }

  @Test func `planned and actual times of the steps, of work and of rest`() throws {
    #expect(
      try lines(workout()) == [
        "   step      plan  actual",
        "1  日本語 W  0:50    0:50",
        "2  Rest      0:10    0:01  -0:09  skipped",
        "3  日本語 W  0:20    0:20",
        "4  Rest      0:10    0:05  -0:05  skipped",
        "   work      1:10    1:10",
        "   rest      0:20    0:06  -0:14",
        "   total     1:30    1:16  -0:14",
        "Tabata is stopped: 2 of 4 steps completed in 1:16",
      ])
  }

  @Test func `a title from right to left leaves the times in their order`() throws {
    let history = try SampleHistory()
    try history.perform("start", "--title", "تمرين", "--card", "راحة 20s", "--card", "B 20s")
    history.pass(.seconds(15))
    try history.perform("restart")
    history.pass(.seconds(40))
    try history.perform("history")
    let lines = try lines(history)
    #expect(lines[1].hasPrefix("1  \u{200E}\u{2068}راحة\u{2069}   0:20    0:"))
    #expect(lines.last?.hasPrefix("\u{200E}\u{2068}تمرين\u{2069} is finished: 2 of 2") == true)
  }

  @Test func `restarted time counts in the total`() throws {
    let history = try SampleHistory()
    try history.perform("start", "--card", "A 20s", "--card", "B 20s")
    history.pass(.seconds(15))
    try history.perform("restart")
    history.pass(.seconds(40))
    #expect(try history.perform("history").contains("finished"))
    #expect(try lines(history).contains("   total  0:40    0:55  +0:15"))
  }

  @Test func `steps without a plan have no planned total`() throws {
    let history = try SampleHistory()
    try history.perform("start", "--card", "Read", "--card", "B 20s")
    history.pass(.seconds(100))
    try history.perform("next")
    history.pass(.seconds(20))
    try history.perform("status")
    #expect(
      try lines(history).prefix(4) == [
        "   step   plan  actual",
        "1  Read           1:40",
        "2  B      0:20    0:20",
        "   total          2:00",
      ])
  }

  @Test(arguments: [(10, 20), (11, 20), (5000, 20)])
  func `at most 20 lines are about steps, and the last one names the command for all`(
    rounds: Int, count: Int
  ) throws {
    let history = try SampleHistory()
    try history.perform("start", "--card", "Work 20s", "--card", "Rest 10s", "--rounds", "\(rounds)")
    history.pass(.seconds(30 * rounds))
    try history.perform("history")
    let lines = try lines(history)
    let steps = lines.dropFirst().prefix { !$0.contains("  work ") }
    #expect(steps.count == count && lines.count == count + 5)
    let id = try #require(try history.store().history().first).runID.uuidString.prefix(8)
    let more = "  \(2 * rounds - 19) more "
    #expect(
      lines.contains { $0.contains(more) && $0.hasSuffix("see sequence history \(id)") } == (rounds > 10))
    #expect(lines[lines.count - 2].contains(ClockText.elapsed(.seconds(30 * rounds))))
  }

  @Test func `a single step has no table`() throws {
    let history = try SampleHistory()
    try history.run("Tea", from: "2026-11-20T21:00:00Z", for: .seconds(240))
    #expect(try lines(history) == ["Tea is finished: 1 of 1 step completed in 4:00"])
  }

  @Test(arguments: [1, 10, 20, 30, 40, 60])
  func `the table fits the terminal`(columns: Int) throws {
    let table = try lines(workout(), columns: columns).dropLast()
    #expect(table.allSatisfy { TextWidth.columns($0) <= columns })
    if columns >= 40 { #expect(table.contains { $0.hasSuffix("skipped") }) }
    // Whole columns give way, and never a part of a time.
    if columns >= 20 { #expect(table.last?.contains(" 1:16") == true) }
    if columns >= 30 { #expect(table.last?.contains("  1:30    1:16") == true) }
  }
}
