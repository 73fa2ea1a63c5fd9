import Glibc
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceWindow

/// The actions of the window on a run that others change.
@Suite struct RunControlTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let control: RunControl
  private let other: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    let place = StateDirectory(path: directory.path)
    // The test takes the place of the agent.
    let context = ClientContext(environment: [:], clock: clock, startAgent: { _ in getpid() }, warn: { _ in })
    control = try RunControl(Client(in: place, context))
    other = try RunStore(in: place, clock: clock, parts: [], observers: [])
    _ = try other.start(
      CardSpec.sequence(cards: ["A 10s", "B 10s", "C 10s"], title: "All"))
  }

  /// The run as the window shows it.
  private func shown() throws -> ActiveRunSnapshot { try #require(try control.status().run) }

  private func index() throws -> Int { try #require(try other.settle().run).log.count }

  @Test func `a press does not wait for an agent that does not answer`() throws {
    let place = StateDirectory(path: directory.path)
    var (asked, started, warnings): ([(Result<PresenceSocket.Reply, SystemError>) -> Void], Int, [String]) =
      ([], 0, [])
    let context = ClientContext(
      environment: [:], clock: clock,
      startAgent: { _ in
        started += 1
        return getpid()
      }, askPatiently: { asked.append($1) }, warn: { warnings.append($0.text.description) })
    let silent = try PresenceSocket(path: place.agentSocketPath)
    let client = try Client(in: place, context)
    _ = try client.perform(.next)
    #expect(asked.count == 1)
    #expect(started == 0 && warnings.isEmpty)
    asked[0](.success(.silent(process: 7)))
    #expect(warnings == ["the agent (process 7) does not respond, so notifications may be late"])
    asked[0](.success(.present(process: 7)))
    #expect(started == 0)
    asked[0](.success(.absent))
    #expect(started == 1)
    withExtendedLifetime(silent) {}
  }

  @Test func `a press acts on the step that is shown`() throws {
    try control.perform(.next, on: try shown())
    #expect(try index() == 1)
  }

  @Test(arguments: [RunCommand.next, .skip, .back, .restart, .toggle, .pause, .extend(.seconds(30))])
  func `a press for a step that was completed elsewhere changes nothing`(command: RunCommand) throws {
    let run = try shown()
    _ = try other.perform(.next)
    let error = #expect(throws: RunError.self) { try control.perform(command, on: run) }
    guard case .stepPassed = error else { throw TestSupportError("\(String(describing: error))") }
    #expect(try index() == 1)
    #expect(try other.settle().run?.isPaused == false)
  }

  @Test func `a press for a step that has ended by itself changes nothing`() throws {
    let run = try shown()
    clock.advance(by: .seconds(10))
    let error = #expect(throws: RunError.self) { try control.perform(.next, on: run) }
    guard case .stepPassed = error else { throw TestSupportError("\(String(describing: error))") }
    #expect(try index() == 1)
  }

  @Test func `a press for a run that was replaced leaves the new run`() throws {
    let run = try shown()
    _ = try other.perform(.stop)
    _ = try other.start(CardSpec.sequence(cards: ["D 10s", "E 10s"]))
    let error = #expect(throws: RunError.self) { try control.perform(.next, on: run) }
    guard case .runPassed = error else { throw TestSupportError("\(String(describing: error))") }
    #expect(try index() == 0)
  }

  @Test func `a press for a run that has ended is refused`() throws {
    let run = try shown()
    clock.advance(by: .seconds(30))
    #expect(throws: RunError.self) { try control.perform(.next, on: run) }
    #expect(try control.status().run == nil)
    #expect(try control.end(of: run)?.runID == run.runID)
  }

  @Test func `the result of a run is a sentence`() throws {
    let run = try shown()
    clock.advance(by: .seconds(15))
    _ = try other.perform(.stop)
    let ended = try #require(try control.end(of: run))
    #expect(
      IdlePage.result(EndedRunSummary(ended))
        == "“All” was stopped after \(LengthText.elapsed(.seconds(15))) · 1 of 3 steps")
  }

  @Test func `sounds are switched in the step that is current, even if the one that is shown has ended`()
    throws
  {
    let run = try shown()
    _ = try other.perform(.next)
    #expect(!control.playsSounds(run))
    try control.perform(.playSounds(true), on: run)
    #expect(control.playsSounds(try shown()))
    #expect(try index() == 1)
  }
}
