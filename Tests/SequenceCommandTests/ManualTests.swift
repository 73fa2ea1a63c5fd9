import Foundation
import NotifierLedger
import SequencePlanning
import SequenceConfiguration
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// The pages of the manual.
struct ManualTests {
  private static let tools: [[String]] = [
    ["/usr/bin/mandoc", "-T", "lint", "-W", "warning"], ["/usr/bin/groff", "-ww", "-man", "-z"],
  ]

  @Test(arguments: tools)
  func `the pages are formatted without a warning`(tool: [String]) throws {
    let directory = try TemporaryDirectory()
    for (name, page) in [
      ("sequence.1", CommandManual.page), ("sequence.5", FileManual.page),
      ("sequence-config.5", ConfigurationManual.page),
    ] {
      let path = try directory.write(page + "\n", to: name)
      let output = try ChildProcess.run(
        tool[0], tool.dropFirst() + [path], environment: [:], within: .seconds(30))
      #expect(output.status == 0)
      #expect(output.text + output.errors == "", "\(name)")
    }
  }

  @Test(
    arguments: [
      (".x", "\\&.x"), ("a\\b", "a\\eb"), ("'a'", "\\(aqa\\(aq"), ("`--x` y", "\\fB\\-\\-x\\fR y"),
      ("left-over, -5 --x", "left-over, \\-5 \\-\\-x"), ("±…", "\\[u00B1]\\[u2026]"), ("😀", "\\[u1F600]"),
      ("*a* b", "\\fIa\\fR b"), ("`*a`", "\\fB*a\\fR"), ("a [b](c.md) [d](e.md) f", "a b d f"),
      ("a](b [c](d)", "a](b c"),
    ])
  func `no text is interpreted by roff`(text: String, roff: String) {
    #expect(ManualText.text(text) == roff)
  }

  @Test func `each hyphen of an example is a minus, which can be pasted`() {
    let lines = ManualText.example("- { a: step-end }\nsequence --x -5").split(separator: "\n")
    #expect(lines.contains("\\- { a: step\\-end }") && lines.contains("sequence \\-\\-x \\-5"), "\(lines)")
  }

  /// Returns the sections of a page of the documentation by heading; the part before the first has an empty
  /// one.
  private func documentation(_ page: String) throws -> [String: String] {
    let path = BuiltProducts.repository + "/docs/" + page
    let parts = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n## ")
    return Dictionary(
      uniqueKeysWithValues: [("", parts[0])]
        + parts.dropFirst().map { part in
          (String(part.prefix { $0 != "\n" }), String(part.drop { $0 != "\n" }))
        })
  }

  /// Returns the rows of a table, with an empty first cell taken from the row above.
  private func filled(_ rows: [[String]]) -> [[String]] {
    var place = ""
    return rows.map { cells in
      if !cells[0].isEmpty { place = cells[0] }
      return [place] + cells.dropFirst()
    }
  }

  /// Returns the cells of the table in a text, without its header.
  private func rows(_ text: String?) throws -> [[String]] {
    try #require(text).split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { row in
      row.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Returns a text with single spaces.
  private func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `the manual of the format equals the documentation`() throws {
    let documentation = try documentation("file-format.md")
    let keys = filled(try rows(documentation["Keys"]))
    #expect(keys == FileManual.keys.map { [$0.place, $0.key, $0.meaning] })
    #expect(try rows(documentation["Limits"]) == FileManual.limits.map { [$0.what, $0.most] })
    for (section, paragraphs) in [("Keys", FileManual.paragraphs), ("Values", FileManual.values)] {
      let text = plain(try #require(documentation[section]))
      for paragraph in paragraphs { #expect(text.contains(plain(paragraph)), "\(paragraph)") }
    }
  }

  @Test func `the example of the manual equals that of the documentation and is a valid sequence`() throws {
    let path = BuiltProducts.repository + "/docs/file-format.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let example = try #require(
      text.components(separatedBy: "```yaml\n").last?.components(separatedBy: "\n```").first)
    #expect(plain(example) == plain(FileManual.example))
    #expect(try SequenceFile.parse(Array(FileManual.example.utf8)).timeline.count == 19)
  }

  @Test func `the manual of the configuration equals the documentation`() throws {
    let documentation = try documentation("configuration.md")
    let keys = filled(try rows(documentation["Keys"]))
    #expect(keys == ConfigurationManual.keys.map { [$0.place, $0.key, $0.meaning] })
    let changes = try rows(documentation["When a change takes effect"])
    #expect(changes == ConfigurationManual.changes.map { [$0.key, $0.moment] })
    for (section, paragraph) in [
      ("", ConfigurationManual.description), ("", ConfigurationManual.mistakes),
      ("Kinds of notifications", ConfigurationManual.server),
    ] {
      #expect(plain(try #require(documentation[section])).contains(paragraph), "\(paragraph)")
    }
    // The page has a link instead of the manual's plain words.
    let rules = plain(try #require(documentation["Keys"])).replacing(
      "[sequence files](file-format.md#values)", with: "sequence files")
    #expect(rules.contains(ConfigurationManual.rules))
  }

  @Test func `the kinds of notifications are those of the program, with its defaults`() throws {
    let kinds = try rows(documentation("configuration.md")["Kinds of notifications"])
    #expect(
      try kinds
        == ConfigurationManual.kinds.map { kind, occasion in
          let style = try #require(NotificationStyle.ofSequence[kind])
          return ["`\(kind.rawValue)`", occasion]
            + [style.urgency.rawValue, style.sound ?? "none", style.category ?? "none"].map { "`\($0)`" }
        })
    #expect(Set(ConfigurationManual.kinds.map(\.kind)) == Set(NotificationStyle.ofSequence.keys))
  }

  @Test func `the example of the configuration equals that of the documentation and is valid`() throws {
    let text = try #require(documentation("configuration.md")[""])
    let example = try #require(
      text.components(separatedBy: "```yaml\n").last?.components(separatedBy: "\n```").first)
    #expect(example == ConfigurationManual.example)
    let configuration = try Configuration.parse(Array(example.utf8))
    #expect(configuration.hooks.count == 2 && configuration.keepsAwake && configuration.cues.remaining == 5)
  }

  @Test func `the keys of the manual are those of the parser and of the schema`() throws {
    let data = try Data(contentsOf: URL(filePath: BuiltProducts.repository + "docs/config.schema.json"))
    let schema = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    let hook = try #require((schema["definitions"] as? [String: [String: Any]])?["hook"])
    for (place, text, known) in [
      ("top level", "x: 1", Set(properties.keys)),
      ("cues", "cues: { x: 1 }", Set((properties["cues"]?["properties"] as? [String: Any] ?? [:]).keys)),
      ("hook", "hooks: [{ x: 1 }]", Set((hook["properties"] as? [String: Any] ?? [:]).keys)),
    ] {
      let keys = ConfigurationManual.keys.filter { $0.place == place }.map { $0.key.replacing("`", with: "") }
      #expect(Set(keys) == known)
      // The parser lists its known keys when it rejects another one.
      let error = #expect(throws: SequenceFileError.self) { try Configuration.parse(Array(text.utf8)) }
      let message = try #require(error?.message(inFile: ""))
      for key in keys { #expect(message.contains(key), "\(message)") }
    }
    let styles = try #require(properties["notifications"]?["properties"] as? [String: Any])
    let kinds = ConfigurationManual.kinds.map(\.kind.rawValue)
    #expect(Set(styles.keys) == Set(kinds + ["icon", "sound", "urgency"]))
  }
}
