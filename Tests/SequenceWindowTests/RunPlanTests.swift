import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceWindow

/// The steps of a run as the window lists them while it runs.
@Suite struct RunPlanTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
  }

  private func start(_ text: String) throws {
    _ = try store.start(try SequenceFile.parse(Array(text.utf8)).timeline)
  }

  private func plan() throws -> RunPlan {
    let status = try store.settle()
    return RunPlan(try #require(status.run), at: status.reading.wall)
  }

  private func time(after seconds: Int) -> String {
    LocalTime.clock(of: clock.now().wall.advanced(by: .seconds(seconds)), now: clock.now().wall)
  }

  @Test func `steps have the time that they took, or their length and when they start`() throws {
    let image = BuiltProducts.repository + "docs/window/run.png"
    try start(
      """
      title: A
      cards:
        - { title: Get ready, countdown: 10s }
        - rounds: 2
          cards:
            - { title: Work, countdown: 2m, note: All out, image: \(image) }
            - { title: Rest, countdown: 1m, skipLast: true }
        - { title: Eat, countdown: 5m, advance: manual }
        - { title: Walk, countUp: {} }
      """)
    clock.advance(by: .seconds(4))
    _ = try store.perform(.skip)
    clock.advance(by: .seconds(150))
    let rows = try plan().rows
    #expect(rows.map(\.title) == ["Get ready", "Work", "Rest", "Work", "Eat", "Walk"])
    #expect(rows.map(\.state) == [.skipped, .completed, .current, .ahead, .ahead, .ahead])
    #expect(
      rows.map(\.time) == ["4\u{A0}s", "2\u{A0}min", "1\u{A0}min", "2\u{A0}min", "5\u{A0}min", ""])
    #expect(
      rows.map(\.facts) == [
        "", "Round 1 of 2", "Round 1 of 2", "Round 2 of 2 · at \(time(after: 30))",
        "At \(time(after: 150)) · waits for you", "Waits for you",
      ])
    #expect(rows[1].note == "All out")
    #expect(rows[1].image == image)
    #expect(rows[1].hasContent)
    #expect(!rows[2].hasContent)
    #expect(rows[2].name == "Rest, 1\u{A0}min, current step, Round 1 of 2")
    #expect(try plan().more == 0)
  }

  @Test func `no start is known in a pause, and after a step that waits`() throws {
    try start("title: A\ncards: [{ title: A, countdown: 1m }, { title: B, countdown: 1m }]")
    #expect(try plan().rows[1].facts == "At \(time(after: 60))")
    _ = try store.perform(.extend(.seconds(60)))
    #expect(try plan().rows.map(\.time) == ["2\u{A0}min", "1\u{A0}min"])
    #expect(try plan().rows[1].facts == "At \(time(after: 120))")
    _ = try store.perform(.pause)
    #expect(try plan().rows[1].facts.isEmpty)
    _ = try store.perform(.stop)
    try start("title: A\ncards: [{ title: A, countUp: {} }, { title: B, countdown: 1m }]")
    #expect(try plan().rows[1].facts.isEmpty)
  }

  @Test func `a long run has the steps around the current one, and an endless one has no last`() throws {
    try start("title: A\ncards: [{ rounds: 300, cards: [{ title: A, countdown: 1s }] }]")
    clock.advance(by: .milliseconds(130_500))
    let plan = try plan()
    #expect(plan.rows.map(\.index) == Array(50..<250))
    #expect(plan.rows[80].state == .current)
    #expect(plan.more == 50)
    clock.advance(by: .seconds(19))
    // Rows that stay keep the place of the list, and which of them are open.
    #expect(try self.plan().rows.map(\.index) == Array(50..<250))
    _ = try store.perform(.stop)
    try start("title: A\ncards: [{ rounds: forever, cards: [{ title: A, countdown: 1m }] }]")
    #expect(try self.plan().rows.count == 200)
    #expect(try self.plan().more == nil)
  }

  @Test func `the plan of a run of 100,000 steps is made in less than 20 ms`() throws {
    try start(
      "title: A\ncards: [{ rounds: 50000, cards: [{ title: W, countdown: 1s }, { title: R, countdown: 1s }] }]"
    )
    clock.advance(by: .seconds(60_000))
    let run = try #require(try store.settle().run)
    // The least of a few, because another process may take the caches.
    let durations = (1...5).map { _ in processorTime { _ = RunPlan(run, at: clock.now().wall) } }
    #expect(try #require(durations.min()) < .milliseconds(20))
  }
}
