import Foundation
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

/// The manual pages, and the pages of the documentation from which they are made.
struct ManualTests {
  private static let pages = ["man1/sequence.1", "man5/sequence.5", "man5/sequence-config.5"]

  private func run(_ script: String, _ arguments: [String], path: String = "/usr/bin:/bin") throws
    -> ChildProcess.Output
  {
    let line = "cd '\(BuiltProducts.repository)' && exec scripts/\(script) \"$@\""
    return try ChildProcess.run(
      "/bin/sh", ["-c", line, script, BuiltProducts.path(of: "sequence")] + arguments,
      environment: ["PATH": path], within: .seconds(60))
  }

  private func pages() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let output = try run("make-manual", [directory.path])
    try #require(output.status == 0 && output.errors == "", "\(output)")
    return directory
  }

  /// Returns a page as a reader sees it.
  private func shown(_ page: String, columns: Int) throws -> String {
    let output = try ChildProcess.run(
      "/usr/bin/mandoc", ["-T", "utf8", "-O", "width=\(columns)", page], environment: [:],
      within: .seconds(30))
    // Bold and underlined characters are overstruck.
    return output.text.replacing(/.\u{8}/, with: "")
  }

  @Test(
    arguments: [
      ["/usr/bin/mandoc", "-T", "lint", "-W", "warning"], ["/usr/bin/groff", "-Kutf8", "-ww", "-man", "-z"],
    ])
  func `the pages are formatted without a warning`(tool: [String]) throws {
    let directory = try pages()
    for page in ManualTests.pages {
      let output = try ChildProcess.run(
        tool[0], tool.dropFirst() + ["\(directory.path)/\(page)"], environment: ["PATH": "/usr/bin:/bin"],
        within: .seconds(30))
      #expect(output.status == 0)
      #expect(output.text + output.errors == "", "\(page)")
    }
  }

  @Test func `the pages fit in 80 columns, without links and other marks of the documentation`() throws {
    let directory = try pages()
    for page in ManualTests.pages {
      let text = try shown("\(directory.path)/\(page)", columns: 80)
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(page): \(line)") }
      for mark in [".md", "](", "**", "``", "| ", "@TP"] where mark != "| " || page != ManualTests.pages[0] {
        #expect(!text.contains(mark), "\(page): \(mark)")
      }
      #expect(text.contains("\nNAME\n") && text.contains("\nDESCRIPTION\n") && text.contains("\nSEE ALSO\n"))
    }
  }

  @Test func `sequence(1) has the help of each command word by word, and what commands share once`() throws {
    let directory = try pages()
    let page = plain(try shown("\(directory.path)/\(ManualTests.pages[0])", columns: 1000))
    let paragraphs = CommandTable.commands.flatMap { $0.discussion.map(\.description) }.filter {
      !$0.hasPrefix("Exit status")
    }
    let shared = Set(paragraphs.filter { paragraph in paragraphs.count { $0 == paragraph } > 1 }.map(plain))
    for paragraph in shared { #expect(page.components(separatedBy: paragraph).count == 2, "\(paragraph)") }
    #expect(shared.count >= 5)
    for command in CommandTable.commands {
      let help = HelpText.text(for: command, width: 1000).components(separatedBy: "\n\n").map { paragraph in
        plain(
          paragraph.split(separator: "\n").filter { line in
            !CommandTable.common.contains { line.hasPrefix("  --\($0.name)") }
          }.joined(separator: " "))
      }
      let words = help.filter { !shared.contains($0) && $0 != "" }.joined(separator: " ")
      let isThere = page.contains("sequence \(command.name) \(words)")
      #expect(isThere, "\(words)")
    }
  }

  @Test func `without lowdown there are completions, and a message says that pages are missing`() throws {
    let directory = try TemporaryDirectory()
    let tools = try TemporaryDirectory()
    for tool in ["mkdir", "rm"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(tools.path)/\(tool)", withDestinationPath: "/bin/\(tool)")
    }
    _ = try directory.write("", to: "man/man1/sequence.1")
    let output = try run("make-share", [directory.path, "zsh"], path: tools.path)
    #expect(output.status == 0)
    #expect(
      output.errors.hasPrefix("lowdown is not installed, so there will be no manual pages; run \"make man\""))
    let made = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    #expect(made.contains("zsh/_sequence_timer") && !made.contains("man"), "\(made)")
  }

  @Test func `a page that lowdown can't convert is a failure`() throws {
    let directory = try TemporaryDirectory()
    let tools = try TemporaryDirectory()
    let lowdown = try tools.write("#!/bin/sh\nexit 1\n", to: "lowdown")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: lowdown)
    #expect(try run("make-manual", [directory.path], path: "\(tools.path):/usr/bin:/bin").status != 0)
  }

  /// Returns the cells of the first table below a heading of the documentation, without its header.
  private func table(_ page: String, _ heading: String) throws -> [[String]] {
    let text = try String(contentsOfFile: BuiltProducts.repository + "/docs/" + page, encoding: .utf8)
    let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") }
    let rows = try #require(section).split(separator: "\n").drop { !$0.hasPrefix("|") }
    return rows.prefix { $0.hasPrefix("|") }.dropFirst(2).map { row in
      row.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `the kinds of notifications are those of the program, with its defaults`() throws {
    let kinds = try table("configuration.md", "Kinds of notifications")
    #expect(
      Set(kinds.map { [$0[0]] + $0[2...] })
        == Set(
          NotificationPlanning.styles.map { kind, style in
            [kind.rawValue, style.urgency.rawValue, style.sound ?? "none", style.category ?? "none"].map {
              "`\($0)`"
            }
          }))
  }

  @Test(
    arguments: [
      ("sequence", "x: 1", "properties"),
      ("card", "{ title: a, cards: [{ x: 1 }] }", "definitions.groupCard.properties"),
      ("group", "{ title: a, cards: [{ rounds: 2, x: 1 }] }", "definitions.group.properties"),
    ])
  func `the documented keys of sequence files are those of the parser and of the schema`(
    place: String, text: String, path: String
  ) throws {
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(text.utf8)) }
    let keys = try documentedKeys("file-format.md", place)
    #expect(try keys == knownKeys(#require(error)) && keys == schemaKeys("sequence.schema.json", path))
  }

  @Test(
    arguments: [
      ("top level", "x: 1", "properties"), ("cues", "cues: { x: 1 }", "properties.cues.properties"),
      ("hook", "hooks: [{ x: 1 }]", "definitions.hook.properties"),
      ("panel", "panel: { x: 1 }", "properties.panel.properties"),
    ])
  func `the documented keys of the configuration are those of the parser and of the schema`(
    place: String, text: String, path: String
  ) throws {
    let error = #expect(throws: SequenceFileError.self) { try Configuration.parse(Array(text.utf8)) }
    let keys = try documentedKeys("configuration.md", place)
    #expect(try keys == knownKeys(#require(error)) && keys == schemaKeys("config.schema.json", path))
  }

  @Test func `the schema has the kinds of notifications`() throws {
    let kinds = NotificationPlanning.styles.keys.map(\.rawValue)
    let keys = try schemaKeys("config.schema.json", "properties.notifications.properties")
    #expect(keys == Set(kinds + ["icon", "sound", "urgency"]))
  }

  /// Returns the keys of a place in a table, whose next rows leave out the place.
  private func documentedKeys(_ page: String, _ place: String) throws -> Set<String> {
    let rows = try table(page, "Keys").drop { $0[0] != place }
    let own = rows.prefix(1) + rows.dropFirst().prefix { $0[0].isEmpty }
    return Set(own.flatMap { $0[1].replacing("`", with: "").split(separator: ", ").map(String.init) })
  }

  /// Returns the keys that the parser lists when it rejects another one.
  private func knownKeys(_ error: SequenceFileError) throws -> Set<String> {
    let list = try #require(error.message(inFile: "").firstMatch(of: /; use (.*)$/)).1
    return Set(list.split(separator: ", ").map(String.init))
  }

  private func schemaKeys(_ schema: String, _ path: String) throws -> Set<String> {
    let data = try Data(contentsOf: URL(filePath: BuiltProducts.repository + "docs/" + schema))
    let properties = try path.split(separator: ".").reduce(JSONSerialization.jsonObject(with: data)) {
      try #require(($0 as? [String: Any])?[String($1)])
    }
    return Set(try #require(properties as? [String: Any]).keys)
  }
}
