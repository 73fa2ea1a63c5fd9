import Foundation
import Platform
import TestSupport
import Testing

@testable import SequenceRunner

/// The events of a run, derived from a position and its state.
struct RunNewsTests {
  private let clock = ManualClock()
  private let news = RunNews(remainingMarks: [.seconds(3), .seconds(2), .seconds(1)])

  /// A reader that polls a run now and then and records its events.
  private struct Reader {
    var state: SettledRun
    var cursor: RunCursor?
    var events: [RunEvent] = []

    init(_ timeline: Timeline, at reading: ClockReading) {
      state = .active(ActiveRunSnapshot(timeline: timeline, at: reading))
    }

    mutating func look(_ news: RunNews, at reading: ClockReading) {
      if case .active(let run) = state { state = run.settled(at: reading) }
      switch state {
      case .active(let run):
        events += news.events(after: cursor, until: run, at: reading)
        cursor = RunCursor(run, at: reading)
      case .ended(let ended):
        events += news.events(after: cursor, until: ended, at: reading)
        cursor = RunCursor(ended)
      }
    }

    mutating func perform(_ command: RunCommand, at reading: ClockReading) throws {
      guard case .active(let run) = state, case .active(let settled) = run.settled(at: reading) else {
        throw TestSupportError("the run is over")
      }
      state = try settled.applying(command, at: reading)
    }

    /// Returns the events since the last call, each with its step and elapsed time.
    mutating func told() -> [String] {
      defer { events = [] }
      return events.map { event in
        var name = event.kind.name.rawValue
        if case .last(let left) = event.kind { name = "left \(DurationText.format(left))" }
        return "\(name) \(event.step) \(DurationText.format(event.elapsed))"
      }
    }
  }

