import Foundation
import TestSupport

/// A page of the documentation, as a list of its code blocks.
struct DocumentationPage {
  struct Block {
    let language: String
    let text: String
    /// The line of the page where the block begins.
    let line: Int
    /// The file that the text before the block names for it.
    let file: String?

    /// The shell command lines; continued lines are joined.
    var commands: [String] {
      text.replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
    }

    /// The commands of a systemd unit or a desktop entry.
    var startedCommands: [String] {
      text.split(separator: "\n").compactMap { line in
        ["ExecStart=", "Exec="].first(where: line.hasPrefix).map { String(line.dropFirst($0.count)) }
      }
    }

    /// The commands of a crontab, without their times.
    var scheduledCommands: [String] {
      text.split(separator: "\n").compactMap { line in
        line.split(separator: " ", maxSplits: 5).last.map(String.init)
      }
    }
  }

  /// The paths of all pages in `docs` and the folders in it.
  static func inDocs() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: BuiltProducts.repository + "/docs")
      .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }

  let path: String
  let blocks: [Block]

  /// - Parameter path: the path relative to the repository.
  init(_ path: String) throws {
    self.path = path
    let text = try String(contentsOfFile: BuiltProducts.repository + "/" + path, encoding: .utf8)
    var blocks: [Block] = []
    var block: (language: String, lines: [Substring], start: Int, file: String?)?
    var before = ""
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        if let whole = block {
          blocks.append(
            Block(
              language: whole.language, text: whole.lines.joined(separator: "\n") + "\n", line: whole.start,
              file: whole.file))
          block = nil
        } else {
          block = (String(line.dropFirst(3)), [], number + 1, DocumentationPage.file(before))
        }
        before = ""
      } else if block != nil {
        block?.lines.append(line)
      } else if !line.isEmpty {
        before += line + " "
      } else if !before.hasSuffix(": ") {
        // The paragraph before a block ends with a colon.
        before = ""
      }
    }
    self.blocks = blocks
  }

  func blocks(in language: String) -> [Block] { blocks.filter { $0.language == language } }

  /// Returns the last file that a paragraph names for the following block.
  private static func file(_ paragraph: String) -> String? {
    guard paragraph.hasSuffix(": ") else { return nil }
    return paragraph.matches(of: /`([^`\s]+\.(?:yaml|service|timer))`/).last.map { String($0.1) }
  }
}
