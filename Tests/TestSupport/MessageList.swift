import Foundation

/// The messages of a module in a file, so that a diff shows each change of their words.
///
/// `SEQUENCE_WRITE_MESSAGES=1 swift test --filter MessageTests` writes the files again.
package struct MessageList {
  private let path: String

  /// The list of this name in `Tests/Corpus/messages`.
  package init(_ name: String) { path = BuiltProducts.repository + "/Tests/Corpus/messages/\(name).txt" }

  /// Returns the lines that messages have more, with a plus, and less, with a minus, than the list.
  package func differences(of messages: [String]) throws -> [String] {
    let text = messages.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["SEQUENCE_WRITE_MESSAGES"] != nil {
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    let listed = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
    return text.split(separator: "\n").difference(from: listed).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
  }
}
