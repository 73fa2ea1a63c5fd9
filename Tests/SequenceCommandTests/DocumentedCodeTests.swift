import Foundation
import TestSupport
import Testing

/// The Swift code of the documentation, which must be part of the examples that tests compile and run.
struct DocumentedCodeTests {
  @Test func `code in the documentation is compiled code`() throws {
    let sources = try files(below: "examples", ending: ".swift").map { try lines(ofFile: $0) }
    let pages =
      ["README.md"] + (try files(below: "docs", ending: ".md") + files(below: "Sources", ending: ".md"))
    var pagesWithCode = 0
    for page in pages {
      let blocks = swiftBlocks(in: try lines(ofFile: page))
      if !blocks.isEmpty { pagesWithCode += 1 }
      for block in blocks {
        #expect(
          sources.contains { holds($0, passages: passages(of: block)) },
          "no example has this code of \(page), line by line:\n\(block.joined(separator: "\n"))")
      }
    }
    // docs/internals/embedding.md, the page of SequenceRunner, and eight articles.
    #expect(pagesWithCode >= 10)
  }

  @Test(arguments: [
    (["a", "b"], true), (["  a", "  b"], true), (["   a", "   b"], false), (["a", "", "  c"], true),
    (["a", "", "c"], false),
    (["  c", "", "b"], false), (["b", "  c"], false), (["a", " b"], false), (["A"], false), ([], false),
  ]) func `a block is found by its passages, in order, at any indentation`(
    block: [String], isFound: Bool
  ) {
    let source = ["{", "  a", "  b", "", "    c", "}"]
    #expect(holds(source, passages: passages(of: block)) == isFound)
  }

  private func swiftBlocks(in lines: [String]) -> [[String]] {
    var (blocks, block) = ([[String]](), [String]?.none)
    for line in lines {
      if line == "```swift" {
        block = []
      } else if line == "```", let whole = block {
        blocks.append(whole)
        block = nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }

  /// Returns the parts of a block between blank lines; the source may have other lines between them.
  private func passages(of block: [String]) -> [ArraySlice<String>] {
    block.split(whereSeparator: \.isEmpty)
  }

  /// Returns whether a source contains the passages in order, each with its lines in sequence and one
  /// indentation.
  private func holds(_ source: [String], passages: [ArraySlice<String>]) -> Bool {
    guard let first = passages.first?.first else { return false }
    return Set(source.filter { $0.hasSuffix(first) }.map { $0.dropLast(first.count) })
      .contains { indentation in
        indentation.allSatisfy { $0 == " " } && holds(source, passages, indentation: indentation)
      }
  }

  private func holds(_ source: [String], _ passages: [ArraySlice<String>], indentation: Substring) -> Bool {
    var rest = source[...]
    for passage in passages {
      let wanted = passage.map { "\(indentation)\($0)" }
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: wanted) }) else { return false }
      rest = rest[(start + wanted.count)...]
    }
    return true
  }

  private func files(below folder: String, ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: BuiltProducts.repository + "/" + folder)
      .filter { $0.hasSuffix(ending) }.map { folder + "/" + $0 }.sorted()
  }

  private func lines(ofFile path: String) throws -> [String] {
    try String(contentsOfFile: BuiltProducts.repository + "/" + path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
