import Foundation
import SequenceClient
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// The output of commands about changed times.
struct ActionTextTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func start(_ timing: Timing) throws -> RunStore {
    let store = try RunStore(
      in: StateDirectory(path: directory.path + "/state"), clock: clock, parts: [], observers: [])
    let card = SequenceElement.card(Card(id: UUID(), title: "Read", timing: timing))
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [card], onSuspend: nil, onLock: nil)))
    return store
  }

  @Test func `a goal moved after it was passed is shown in whole seconds, a written goal as written`()
    throws
  {
    let store = try start(.countUp(goal: Goal(duration: .milliseconds(1500))))
    clock.advance(by: .seconds(1))
    let early = RunCommand.extend(.milliseconds(250))
    #expect(
      try ActionText.line(early, store.perform(early, notAfter: nil))
        == #"extended test by 0.25s: "Read" 0:01 of 1.75s, step 1 of 1"#)
    clock.advance(by: .nanoseconds(1_137_965_813))
    let late = RunCommand.extend(.seconds(5))
    #expect(
      try ActionText.line(late, store.perform(late, notAfter: nil))
        == #"extended test by 5s: "Read" 0:02 of 7s, step 1 of 1"#)
    let document = try JSONText.encode(StatusDocument(store.settle()))
    #expect(document.contains("7.137965813"), "\(document)")
  }

  @Test(arguments: ["-PT5S", "-5s", "-0:05", "-5"])
  func `a step is shortened by a duration in any notation`(amount: String) throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("start", "--card", "A 1h").status == 0)
    let outcome = try sequence("extend", amount)
    #expect(outcome.text.hasPrefix("shortened a by 5s: "), "\(outcome)")
    #expect(
      try sequence("extend", "tea", amount).errors
        == #"sequence: "tea" is not a duration; write ±DURATION before RUN"#)
    #expect(
      try sequence("extend", "-x").errors == #"sequence: extend has no option "-x"; see sequence help extend"#
    )
  }

  @Test(arguments: [["5", "minutes"], ["1m", "240", "s"], ["+5", "min"]])
  func `a step is extended by a duration of several words`(words: [String]) throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("start", "--card", "A 1h").status == 0)
    let outcome = try sequence.run(["extend"] + words + ["--json"])
    #expect(outcome.text.contains(#""duration":3900"#), "\(outcome)")
    #expect(
      try sequence.run(["extend"] + words + ["a", "more"]).errors
        == #"sequence: unexpected argument "more"; put words that belong together in quotes, or see sequence help extend"#
    )
  }

  @Test func `each command says what it did to which run`() throws {
    let store = try RunStore(
      in: StateDirectory(path: directory.path + "/state"), clock: clock, parts: [], observers: [])
    let cards = ["Focus", "Break"].map { title in
      SequenceElement.card(
        Card(id: UUID(), title: title, timing: .countdown(.seconds(60), advance: .automatic)))
    }
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "My Work", elements: cards, onSuspend: nil, onLock: nil)))
    clock.advance(by: .seconds(4))
    let expected: [(RunCommand, String)] = [
      (.pause, #"paused my-work: "Focus" 0:56 left, step 1 of 2"#),
      (.resume(), #"resumed my-work: "Focus" 0:56 left, step 1 of 2"#),
      (.toggle, #"paused my-work: "Focus" 0:56 left, step 1 of 2"#),
      (.extend(.seconds(30)), #"extended my-work by 30s: "Focus" 1:26 left, step 1 of 2; still paused"#),
      (.toggle, #"resumed my-work: "Focus" 1:26 left, step 1 of 2"#),
      (.extend(.seconds(-30)), #"shortened my-work by 30s: "Focus" 0:56 left, step 1 of 2"#),
      (.next, #"completed "Focus" of my-work: "Break" 1:00 left, step 2 of 2"#),
      (.back, #"restarted a step of my-work: "Focus" 1:00 left, step 1 of 2"#),
      (.restart, #"restarted a step of my-work: "Focus" 1:00 left, step 1 of 2"#),
      (.skip, #"skipped "Focus" of my-work: "Break" 1:00 left, step 2 of 2"#),
      (.next, #"completed "Break" of my-work: finished, 1 of 2 steps in 0:04"#),
    ]
    for (command, line) in expected {
      #expect(try ActionText.line(command, store.perform(command, notAfter: nil)) == line)
    }
    let store2 = try start(.countdown(.seconds(60), advance: .automatic))
    #expect(
      try ActionText.line(.stop, store2.perform(.stop, notAfter: nil)) == "stopped test: 0 of 1 step in 0:00")
  }

  @Test func `a movement of a paused run says that it stays paused`() throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("start", "--card", "A 1h", "--card", "B 1h", "--card", "C 1h").status == 0)
    #expect(try sequence("next").text.hasPrefix(#"completed "A" of a-b-c: "B" 1:00:00 left"#))
    #expect(try sequence("pause").status == 0)
    for words in [["skip"], ["back"], ["restart"], ["extend", "1m"]] {
      #expect(try sequence.run(words).text.hasSuffix("; still paused"), "\(words)")
    }
    #expect(try sequence("resume").text.hasPrefix("resumed a-b-c: "))
  }

  @Test func `run reports whole seconds too`() throws {
    let store = try start(.countdown(.seconds(1), advance: .manual))
    let run = try #require(try store.settle().run)
    var reporter = try RunEventReporter(run, in: store)
    _ = try reporter.events(until: clock.now())
    clock.advance(by: .nanoseconds(2_137_965_813))
    _ = try store.perform(.extend(.seconds(5)))
    let lines = try reporter.events(until: clock.now()).map { reporter.line($0) }
    #expect(lines.last == #"0:00:02.137  "Read" now lasts 7s"#, "\(lines)")
  }
}
