import Foundation
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The built programs right after an agent was terminated.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct AgentReplacementTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  /// Stops an agent between two writes, because it would keep the store locked.
  private func stopBetweenTransactions(_ agent: pid_t) throws {
    let database = try Database(path: tool.state + "/sequence.db")
    while true {
      kill(agent, SIGSTOP)
      do {
        return try database.awaitWriter()
      } catch StoreError.busy {
        kill(agent, SIGCONT)
      }
    }
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a command right after the end of an agent starts another one`(signal: Int32) throws {
    try tool.succeed("start", "--card", "A 1h")
    var agent = try tool.waitForAgent()
    for _ in 1...25 {
      kill(agent, signal)
      try tool.succeed("start", "--replace", "--card", "A 1h")
      agent = try tool.waitForAgent(otherThan: agent)
    }
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test(arguments: ["status", "notifications"])
  func `a command that only looks replaces an agent that has missed a notification`(word: String) throws {
    try tool.succeed("start", "--card", "A 1s", "--card", "B 1h")
    kill(try tool.waitForAgent(), SIGKILL)
    let limit = SystemClock.boot() + .seconds(20)
    while try tool.succeed("status", "--format", "{step}") != "B\n", SystemClock.boot() < limit {}
    let agent = try tool.agent()
    #expect(agent == nil, "a status bar starts none")
    try tool.succeed(word)
    _ = try tool.waitForAgent()
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test(arguments: [SIGTERM, SIGKILL], [["run", "--card", "A 1h"], ["attach"], ["status", "--follow"]])
  func `a display replaces an agent that was terminated`(signal: Int32, words: [String]) throws {
    if words.first != "run" { try tool.succeed("start", "--card", "A 1h") }
    let display = try ChildProcess(
      BuiltProducts.path(of: "sequence"), words, environment: tool.environment)
    _ = try display.line()
    var agent = try tool.waitForAgent()
    for _ in 1...3 {
      kill(agent, signal)
      agent = try tool.waitForAgent(otherThan: agent)
    }
    // The display has waited for each agent that it started, so none of them is a zombie.
    let list = "/proc/\(display.identifier)/task/\(display.identifier)/children"
    let children = try String(contentsOfFile: list, encoding: .utf8).split(separator: " ")
    let others = children.filter { $0 != String(agent) }
    #expect(others.isEmpty)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `a display replaces an agent that waits for a schedule, which ends once that is removed`() throws
  {
    let path = try tool.file("title: A\ncards: [{ title: B, countdown: 1h }]")
    let hour = (Calendar.current.component(.hour, from: Date()) + 12) % 24
    try tool.succeed("schedule", path, "\(hour):00")
    let display = try ChildProcess(
      BuiltProducts.path(of: "sequence"), ["status", "--follow"], environment: tool.environment)
    _ = try display.line()
    let agent = try tool.waitForAgent()
    kill(agent, SIGKILL)
    _ = try tool.waitForAgent(otherThan: agent)
    try tool.succeed("schedule", "remove", "1")
    try tool.waitForEndOfAgent()
  }

  @Test func `an agent that has not reported yet is not taken for the agent before it`() throws {
    let store = try CompleteStore.open(in: StateDirectory(path: tool.state), clock: SystemClock())
    let now = try SystemClock().now().wall
    func status(ofReportBy process: pid_t) throws -> pid_t? {
      try store.changeLedger { ledger throws(StoreError) in
        try ledger.store(
          AgentReport(process: process, startedAt: now, desktop: .available(server: "dunst"), updatedAt: now))
      }
      let document = try tool.json("agent", "status")
      #expect(document["running"] as? Bool == true)
      #expect((document["server"] == nil) == (document["process"] == nil))
      return document["process"] as? pid_t
    }
    let agent = try StandInAgent(in: tool.state)
    #expect(try status(ofReportBy: 1) == nil)
    #expect(try tool("agent", "status").text.hasPrefix("running; it has not reported yet\n"))
    #expect(try status(ofReportBy: getpid()) == getpid())
    withExtendedLifetime(agent) {}
  }

  @Test func `a stopped agent delays no command for long, and the command reports it`() throws {
    try tool.succeed("start", "--card", "A 1h")
    let agent = try tool.waitForAgent()
    defer { kill(agent, SIGCONT) }
    try stopBetweenTransactions(agent)
    let begin = SystemClock.boot()
    let extended = try tool("extend", "1m")
    #expect(SystemClock.boot() - begin < .seconds(5 * patience))
    #expect(extended.status == 0)
    #expect(extended.errors.contains("the agent (process \(agent)) does not respond"))
    kill(agent, SIGCONT)
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }
}
