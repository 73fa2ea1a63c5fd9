import SequenceFiles
import Testing

@testable import SequenceWindow

/// The page of a sequence.
@Suite struct SequencePlanTests {
  private func plan(_ cards: String, most: Int = 100) throws -> SequencePlan {
    SequencePlan(try SequenceFile.parse(Array("title: A\ncards: \(cards)".utf8)).timeline, most: most)
  }

  private func lines(_ plan: SequencePlan) -> [String] {
    plan.rows.map { row in
      String(repeating: "  ", count: row.depth)
        + [row.title, row.facts, row.start].compactMap { $0?.replacing("\u{A0}", with: " ") }
        .joined(separator: " | ")
    }
  }

  @Test func `rounds are a group of their cards, as in the file`() throws {
    let plan = try plan(
      """
      [{ title: Warm up, countdown: 2m }, { rounds: 8, cards: [{ title: Work, countdown: 20s },
      { title: Rest, countdown: 10s, skipLast: true }] }, { title: Stretch, countUp: { goal: 5m } }]
      """)
    #expect(
      lines(plan) == [
        "Warm up | 2 min", "8 rounds | 3 min 50 s | after 2 min", "  Work | 20 s",
        "  Rest | 10 s · not in the last round", "Stretch | goal 5 min | after 5 min 50 s",
      ])
    #expect(plan.length.replacing("\u{A0}", with: " ") == "At least 5 min 50 s")
    #expect(plan.steps == "17 steps · 1 waits for you")
  }

  @Test func `groups nest, and no time is known after a step that waits`() throws {
    let plan = try plan(
      """
      [{ rounds: 2, cards: [{ rounds: 3, cards: [{ title: W, countUp: {} }, { title: R, countdown: 1m }] }] },
      { title: End, countdown: 1m }]
      """)
    #expect(
      lines(plan) == [
        "2 rounds | at least 6 min", "  3 rounds | at least 3 min", "    W | until you complete it",
        "    R | 1 min", "End | 1 min",
      ])
    #expect(plan.steps == "13 steps · 6 wait for you")
  }

  @Test func `one round is no group, and leaves out what its last round leaves out`() throws {
    let plan = try plan(
      "[{ rounds: 1, cards: [{ title: W, countdown: 1m }, { title: R, countdown: 1m, skipLast: true }] }]")
    #expect(lines(plan) == ["W | 1 min"])
    #expect(plan.steps == "1 step")
  }

  @Test func `endless rounds have the length of one`() throws {
    let plan = try plan(
      "[{ rounds: forever, cards: [{ title: W, countdown: 1m }, { title: R, countdown: 30s }] }]")
    #expect(lines(plan) == ["Repeats until you stop it | 1 min 30 s each", "  W | 1 min", "  R | 30 s"])
    #expect(plan.length == "Endless")
  }

  @Test func `the number of rows is limited`() throws {
    let plan = try plan(
      "[" + (0..<30).map { "{ title: W\($0), countdown: 1s }" }.joined(separator: ", ") + "]", most: 20)
    #expect(plan.rows.count == 20)
    #expect(plan.more == 10)
  }
}
