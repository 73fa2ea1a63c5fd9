import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceRunner

/// The time that a user takes for a card, as far as earlier runs tell.
struct UsualLengthTests {
  private let clock = ManualClock()
  private let temporary: TemporaryDirectory
  private let store: RunStore

  private static let shower = Card("Shower", .countUp())
  private static let pack = Card("Pack", .countdown(.seconds(300), advance: .manual))

  init() throws {
    temporary = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: temporary.path + "/state"), clock: clock)
  }

  private static func timeline(_ title: String = "Morning", chosen: Card? = nil) throws -> Timeline {
    let definition = SequenceDefinition(title) {
      Card("Wake up", .countdown(.seconds(60)))
      shower
      pack
    }
    guard let chosen else { return try Timeline(definition) }
    let (sequence, estimates) = try definition.setting([(chosen.title, .seconds(100))])
    return try Timeline(sequence, estimates: estimates)
  }

  private func run(_ timeline: Timeline, _ lengths: Int..., skipping: Bool = false) throws {
    try store.start(timeline)
    clock.advance(by: .seconds(60))
    for length in lengths {
      clock.advance(by: .seconds(length))
      try store.perform(skipping ? .skip : .next)
    }
    if try store.status().run != nil { try store.perform(.stop) }
  }

  private func usual(_ timeline: Timeline) throws -> [Int64?] {
    let known = try store.withUsualLengths(timeline)
    return (0..<3).map { index in
      known.usualLength(of: known.card(at: index)).map { $0.nanoseconds / 1_000_000_000 }
    }
  }

  @Test func `it is the median of the last ten completed steps, from three on`() throws {
    let morning = try UsualLengthTests.timeline()
    for length in [400, 100] { try run(morning, length, 7) }
    #expect(try usual(morning) == [nil, nil, nil])
    try run(morning, 300)
    #expect(try usual(morning) == [nil, 300, nil])
    // Of an even number, the lower one of the middle.
    try run(morning, 200, 9)
    #expect(try usual(morning) == [nil, 200, 7])
    for _ in 1...8 { try run(morning, 500) }
    #expect(try usual(morning) == [nil, 500, 7])
  }

  @Test func `skipped steps, lengths that were chosen, and other sequences do not count`() throws {
    let morning = try UsualLengthTests.timeline()
    for _ in 1...3 { try run(morning, 10, 20, skipping: true) }
    for _ in 1...3 { try run(UsualLengthTests.timeline("Evening"), 30, 40) }
    for _ in 1...3 { try run(UsualLengthTests.timeline(chosen: UsualLengthTests.pack), 50, 60) }
    #expect(try usual(morning) == [nil, 50, nil])
    // A length that is chosen stands for the usual one.
    for _ in 1...3 { try run(morning, 70, 80) }
    #expect(try usual(morning) == [nil, 50, 80])
    let chosen = try UsualLengthTests.timeline(chosen: UsualLengthTests.pack)
    #expect(try usual(chosen) == [nil, 50, nil])
    #expect(try store.withUsualLengths(chosen).planned(of: 0..<3) == .seconds(60 + 50 + 100))
  }

  @Test func `it is frozen in the run, and plans its end`() throws {
    let morning = try UsualLengthTests.timeline()
    for _ in 1...3 { try run(morning, 240, 360) }
    try store.start(morning, until: clock.now().wall.advanced(by: .seconds(600)))
    let started = try #require(try store.status().run)
    #expect(started.sequence == morning.definition)
    #expect(started.plannedLeft(at: clock.now()) == .seconds(660))
    #expect(try store.status().late == .seconds(60))
    let copy = try StoredRun(started).decoded(path: "")
    #expect(copy == started && copy.timeline.estimates == started.timeline.estimates)
    clock.advance(by: .seconds(60 + 300))
    // The shower takes longer than usual.
    #expect(try store.status().late == .seconds(120))
    try store.perform(.next)
    clock.advance(by: .seconds(100))
    let packing = try #require(try store.status().run)
    #expect(packing.target == .seconds(300))
    #expect(packing.plannedLeft(at: clock.now()) == .seconds(260))
  }

  @Test func `only the last twenty runs count`() throws {
    let morning = try UsualLengthTests.timeline()
    for _ in 1...3 { try run(morning, 240) }
    for _ in 1...17 { try run(morning) }
    #expect(try usual(morning) == [nil, 240, nil])
    try run(morning)
    #expect(try usual(morning) == [nil, nil, nil])
  }

  @Test func `lengths that exceed the longest sequence are not known`() throws {
    let waiting = try Timeline(
      SequenceDefinition("Year") { Group(20_000) { Card("Wait", .countUp()) } })
    try store.start(waiting)
    for _ in 1...3 {
      clock.advance(by: .seconds(40 * 86_400))
      try store.perform(.next)
    }
    try store.perform(.stop)
    #expect(try store.withUsualLengths(waiting).estimates.isEmpty)
  }
}
