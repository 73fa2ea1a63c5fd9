import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized)
struct HookTests {
  private func configure(_ tool: Tool, _ text: String) throws {
    let folder = tool.directory.path + "/.config/sequence"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/config.yaml"))
  }

  /// Returns a hook that writes a line for each of some events into a file.
  private func log(_ events: String) -> String {
    "- { on: [\(events)], run: [sh, -c, 'echo $SEQUENCE_EVENT $SEQUENCE_CARD_TITLE >> \"$HOME/said\"'] }"
  }

  private func said(_ tool: Tool) throws -> [String] {
    guard FileManager.default.fileExists(atPath: tool.directory.path + "/said") else { return [] }
    let text = try String(contentsOfFile: tool.directory.path + "/said", encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  /// Waits until a hook has written a number of lines.
  private func wait(_ tool: Tool, untilSaid count: Int) throws { try wait(tool) { $0.count >= count } }

  /// Waits until the lines that a hook has written satisfy a condition.
  private func wait(_ tool: Tool, until fit: ([String]) -> Bool) throws {
    let timer = try DeadlineTimer()
    try timer.arm(SystemClock.boot() + .seconds(20 * patience))
    let watch = try DirectoryWatch(path: tool.directory.path)
    while try !fit(said(tool)) {
      let ready = try waitUntilReadable([watch.descriptor, timer.descriptor])
      guard !ready.contains(timer.descriptor) else { throw TestSupportError("only \(try said(tool))") }
      try watch.drain()
    }
  }

  private func hooksCheck(_ tool: Tool) throws -> (state: String, text: String) {
    let checks = try tool.json("doctor")["checks"] as? [[String: Any]] ?? []
    let check = try #require(checks.first { $0["name"] as? String == "hooks" })
    return (check["state"] as? String ?? "", check["text"] as? String ?? "")
  }

  @Test func `without a terminal, bus or desktop hooks receive every event`() throws {
    let tool = try Tool()
    try configure(tool, "hooks:\n" + log("run-start, step-start, pause, resume, step-end, run-end"))
    let started = try tool("start", "--card", "A 1h", "--card", "B 0.3s")
    #expect(started.errors == "")
    try wait(tool, untilSaid: 2)
    try tool.succeed("pause")
    try wait(tool, untilSaid: 3)
    // While a run is paused there may be no agent; the next command starts one.
    try tool.waitForEndOfAgent()
    try tool.succeed("resume")
    try tool.succeed("next")
    try wait(tool) { $0.contains("run-end B") }
    #expect(
      try said(tool) == [
        "run-start A", "step-start A", "pause A", "resume A", "step-end A", "step-start B", "step-end B",
        "run-end B",
      ])
    #expect(try hooksCheck(tool) == ("ok", "1 configured, no failures in the last week"))
  }

  @Test func `a hook that is added while the agent waits begins with the next event`() throws {
    let tool = try Tool()
    try configure(tool, "notifications: { sound: none }\n")
    try tool.succeed("start", "--card", "A \(4 * patience)s", "--card", "B 1h")
    try configure(tool, "hooks:\n" + log("step-start, half"))
    try wait(tool, untilSaid: 2)
    #expect(try said(tool) == ["half A", "step-start B"])
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  @Test func `an agent that is killed and restarted dispatches no event twice`() throws {
    let tool = try Tool()
    try configure(tool, "hooks:\n" + log("run-start, step-start, step-end, stop"))
    try tool.succeed("start", "--card", "A 0.5s", "--card", "B 1h")
    try wait(tool, untilSaid: 4)
    for _ in 0..<3 {
      let agent = try tool.waitForAgent()
      kill(agent, SIGKILL)
      try tool.waitForEndOfAgent()
      try tool.startAgent()
      _ = try tool.waitForAgent(otherThan: agent)
    }
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
    #expect(
      try said(tool) == ["run-start A", "step-start A", "step-end A", "step-start B", "step-end B", "stop B"])
  }

  @Test
  func `hanging hooks delay neither notifications nor other hooks, are killed, and are reported by doctor`()
    throws
  {
    let (_, server, tool) = try Tool.served()
    try configure(
      tool,
      """
      hooks:
        - { on: [step-start], run: [sh, -c, "echo stuck >&2; trap '' TERM; sleep 600"], timeout: 0.5s }
        - { on: [step-start], run: [no-such-program, '{step}'] }
        - { on: [step-start], run: [sh, -c, 'exec yes >&2'] }
        \(log("step-start, run-end"))
      """)
    try tool.succeed("start", "--card", "A 0.3s", "--rounds", "4")
    var shown: [ServerEvent] = []
    while shown.count < 4 { shown.append(try server.next("notify")) }
    for (index, event) in shown.enumerated() {
      // Waiting for the first hook would take half a second; the third one keeps a processor busy.
      #expect(event.at - shown[0].at - Int64(index) * 300_000_000 < 250_000_000 * patience)
    }
    try wait(tool, untilSaid: 5)
    #expect(try said(tool) == Array(repeating: "step-start A", count: 4) + ["run-end A"])
    func failures() throws -> [Substring] {
      try tool("doctor").text.split(separator: "\n").filter {
        $0.contains("was killed after its time limit 4 times, ")
      }
    }
    try tool.wait(until: { try !failures().isEmpty })
    let (state, text) = try hooksCheck(tool)
    #expect(state == "error" && text == "program not found: no-such-program")
    let lines = try failures()
    #expect(lines.contains { $0.hasSuffix(" (step-start: it took longer than 0.5s: stuck)") }, "\(lines)")
  }

  @Test func `a slow hook gets the ends of twenty runs in their order, and none is dropped`() throws {
    let tool = try Tool()
    try configure(
      tool,
      "hooks: [{ on: run-end, run: [sh, -c, 'sleep 0.2; echo $SEQUENCE_RUN_NAME $SEQUENCE_EVENT >> \"$HOME/said\"'] }]"
    )
    let names = (1...20).map { "r\($0)" }
    for name in names { try tool.succeed("start", "--card", "A 1s", "--beside", "--name", name) }
    try wait(tool, untilSaid: names.count)
    #expect(try said(tool) == names.map { "\($0) run-end" })
    #expect(try hooksCheck(tool) == ("ok", "1 configured, no failures in the last week"))
  }

  @Test func `a hook of a killed agent ends when its time is over`() throws {
    let tool = try Tool()
    try configure(
      tool, "hooks: [{ on: step-start, run: [sh, -c, 'echo $$ >> \"$HOME/said\"; sleep 600'], timeout: 1s }]")
    try tool.succeed("start", "--card", "A 1h")
    try wait(tool, untilSaid: 1)
    kill(try tool.waitForAgent(), SIGKILL)
    let hook = try #require(pid_t(try said(tool).first ?? ""))
    guard let end = try? FileDescriptor(ofProcess: hook) else { return }
    let timer = try DeadlineTimer()
    try timer.arm(SystemClock.boot() + .seconds(20))
    let isOver = try waitUntilReadable([end.number, timer.descriptor]).contains(end.number)
    #expect(isOver)
    if !isOver { kill(-hook, SIGKILL) }
  }

  @Test func `a mistake in the configuration is reported, and without hooks the agent ends as usual`() throws
  {
    let tool = try Tool()
    try configure(tool, "hooks: [{ on: stop }]\n")
    let output = try tool("start", "--card", "A")
    #expect(output.status == 0)
    #expect(output.errors.contains("config.yaml:1:9: the key run is missing in a hook"))
    #expect(try tool.agent() == nil)
    try configure(tool, "notifications: { sound: none }\n")
    #expect(try tool("pause").errors == "")
    #expect(try tool("resume").errors == "")
    #expect(try tool.agent() == nil, "a count-up without a goal needs none")
    #expect(try hooksCheck(tool) == ("ok", "none configured"))
  }
}
