import SequencePlatform

/// A position in a file, in lines and in columns of one character each, both from 1.
public struct FilePosition: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A node of a YAML document, with its position.
///
/// A node that an alias repeats is the same object. Aliases are not expanded.
package final class YAMLNode {
  package let position: FilePosition
  package let content: Content

  package enum Content {
    /// The text, without quotes.
    case scalar(String)
    case list([YAMLNode])
    /// Keys are texts, and unique.
    case mapping([(key: String, keyPosition: FilePosition, value: YAMLNode)])
  }

  init(position: FilePosition, content: Content) {
    self.position = position
    self.content = content
  }

  /// The kind of node, for messages.
  package var kind: String {
    switch content {
    case .scalar(""): "nothing"
    case .scalar(let text): quoted(text)
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
