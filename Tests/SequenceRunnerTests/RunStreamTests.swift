import Foundation
import Glibc
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceRunner
@testable import SequenceStore

/// The streams of a store, and the watch of event loops.
@Suite(.timeLimit(.minutes(2)))
struct RunStreamTests {
  private let temporary: TemporaryDirectory
  private var directory: StateDirectory { StateDirectory(path: temporary.path + "/state") }

  init() throws { temporary = try TemporaryDirectory() }

  /// A clock ahead of the machine's, so that no time of a run comes while a test waits.
  private func standingClock() throws -> ManualClock {
    ManualClock(boot: try SystemClock().now().boot + .seconds(100 * 86_400))
  }

  private func title(_ status: RunStatus) -> String { status.run?.card.title ?? "none" }

  @Test func `statuses begin at once, and follow the commands of other processes`() async throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    let other = try RunStore(in: directory, clock: clock)
    var titles: [String] = []
    for try await status in store.statuses() {
      titles.append(title(status) + (status.run?.isPaused == true ? " paused" : ""))
      if titles.count > 1, status.run == nil { break }
      switch titles.count {
      case 1: _ = try other.start(try Sequences.workout())
      case 2: _ = try other.perform(.pause)
      case 3: _ = try other.perform(.resume())
      case 4: _ = try other.perform(.next)
      default: _ = try other.perform(.stop)
      }
    }
    #expect(titles == ["none", "Warm up", "Warm up paused", "Warm up", "Work", "none"])
    #expect(try store.history().map(\.outcome) == [.stopped])
  }

  @Test func `statuses follow time, also into overtime and to the end`() async throws {
    let store = try RunStore(in: directory)
    let timeline = try Timeline(
      SequenceDefinition("Short") {
        Card("A", .countdown(.milliseconds(20)))
        Card("B", .countdown(.milliseconds(20), advance: .manual))
        Card("C", .countUp(goal: Goal(duration: .milliseconds(20))))
      })
    _ = try store.start(timeline)
    var seen: [String] = []
    for try await status in store.statuses() {
      let run = title(status)
      guard let position = status.position else { break }
      let isOver = position.state == .overtime || position.elapsed >= position.target ?? .seconds(1)
      if seen.last != "\(run) \(isOver)" { seen.append("\(run) \(isOver)") }
      if isOver { _ = try store.perform(.next) }
    }
    #expect(seen.last == "C true")
    #expect(seen.contains("B true"))
  }

  @Test func `a write that does not change the run is no status`() async throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    _ = try store.start(try Sequences.workout())
    var count = 0
    for try await status in store.statuses() {
      count += 1
      if count == 1 {
        // The history changes, and not the run.
        let reader = try RunStore(in: directory, clock: clock)
        try reader.database.transaction { () throws(StoreError) in
          try reader.database.run("CREATE TABLE test (number)")
          try reader.database.run("DROP TABLE test")
        }
        _ = try store.perform(.next)
      } else {
        #expect(title(status) == "Work")
        break
      }
    }
    #expect(count == 2)
  }

  private func text(_ event: RunEvent) -> String {
    "\(event.kind.name.rawValue) \(event.step) \(DurationText.format(event.elapsed))"
  }

  /// Performs a random command that changes the run.
  private func performAny(_ store: RunStore, _ random: inout SplitMix64) throws -> PerformedCommand {
    let commands: [RunCommand] = [.pause, .resume(), .next, .next, .extend(.seconds(4)), .back, .restart]
    while true {
      let command = commands[Int.random(in: 0..<commands.count, using: &random)]
      do { return try store.perform(command, notAfter: nil) } catch is RunError {}
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `events do not depend on how they are read`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    let begin = try store.eventPosition()
    _ = try store.start(try Sequences.workout())
    var continuous = store.events(after: begin, marks: [.seconds(3)]).makeAsyncIterator()
    var (position, inOne, inMany) = (begin, [RunEvent](), [RunEvent]())
    var isOver = false
    while !isOver {
      clock.advance(by: .milliseconds(Int.random(in: 100...9000, using: &random)))
      guard try store.status().run != nil else { break }
      let performed = try performAny(store, &random)
      if case .ended = performed.after { isOver = true }
      func isUpToDate(_ events: [RunEvent]) -> Bool {
        events.last.map { $0.at.boot >= performed.reading.boot } ?? false
      }
      while !isUpToDate(inOne), let news = try await continuous.next() {
        inOne += news.runs.flatMap(\.events)
      }
      // What is stored is all that the next stream knows.
      position = try JSONDecoder().decode(EventPosition.self, from: JSONEncoder().encode(position))
      for try await news in store.events(after: position, marks: [.seconds(3)]) {
        position = news.end
        inMany += news.runs.flatMap(\.events)
        if isUpToDate(inMany) { break }
      }
    }
    _ = try store.start(try Sequences.workout(), replacing: true)
    var atOnce: [RunEvent] = []
    for try await news in store.events(after: begin, marks: [.seconds(3)]) {
      atOnce = news.runs.first?.events ?? []
      break
    }
    #expect(try store.pastEvents(after: begin, marks: [.seconds(3)]).runs.first?.events == atOnce)
    #expect(inOne.map(text) == atOnce.prefix(inOne.count).map(text))
    #expect(inOne.map(text) == inMany.map(text))
    #expect(isOver ? inOne.count == atOnce.count : inOne.count <= atOnce.count)
  }

  @Test func `events come at their times`() async throws {
    let store = try RunStore(in: directory)
    let begin = try store.eventPosition()
    let timeline = try Timeline(
      SequenceDefinition("Short") {
        Card("A", .countdown(.milliseconds(40)))
        Card("B", .countdown(.milliseconds(40)))
      })
    let started = try store.start(timeline)
    var texts: [String] = []
    for try await news in store.events(after: begin, marks: [.milliseconds(10)]) {
      #expect(news.runs.map(\.run.runID) == [started.run?.runID])
      #expect(news.runs.allSatisfy { $0.skipped.isEmpty })
      texts += news.runs.flatMap(\.events).map { "\($0.kind.name.rawValue) \($0.step)" }
      if texts.last?.hasPrefix("run-end") == true { break }
    }
    #expect(
      texts == [
        "run-start 0", "step-start 0", "half 0", "remaining 0", "step-end 0", "step-start 1", "half 1",
        "remaining 1",
        "step-end 1", "run-end 1",
      ])
  }

  @Test func `a named reader gets each event until it has handled it`() async throws {
    struct Interrupted: Error {}
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    _ = try store.start(try Sequences.workout())
    var handled: [RunEvent.Name] = []
    func read(as reader: String, _ store: RunStore, failsAt name: RunEvent.Name) async throws {
      do {
        try await store.handleEvents(as: reader) { batch in
          let events = batch.runs.flatMap(\.events)
          if events.contains(where: { $0.kind.name == name }) { throw Interrupted() }
          handled += events.map(\.kind.name)
          // What happens meanwhile is in the next batch.
          if handled.last == .stepStart { _ = try store.perform(.pause) }
        }
        Issue.record("the handler did not fail")
      } catch is Interrupted {}
    }
    try await read(as: "log", store, failsAt: .pause)
    #expect(handled == [.runStart, .stepStart])
    // The next program gets what the first one didn't handle, and another reader gets everything.
    let next = try RunStore(in: directory, clock: clock)
    _ = try next.perform(.stop)
    try await read(as: "log", next, failsAt: .stop)
    #expect(handled == [.runStart, .stepStart])
    try await read(as: "other", next, failsAt: .runStart)
    #expect(handled == [.runStart, .stepStart])
  }

  @Test func `a reader of one run ends with the run, and has a position in each`() async throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    let run = try #require(try store.start(try Sequences.workout()).run?.runID)
    let tea = try Sequences.timeline(Sequences.countdown("Tea", 1))
    let other = try #require(try store.start(tea, beside: true).run?.runID)
    var handled: [RunEvent.Name] = []
    func follow(_ run: UUID) async throws -> [RunEvent.Name] {
      handled = []
      try await store.handleEvents(as: "diary", of: run) { batch in
        #expect(batch.runs.map(\.run.runID) == [run])
        handled += batch.runs.flatMap(\.events).map(\.kind.name)
        if handled.last == .stepStart { try store.perform(.pause, on: run) }
        if handled.last == .pause { try store.perform(.stop, on: run) }
      }
      return handled
    }
    #expect(try await follow(run) == [.runStart, .stepStart, .pause, .stepEnd, .stop])
    // The end was handled.
    #expect(try await follow(run) == [])
    // The other run is followed from its start, which was before the end of the first.
    #expect(try await follow(other) == [.runStart, .stepStart, .pause, .stepEnd, .stop])
    #expect(try await follow(UUID()) == [])
  }

  @Test func `a position of a deleted store counts as the beginning`() async throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    for _ in 1...5 { _ = try store.start(try Sequences.workout(), replacing: true) }
    let position = try store.eventPosition()
    try FileManager.default.removeItem(atPath: directory.path)
    let next = try RunStore(in: directory, clock: clock)
    _ = try next.start(try Sequences.workout())
    for try await news in next.events(after: position) {
      #expect(news.runs.flatMap(\.events).map(\.kind) == [.runStart, .stepStart])
      break
    }
  }

  @Test func `a stream continues with the store that takes the place of a removed one`() async throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    _ = try store.start(try Sequences.workout())
    var titles: [String] = []
    for try await status in store.statuses() {
      titles.append(title(status))
      if titles.count == 1 {
        try FileManager.default.removeItem(atPath: directory.path)
        let next = try RunStore(in: directory, clock: clock)
        _ = try next.start(try Timeline(SequenceDefinition("Other") { Card("Other", .countUp()) }))
      } else if titles.last == "Other" {
        break
      }
    }
    #expect(titles.first == "Warm up")
  }

  @Test func `hostile positions are read without a trap`() async throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    _ = try store.start(try Sequences.workout())
    for bootID in [clock.now().bootID, "another"] {
      for text in [
        "-9223372036854775808,0", "0,-9223372036854775808", "1,-9223372036854775808", "1,9223372036854775807",
        "9223372036854775807,9223372036854775807",
      ] {
        let values = text.split(separator: ",")
        let json = #"{"entry":\#(values[0]),"wall":\#(values[1]),"boot":\#(values[1]),"bootID":"\#(bootID)"}"#
        let position = try JSONDecoder().decode(EventPosition.self, from: Data(json.utf8))
        let stream = store.events(after: position)
        _ = try store.perform(.extend(.seconds(1)))
        for try await news in stream {
          if news.runs.last?.events.last?.kind.name == .extend { break }
        }
      }
    }
  }

  /// A part that lives as long as any store that has it.
  private final class Sentinel: StorePart {
    var component: SchemaComponent { SchemaComponent(name: "sentinel", tables: "") }
    func check(_ database: Database) {}
    func salvage(from damaged: Database, into database: Database, at reading: ClockReading) {}
    let gone: MessageQueue<Void>
    init(_ gone: MessageQueue<Void>) { self.gone = gone }
    deinit { gone.put(()) }
  }

  @Test func `the threads of streams and watches end with their readers`() async throws {
    let gone = try MessageQueue<Void>()
    do {
      let store = try RunStore(
        in: directory, clock: try standingClock(), parts: [Sentinel(gone)], observers: [])
      let reader = Task { for try await _ in store.statuses() {} }
      let other = Task { for try await _ in store.events(after: .beginning) {} }
      var released = Optional(store.statuses())
      #expect(released != nil)
      released = nil
      let watch = try RunWatch(store)
      #expect(try waitUntilReadable([watch.descriptor]) == [watch.descriptor])
      reader.cancel()
      other.cancel()
      try await reader.value
      try await other.value
      // The next reader is not affected by the end of the others.
      for try await status in store.statuses() {
        #expect(status.run == nil)
        break
      }
    }
    #expect(try waitUntilReadable([gone.descriptor]) == [gone.descriptor])
  }

  @Test func `a watch is readable at once and after each change`() throws {
    let clock = try standingClock()
    let store = try RunStore(in: directory, clock: clock)
    let watch = try RunWatch(store)
    #expect(try waitUntilReadable([watch.descriptor]) == [watch.descriptor])
    #expect(try watch.take().map(title) == "none")
    #expect(try watch.take() == nil)
    _ = try store.start(try Sequences.workout())
    #expect(try waitUntilReadable([watch.descriptor]) == [watch.descriptor])
    #expect(try watch.take().map(title) == "Warm up")
  }

  @Test func `tasks share one store`() async throws {
    let store = try RunStore(in: directory, clock: try standingClock())
    _ = try store.start(try Timeline(SequenceDefinition("Long") { Card("A", .countdown(.seconds(60))) }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { _ = try store.perform(.extend(.seconds(1)), onStep: 0) }
      }
      try await group.waitForAll()
    }
    #expect(try store.status().run?.target == .seconds(80))
    #expect(throws: RunError.runPassed) { try store.perform(.stop, on: UUID()) }
  }

  @Test func `a program's reader with the name of Sequence's own has a position of its own`() async throws {
    struct Interrupted: Error {}
    let store = try RunStore(in: directory, clock: standingClock())
    _ = try store.start(try Sequences.workout())
    let open = try RunStore(in: directory, clock: store.clock)
    let position = EventPosition(entry: 0, at: store.clock.now())
    try open.database.transaction { () throws(StoreError) in
      try open.database.store(dispatchPosition: position)
    }
    await #expect(throws: Interrupted.self) {
      try await store.handleEvents(as: "agent") { batch in
        // The first batch is handled.
        guard batch.runs.contains(where: { $0.events.contains { $0.kind.name == .pause } }) else {
          _ = try store.perform(.pause)
          return
        }
        throw Interrupted()
      }
    }
    #expect(try open.database.dispatchPosition() == position)
  }

  @Test func `a mark that is not before the end of a countdown is no event, and hides none`() throws {
    let clock = ManualClock()
    let store = try RunStore(in: directory, clock: clock)
    let begin = try store.eventPosition()
    _ = try store.start(Sequences.timeline(Sequences.countdown("A", 10), Sequences.countdown("B", 10)))
    let marks: Set<Duration> = [.seconds(-5), .zero, .seconds(2)]
    var (position, events) = (begin, [String]())
    for _ in 0..<30 {
      let batch = try store.pastEvents(after: position, marks: marks)
      events += batch.runs.flatMap(\.events).map { "\($0.kind.name.rawValue) \($0.step)" }
      position = batch.end
      clock.advance(by: .seconds(1))
    }
    #expect(
      events == [
        "run-start 0", "step-start 0", "half 0", "remaining 0", "step-end 0", "step-start 1", "half 1",
        "remaining 1", "step-end 1", "run-end 1",
      ])
  }
}
