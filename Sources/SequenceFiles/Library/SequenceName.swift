import Platform

/// The name of a sequence in the library: that of its file without the extension.
package struct SequenceName: Hashable, Sendable {
  package let text: String

  /// How many bytes a name may have, so that there is room for the extension in the name of a file.
  private static let longest = 250

  /// The name that a text is.
  ///
  /// - Throws: `SequenceNameError` for what could lead out of the library, or be taken for an option.
  package init(_ text: String) throws(SequenceNameError) {
    guard let first = text.first, let last = text.last else {
      throw SequenceNameError(problem: "it is empty")
    }
    guard !text.contains("/") else { throw SequenceNameError(problem: "it has a slash in it") }
    guard first != ".", first != "-" else { throw SequenceNameError(problem: "it begins with a \(first)") }
    guard !first.isWhitespace, !last.isWhitespace else {
      throw SequenceNameError(problem: "it begins or ends with a space")
    }
    guard TextSafety.isSafe(text) else { throw SequenceNameError(problem: "it has control characters in it") }
    guard text.utf8.count <= SequenceName.longest else {
      throw SequenceNameError(problem: "it has more than \(SequenceName.longest) bytes")
    }
    self.text = text
  }
}

/// Why a text cannot be the name of a sequence.
package struct SequenceNameError: ExplainedError, Equatable, Sendable {
  /// What is wrong with it.
  package let problem: String
}
