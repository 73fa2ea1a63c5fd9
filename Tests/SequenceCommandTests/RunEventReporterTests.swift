import Foundation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// The events that `run` prints.
struct RunEventReporterTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
  }

  @Test(
    arguments: [
      (Timing.countdown(.seconds(10), advance: .automatic), 15.0, nil),
      (.countUp(goal: Goal(duration: .seconds(10))), nil, 15.0),
    ] as [(Timing, Double?, Double?)])
  func `an extended step has its new duration or goal`(timing: Timing, duration: Double?, goal: Double?)
    throws
  {
    let card = SequenceElement.card(Card(id: UUID(), title: "A", timing: timing))
    let definition = SequenceDefinition(
      id: UUID(), title: "Test", elements: [card], onSuspend: nil, onLock: nil)
    let started = try #require(try store.start(try Timeline(definition)).run)
    var reporter = try RunEventReporter(started, in: store)
    _ = try reporter.events(until: clock.now())
    clock.advance(by: .seconds(1))
    _ = try store.perform(.extend(.seconds(5)))
    let events = try reporter.events(until: clock.now())
    let documents = events.map(reporter.document)
    #expect(documents.map(\.event) == ["extend"])
    #expect(documents.first?.step?.duration == duration)
    #expect(documents.first?.step?.goal == goal)
  }

  @Test func `steps that end before the first poll are reported, and none from before the reporter`()
    throws
  {
    let definition = SequenceDefinition(
      id: UUID(), title: "Test",
      elements: ["A", "B", "C"].map {
        .card(Card(id: UUID(), title: $0, timing: .countdown(.seconds(1), advance: .automatic)))
      }, onSuspend: nil, onLock: nil)
    let started = try #require(try store.start(try Timeline(definition)).run)
    var reporter = try RunEventReporter(started, in: store)
    clock.advance(by: .seconds(1.5))
    let second = try #require(try store.settle().run)
    let told = try reporter.events(until: clock.now()).map { reporter.line($0) }
    #expect(told.map { $0.prefix(11) } == ["0:00:00.000", "0:00:00.000", "0:00:01.000"])
    #expect(told.dropFirst().map { $0.contains("\"A\"") } == [true, false])

    var late = try RunEventReporter(second, in: store)
    clock.advance(by: .seconds(1))
    let toldLate = try late.events(until: clock.now()).map { late.line($0) }.dropFirst()
    #expect(toldLate.map { $0.contains("\"B\"") } == [true, false])
  }
}
