import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

/// Readings of events in pieces give the same events as one reading, whatever happens to runs, clocks and the store.
@Suite(.timeLimit(.minutes(1)))
struct PositionTests {
  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `readings in pieces give each event of each run once, like one reading`(seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    var life = try Life(seed: seed, in: StateDirectory(path: directory.path + "/state"))
    for _ in 0..<40 { try life.happen() }
    try life.end()
    let whole = try life.read(after: .beginning).events
    for (number, reader) in life.readers.enumerated() {
      for (run, events) in whole where reader.events[run] != events {
        let (found, expected) = (reader.events[run] ?? [], events)
        let place = zip(found, expected).prefix { $0 == $1 }.count
        Issue.record(
          """
          seed \(seed), event \(place) of run \(run) of reader \(number):
          expected \(expected.dropFirst(place).first.map(Life.words) ?? "none")
          found    \(found.dropFirst(place).first.map(Life.words) ?? "none")
          \(life.script)
          """)
      }
    }
  }

  @Test func `an event that is read twice is found`() throws {
    let directory = try TemporaryDirectory()
    var life = try Life(seed: 1, in: StateDirectory(path: directory.path + "/state"))
    try life.end()
    let whole = try life.read(after: .beginning).events
    #expect(whole[0]?.first?.kind == .runStart)
    try life.readAgain()
    #expect(life.readers[0].events != whole)
  }
}

/// Random runs in a store, with readers of their events.
private struct Life {
  private var random: SplitMix64
  private let clock = ManualClock()
  private let directory: StateDirectory
  private var store: RunStore
  private var boots = 0
  /// The runs in the order of their starts, and those that were deleted.
  private var runs: [UUID] = []
  private var deleted: Set<Int> = []
  private(set) var readers = [Reader](repeating: Reader(), count: 3)
  /// What has happened, a line each.
  private(set) var script = ""

  struct Reader {
    var position = EventPosition.beginning
    /// The events of each run, in the order in which they were read.
    var events: [Int: [RunEvent]] = [:]
  }

  init(seed: UInt64, in directory: StateDirectory) throws {
    (random, self.directory) = (SplitMix64(seed: seed), directory)
    store = try RunStore(in: directory, clock: clock)
    try start()
  }

  static func words(_ event: RunEvent) -> String {
    "\(event.kind) of step \(event.step) after \(event.elapsed) at \(event.at.boot) in \(event.at.bootID)"
  }

  private mutating func log(_ words: String) { script += "\(clock.now().boot) in boot \(boots): \(words)\n" }

  mutating func happen() throws {
    switch random.number(in: 1...100) {
    case ...25: advance(by: .milliseconds(random.number(in: 1...9000)))
    case ...28: advance(by: .seconds(random.number(in: 100...400)))
    case ...45: try settleAndRead(random.number(in: 0...1))
    case ...55: try start()
    case ...75: try command()
    case ...83: try suspend()
    case ...89: try reboot()
    case ...94:
      log("set the wall clock")
      clock.setWall(by: .seconds(random.number(in: -500...500)))
    case ...97: try salvage()
    default: try deleteRun()
    }
  }

  /// Lets all readers read for the last time.
  mutating func end() throws {
    advance(by: .seconds(7))
    for number in readers.indices { try settleAndRead(number) }
  }

  /// Lets a reader read what it has read before.
  mutating func readAgain() throws {
    readers[0].position = .beginning
    try settleAndRead(0)
  }

  // MARK: - Runs

  private mutating func advance(by duration: Duration) {
    log("\(duration) pass")
    clock.advance(by: duration)
  }

  private mutating func start() throws {
    guard try store.settle().runs.count < 4 else { return }
    let policy = random.one(of: [SuspendPolicy.continue, .pause, .ask])
    let sequence = SequenceDefinition(
      id: UUID(), title: "Run", elements: elements(), onSuspend: policy, onLock: nil)
    let start = RunStart(source: random.one(of: [.file, .timer, .cards]), beside: true)
    log("start a \(start.source) with \(policy)")
    guard let run = try store.start(try Timeline(sequence), start).run else {
      throw TestSupportError("the new run is not active")
    }
    runs.append(run.runID)
  }

