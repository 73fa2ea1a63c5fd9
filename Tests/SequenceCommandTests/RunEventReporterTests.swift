import Foundation
import SequenceRunner
import Store
import TestSupport
import Testing

@testable import SequenceCommand

/// What `run` prints of the events of a run.
struct RunEventReporterTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(directory: StateDirectory(path: directory.path), clock: clock)
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
    let definition = SequenceDefinition(id: UUID(), title: "Test", elements: [card], away: nil)
    let started = try #require(try store.start(try Timeline(definition)).run)
    var reporter = RunEventReporter(started)
    _ = reporter.events(started, at: clock.now())
    clock.advance(by: .seconds(1))
    _ = try store.perform(.extend(.seconds(5)))
    let events = reporter.events(try #require(try store.look().run), at: clock.now())
    let documents = events.map(reporter.document)
    #expect(documents.map(\.event) == ["extended"])
    #expect(documents.first?.step?.duration == duration)
    #expect(documents.first?.step?.goal == goal)
  }
}
