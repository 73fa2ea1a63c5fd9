package import SequencePlatform

/// The name of a sequence in the library: its file name without the extension.
package struct SequenceName: Hashable, Sendable {
  package let text: String

  /// The largest number of bytes in a name, which leaves room for the extension in a file name.
  private static let longest = 250

  /// Validates a name.
  ///
  /// - Throws: `Problem` for a name that could lead out of the library or be taken for an option.
  package init(_ text: String) throws(Problem) {
    // By code points, as the file system and option parsers compare: a mark behind a slash doesn't hide it.
    guard let first = text.unicodeScalars.first, let last = text.last else {
      throw Problem("it is empty")
    }
    guard !text.unicodeScalars.contains("/") else { throw Problem("it contains a slash") }
    guard first != ".", first != "-" else { throw Problem("it begins with a \(first)") }
    guard !first.properties.isWhitespace, !last.isWhitespace else {
      throw Problem("it begins or ends with a space")
    }
    guard TextSafety.isSafe(text) else { throw Problem("it contains control characters") }
    guard text.utf8.count <= SequenceName.longest else {
      throw Problem("it has more than \(SequenceName.longest) bytes")
    }
    self.text = text
  }
}
