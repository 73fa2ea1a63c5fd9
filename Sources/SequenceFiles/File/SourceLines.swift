/// The lines of a text, for positions in messages.
struct SourceLines {
  private let lines: [Substring]

  /// Splits bytes into lines at the line breaks of YAML; they must be valid UTF-8.
  init(_ bytes: some Collection<UInt8>) {
    lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  /// The position after the last character.
  var end: FilePosition {
    FilePosition(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
  }

  /// Returns a position if it is in the text, and the end otherwise.
  func nearest(to position: FilePosition) -> FilePosition {
    position.line <= lines.count ? position : end
  }

  /// Returns whether there is a tab at a position or in the indentation of its line.
  func isIndentedByTab(at position: FilePosition) -> Bool {
    let line = lines[position.line - 1].unicodeScalars
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    return indentation.contains("\t") || line.dropFirst(position.column - 1).first == "\t"
  }
}
