import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The events that hooks receive, with manual clocks; the hooks are real and write into a file.
@Suite(.timeLimit(.minutes(1)))
struct EventDispatcherTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try CompleteStore.open(in: StateDirectory(path: directory.path + "/state"), clock: clock)
  }

  /// The dispatcher of an agent, which can be discarded like that of a killed agent.
  private struct TestDispatcher {
    let runner: HookRunner
    let dispatcher: EventDispatcher
    let store: RunStore

    func dispatch() throws {
      try dispatcher.dispatch([], store.settle())
      while !runner.hasNothingToWaitFor {
        try dispatcher.dispatch(waitUntilReadable(runner.descriptors), store.settle())
      }
    }
  }

  private func makeDispatcher(_ configuration: Configuration) -> TestDispatcher {
    let environment = HookEnvironment(["HOME": directory.path], state: store.directory)
    let runner = HookRunner(environment, clock: clock)
    return TestDispatcher(
      runner: runner,
      dispatcher: EventDispatcher(
        store: store, hooks: runner, soundProgram: "/none", configuration: { configuration }),
      store: store)
  }

  private func configuration(_ events: RunEvent.Name...) throws -> Configuration {
    var configuration = Configuration()
    let script = "echo $SEQUENCE_EVENT $SEQUENCE_CARD_TITLE $SEQUENCE_REMAINING $SEQUENCE_OUTCOME >> said"
    configuration.hooks = [
      Hook(
        events: Set(events), program: "/bin/sh",
        arguments: [try Template("-c"), try Template(script)])
    ]
    return configuration
  }

  private func start(_ cards: (String, Int)..., replacing: Bool = false) throws {
    let elements = cards.map {
      SequenceElement.card(
        Card(id: UUID(), title: $0.0, timing: .countdown(.seconds($0.1), advance: .automatic)))
    }
    let definition = SequenceDefinition(
      id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil)
    _ = try store.start(try Timeline(definition), RunStart(replacing: replacing))
  }

  private func told() -> [String] {
    let text = (try? String(contentsOfFile: directory.path + "/said", encoding: .utf8)) ?? ""
    try? FileManager.default.removeItem(atPath: directory.path + "/said")
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private func failures() throws -> [HookFailure] {
    try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min))
  }

  @Test func `hooks receive the events they subscribe to, and the next wake-up is that of the next event`()
    throws
  {
    let dispatcher = makeDispatcher(try configuration(.stepStart, .remaining, .runEnd))
    try start(("A", 10), ("B", 2))
    try dispatcher.dispatch()
    #expect(told() == ["step-start A 10"])
    let start = clock.now().boot
    #expect(dispatcher.dispatcher.nextWake == start + .seconds(7))
    clock.advance(by: .seconds(7))
    try dispatcher.dispatch()
    #expect(told() == ["remaining A 3"])
    clock.advance(by: .seconds(3))
    try dispatcher.dispatch()
    #expect(told() == ["step-start B 2"])
    #expect(try !dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
    clock.advance(by: .seconds(2))
    try dispatcher.dispatch()
    #expect(told() == ["run-end B 0"])
    #expect(dispatcher.dispatcher.nextWake == nil)
    #expect(try dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
    #expect(try failures() == [])
  }

  @Test func `an agent that replaces a killed one dispatches no event twice`() throws {
    let wanted = try configuration(.runStart, .stepStart, .pause, .resume, .stepEnd)
    try start(("A", 10), ("B", 5))
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["run-start A 10", "step-start A 10"])
    try makeDispatcher(wanted).dispatch()
    _ = try store.perform(.pause)
    try makeDispatcher(wanted).dispatch()
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["pause A 10"])
    #expect(
      try makeDispatcher(wanted).dispatcher.hasNothingToWaitFor(store.peek()) == false,
      "what it knows is not read yet")
    _ = try store.perform(.resume())
    try makeDispatcher(wanted).dispatch()
    clock.advance(by: .seconds(11))
    try makeDispatcher(wanted).dispatch()
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["resume A 10", "step-end A 0 completed", "step-start B 5"])
    _ = try store.perform(.skip)
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["step-end B 4 skipped"])
  }

  @Test func `no event is dispatched before its position is stored`() throws {
    let dispatcher = makeDispatcher(try configuration(.runStart))
    try start(("A", 10))
    try dispatcher.dispatcher.dispatch([], store.settle())
    #expect(told().count <= 1)
    while !dispatcher.runner.hasNothingToWaitFor {
      try dispatcher.dispatcher.dispatch(waitUntilReadable(dispatcher.runner.descriptors), store.settle())
    }
    _ = told()
    try store.database.execute(
      "CREATE TRIGGER full BEFORE INSERT ON reader BEGIN SELECT RAISE(ABORT, 'full'); END")
    try start(("B", 10), replacing: true)
    #expect(throws: (any Error).self) { try dispatcher.dispatch() }
    #expect(dispatcher.runner.hasNothingToWaitFor)
    #expect(told() == [])
    try store.database.execute("DROP TRIGGER full")
    try dispatcher.dispatch()
    #expect(told() == ["run-start B 10"])
  }

  @Test func `events found too late are missed, counted once per hook`() throws {
    let wanted = try configuration(.stepStart, .stepEnd, .half)
    try start(("A", 10), ("B", 10), ("C", 60))
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["step-start A 10"])
    clock.advance(by: .seconds(21))
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["step-end B 0 completed", "step-start C 60"])
    let missed = try #require(failures().first)
    #expect(missed.kind == .missed)
    #expect(missed.count == 4)
    #expect(missed.event == "half")
    #expect(missed.detail == "6 s late")
    clock.reboot(after: .seconds(40))
    try makeDispatcher(wanted).dispatch()
    #expect(told() == [])
    #expect(try failures().map(\.count) == [5])
  }

  @Test func `short runs between two polls are dispatched, each once`() throws {
    let dispatcher = makeDispatcher(try configuration(.runStart, .stop))
    try start(("A", 10))
    try dispatcher.dispatch()
    clock.advance(by: .seconds(1))
    _ = try store.perform(.stop)
    clock.advance(by: .milliseconds(1))
    try start(("B", 10))
    clock.advance(by: .milliseconds(1))
    _ = try store.perform(.stop)
    clock.advance(by: .milliseconds(1))
    try start(("C", 10))
    try dispatcher.dispatch()
    #expect(told() == ["run-start A 10", "stop A 9", "run-start B 10", "stop B 10", "run-start C 10"])
    _ = try store.perform(.stop)
    try dispatcher.dispatch()
    try dispatcher.dispatch()
    #expect(told() == ["stop C 10"])
  }

  @Test func `a run that began long before there were hooks is dispatched from now on`() throws {
    try start(("A", 60), ("B", 60))
    clock.advance(by: .seconds(20))
    let dispatcher = makeDispatcher(try configuration(.runStart, .stepStart, .half))
    try dispatcher.dispatch()
    #expect(told() == [])
    clock.advance(by: .seconds(10))
    try dispatcher.dispatch()
    #expect(told() == ["half A 30"])
    #expect(try failures() == [])
  }

  @Test(arguments: [3600, -3600])
  func `whether a run has just begun does not depend on the wall clock`(seconds: Int) throws {
    let wanted = try configuration(.runStart)
    try start(("A", 60))
    clock.advance(by: .seconds(1))
    clock.setWall(by: .seconds(seconds))
    try makeDispatcher(wanted).dispatch()
    #expect(told() == ["run-start A 60"])
    try start(("B", 60), replacing: true)
    try store.database.execute("DELETE FROM reader")
    clock.advance(by: .seconds(20))
    clock.setWall(by: .seconds(-seconds))
    try makeDispatcher(wanted).dispatch()
    #expect(told() == [])
    #expect(try failures() == [])
  }

  @Test func `an ended run is not dispatched again after the wall clock is set back`() throws {
    let dispatcher = makeDispatcher(try configuration(.runStart, .stop))
    try start(("A", 10))
    try dispatcher.dispatch()
    clock.advance(by: .seconds(1))
    _ = try store.perform(.stop)
    try dispatcher.dispatch()
    #expect(told() == ["run-start A 10", "stop A 9"])
    clock.setWall(by: .seconds(-3600))
    for title in ["B", "C"] {
      try start((title, 10))
      try dispatcher.dispatch()
      clock.advance(by: .seconds(1))
      _ = try store.perform(.stop)
      try dispatcher.dispatch()
      #expect(told() == ["run-start \(title) 10", "stop \(title) 9"])
    }
  }

  @Test func `hooks added during a run receive only later events`() throws {
    var wanted = try configuration(.runStart, .stop)
    let environment = HookEnvironment(["HOME": directory.path], state: store.directory)
    let runner = HookRunner(environment, clock: clock)
    let changing = EventDispatcher(
      store: store, hooks: runner, soundProgram: "/none", configuration: { wanted })
    let dispatcher = TestDispatcher(runner: runner, dispatcher: changing, store: store)
    try start(("A", 60))
    try dispatcher.dispatch()
    _ = try store.perform(.stop)
    try dispatcher.dispatch()
    #expect(told() == ["run-start A 60", "stop A 60"])
    wanted = Configuration()
    clock.advance(by: .seconds(100))
    try dispatcher.dispatch()
    try start(("B", 60))
    clock.advance(by: .seconds(1))
    try dispatcher.dispatch()
    clock.advance(by: .seconds(20))
    try dispatcher.dispatch()
    wanted = try configuration(.runStart, .stepStart, .half)
    try dispatcher.dispatch()
    #expect(told() == [])
    #expect(try failures() == [])
    clock.advance(by: .seconds(9))
    try dispatcher.dispatch()
    #expect(told() == ["half B 30"])
  }

  @Test func `without configuration nothing is written and nothing waited for`() throws {
    let dispatcher = makeDispatcher(Configuration())
    try start(("A", 10))
    try dispatcher.dispatch()
    #expect(try dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
    #expect(dispatcher.dispatcher.nextWake == nil)
    #expect(try store.database.dispatchPosition() == nil)
  }

  @Test func `neither a paused run nor a completely dispatched run causes a wake-up`() throws {
    let dispatcher = makeDispatcher(try configuration(.pause))
    try start(("A", 10))
    try dispatcher.dispatch()
    #expect(try !dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
    _ = try store.perform(.pause)
    #expect(try !dispatcher.dispatcher.hasNothingToWaitFor(store.peek()), "the pause is not told")
    try dispatcher.dispatch()
    #expect(try dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
    _ = try store.perform(.stop)
    #expect(try !dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
    try dispatcher.dispatch()
    #expect(try dispatcher.dispatcher.hasNothingToWaitFor(store.peek()))
  }

  @Test func `a hook that fails repeatedly is one failure with a count`() throws {
    var wanted = Configuration()
    wanted.hooks = [Hook(events: [.stepStart], program: "/bin/false")]
    let dispatcher = makeDispatcher(wanted)
    try start(("A", 10), ("B", 10), ("C", 10))
    for _ in 0..<3 {
      try dispatcher.dispatch()
      clock.advance(by: .seconds(10))
    }
    #expect(try failures().map(\.count) == [3])
    #expect(try failures().first?.detail == "exit status 1")
  }

  @Test func `a month of sleep in endless steps of a second costs less than 100 ms`() throws {
    let card = Card(id: UUID(), title: "A", timing: .countdown(.seconds(1), advance: .automatic))
    let group = Group(rounds: .forever, elements: [.card(card)])
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.group(group)], onSuspend: nil, onLock: nil))
    )
    let reader = EventReader(
      store: store,
      configuration: { [configuration = try configuration(.stepEnd, .runEnd)] in
        configuration
      })
    _ = try reader.take(store.settle())
    clock.advance(by: .seconds(30 * 86_400) + .milliseconds(500))
    var dispatches: [EventReader.Dispatch] = []
    let time = try processorTime {
      dispatches = try reader.take(store.settle()).filter { !$0.hooks.isEmpty }
    }
    #expect(dispatches.map(\.event.kind) == Array(repeating: .stepEnd(.completed), count: 3))
    // All others are missed.
    #expect(try failures().map(\.count) == [30 * 86_400 - 3])
    #expect(time < .milliseconds(100) * (Sanitizer.isUsed ? 10 : 1), "\(time)")
    #expect(reader.nextEvent == clock.now().boot + .milliseconds(500))
  }
}
