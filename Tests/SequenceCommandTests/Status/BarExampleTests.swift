import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

/// The example configurations of bars.
@Suite struct BarExampleTests {
  private static let directory = BuiltProducts.repository + "/examples/bars/"
  private static let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []

  private static func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory + name, encoding: .utf8)
  }

  @Test func `the commands in the examples exist`() throws {
    var commands: [String] = []
    for name in Self.names {
      let lines = try Self.text(name).split(separator: "\n").filter { !$0.contains(/^\s*(#|;|\/\/|\/\*)/) }
      for line in lines {
        commands += line.matches(of: /\bsequence ((status|toggle|skip|next|extend)\b[^"'|;&()>]*)/).map {
          String($0.1)
        }
      }
    }
    #expect(commands.count >= 25, "the search finds them")
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      let spec = try CommandTable.command(named: words[0])
      let arguments = try ParsedArguments(Array(words.dropFirst()), of: spec)
      if spec.name == "status" { _ = try StatusForm(arguments, EnvironmentVariables([:])) }
    }
  }

  @Test func `the snippets of the page are lines of the examples`() throws {
    let page = try String(contentsOfFile: BuiltProducts.repository + "/docs/bars.md", encoding: .utf8)
    let snippets = page.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }.map {
      $0.element.drop { $0 != "\n" }.dropFirst()
    }
    let examples = try Self.names.map(Self.text)
    let configurations = snippets.filter { !$0.hasPrefix("sequence ") }
    #expect(configurations.count >= 7)
    for snippet in configurations {
      #expect(examples.contains { $0.contains(snippet) }, "no example has this:\n\(snippet)")
    }
  }

  /// Returns a directory of scripts in place of programs, which report their arguments.
  private func fakes(_ programs: [String: String]) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for (name, script) in programs {
      let path = try directory.write("#!/bin/sh\n" + script, to: name)
      try #require(chmod(path, 0o755) == 0)
    }
    return directory
  }

  @Test func `clicks control the run, and clicks on other blocks do not`() throws {
    let fakes = try fakes(["sequence": "echo \"$*\" >>\"$CALLS\"\n"])
    let clicks = """
      [
      {"name":"sequence","button":1,"x":5}
      ,{"name": "sequence", "button": 2}
      ,{"name":"time","button":3}
      {"button":3,"instance":"a"}
      {"name":"sequence","button":4}
      {"name":"sequence","button":5,"y":1}
      {"name":"sequence","button":11}

      """
    let calls = fakes.path + "/calls"
    let output = try ChildProcess.run(
      Self.directory + "sequence-click", [],
      environment: ["PATH": fakes.path + ":/usr/bin:/bin", "CALLS": calls], input: clicks)
    #expect(output.status == 0 && output.text == "" && output.errors == "")
    #expect(
      try String(contentsOfFile: calls, encoding: .utf8) == "toggle\nskip\nnext\nextend 30s\nextend -30s\n")
  }

  @Test func `the wrapper of i3status puts the run before the output of i3status`() throws {
    let fakes = try fakes([
      "i3status":
        #"printf '{"version":1}\n[\n[{"name":"z"}]\n,[{"name":"a"}]\n,[{"name":"a"},{"name":"b"}]\n'; [ "$*" = "-c x" ]"#,
      "sequence": #"[ "$*" = "status --bar i3status --follow" ] && printf '{"full_text":"A, {\\\\}"}\n'"#,
      "sequence-click": "cat >/dev/null",
    ])
    let output = try ChildProcess.run(
      Self.directory + "i3status-with-sequence", ["-c", "x"],
      environment: ["PATH": fakes.path + ":/usr/bin:/bin"])
    let lines = output.text.split(separator: "\n").map(String.init)
    #expect(lines.first == #"{"version":1,"click_events":true}"#)
    #expect(lines.last == #",[{"name":"sequence","full_text":"A, {\\}"},{"name":"a"},{"name":"b"}]"#)
    let stream = lines.dropFirst().joined() + "]"
    let shown = try JSONSerialization.jsonObject(with: Data(stream.utf8)) as? [[[String: String]]]
    #expect(shown?.count == 4 && shown?.allSatisfy { $0.first?["name"] == "sequence" } == true)
  }
}