  private mutating func elements() -> [SequenceElement] {
    let cards = (0...random.number(in: 0...2)).map { number in
      let isManual = random.happens(15)
      return Sequences.card(
        "Card \(number)",
        random.happens(10)
          ? .countUp(goal: Goal(duration: .seconds(5)))
          : .countdown(
            .milliseconds(random.one(of: [500, 2000, 2000, 3000, 20_000])),
            advance: isManual ? .manual : .automatic))
    }
    let rounds: Rounds = random.happens(40) ? .forever : .times(random.number(in: 1...4))
    return [
      Sequences.countdown("First", 2),
      .group(Group(rounds: rounds, elements: cards + [Sequences.countdown("Last", 1)])),
    ]
  }

  private mutating func command() throws {
    let commands: [RunCommand] = [
      .pause, .resume(), .resume(countingSuspend: true), .toggle, .next, .skip, .back, .restart,
      .extend(.seconds(2)), .extend(.seconds(-1)), .stop,
    ]
    try perform(random.one(of: commands), on: random.one(of: runs))
  }

  private mutating func perform(_ command: RunCommand, on run: UUID) throws {
    log("\(command) on run \(runs.firstIndex(of: run) ?? -1)")
    do {
      _ = try store.perform(command, on: run)
    } catch let error as RunError {
      log("refused: \(error)")
    }
  }

  // MARK: - The machine

  private mutating func suspend() throws {
    log("suspend")
    try store.suspend(for: .sleep, at: clock.now())
    if random.happens(30) { try settleAndRead(0) }
    advance(by: .milliseconds(random.number(in: 0...20_000)))
    if random.happens(20) { try boot() }
    try store.endSuspend()
    if random.happens(30) { try settleAndRead(1) }
    advance(by: .milliseconds(random.number(in: 0...2000)))
    for run in runs where random.happens(50) { try perform(.resume(countingSuspend: true), on: run) }
  }

  private mutating func boot() throws {
    boots += 1
    let now = clock.now()
    log("reboot")
    clock.set(
      to: ClockReading(
        wall: now.wall.advanced(by: .seconds(random.number(in: -20...60))), boot: .seconds(5),
        bootID: "boot \(boots)"))
    // A reader that writes nothing.
    if random.happens(50) { try read(0) }
  }

  private mutating func reboot() throws {
    // The sign of life that makes what was read last.
    try settleAndRead(random.number(in: 0...1))
    try boot()
    if random.happens(50) { advance(by: .milliseconds(random.number(in: 1...3000))) }
    _ = try store.settle()
  }

  private mutating func salvage() throws {
    log("salvage")
    try settleAndRead(0)
    try store.database.execute("DELETE FROM component")
    store = try RunStore(in: directory, clock: clock)
    guard store.notices.count == 1 else { throw TestSupportError("the damaged store was not replaced") }
  }

  private mutating func deleteRun() throws {
    guard let ended = try store.history().randomElement(using: &random),
      let number = runs.firstIndex(of: ended.snapshot.runID)
    else { return }
    log("delete run \(number)")
    _ = try store.transaction { _ throws(StoreError) in
      try store.database.deleteEndedRun(ended.snapshot.runID)
    }
    deleted.insert(number)
  }

  // MARK: - Reading

  /// Returns the events after a position, of runs that are not deleted, and the position after them.
  func read(after position: EventPosition) throws -> (events: [Int: [RunEvent]], end: EventPosition) {
    let marks: Set<Duration> = [.seconds(1), .seconds(2), .seconds(3)]
    let batch = try store.events(after: position, until: clock.now()) { _ in marks }
    var events: [Int: [RunEvent]] = [:]
    for run in batch.runs {
      guard let number = runs.firstIndex(of: run.run.runID) else {
        throw TestSupportError("events of an unknown run")
      }
      events[number, default: []] += run.allEvents
    }
    return (events, batch.end)
  }

  private mutating func read(_ number: Int) throws {
    log("reader \(number) reads")
    let (events, end) = try read(after: readers[number].position)
    readers[number].position = end
    for (run, events) in events { readers[number].events[run, default: []] += events }
  }

  /// Lets a reader settle the runs, read, and store how far it has read, so that no power loss undoes that.
  private mutating func settleAndRead(_ number: Int) throws {
    _ = try store.settle()
    try read(number)
    let position = readers[number].position
    try store.transaction { _ throws(StoreError) in try store.database.store(dispatchPosition: position) }
  }
}
