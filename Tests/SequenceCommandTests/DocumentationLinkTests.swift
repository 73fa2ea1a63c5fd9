import Foundation
import SequenceFiles
import TestSupport
import Testing

struct DocumentationLinkTests {
  @Test func `README links to each page for users, CONTRIBUTING to those for developers`() throws {
    for page in try DocumentationPage.inDocs() {
      let index = page.hasPrefix("docs/internals/") ? "CONTRIBUTING.md" : "README.md"
      let links = links(in: try text(of: index)).map { $0.prefix { $0 != "#" } }
      #expect(links.contains(page[...]), "\(index) has no link to \(page)")
    }
  }

  @Test func `links have existing targets`() throws {
    for page in try pages() {
      for link in links(in: try text(of: page)) where !link.contains("://") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = URL(filePath: page).deletingLastPathComponent().relativePath
        let target = parts[0].isEmpty ? page : (folder == "." ? "" : folder + "/") + String(parts[0])
        let path = URL(filePath: BuiltProducts.repository + "/" + target).standardizedFileURL.path()
        #expect(
          FileManager.default.fileExists(atPath: path), "\(page) has a link to \(link), which is not there")
        guard parts.count == 2, target.hasSuffix(".md") else { continue }
        let anchors = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap(
          anchor)
        #expect(
          anchors.contains(String(parts[1])), "\(page) has a link to \(link), but there is no such heading")
      }
    }
  }

  @Test func `a heading is found by its anchor`() {
    #expect(anchor(ofHeading: "## Fields of `status --format`") == "fields-of-status---format")
    #expect(anchor(ofHeading: "no heading") == nil)
    #expect(links(in: "[a](b.md#c), ![d](e.png) and `[x](y)`") == ["b.md#c", "e.png", "y"])
  }

  private func pages() throws -> [String] {
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] + (try DocumentationPage.inDocs())
  }

  private func text(of page: String) throws -> String {
    try String(contentsOfFile: BuiltProducts.repository + "/" + page, encoding: .utf8)
  }

  private func links(in text: String) -> [String] {
    text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  /// Returns the anchor of a heading: its words in lower case, with hyphens for spaces and without
  /// punctuation.
  private func anchor(ofHeading line: some StringProtocol) -> String? {
    guard line.hasPrefix("#") else { return nil }
    return String(
      line.drop { $0 == "#" }.dropFirst().lowercased()
        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
        .map { $0 == " " ? "-" : $0 })
  }
}
