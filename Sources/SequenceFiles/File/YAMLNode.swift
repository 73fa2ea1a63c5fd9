import Platform

/// A place in a file; lines and columns are counted from 1, columns in characters.
public struct FilePosition: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// A line and a column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A node of a YAML document, with the place where it is written.
///
/// A node that is used again through an alias is the same object: nothing is expanded.
package final class YAMLNode {
  package let position: FilePosition
  package let content: Content

  package enum Content {
    /// The text as it is written, without quotes.
    case scalar(String)
    case list([YAMLNode])
    /// The keys are texts, and different from each other.
    case mapping([(key: String, keyPosition: FilePosition, value: YAMLNode)])
  }

  init(position: FilePosition, content: Content) {
    self.position = position
    self.content = content
  }

  /// What kind of node it is, for messages.
  package var kind: String {
    switch content {
    case .scalar(""): "nothing"
    case .scalar(let text): quoted(text)
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
