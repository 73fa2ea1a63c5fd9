import Foundation
import TestSupport
import Testing

@testable import SequenceWindow

@Suite struct ShortcutTests {
  private let labels = (Shortcut.ofRun + Shortcut.ofWindow + Shortcut.ofEditor).map(\.label)

  @Test func `the page of the window has every key, in the same order`() throws {
    let page = try String(contentsOfFile: BuiltProducts.repository + "docs/window.md", encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## Keyboard\n").last)
    let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| key") && !$0.hasPrefix("| ---")
    }
    #expect(
      rows.flatMap { $0.dropFirst(2).components(separatedBy: " | ")[0].components(separatedBy: ", ") }
        == labels)
  }

  @Test func `a tooltip names only keys that there are`() throws {
    let sources = try #require(
      FileManager.default.enumerator(atPath: BuiltProducts.repository + "Sources/SequenceWindow"))
    var count = 0
    for case let path as String in sources where path.hasSuffix(".ui") || path.hasSuffix(".swift") {
      let text = try String(
        contentsOfFile: BuiltProducts.repository + "Sources/SequenceWindow/" + path, encoding: .utf8)
      for line in text.split(separator: "\n")
      where line.contains("tooltip-text") || line.contains("setTooltip(") {
        for match in line.matches(of: /[A-Za-z0-9"] \(([^()]+)\)["<]/) {
          #expect(labels.contains(String(match.output.1)), "\(path): \(line)")
          count += 1
        }
      }
    }
    #expect(count > 8)
  }
}