  private func reader(_ elements: SequenceElement...) throws -> Reader {
    let sequence = SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: nil)
    return Reader(try Timeline(sequence), at: clock.now())
  }

  @Test func `a run reports each event once, in order`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 2))
    for _ in 0..<130 {
      reader.look(news, at: clock.now())
      clock.advance(by: .milliseconds(100))
    }
    #expect(
      reader.told() == [
        "run-start 0 0s", "step-start 0 0s", "half 0 5s", "left 3s 0 7s", "left 2s 0 8s", "left 1s 0 9s",
        "step-end 0 10s", "step-start 1 0s", "half 1 1s", "left 1s 1 1s", "step-end 1 2s", "run-end 1 2s",
      ])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the time and the number of polls do not change the events`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let steps = [
      Sequences.card("A", .countdown(.milliseconds(350), advance: .automatic)),
      Sequences.countdown("B", 7), Sequences.countdown("C", 3),
    ]
    let sequence = SequenceDefinition(
      id: UUID(), title: "Test", elements: [.group(Group(rounds: 4, elements: steps))], onSuspend: nil)
    let start = clock.now()
    var (seldom, often) = (
      Reader(try Timeline(sequence), at: start), Reader(try Timeline(sequence), at: start)
    )
    while clock.now().boot < start.boot + .seconds(50) {
      often.look(news, at: clock.now())
      if Int.random(in: 0..<30, using: &random) == 0 { seldom.look(news, at: clock.now()) }
      clock.advance(by: .milliseconds(Int64.random(in: 1...200, using: &random)))
    }
    seldom.look(news, at: clock.now())
    let known = { (event: RunEvent) in
      "\(event.kind) \(event.step) \(event.at.wall.duration(since: start.wall)) \(event.elapsed)"
    }
    #expect(seldom.events.map(known) == often.events.map(known))
    #expect(often.events.count == 58)
  }

  @Test func `an event of a time is reported at that elapsed time, not a nanosecond before`() throws {
    var reader = try reader(Sequences.countdown("A", 10))
    reader.look(news, at: clock.now())
    _ = reader.told()
    clock.advance(by: .seconds(5) - .nanoseconds(1))
    reader.look(news, at: clock.now())
    #expect(reader.told() == [])
    clock.advance(by: .nanoseconds(1))
    reader.look(news, at: clock.now())
    #expect(reader.events.map { $0.lateness(at: clock.now()) } == [.zero])
    #expect(reader.told() == ["half 0 5s"])
  }

  @Test func `a pause is reported, and later events follow the active time`() throws {
    var reader = try reader(Sequences.countdown("A", 10))
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(4))
    try reader.perform(.pause, at: clock.now())
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(3600))
    reader.look(news, at: clock.now())
    try reader.perform(.resume(), at: clock.now())
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(1))
    reader.look(news, at: clock.now())
    #expect(
      reader.told() == ["run-start 0 0s", "step-start 0 0s", "pause 0 4s", "resume 0 4s", "half 0 5s"])
  }

  @Test func `a pause at the very end comes after the events reached at that time`() throws {
    var reader = try reader(Sequences.countdown("A", 10, manual: true))
    reader.look(news, at: clock.now())
    _ = reader.told()
    clock.advance(by: .seconds(10))
    try reader.perform(.pause, at: clock.now())
    reader.look(news, at: clock.now())
    #expect(
      reader.told() == [
        "half 0 5s", "left 3s 0 7s", "left 2s 0 8s", "left 1s 0 9s", "overtime 0 10s", "pause 0 10s",
      ])
    try reader.perform(.resume(), at: clock.now())
    clock.advance(by: .seconds(10))
    reader.look(news, at: clock.now())
    #expect(reader.told() == ["resume 0 10s"])
  }

  @Test func `a step shortened to its elapsed time is over, whatever was reported`() throws {
    var reader = try reader(Sequences.countdown("A", 10, manual: true), Sequences.countdown("B", 10))
    clock.advance(by: .seconds(4))
    reader.look(news, at: clock.now())
    _ = reader.told()
    try reader.perform(.extend(.seconds(-6)), at: clock.now())
    reader.look(news, at: clock.now())
    #expect(reader.told() == ["extend 0 4s", "overtime 0 4s"])
    try reader.perform(.restart, at: clock.now())
    try reader.perform(.extend(.seconds(-10)), at: clock.now())
    reader.look(news, at: clock.now())
    #expect(
      reader.told() == ["step-start 0 0s", "overtime 0 0s"], "nothing is left of nothing, nor half of it")
  }

  @Test func `a step extended in overtime reaches its end again`() throws {
    var reader = try reader(Sequences.countdown("A", 10, manual: true))
    clock.advance(by: .seconds(12))
    reader.look(news, at: clock.now())
    _ = reader.told()
    try reader.perform(.extend(.seconds(5)), at: clock.now())
    reader.look(news, at: clock.now())
    #expect(reader.told() == ["extend 0 12s"])
    clock.advance(by: .seconds(5))
    reader.look(news, at: clock.now())
    #expect(reader.told() == ["left 3s 0 14s", "left 2s 0 15s", "left 1s 0 16s", "overtime 0 17s"])
  }

  @Test func `steps that the user passes are reported, and restarted steps are reported again`() throws {
    var reader = try reader(
      Sequences.countdown("A", 60), Sequences.card("B", .countUp(goal: Goal(duration: .seconds(30)))))
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(1))
    try reader.perform(.skip, at: clock.now())
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(30))
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(1))
    try reader.perform(.back, at: clock.now())
    reader.look(news, at: clock.now())
    try reader.perform(.stop, at: clock.now())
    reader.look(news, at: clock.now())
    #expect(
      reader.told() == [
        "run-start 0 0s", "step-start 0 0s", "step-end 0 1s", "step-start 1 0s", "goal 1 30s",
        "step-start 0 0s", "step-end 0 0s", "stop 0 0s",
      ])
    reader.look(news, at: clock.now())
    #expect(reader.told() == [], "an end is told once")
  }

  @Test func `steps entered during a pause are reported, and begin with the resume`() throws {
    var reader = try reader(Sequences.countdown("A", 60), Sequences.countdown("B", 60))
    reader.look(news, at: clock.now())
    try reader.perform(.pause, at: clock.now())
    try reader.perform(.next, at: clock.now())
    reader.look(news, at: clock.now())
    clock.advance(by: .seconds(100))
    try reader.perform(.resume(), at: clock.now())
    reader.look(news, at: clock.now())
    #expect(
      reader.told() == [
        "run-start 0 0s", "step-start 0 0s", "step-end 0 0s", "step-start 1 0s", "pause 1 0s", "resume 1 0s",
      ])
  }

  @Test func `a resume is reported in the step that it continued, however late the poll`() throws {
    var reader = try reader(
      Sequences.countdown("A", 60), Sequences.countdown("B", 60), Sequences.countdown("C", 60))
    clock.advance(by: .seconds(4))
    try reader.perform(.pause, at: clock.now())
    reader.look(news, at: clock.now())
    _ = reader.told()
    clock.advance(by: .seconds(100))
    let resumedAt = clock.now().wall
    try reader.perform(.resume(), at: clock.now())
    clock.advance(by: .seconds(2))
    try reader.perform(.next, at: clock.now())
    try reader.perform(.pause, at: clock.now())
    reader.look(news, at: clock.now())
    #expect(reader.events.first?.at.wall == resumedAt)
    #expect(reader.told() == ["resume 0 4s", "step-end 0 6s", "step-start 1 0s", "pause 1 0s"])

    try reader.perform(.next, at: clock.now())
    try reader.perform(.resume(), at: clock.now())
    clock.advance(by: .seconds(1))
    try reader.perform(.stop, at: clock.now())
    reader.look(news, at: clock.now())
    #expect(
      reader.told() == [
        "step-end 1 0s", "step-start 2 0s", "resume 2 0s", "step-end 2 1s", "stop 2 1s",
      ])
  }

  @Test func `events during a suspend are reported with their lateness by the boot clock`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 60))
    reader.look(news, at: clock.now())
    _ = reader.told()
    // The machine slept and the clock was set in the meantime; neither changes the lateness.
    clock.advance(by: .seconds(15))
    clock.setWall(by: .seconds(3600))
    reader.look(news, at: clock.now())
    #expect(reader.events.map { $0.lateness(at: clock.now()).components.seconds } == [10, 8, 7, 6, 5, 5])
    #expect(
      reader.told() == [
        "half 0 5s", "left 3s 0 7s", "left 2s 0 8s", "left 1s 0 9s", "step-end 0 10s", "step-start 1 0s",
      ])
  }

  @Test func `user actions after the clock was set are not late`() throws {
    var reader = try reader(Sequences.countdown("A", 60), Sequences.countdown("B", 60))
    reader.look(news, at: clock.now())
    _ = reader.told()
    clock.setWall(by: .seconds(-3600))
    try reader.perform(.next, at: clock.now())
    reader.look(news, at: clock.now())
    try reader.perform(.stop, at: clock.now())
    reader.look(news, at: clock.now())
    #expect(reader.events.allSatisfy { $0.lateness(at: clock.now()) == .zero })
    #expect(reader.told() == ["step-end 0 0s", "step-start 1 0s", "step-end 1 0s", "stop 1 0s"])
  }

  @Test func `after a reboot the run continues, and missed events are late`() throws {
    var reader = try reader(Sequences.countdown("A", 10), Sequences.countdown("B", 100))
    reader.look(news, at: clock.now())
    _ = reader.told()
    clock.reboot(after: .seconds(40))
    reader.look(news, at: clock.now())
    #expect(
      reader.events.map { $0.lateness(at: clock.now()).components.seconds } == [35, 33, 32, 31, 30, 30])
    _ = reader.told()
    clock.advance(by: .seconds(20))
    reader.look(news, at: clock.now())
    #expect(reader.events.map { $0.lateness(at: clock.now()) } == [.zero])
    #expect(reader.told() == ["half 1 50s"])
  }
}
