package import SequencePlatform

/// The name of a sequence in the library: its file name without the extension.
package struct SequenceName: Hashable, Sendable {
  package let text: String

  /// The largest number of bytes in a name, which leaves room for the extension in a file name.
  private static let longest = 250

  /// Validates a name.
  package init(_ text: String) throws(Problem) {
    if let defect = SequenceName.defect(of: text) { throw Problem(defect) }
    self.text = text
  }

  /// Why a text could lead out of the library or be taken for an option; `nil` if it can be a name.
  package static func defect(of text: String) -> String? {
    // By code points, as the file system and option parsers compare: a mark behind a slash doesn't hide it.
    guard let first = text.unicodeScalars.first, let last = text.last else { return "it is empty" }
    if text.unicodeScalars.contains("/") { return "it contains a slash" }
    if first == "." || first == "-" { return "it begins with a \(first)" }
    if first.properties.isWhitespace || last.isWhitespace { return "it begins or ends with a space" }
    if !TextSafety.isSafe(text) { return "it contains control characters" }
    if text.utf8.count > longest { return "it has more than \(longest) bytes" }
    return nil
  }
}
