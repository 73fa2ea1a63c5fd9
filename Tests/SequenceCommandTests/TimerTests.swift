import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

@Suite(.timeLimit(.minutes(1)))
struct TimerTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test(
    arguments: [
      (["5m", "Tea"], #"step 1 of 1: "Tea", 5m"#),
      (["1:30", "Green", "tea"], #"step 1 of 1: "Green tea", 1m30s"#),
      (["90s"], #"step 1 of 1: "Timer", 1m30s"#), (["5", "minutes", "Tea"], #"step 1 of 1: "Tea", 5m"#),
      (["Tea", "1h", "30", "min"], #"step 1 of 1: "Tea", 1h30m"#),
      (["14:30"], #"step 1 of 1: "Timer", 14m30s"#),
      (["1h", "--cues", "none"], #"step 1 of 1: "Timer", 1h"#),
      (["10s", "--", "--fast"], #"step 1 of 1: "--fast", 10s"#),
    ])
  func `timer starts a run of one countdown with the words as its title`(words: [String], line: String) throws
  {
    let timer = try ChildProcess(
      BuiltProducts.path(of: "sequence"), ["timer"] + words, environment: tool.environment)
    let end = try #/, 1 step, until \d\d:\d\d( tomorrow)?$/#.firstMatch(in: timer.line())
    #expect(end != nil)
    #expect(try timer.line() == "0:00:00.000  \(line)")
    #expect(try tool.status("state") == "running")
    try tool.succeed("stop")
    #expect(try timer.exitStatus() == 3)
  }

  @Test func `a timer with an end needs no duration`() throws {
    #expect(TimerCommand.command.usage == "sequence timer [DURATION] [TITLE…]")
    #expect(try CommandLineRunner()("timer").errors.hasPrefix("sequence: timer needs a duration; "))
  }

  @Test func `timer takes the options of run, and runs beside other runs`() throws {
    try tool.succeed("start", "--card", "A 1h")
    let refused = try tool("start", "--card", "B 1h")
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasSuffix("add --beside to run both, or --replace to stop it first\n"),
      "\(refused.errors)")
    let replaced = try tool("timer", "0.1s", "--replace", "--json")
    #expect(try tool.status("sequence") == "A")
    #expect(replaced.status == 0)
    #expect(replaced.text.contains(#""event":"run-end""#) || replaced.text.contains(#""event":"finished""#))
  }

  @Test(
    arguments: [
      ([], "timer needs a duration; write it like sequence timer 5m Tea"),
      (["Tea"], #""Tea" has no duration; write it like 5m Tea, or Tea until 14:30"#),
      (["25"], #""25" has no unit; write 25s or 25m"#), (["Tea", "5"], #""5" has no unit; write 5s or 5m"#),
      (["5m", "Tea", "30m"], #""5m Tea 30m" begins and ends with a duration; write one of them"#),
      (["2", "weeks"], #""weeks" is not a unit; write 14d"#),
      (["-5m"], #""-5m" is negative; write a duration longer than zero"#),
    ])
  func `timer explains a wrong duration`(words: [String], message: String) throws {
    let outcome = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), ["timer"] + words, environment: tool.environment)
    #expect(outcome.status == 64)
    #expect(outcome.errors == "sequence: \(message)\n")
  }
}
