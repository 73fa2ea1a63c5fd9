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
        + [row.title, row.facts, row.time, row.start].compactMap { $0?.replacing("\u{A0}", with: " ") }
        .filter { !$0.isEmpty }
        .joined(separator: " | ")
    }
  }

  @Test func `exercises have the lengths that are written after or before them`() throws {
    let read = WorkoutForm.exercises("Squats\n\n Plank 1 min \n30 s Jumps\n10 burpees\n")
    #expect(
      read
        == .value([
          .init(title: "Squats"), .init(title: "Plank", length: .seconds(60)),
          .init(title: "Jumps", length: .seconds(30)), .init(title: "10 burpees"),
        ]))
    for (line, part) in [
      ("Plank 40", "40s or 40m"), ("1 min", "no title"), ("Plank 0 s", "zero"),
    ] {
      guard case .mistake(let mistake) = WorkoutForm.exercises("Squats\n" + line) else {
        Issue.record("\(line) is an exercise")
        continue
      }
      #expect(part.isEmpty || mistake.contains(part), "\(mistake)")
    }
  }

  @Test func `a workout has its rests between exercises and between rounds`() throws {
    var plan = WorkoutPlan(
      exercises: [.init(title: "A"), .init(title: "B", length: .seconds(60)), .init(title: "C")], rounds: 3,
      restBetweenRounds: .seconds(90), getReady: .zero)
    func cards(_ plan: WorkoutPlan) -> [String] {
      plan.sequence.elements.flatMap(\.cards).map {
        "\($0.title) \($0.timing.duration?.components.seconds ?? 0)\($0.skipsLastRound ? " not last" : "")"
      }
    }
    #expect(cards(plan) == ["A 20", "Rest 10", "B 60", "Rest 10", "C 20", "Rest 90 not last"])
    plan.restBetweenRounds = nil
    plan.longerRest = (after: 2, length: .seconds(45))
    #expect(cards(plan) == ["A 20", "Rest 10", "B 60", "Long rest 45", "C 20", "Rest 10 not last"])
    plan.restBetweenRounds = .zero
    #expect(cards(plan).last == "C 20")
    plan.rounds = 1
    #expect(cards(plan).last == "C 20")
  }

  @Test func `rounds are a group of their cards, as in the file`() throws {
    let plan = try plan(
      """
      [{ title: Warm up, countdown: 2m }, { rounds: 8, cards: [{ title: Work, countdown: 20s },
      { title: Rest, countdown: 10s, skipLast: true }] }, { title: Stretch, countUp: { goal: 5m } }]
      """)
    #expect(
      lines(plan) == [
        "Warm up | 2 min", "8 rounds | 3 min 50 s | starts at 2:00", "  Work | 20 s",
        "  Rest | not in the last round | 10 s", "Stretch | goal 5 min | starts at 5:50",
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

  @Test func `the time of a card is apart from what else is to say of its length`() throws {
    let plan = try plan(
      """
      [{ title: A, countdown: 5m, atLeast: 3m }, { title: B, countdown: 1m, advance: manual },
      { rounds: 2, cards: [{ title: C, countdown: [20s, 30s] }, { title: D, countdown: 20s, perRound: +5s }] }]
      """)
    #expect(
      lines(plan) == [
        "A | (at least 3 min) | 5 min", "B | then waits for you | 1 min | starts at 5:00",
        "2 rounds | 1 min 35 s",
        "  C | 20 s, 30 s", "  D | +5 s each round | 20 s",
      ])
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
