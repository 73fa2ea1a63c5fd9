import Foundation
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// The pages of the manual.
struct ManualTests {
  private static let tools: [[String]] = [
    ["/usr/bin/mandoc", "-T", "lint", "-W", "warning"], ["/usr/bin/groff", "-ww", "-man", "-z"],
  ].filter { FileManager.default.isExecutableFile(atPath: $0[0]) }

  @Test(arguments: tools)
  func `the pages are set without a warning`(tool: [String]) throws {
    let directory = try TemporaryDirectory()
    for (name, page) in [("sequence.1", CommandManual.page), ("sequence.5", FileManual.page)] {
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
    ])
  func `nothing in a text has a meaning for roff`(text: String, roff: String) {
    #expect(ManualText.text(text) == roff)
  }

  /// The documentation of the format, split where its headings are.
  private func documentation() throws -> [String: String] {
    let path = BuiltProducts.repository + "/docs/file-format.md"
    let text = "\n" + (try String(contentsOfFile: path, encoding: .utf8))
    return Dictionary(
      uniqueKeysWithValues: text.components(separatedBy: "\n## ").dropFirst().map { part in
        (String(part.prefix { $0 != "\n" }), String(part.drop { $0 != "\n" }))
      })
  }

  /// The cells of the rows of the table in a text, without its head.
  private func rows(_ text: String?) throws -> [[String]] {
    try #require(text).split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { row in
      row.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// A text with one space wherever it has any.
  private func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `the manual of the format says what the documentation does`() throws {
    let documentation = try documentation()
    var place = ""
    let keys = try rows(documentation["Keys"]).map { cells in
      if !cells[0].isEmpty { place = cells[0] }
      return [place] + cells.dropFirst()
    }
    #expect(keys == FileManual.keys.map { [$0.place, $0.key, $0.meaning] })
    #expect(try rows(documentation["Limits"]) == FileManual.limits.map { [$0.what, $0.most] })
    for (section, paragraphs) in [("Keys", FileManual.paragraphs), ("Values", FileManual.values)] {
      let text = plain(try #require(documentation[section]))
      for paragraph in paragraphs { #expect(text.contains(plain(paragraph)), "\(paragraph)") }
    }
  }

  @Test func `the example of the manual is that of the documentation, and a sequence`() throws {
    let path = BuiltProducts.repository + "/docs/file-format.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let example = try #require(
      text.components(separatedBy: "```yaml\n").last?.components(separatedBy: "\n```").first)
    #expect(plain(example) == plain(FileManual.example))
    #expect(try SequenceFile.parse(Array(FileManual.example.utf8)).timeline.count == 19)
  }
}
