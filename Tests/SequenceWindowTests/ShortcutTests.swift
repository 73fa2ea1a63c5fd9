import Foundation
import TestSupport
import Testing

@testable import SequenceWindow

@Suite struct ShortcutTests {
  private let labels = (Shortcut.ofRun + Shortcut.ofWindow + Shortcut.ofEditor).map(\.label)

  @Test func `the page of the window has every key of a run, and no key that does nothing`() throws {
    let page = try String(contentsOfFile: BuiltProducts.repository + "docs/window.md", encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## Keyboard\n").last)
    let words = Set(section.components(separatedBy: "\n## ")[0].split { $0.isWhitespace || $0 == "\\" })
    for label in Shortcut.ofRun.map(\.label) { #expect(words.contains(label[...]), "\(label)") }
    for match in page.matches(of: /(?:(?:Ctrl|Alt|Shift)\+[^\s)]+|F[0-9]+)/) {
      let key = String(match.output)
      #expect(labels.contains(key) || labels.contains(String(key.dropLast())), "\(key)")
    }
  }

  @Test func `a tooltip names only keys that there are`() throws {
    let sources = try #require(
      FileManager.default.enumerator(atPath: BuiltProducts.repository + "Sources/SequenceWindow"))
    var count = 0
    for case let path as String in sources where path.hasSuffix(".ui") || path.hasSuffix(".swift") {
      let text = try String(
        contentsOfFile: BuiltProducts.repository + "Sources/SequenceWindow/" + path, encoding: .utf8)
      for line in text.split(separator: "\n")
      where ["tooltip-text", "setTooltip(", ": translated("].contains(where: line.contains) {
        for match in line.matches(of: /[A-Za-z0-9"] \(([^()]+)\)["<]/) {
          #expect(labels.contains(String(match.output.1)), "\(path): \(line)")
          count += 1
        }
      }
    }
    #expect(count > 8)
  }
}
