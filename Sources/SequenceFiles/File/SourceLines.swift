/// The lines of a text, to find places in it that are named in a message.
struct SourceLines {
  private let lines: [Substring]

  /// The lines of bytes, which must be valid UTF-8; they end where YAML has them end.
  init(_ bytes: some Collection<UInt8>) {
    lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  /// The place just after the text.
  var end: FilePosition {
    FilePosition(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
  }

  /// The place itself, if it is in the text, and else the end.
  func nearest(to position: FilePosition) -> FilePosition {
    position.line <= lines.count ? position : end
  }

  /// Whether there is a tab at a place, or in the white space that its line begins with.
  func isIndentedByTab(at position: FilePosition) -> Bool {
    let line = lines[position.line - 1].unicodeScalars
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    return indentation.contains("\t") || line.dropFirst(position.column - 1).first == "\t"
  }
}
