import Foundation
import TestSupport

/// A page of the documentation, as its blocks of code.
struct DocumentationPage {
  /// A block of code.
  struct Block {
    let language: String
    let text: String
    /// The line of the page that the block begins at.
    let line: Int
    /// The file that the text before the block says to save it as.
    let file: String?

    /// The command lines of a shell, with those that go on in the next line in one piece.
    var commands: [String] {
      text.replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
    }

    /// The commands of a unit of systemd.
    var startedCommands: [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("ExecStart=") }.map { String($0.dropFirst(10)) }
    }

    /// The commands of a table of cron, without their times.
    var scheduledCommands: [String] {
      text.split(separator: "\n").compactMap { line in
        line.split(separator: " ", maxSplits: 5).last.map(String.init)
      }
    }
  }

  let path: String
  let blocks: [Block]

  /// - Parameter path: the path from the repository on.
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

  /// The last file that a paragraph names to save what follows as, if it does.
  private static func file(_ paragraph: String) -> String? {
    guard paragraph.hasSuffix(": ") else { return nil }
    return paragraph.matches(of: /`([^`\s]+\.(?:yaml|service|timer))`/).last.map { String($0.1) }
  }
}
