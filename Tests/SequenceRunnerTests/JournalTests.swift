import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

/// The events of runs, read from the journal and the agenda.
struct JournalTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path + "/state"), clock: clock)
  }

  /// A reader that reads the events of a store now and then.
  private struct Reader {
    let store: RunStore
    var position: EventPosition
    var events: [RunEvent] = []

    mutating func read() throws {
      let status = try store.settle()
      let found = try store.events(after: position, until: status.reading) { _ in
        [.seconds(3), .seconds(2), .seconds(1)]
      }
      events += found.runs.flatMap(\.events)
      position = found.end
    }

    func perform(_ command: RunCommand) throws { _ = try store.perform(command) }

    /// Returns the events since the last call, each with its step and elapsed time.
    mutating func told() -> [String] {
      defer { events = [] }
      return events.map { event in
        var name = event.kind.name.rawValue
        if case .stepEnd(.skipped) = event.kind { name += " skipped" }
        if case .remaining(let left) = event.kind { name = "left \(DurationText.format(left))" }
        return "\(name) \(event.step) \(DurationText.format(event.elapsed))"
      }
    }
  }

  /// Starts a run, and returns a reader from its start on.
  private func reader(
    _ elements: SequenceElement..., onSuspend: SuspendPolicy? = nil
  ) throws -> Reader {
    let sequence = SequenceDefinition(
      id: UUID(), title: "Test", elements: elements, onSuspend: onSuspend, onLock: nil)
    let reader = reader()
    _ = try store.start(try Timeline(sequence), RunStart(replacing: true))
    return reader
  }

  private func reader() -> Reader { Reader(store: store, position: .beginning) }

  @Test func `switching the sounds changes the options of the run, and nothing that events follow from`()
    throws
  {
    var reader = try reader(
      .card(Card(id: UUID(), title: "A", timing: .countdown(.seconds(10), advance: .automatic))))
    clock.advance(by: .seconds(4))
    try reader.read()
    _ = reader.told()
    let before = try store.settle().run
    let entry = try store.database.lastJournalEntry(notAfter: .max)
    try reader.perform(.playSounds(true))
    #expect(try store.settle().run?.options.sound == true)
    try reader.perform(.playSounds(false))
    let after = try store.settle().run
    #expect(after?.options == RunOptions(suspendPolicy: nil, sound: false, speech: nil))
    #expect(after?.current == before?.current)
    #expect(try store.database.lastJournalEntry(notAfter: .max) == entry)
    clock.advance(by: .seconds(1))
    try reader.read()
    #expect(reader.told() == ["half 0 5s"])
  }

  @Test func `a run reports each event once, in order`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 2))
    for _ in 0..<130 {
      try reader.read()
      clock.advance(by: .milliseconds(100))
    }
    #expect(
      reader.told() == [
        "run-start 0 0s", "step-start 0 0s", "half 0 5s", "left 3s 0 7s", "left 2s 0 8s", "left 1s 0 9s",
        "step-end 0 10s", "step-start 1 0s", "half 1 1s", "left 1s 1 1s", "step-end 1 2s", "run-end 1 2s",
      ])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the time and the number of readings do not change the events`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let steps = [
      Sequences.card("A", .countdown(.milliseconds(350), advance: .automatic)),
      Sequences.countdown("B", 7), Sequences.countdown("C", 3),
    ]
    let start = clock.now()
    var often = try reader(.group(Group(rounds: 4, elements: steps)))
    var seldom = often
    while clock.now().boot < start.boot + .seconds(50) {
      try often.read()
      if Int.random(in: 0..<30, using: &random) == 0 { try seldom.read() }
      clock.advance(by: .milliseconds(Int64.random(in: 1...200, using: &random)))
    }
    try seldom.read()
    #expect(seldom.events == often.events)
    #expect(often.events.count == 58)
  }

  @Test func `a run that starts paused has its whole first step before it, and no active time`() throws {
    var reader = reader()
    let sequence = SequenceDefinition("Test") {
      Sequences.countdown("A", 10)
      Sequences.countdown("B", 2)
    }
    let run = try #require(try store.start(Timeline(sequence), RunStart(paused: true)).run)
    #expect(run.isPaused && run.suspend == nil && run.target == .seconds(10))
    #expect(try store.database.journalEntries(of: run.runID).map(\.kind) == [.start, .pause(nil)])
    clock.advance(by: .seconds(60))
    try reader.read()
    #expect(reader.told() == ["run-start 0 0s", "step-start 0 0s", "pause 0 0s"])
    #expect(try store.settle().run?.elapsed(at: clock.now()) == .zero)
    #expect(try activity(of: run.runID) == [])

    let resumedAt = clock.now().wall
    try reader.perform(.resume())
    clock.advance(by: .seconds(4))
    try reader.read()
    #expect(reader.told() == ["resume 0 0s"])
    #expect(try activity(of: run.runID).map(\.start) == [resumedAt])
    #expect(
      try store.pauses(of: run.runID)
        == [RunPause(start: run.startedAt, duration: .seconds(60), cause: nil)])
    clock.advance(by: .seconds(8))
    try reader.read()
    let ended = try #require(try store.history().first)
    #expect(ended.records.first?.startedAt == resumedAt)
    #expect(ended.active == .seconds(12))
  }

  @Test func `a deleted run is restored with its journal`() throws {
    let sequence = SequenceDefinition("Test") { Sequences.countdown("A", 10) }
    _ = try store.start(Timeline(sequence), RunStart(paused: true))
    clock.advance(by: .seconds(60))
    try store.perform(.resume())
    clock.advance(by: .seconds(11))
    _ = try store.settle()
    let ended = try #require(try store.history().first)
    let pauses = try store.pauses(of: ended.runID)
    #expect(pauses.count == 1)
    let deleted = try store.transaction { _ throws(StoreError) in
      try store.database.deleteEndedRun(ended.runID)
    }
    #expect(try store.history().isEmpty)
    #expect(try store.pauses(of: ended.runID).isEmpty)
    let found = try #require(deleted)
    try store.transaction { _ throws(StoreError) in try store.database.restore(found) }
    #expect(try store.history() == [ended])
    #expect(try store.pauses(of: ended.runID) == pauses)
  }

  @Test func `a run with a damaged entry of the journal is deleted and restored as it was`() throws {
    _ = try store.start(Timeline(SequenceDefinition("Test") { Sequences.countdown("A", 10) }))
    clock.advance(by: .seconds(11))
    _ = try store.settle()
    let ended = try #require(try store.history().first)
    func texts() throws -> [String] {
      try store.database.rows("SELECT kind || checksum FROM journal ORDER BY number") { $0.text(0) }
    }
    try store.transaction { _ throws(StoreError) in
      _ = try store.database.rows("UPDATE journal SET checksum = 'wrong' RETURNING number") {
        $0.integer(0)
      }
    }
    let damaged = try texts()
    let deleted = try store.transaction { _ throws(StoreError) in
      try store.database.deleteEndedRun(ended.runID)
    }
    #expect(try store.history().isEmpty && texts().isEmpty && !damaged.isEmpty)
    let found = try #require(deleted)
    try store.transaction { _ throws(StoreError) in try store.database.restore(found) }
    #expect(try store.history() == [ended] && texts() == damaged)
  }

  @Test func `a paused start that is never resumed leaves a run without active time`() throws {
    let sequence = SequenceDefinition("Test") { Sequences.countdown("A", 10) }
    _ = try store.start(Timeline(sequence), RunStart(paused: true))
    clock.advance(by: .seconds(60))
    _ = try store.perform(.stop)
    let ended = try #require(try store.history().first)
    #expect(ended.active == .zero && ended.outcome == .stopped)
    #expect(ended.records.map(\.actual) == [.zero])
    #expect(try store.activity(of: ended) == [])
  }

  @Test func `an event of a time is reported at that elapsed time, not a nanosecond before`() throws {
    var reader = try reader(Sequences.countdown("A", 10))
    try reader.read()
    _ = reader.told()
    clock.advance(by: .seconds(5) - .nanoseconds(1))
    try reader.read()
    #expect(reader.told() == [])
    clock.advance(by: .nanoseconds(1))
    try reader.read()
    #expect(reader.events.map { $0.lateness(at: clock.now()) } == [.zero])
    #expect(reader.told() == ["half 0 5s"])
  }

  @Test func `a pause is reported, and later events follow the active time`() throws {
    var reader = try reader(Sequences.countdown("A", 10))
    try reader.read()
    clock.advance(by: .seconds(4))
    try reader.perform(.pause)
    try reader.read()
    clock.advance(by: .seconds(3600))
    try reader.read()
    try reader.perform(.resume())
    try reader.read()
    clock.advance(by: .seconds(1))
    try reader.read()
    #expect(
      reader.told() == ["run-start 0 0s", "step-start 0 0s", "pause 0 4s", "resume 0 4s", "half 0 5s"])
  }

  @Test func `a pause at the very end comes after the events reached at that time`() throws {
    var reader = try reader(Sequences.countdown("A", 10, manual: true))
    try reader.read()
    _ = reader.told()
    clock.advance(by: .seconds(10))
    try reader.perform(.pause)
    try reader.read()
    #expect(
      reader.told() == [
        "half 0 5s", "left 3s 0 7s", "left 2s 0 8s", "left 1s 0 9s", "overtime 0 10s", "pause 0 10s",
      ])
    try reader.perform(.resume())
    clock.advance(by: .seconds(10))
    try reader.read()
    #expect(reader.told() == ["resume 0 10s"])
  }

  @Test func `a step shortened to its elapsed time is over, whatever was reported`() throws {
    var reader = try reader(Sequences.countdown("A", 10, manual: true), Sequences.countdown("B", 10))
    clock.advance(by: .seconds(4))
    try reader.read()
    _ = reader.told()
    try reader.perform(.extend(.seconds(-6)))
    try reader.read()
    #expect(reader.told() == ["extend 0 4s", "overtime 0 4s"])
    try reader.perform(.restart)
    try reader.perform(.extend(.seconds(-10)))
    try reader.read()
    #expect(
      reader.told() == ["step-start 0 0s", "extend 0 0s", "overtime 0 0s"],
      "nothing is left of nothing, nor half of it")
  }

  @Test(arguments: [false, true])
  func `a repair changes neither the active time nor the events of a run`(isAfterReboot: Bool) throws {
    var reader = try reader(
      Sequences.countdown("A", 10), Sequences.countdown("B", 20), onSuspend: isAfterReboot ? .pause : nil)
    let run = try #require(try store.settle().run).runID
    clock.advance(by: .seconds(4))
    _ = try store.perform(.extend(.seconds(2)))
    try reader.read()
    try store.database.execute("DELETE FROM component")
    if isAfterReboot { clock.reboot(after: .seconds(7200)) } else { clock.advance(by: .seconds(1)) }
    #expect(try RunStore(in: store.directory, clock: clock).notices.count == 1)
    if isAfterReboot {
      _ = try store.settle()
      #expect(try store.peek().run?.isPaused == true)
      reader.events = []
      try reader.read()
      #expect(reader.told() == ["pause 0 4s", "return 0 4s"])
      _ = try store.perform(.resume())
    }
    clock.advance(by: .seconds(100))
    try reader.read()
    let ends = reader.events.filter { $0.kind.name == .stepEnd || $0.kind.name == .runEnd }
    #expect(ends.map(\.step) == [0, 1, 1])
    let active = try activity(of: run).reduce(Duration.zero) { $0 + $1.active }
    #expect(active == .seconds(32))
  }

  @Test func `a reading that is older than the last entry reads its events once`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 20))
    clock.advance(by: .seconds(4))
    try reader.perform(.pause)
    try reader.perform(.extend(.seconds(-6)))
    try reader.read()
    _ = reader.told()
    let old = clock.now()
    clock.advance(by: .milliseconds(1))
    try reader.perform(.resume())
    let found = try store.events(after: reader.position, until: old)
    reader.events += found.runs.flatMap(\.events)
    reader.position = found.end
    try reader.read()
    #expect(reader.told() == ["resume 0 4s", "step-end 0 4s", "step-start 1 0s"])
  }

  @Test func `readers continue after a damaged store was replaced`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 10))
    try reader.perform(.restart)
    clock.advance(by: .seconds(6))
    try reader.read()
    _ = reader.told()
    let position = reader.position
    try store.database.store(dispatchPosition: position)
    try store.database.execute("DELETE FROM component")
    let next = try RunStore(in: store.directory, clock: clock)
    #expect(next.notices.count == 1)
    clock.advance(by: .seconds(1))
    try reader.read()
    #expect(reader.told() == ["left 3s 0 7s"])
    #expect(try next.database.dispatchPosition() == position)
    clock.advance(by: .seconds(5))
    try reader.read()
    #expect(reader.told() == ["left 2s 0 8s", "left 1s 0 9s", "step-end 0 10s", "step-start 1 0s"])
    try reader.perform(.pause)
    try reader.read()
    #expect(reader.told() == ["pause 1 2s"])
  }

  @Test(arguments: [
    "step = 57", "step = 2", "step = 3", "step = 4611686018427387904", "kind = 'stop'",
    "kind = 'extend', current = NULL", "current = NULL", "kind = 'pause', step = 2, current = NULL",
    "number = -1",
  ])
  func `an entry that its run cannot have is damage`(change: String) throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 10))
    try store.database.run("UPDATE journal SET \(change)")
    let check = #expect(throws: StoreError.self) {
      try RunTables(observers: [], isAlone: false).check(store.database)
    }
    guard case .damaged? = check else { throw TestSupportError("\(change) is not damage") }
    try reader.read()
    // The run goes on in the store that replaces it.
    clock.advance(by: .seconds(10))
    try reader.read()
    try reader.perform(.pause)
    #expect(try store.settle().run?.log.count == 1)
    #expect(store.notices.count == 1)
  }

  @Test(arguments: ["step = 3", "step = 0", "kind = 'start'", "step = 1, kind = 'pause'"])
  func `the last entry of a run that has ended is checked too`(change: String) throws {
    let reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 10))
    try reader.perform(.stop)
    try RunTables(observers: [], isAlone: false).check(store.database)
    try store.database.run("UPDATE journal SET \(change) WHERE current IS NULL")
    #expect(throws: StoreError.self) { try RunTables(observers: [], isAlone: false).check(store.database) }
  }

  @Test func `a step extended in overtime reaches its end again`() throws {
    var reader = try reader(Sequences.countdown("A", 10, manual: true))
    clock.advance(by: .seconds(12))
    try reader.read()
    _ = reader.told()
    try reader.perform(.extend(.seconds(5)))
    try reader.read()
    #expect(reader.told() == ["extend 0 12s"])
    clock.advance(by: .seconds(5))
    try reader.read()
    #expect(reader.told() == ["left 3s 0 14s", "left 2s 0 15s", "left 1s 0 16s", "overtime 0 17s"])
  }

  @Test func `steps that the user passes are reported, and restarted steps are reported again`() throws {
    var reader = try reader(
      Sequences.countdown("A", 60), Sequences.card("B", .countUp(goal: Goal(duration: .seconds(30)))))
    try reader.read()
    clock.advance(by: .seconds(1))
    try reader.perform(.skip)
    try reader.read()
    clock.advance(by: .seconds(30))
    try reader.read()
    clock.advance(by: .seconds(1))
    try reader.perform(.back)
    try reader.read()
    try reader.perform(.stop)
    try reader.read()
    #expect(
      reader.told() == [
        "run-start 0 0s", "step-start 0 0s", "step-end skipped 0 1s", "step-start 1 0s", "goal 1 30s",
        "step-start 0 0s", "step-end skipped 0 0s", "stop 0 0s",
      ])
    try reader.read()
    #expect(reader.told() == [], "an end is told once")
  }

  @Test func `steps entered during a pause are reported, and begin with the resume`() throws {
    var reader = try reader(Sequences.countdown("A", 60), Sequences.countdown("B", 60))
    try reader.read()
    try reader.perform(.pause)
    try reader.perform(.next)
    try reader.read()
    clock.advance(by: .seconds(100))
    try reader.perform(.resume())
    try reader.read()
    #expect(
      reader.told() == [
        "run-start 0 0s", "step-start 0 0s", "pause 0 0s", "step-end 0 0s", "step-start 1 0s", "resume 1 0s",
      ])
  }

  @Test func `a resume is reported in the step that it continued, however late the poll`() throws {
    var reader = try reader(
      Sequences.countdown("A", 60), Sequences.countdown("B", 60), Sequences.countdown("C", 60))
    clock.advance(by: .seconds(4))
    try reader.perform(.pause)
    try reader.read()
    _ = reader.told()
    clock.advance(by: .seconds(100))
    let resumedAt = clock.now().wall
    try reader.perform(.resume())
    clock.advance(by: .seconds(2))
    try reader.perform(.next)
    try reader.perform(.pause)
    try reader.read()
    #expect(reader.events.first?.at.wall == resumedAt)
    #expect(reader.told() == ["resume 0 4s", "step-end 0 6s", "step-start 1 0s", "pause 1 0s"])

    try reader.perform(.next)
    try reader.perform(.resume())
    clock.advance(by: .seconds(1))
    try reader.perform(.stop)
    try reader.read()
    #expect(
      reader.told() == [
        "step-end 1 0s", "step-start 2 0s", "resume 2 0s", "step-end skipped 2 1s", "stop 2 1s",
      ])
  }

  @Test func `events during a suspend are reported with their lateness by the boot clock`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 60))
    try reader.read()
    _ = reader.told()
    // The machine slept and the clock was set in the meantime; neither changes the lateness.
    clock.advance(by: .seconds(15))
    clock.setWall(by: .seconds(3600))
    try reader.read()
    #expect(reader.events.map { $0.lateness(at: clock.now()).components.seconds } == [10, 8, 7, 6, 5, 5])
    #expect(
      reader.told() == [
        "half 0 5s", "left 3s 0 7s", "left 2s 0 8s", "left 1s 0 9s", "step-end 0 10s", "step-start 1 0s",
      ])
  }

  @Test func `user actions after the clock was set are not late`() throws {
    var reader = try reader(Sequences.countdown("A", 60), Sequences.countdown("B", 60))
    try reader.read()
    _ = reader.told()
    clock.setWall(by: .seconds(-3600))
    try reader.perform(.next)
    try reader.read()
    try reader.perform(.stop)
    try reader.read()
    #expect(reader.events.allSatisfy { $0.lateness(at: clock.now()) == .zero })
    #expect(reader.told() == ["step-end 0 0s", "step-start 1 0s", "step-end skipped 1 0s", "stop 1 0s"])
  }

  @Test func `after a reboot the run continues, and missed events are late`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 100))
    try reader.read()
    _ = reader.told()
    clock.reboot(after: .seconds(40))
    try reader.read()
    #expect(
      reader.events.map { $0.lateness(at: clock.now()).components.seconds } == [35, 33, 32, 31, 30, 30])
    _ = reader.told()
    clock.advance(by: .seconds(20))
    try reader.read()
    #expect(reader.events.map { $0.lateness(at: clock.now()) } == [.zero])
    #expect(reader.told() == ["half 1 50s"])
  }

  // MARK: - Changes that differences do not show

  @Test func `a pause and a resume between two readings are two events, at their times`() throws {
    var reader = try reader(Sequences.countdown("A", 60))
    clock.advance(by: .seconds(4))
    let pausedAt = clock.now()
    try reader.perform(.pause)
    clock.advance(by: .seconds(1))
    try reader.perform(.resume())
    clock.advance(by: .seconds(7))
    try reader.read()
    #expect(reader.events.first { $0.kind == .paused(nil) }?.at == pausedAt)
    #expect(reader.told() == ["run-start 0 0s", "step-start 0 0s", "pause 0 4s", "resume 0 4s"])
  }

  @Test func `later commands do not change what was derived`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 10))
    clock.advance(by: .seconds(12))
    var late = reader
    try reader.read()
    let before = reader.events
    try reader.perform(.back)
    try reader.perform(.extend(.seconds(30)))
    try late.read()
    #expect(Array(late.events.prefix(before.count)) == before)
    #expect(late.events.dropFirst(before.count).map(\.kind) == [.stepStart, .extended(to: .seconds(40))])
  }

  @Test func `a run that ends between two readings is followed by the next`() throws {
    var reader = try reader(Sequences.countdown("A", 2))
    clock.advance(by: .seconds(5))
    _ = try self.reader(Sequences.countdown("B", 60))
    clock.advance(by: .seconds(1))
    _ = try self.reader(Sequences.countdown("C", 60))
    try reader.read()
    #expect(
      reader.events.map(\.kind.name) == [
        .runStart, .stepStart, .half, .remaining, .stepEnd, .runEnd, .runStart, .stepStart, .stepEnd, .stop,
        .runStart, .stepStart,
      ])
    try reader.read()
    #expect(reader.events.count == 12)
  }

  // MARK: - Suspend

  @Test func `a suspend is a pause at its beginning, and a return`() throws {
    var reader = try reader(Sequences.countdown("A", 60), onSuspend: .ask)
    clock.advance(by: .seconds(4))
    let leftAt = clock.now()
    clock.advance(by: .seconds(1))
    try store.suspend(for: .sleep, at: leftAt)
    clock.advance(by: .seconds(100))
    try store.endSuspend()
    try reader.read()
    #expect(reader.events.map(\.at.boot).suffix(2) == [leftAt.boot, clock.now().boot])
    #expect(reader.events.map(\.kind).suffix(2) == [.paused(.sleep), .returned])
    _ = reader.told()
    try reader.perform(.resume(countingSuspend: true))
    try reader.read()
    #expect(
      reader.events.map(\.kind.name) == [
        .resume, .half, .remaining, .remaining, .remaining, .stepEnd, .runEnd,
      ])
    #expect(reader.events.last?.at.boot == leftAt.boot + .seconds(56))
  }

  @Test func `a power loss is a pause at the last sign of life, and a return in the next boot`() throws {
    var reader = try reader(
      Sequences.countdown("A", 10), Sequences.countdown("B", 60), onSuspend: .pause)
    clock.advance(by: .seconds(15))
    try reader.read()
    let sign = clock.now()
    try store.database.transaction { () throws(StoreError) in
      try store.database.store(dispatchPosition: reader.position)
    }
    _ = reader.told()
    clock.advance(by: .seconds(5))
    clock.reboot(after: .seconds(100))
    try reader.read()
    #expect(reader.events.map(\.kind) == [.paused(.powerLoss), .returned])
    #expect(reader.events.first?.at == sign)
    #expect(reader.events.last?.at == clock.now())
    #expect(reader.told() == ["pause 1 5s", "return 1 5s"])
  }

  @Test func `a suspend across a boot that counts is compared by the wall clock once`() throws {
    var reader = try reader(
      Sequences.countdown("A", 10), Sequences.countdown("B", 1000), onSuspend: .ask)
    clock.advance(by: .seconds(4))
    try store.suspend(for: .shutdown, at: clock.now())
    clock.reboot(after: .seconds(100))
    try store.endSuspend()
    clock.advance(by: .seconds(1))
    try reader.perform(.resume(countingSuspend: true))
    try reader.read()
    let kinds = reader.events.map(\.kind.name)
    clock.setWall(by: .seconds(-1000))
    var late = self.reader()
    try late.read()
    #expect(late.events == reader.events)
    #expect(
      kinds.drop { $0 != .resume } == [
        .resume, .half, .remaining, .remaining, .remaining, .stepEnd, .stepStart,
      ])
    #expect(try store.settle().position?.elapsed == .seconds(95))
  }

  @Test func `a wall clock that is set back over a reboot repeats no event`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 60))
    clock.advance(by: .seconds(15))
    try reader.read()
    try store.database.transaction { () throws(StoreError) in
      try store.database.store(dispatchPosition: reader.position)
    }
    _ = reader.told()
    clock.reboot(after: .seconds(-3600))
    try reader.read()
    #expect(reader.told() == [])
    #expect(try store.settle().position?.elapsed == .seconds(5))
    clock.advance(by: .seconds(25))
    try reader.read()
    #expect(reader.told() == ["half 1 30s"])
  }

  // MARK: - Activity

  private func activity(of run: UUID) throws -> [ActiveInterval] {
    ActiveInterval.intervals(of: try store.database.journalEntries(of: run))
  }

  @Test func `each interval in which the clock runs is counted, and all of them are the active time`() throws
  {
    let reader = try reader(
      Sequences.countdown("A", 10), Sequences.countdown("B", 60), onSuspend: .ask)
    clock.advance(by: .seconds(4))
    try reader.perform(.restart)
    clock.advance(by: .seconds(12))
    try reader.perform(.pause)
    clock.advance(by: .seconds(1000))
    try reader.perform(.resume())
    clock.advance(by: .seconds(7))
    try reader.perform(.back)
    clock.advance(by: .seconds(1))
    try store.suspend(for: .sleep, at: clock.now())
    clock.advance(by: .seconds(5))
    try store.endSuspend()
    try reader.perform(.resume(countingSuspend: true))
    let run = try #require(try store.settle().run).runID
    #expect(try activity(of: run).map(\.active) == [16, 8, 0].map { .seconds($0) })
    clock.advance(by: .seconds(100))
    _ = try store.settle()
    #expect(try activity(of: run).map(\.active) == [16, 8, 69].map { .seconds($0) })
    let ended = try #require(try store.history().first)
    #expect(ended.active == .seconds(93))
  }
}
