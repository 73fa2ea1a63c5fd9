import Foundation
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

  private func start(_ timing: Timing) throws -> OpenRunStore {
    let store = try OpenRunStore(directory: StateDirectory(path: directory.path + "/state"), clock: clock)
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
      try ActionText.line(early, store.perform(early))
        == #"extended by 0.25s: "Read" 0:01 of 1.75s, step 1 of 1"#)
    clock.advance(by: .nanoseconds(1_137_965_813))
    let late = RunCommand.extend(.seconds(5))
    #expect(
      try ActionText.line(late, store.perform(late)) == #"extended by 5s: "Read" 0:02 of 7s, step 1 of 1"#)
    let document = try JSONText.encode(StatusDocument(store.settle()))
    #expect(document.contains("7.137965813"), "\(document)")
  }

  @Test(arguments: ["-PT5S", "-5s", "-0:05", "-5"])
  func `a step is shortened by a duration in any notation`(amount: String) throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("start", "--card", "A 1h").status == 0)
    let outcome = try sequence("extend", amount)
    #expect(outcome.text.hasPrefix("shortened by 5s: "), "\(outcome)")
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

  @Test func `a movement of a paused run says that it stays paused`() throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("start", "--card", "A 1h", "--card", "B 1h", "--card", "C 1h").status == 0)
    #expect(try !sequence("next").text.contains("paused"))
    #expect(try sequence("pause").status == 0)
    for words in [["skip"], ["back"], ["restart"], ["extend", "1m"]] {
      #expect(try sequence.run(words).text.hasSuffix("; still paused"), "\(words)")
    }
    #expect(try !sequence("resume").text.contains("paused"))
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
