import Foundation
import Glibc
import SequencePlatform
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

/// External text in the output, which must not control the terminal.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct HostileOutputTests {
  /// Escape sequences, BEL, DEL, C1 as UTF-8, all kinds of line breaks, and bidirectional controls.
  private static let text = "a\u{1B}]0;b\u{7}\u{7F}\u{9B}31m\r\n\u{85}\u{2028}\u{202E}\u{2066}z"
  private static let yaml = #"a\e]0;b\a\x7f\x9b31m\r\n\x85\u2028\u202e\u2066z"#

  private let tool: Tool
  /// A state directory with a hostile name.
  private let state: String

  init() throws {
    tool = try Tool()
    state = tool.directory.path + "/" + HostileOutputTests.text
  }

  /// Runs a command, and checks that its output is harmless.
  private func expectHarmless(_ words: String..., input: String? = nil, state: String? = nil) throws {
    var environment = tool.environment
    if let state { environment["SEQUENCE_STATE_DIR"] = state }
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words, environment: environment, input: input, within: .seconds(60))
    for text in [output.text, output.errors] {
      for line in text.split(separator: "\n") {
        #expect(TextSafety.isSafe(String(line)), "\(words): \(String(reflecting: line))")
      }
    }
    // An error is one line, whatever it quotes.
    if output.status != 0 { #expect(output.errors.split(separator: "\n").count == 1, "\(words)") }
  }

  private func file() throws -> String {
    let text = HostileOutputTests.yaml
    return try tool.file(
      """
      title: "\(text)"
      cards:
        - { title: "1\(text)", note: "\(text)", countdown: 1h }
        - { title: "2\(text)", countUp: { goal: 1h, every: 1m } }
        - { title: "3\(text)", countUp: {} }
      """)
  }

  @Test(arguments: [false, true])
  func `a hostile sequence in a hostile directory`(isJSON: Bool) throws {
    let path = try file()
    let json = isJSON ? ["--json"] : []
    func run(_ words: String...) throws {
      for state in [tool.state, state] {
        let output = try ChildProcess.run(
          BuiltProducts.path(of: "sequence"), words + json + ["--state-dir", state],
          environment: tool.environment, within: .seconds(60))
        for line in (output.text + "\n" + output.errors).split(separator: "\n") {
          #expect(TextSafety.isSafe(String(line)), "\(words): \(String(reflecting: line))")
          if isJSON, output.status == 0, output.errors.isEmpty {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
          }
        }
      }
    }
    try run("check", path)
    try run("start", path)
    try run("start", path)
    try run("status")
    try run("notifications", "list")
    for command in ["pause", "pause", "resume", "skip", "next", "back", "restart", "toggle"] {
      try run(command)
    }
    try run("next")
    try run("extend", "1m")
    try run("agent", "status")
    try run("doctor")
    try run("stop")
    try run("history")
    try run("history", "--steps")
    try run("stats", "--by", "sequence")
    for state in [tool.state, state] {
      let log = try String(contentsOfFile: state + "/agent.log", encoding: .utf8)
      for line in log.split(separator: "\n") { #expect(TextSafety.isSafe(String(line)), "the agent's log") }
    }
    let status = try JSONSerialization.jsonObject(
      with: Data(tool.succeed("agent", "status", "--json", "--state-dir", state).utf8))
    if let agent = (status as? [String: Any])?["process"] as? pid_t { kill(agent, SIGKILL) }
  }

  @Test func `the fields of a template`() throws {
    try tool.succeed("start", try file())
    try expectHarmless("status", "--format", "{state}{sequence}{step:.3}{note:9}{next}")
    for bar in ["waybar", "i3status", "polybar", "tmux", "plain"] {
      try expectHarmless("status", "--bar", bar)
    }
  }

  @Test func `hostile arguments`() throws {
    let text = HostileOutputTests.text
    try tool.succeed("start", "--card", "A 1h")
    for words in [
      [text], ["help", text], ["status", "--" + text], ["status", "--json=" + text], ["status", text],
      ["status", "--format", "{" + text + "}"], ["extend", text], ["next", "--step", text],
      ["history", "--since", text], ["wait", text], ["notifications", text],
      ["notifications", "list", "--card", text], ["start", "--card", text],
      ["start", "--card", "A 1" + text],
      ["start", "--card", "A 1s", "--rounds", text], ["check", text], ["check", "/" + text],
      ["agent", text], ["doctor", text], ["status", "--state-dir", "/proc/" + text],
    ] {
      let output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), words, environment: tool.environment, within: .seconds(60))
      #expect(output.status != 0, "\(words)")
      #expect(output.errors.split(separator: "\n").count == 1, "\(words)")
      for line in (output.text + output.errors).split(separator: "\n") {
        #expect(TextSafety.isSafe(String(line)), "\(words): \(String(reflecting: line))")
      }
    }
  }

  @Test(arguments: [
    "title: \(yaml)\n", "title: \"\(yaml)\"\n\"\(yaml)\": 1\n",
    "title: T\ncards: [{ title: A, countdown: \"\(yaml)\" }]\n", "title: T\ncards: \"\(yaml)\"\n", "\(text)",
    "title: T\ncards: [{ title: A, id: \"\(yaml)\", countdown: 1s }]\n", "a: !\(text)\n", "a: *\(text)\n",
  ])
  func `an invalid file with a hostile name`(content: String) throws {
    let path = try tool.directory.write(content, to: HostileOutputTests.text + ".yaml")
    try expectHarmless("check", path)
    try expectHarmless("check", "-", input: content)
  }

  @Test func `a damaged store in a hostile directory`() throws {
    try #require(mkdir(state, 0o700) == 0)
    try Data("no database".utf8).write(to: URL(filePath: state + "/sequence.db"))
    try expectHarmless("status", state: state)
  }

  @Test func `a missing agent next to a program with a hostile name`() throws {
    let program = state + "/sequence"
    try #require(mkdir(state, 0o700) == 0)
    try FileManager.default.copyItem(atPath: BuiltProducts.path(of: "sequence"), toPath: program)
    let output = try ChildProcess.run(
      program, ["start", "--card", "A 1h"], environment: tool.environment, within: .seconds(60))
    #expect(output.errors.contains("so no notifications are shown"))
    #expect(output.errors.split(separator: "\n").count == 1)
    for line in output.errors.split(separator: "\n") { #expect(TextSafety.isSafe(String(line))) }
  }
}
