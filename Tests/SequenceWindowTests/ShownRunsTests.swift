import FoundationEssentials
import SequenceFiles
import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceWindow

/// Which run the window shows, and which runs wait in the strip.
@Suite struct ShownRunsTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore
  private var runs = ShownRuns()

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
  }

  private func start(_ text: String) throws {
    _ = try store.start(QuickTimer.timeline(text, at: clock.now().wall), RunStart(source: .timer))
  }

  @discardableResult
  private mutating func update() throws -> EndedRun? {
    try runs.update(try store.settle()) { try store.endedRun(id: $0.runID) }
  }

  @Test mutating func `one run needs no strip`() throws {
    try update()
    #expect(runs.run == nil && !runs.isStripNeeded)
    try start("5m Tea")
    try update()
    #expect(runs.run?.name == "tea" && !runs.isStripNeeded)
  }

  @Test mutating func `a run stays on the page until it ends, and the current run follows it`() throws {
    try start("5m Tea")
    try update()
    _ = try store.start(CardSpec.sequence(cards: ["A 1h"], title: "Focus"))
    try update()
    #expect(runs.run?.name == "tea" && runs.isStripNeeded)
    #expect(runs.active.map(\.name) == ["tea", "focus"])
    clock.advance(by: .seconds(300))
    #expect(try update()?.snapshot.name == "tea")
    #expect(runs.run?.name == "focus" && runs.unseen.isEmpty && !runs.isStripNeeded)
  }

  @Test mutating func `a run that finishes while another one is shown waits until it is seen`() throws {
    try start("1h Bread")
    try start("5m Tea")
    try update()
    clock.advance(by: .seconds(300))
    #expect(try update() == nil)
    #expect(runs.run?.name == "bread" && runs.isStripNeeded)
    let ended = try #require(runs.unseen.first)
    #expect(runs.see(ended.runID)?.snapshot.name == "tea")
    #expect(runs.see(ended.runID) == nil && !runs.isStripNeeded)
  }

  @Test mutating func `the end on the page goes into the strip if another run takes the page`() throws {
    try start("5m Tea")
    try update()
    clock.advance(by: .seconds(300))
    let ended = try #require(try update())
    #expect(!runs.isStripNeeded)
    try start("1h Bread")
    try update()
    runs.keep(ended)
    #expect(runs.unseen.map(\.snapshot.name) == ["tea"] && runs.isStripNeeded)
  }

  @Test mutating func `a run that somebody stopped does not wait`() throws {
    try start("1h Bread")
    try start("5m Tea")
    try update()
    let tea = try #require(runs.active.last)
    _ = try store.perform(.stop, on: tea.runID)
    try update()
    #expect(runs.unseen.isEmpty && !runs.isStripNeeded)
  }

  @Test mutating func `the page without a run shows the last end, and the strip the others`() throws {
    try start("5m Tea")
    try start("5m Egg")
    try update()
    clock.advance(by: .seconds(300))
    #expect(try update()?.snapshot.name == "tea")
    #expect(runs.run == nil)
    #expect(runs.unseen.map(\.snapshot.name) == ["egg"])
  }

  @Test mutating func `a run is chosen by its button, or as the next one`() throws {
    for title in ["A", "B", "C"] { try start("5m \(title)") }
    try update()
    #expect(runs.run?.name == "a")
    runs.choose(runs.active[2].runID)
    #expect(runs.run?.name == "c")
    runs.chooseNext()
    #expect(runs.run?.name == "a")
    try update()
    runs.choose(UUID())
    #expect(runs.run?.name == "a")
  }
}
