import Foundation
import SequenceFiles
import TestSupport
import Testing

@testable import SequenceRunner
@testable import SequenceStore

@Suite(.timeLimit(.minutes(1)))
struct SeveralRunsTests {
  private let clock = ManualClock()
  private let temporary: TemporaryDirectory
  private let store: RunStore

  init() throws {
    temporary = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: temporary.path + "/state"), clock: clock)
  }

  private func sequence(
    _ title: String, seconds: Int = 60, onSuspend: SuspendPolicy? = nil
  ) throws -> Timeline {
    try Timeline(
      SequenceDefinition(
        id: DerivedID.sequence(title: title), title: title,
        elements: [Sequences.countdown("\(title) step", seconds)], onSuspend: onSuspend, onLock: nil))
  }

  @discardableResult
  private func timer(_ title: String, seconds: Int = 60, replacing: Bool = false) throws -> ActiveRunSnapshot
  {
    let status = try store.start(
      CardSpec.timer(.seconds(seconds), title: title), RunStart(source: .timer, replacing: replacing))
    return try #require(status.run)
  }

  @discardableResult
  private func start(_ timeline: Timeline, _ start: RunStart = RunStart()) throws -> ActiveRunSnapshot {
    try #require(try store.start(timeline, start).run)
  }

  private func names() throws -> [String] { try store.settle().runs.map(\.name) }

  @Test func `a timer is never in the way, and a sequence is in the way of another one`() throws {
    try timer("Tea")
    try start(sequence("Pomodoro"))
    try timer("Eggs")
    #expect(throws: RunError.runActive(title: "Pomodoro")) { try start(sequence("Workout")) }
    #expect(try names() == ["pomodoro", "tea", "eggs"])
  }

  @Test func `the current run is the sequence that was started last, then the oldest timer`() throws {
    try timer("Tea")
    try timer("Eggs")
    #expect(try names() == ["tea", "eggs"])
    let first = try start(sequence("Pomodoro"))
    let second = try start(sequence("Workout"), RunStart(beside: true))
    #expect(try names() == ["workout", "tea", "eggs", "pomodoro"])
    _ = try store.perform(.stop, on: second.runID)
    #expect(try names() == ["pomodoro", "tea", "eggs"])
    _ = try store.perform(.stop, on: first.runID)
    #expect(try names() == ["tea", "eggs"])
  }

  @Test func `a sequence is active at most once`() throws {
    try start(sequence("Pomodoro"))
    for start in [RunStart(), RunStart(beside: true)] {
      #expect(throws: RunError.sequenceActive(title: "Pomodoro")) {
        try self.start(sequence("Pomodoro"), start)
      }
    }
    try start(sequence("Workout"), RunStart(beside: true))
    // Its own run is replaced, and not the current one.
    try start(sequence("Pomodoro"), RunStart(replacing: true))
    #expect(try names() == ["pomodoro", "workout"])
    #expect(try store.history().map(\.snapshot.sequence.title) == ["Pomodoro"])
  }

  @Test func `a replacing timer stops only the timer of its name`() throws {
    let tea = try timer("Tea")
    try start(sequence("Tea"))
    try timer("Eggs")
    #expect(try names() == ["tea-2", "tea", "eggs"])
    try timer("Tea", replacing: true)
    #expect(try names() == ["tea-2", "eggs", "tea"])
    #expect(try store.history().map(\.runID) == [tea.runID])
  }

  @Test func `timers with one title have names, sequences and card ids of their own`() throws {
    let (first, second) = (try timer("Tea"), try timer("Tea"))
    #expect([first.name, second.name] == ["tea", "tea-2"])
    #expect(first.sequence.id != second.sequence.id)
    #expect(first.historyID == second.historyID)
    _ = try store.perform(.stop, on: first.runID)
    // The name is free again, and with it the sequence.
    let third = try timer("Tea")
    #expect(third.name == "tea" && third.sequence.id == first.sequence.id)
  }

  @Test(arguments: [
    ("Tea", "tea"), ("Green tea!", "green-tea"), ("  --Ü2 · 3×", "ü2-3"), ("漢字 Kana", "漢字-kana"),
    ("…", "run"), ("", "run"), ("A very long title that has no end", "a-very-long-title-that-h"),
    ("123456789012345678901234 x", "123456789012345678901234"),
    ("x" + String(repeating: " y", count: 30), "x-y-y-y-y-y-y-y-y-y-y-y"),
    ("नमस्ते", "नमस्ते"),
  ])
  func `a name is made from the title`(title: String, name: String) {
    #expect(RunName.name(for: title) == name)
    #expect(RunName.isValid(name))
  }

  @Test func `a chosen name has to be free and in the form of names`() throws {
    try timer("Tea")
    let start = { (name: String) in RunStart(source: .timer, name: name) }
    #expect(throws: RunError.nameTaken("tea")) { try self.start(sequence("Other"), start("tea")) }
    for name in ["", "Tea", "a b", "-a", "a-", "a--b"] {
      #expect(throws: RunError.invalidName(name)) { try self.start(sequence("Other"), start(name)) }
    }
    #expect(try self.start(sequence("Other"), start("green-tea")).name == "green-tea")
  }

  @Test func `a hundred runs are possible, and one more is refused`() throws {
    for _ in 1...SequenceLimits.mostRuns { try timer("Tea") }
    #expect(throws: RunError.tooManyRuns) { try timer("Tea") }
    #expect(try store.settle().runs.count == 100)
    // One that takes the place of another is possible.
    try timer("Tea", replacing: true)
    #expect(try Set(names()).count == 100)
  }

  @Test func `a command acts on the run that it names, and on no other`() throws {
    let (tea, eggs) = (try timer("Tea"), try timer("Eggs"))
    _ = try store.perform(.pause, on: eggs.runID)
    let status = try store.settle()
    #expect(status.run?.runID == tea.runID && status.run?.isPaused == false)
    #expect(status.status(of: eggs.runID).run?.isPaused == true)
    #expect(throws: RunError.runPassed) { try store.perform(.stop, on: UUID()) }
  }

  @Test func `a command without a run is refused for two seconds after the current run has ended`() throws {
    try timer("Tea")
    try start(sequence("Pomodoro", seconds: 10))
    clock.advance(by: .seconds(10))
    clock.advance(by: .milliseconds(1999))
    #expect(throws: RunError.justEnded(title: "Pomodoro")) { try store.perform(.toggle) }
    #expect(try store.settle().run?.isPaused == false)
    clock.advance(by: .milliseconds(1))
    _ = try store.perform(.toggle)
    #expect(try store.settle().run?.isPaused == true)
  }

  @Test func `a second stop within two seconds stops no other run`() throws {
    try timer("Tea")
    try start(sequence("Pomodoro"))
    _ = try store.perform(.stop)
    #expect(throws: RunError.justEnded(title: "Pomodoro")) { try store.perform(.stop) }
    #expect(try names() == ["tea"])
  }

  @Test func `a run that is not the current one may end, and a new start ends the moment`() throws {
    let tea = try timer("Tea")
    try start(sequence("Pomodoro"))
    _ = try store.perform(.stop, on: tea.runID)
    _ = try store.perform(.pause)
    _ = try store.perform(.stop)
    try timer("Eggs")
    try timer("Rice")
    _ = try store.perform(.pause)
    #expect(try store.settle().run?.name == "eggs")
  }

  @Test func `a suspend pauses the runs whose policy asks for it, at one moment`() throws {
    try start(sequence("A", onSuspend: .pause))
    try start(sequence("B", onSuspend: .continue), RunStart(beside: true))
    try start(sequence("C", onSuspend: .ask), RunStart(beside: true))
    let moment = clock.now()
    clock.advance(by: .milliseconds(20))
    #expect(try store.suspend(for: .sleep, at: moment))
    let runs = try store.settle().runsByStart
    #expect(runs.map(\.isPaused) == [true, false, true])
    #expect(runs.compactMap(\.suspend?.since) == [moment, moment])
    clock.advance(by: .seconds(30))
    #expect(try store.endSuspend())
    #expect(Set(try store.settle().runs.compactMap(\.suspend?.until)) == [clock.now()])
  }

  @Test func `a power cut ends the active time of all runs at the last sign of life of the boot`() throws {
    try start(sequence("A", onSuspend: .pause))
    clock.advance(by: .seconds(5))
    // The start of another run proves that the machine was on.
    try start(sequence("B", onSuspend: .pause), RunStart(beside: true))
    clock.reboot(after: .seconds(20))
    let runs = try store.settle().runsByStart
    #expect(runs.map { $0.elapsed(at: clock.now()) } == [.seconds(5), .zero])
  }

  @Test func `the events of several runs are read in their order, with one position`() throws {
    let begin = try store.eventPosition(at: clock.now())
    let tea = try timer("Tea", seconds: 3)
    clock.advance(by: .seconds(1))
    let eggs = try timer("Eggs", seconds: 1)
    clock.advance(by: .seconds(1))
    let middle = try store.events(after: begin, until: store.settle().reading)
    clock.advance(by: .seconds(5))
    let rest = try store.events(after: middle.end, until: store.settle().reading)
    let whole = try store.events(after: begin, until: clock.now())
    func names(_ batches: EventBatch...) -> [String] {
      batches.flatMap(\.runs).flatMap { of in of.events.map { "\(of.run.name) \($0.kind.name.rawValue)" } }
    }
    #expect(names(middle, rest) == names(whole))
    #expect(
      names(whole).filter { !$0.hasSuffix("half") } == [
        "tea run-start", "tea step-start", "eggs run-start", "eggs step-start", "eggs step-end",
        "eggs run-end",
        "tea step-end", "tea run-end",
      ])
    #expect(whole.end.entry == rest.end.entry)
    #expect(try store.events(after: rest.end, until: clock.now()).runs.isEmpty)
    #expect(try Set(store.history().map(\.runID)) == [tea.runID, eggs.runID])
  }

  @Test func `a damaged run is lost alone`() throws {
    try timer("Tea")
    try timer("Eggs")
    try timer("Rice")
    try Database(path: store.directory.databasePath).run(
      "UPDATE active_run SET sequence = replace(sequence, 'Eggs', 'Eggz') WHERE sequence LIKE '%Eggs%'")
    try Database(path: store.directory.databasePath).run("UPDATE store SET revision = revision + 1")
    #expect(try names() == ["tea", "rice"])
    _ = try store.perform(.pause)
    #expect(try store.settle().run?.isPaused == true)
  }

  @Test(arguments: ["active_run", "history"])
  func `a run whose row has the texts of another one is lost, and not without a word`(table: String) throws {
    let (tea, eggs) = (try timer("Tea").runID, try timer("Eggs").runID)
    if table == "history" { for id in [tea, eggs] { _ = try store.perform(.stop, on: id) } }
    let texts = "sequence, sequence_checksum, snapshot, checksum"
    try store.database.execute(
      """
      UPDATE \(table) SET (\(texts)) = (SELECT \(texts) FROM \(table) WHERE run_id = '\(eggs.uuidString)');
      UPDATE component SET name = 'runt'
      """)
    let next = try RunStore(in: store.directory, clock: clock)
    let lost = try next.history().filter { $0.outcome == .lost }
    #expect(lost.map(\.runID) == [tea])
    #expect(lost.map(\.snapshot.sequence.title) == [table == "history" ? "Tea" : ""])
    #expect(try Set(next.settle().runs.map(\.runID) + next.history().map(\.runID)) == [eggs, tea])
    #expect(next.notices.count == 1)
  }

  @Test func `a run that has ended does not come back with an old row`() throws {
    let (tea, eggs) = (try timer("Tea").runID, try timer("Eggs").runID)
    try store.database.execute("CREATE TABLE old AS SELECT * FROM active_run")
    _ = try store.perform(.stop, on: eggs)
    try store.database.execute(
      "INSERT OR IGNORE INTO active_run SELECT * FROM old; DROP TABLE old; UPDATE component SET name = 'runt'"
    )
    let next = try RunStore(in: store.directory, clock: clock)
    #expect(try next.settle().runs.map(\.runID) == [tea])
    #expect(try next.history().map(\.runID) == [eggs])
  }

  @Test func `a file and a timer with one id are not active together`() throws {
    let id = DerivedID.sequence(source: .timer, name: "tea")
    func file(_ title: String) throws -> Timeline { try sequence(title).identified(as: id) }
    let tea = try timer("Tea")
    #expect(tea.sequence.id == id)
    #expect(throws: RunError.sequenceActive(title: "Tea")) { try start(file("File")) }
    _ = try store.perform(.stop)
    try start(file("File"))
    // A timer is never in the way, so it gets another name and id.
    let other = try timer("Tea")
    #expect(other.name == "tea-2" && other.sequence.id != id)
    #expect(throws: RunError.sequenceActive(title: "File")) {
      try store.start(CardSpec.timer(.seconds(60), title: "Tea"), RunStart(source: .timer, name: "tea"))
    }
    #expect(try timer("Tea", replacing: true).name == "tea")
    #expect(try names() == ["tea-2", "tea"])
  }
}
