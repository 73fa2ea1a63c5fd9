import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// `sequence timer`.
@Suite(.timeLimit(.minutes(1)))
struct TimerTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test(
    arguments: [
      (["5m", "Tea"], #"step 1 of 1: "Tea", 5m"#),
      (["1:30", "Green", "tea"], #"step 1 of 1: "Green tea", 1m30s"#),
      (["90"], #"step 1 of 1: "Timer", 1m30s"#), (["1h", "--cues", "none"], #"step 1 of 1: "Timer", 1h"#),
      (["10s", "--", "--fast"], #"step 1 of 1: "--fast", 10s"#),
    ])
  func `timer starts a run of one countdown with the words as its title`(words: [String], line: String) throws
  {
    let timer = try ChildProcess(
      BuiltProducts.path(of: "sequence"), ["timer"] + words, environment: tool.environment)
    #expect(try timer.line().hasPrefix("0:00:00.000  started "))
    #expect(try timer.line() == "0:00:00.000  \(line)")
    #expect(try tool.status("state") == "running")
    try tool.succeed("stop")
    #expect(try timer.exitStatus() == 3)
  }

  @Test func `timer takes the options of run`() throws {
    try tool.succeed("start", "--card", "A 1h")
    let refused = try tool("timer", "0.1s")
    #expect(refused.status == 1)
    #expect(refused.errors.hasSuffix("end it with sequence stop, or add --replace\n"), "\(refused.errors)")
    let replaced = try tool("timer", "0.1s", "--replace", "--json")
    #expect(replaced.status == 0)
    #expect(replaced.text.contains(#""event":"run-end""#) || replaced.text.contains(#""event":"finished""#))
  }

  @Test(
    arguments: [
      ([], "timer needs DURATION; see sequence help timer"),
      (["Tea"], #""Tea" is not a duration; write it like 2m or 1m30s"#),
      (["1h", "30m"], #"timer takes one duration, not also "30m"; write it as one word, such as 1h30m"#),
    ])
  func `timer explains a wrong duration`(words: [String], message: String) throws {
    let outcome = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), ["timer"] + words, environment: tool.environment)
    #expect(outcome.status == 64)
    #expect(outcome.errors == "sequence: \(message)\n")
  }
}
