import SequencePlatform
import SequenceRunner

/// Conversion of text from a file to titles, notes and comments.
enum PlainText {
  /// Returns the text as one line with single spaces and without control characters.
  ///
  /// - Parameter report: counts the removed control characters.
  static func line(_ text: some StringProtocol, _ report: inout ImportReport) -> String {
    let text = String(text)
    let safe = TextSafety.sanitised(text)
    if !TextSafety.isSafe(text) {
      let lost = text.unicodeScalars.filter { TextSafety.sanitised(String($0)).isEmpty }
      report.drop("control character", count: lost.count)
    }
    // By scalars, because a space and a combining mark are one character.
    return safe.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
      .joined(separator: " ")
  }

  /// Returns the lines of a text that are not blank.
  static func lines(_ text: some StringProtocol, _ report: inout ImportReport) -> [String] {
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let line = self.line(line, &report)
      if !line.isEmpty { lines.append(line) }
    }
    return lines
  }

  /// Returns a name from the file, shortened and on one line, for a report.
  static func name(_ text: some StringProtocol) -> String {
    TextSafety.sanitised(String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))))
  }

  /// Returns a path without its directories, which end at each slash, even before a combining mark.
  static func fileName(_ path: String) -> String {
    path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? ""
  }

  /// Returns a file name without directory and extension, for files without a title.
  static func title(ofFileNamed name: String, _ report: inout ImportReport) -> String {
    let file = fileName(name)
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file[...]
    let title = line(stem, &report)
    return title.isEmpty || name == "-" ? "Imported workout" : title
  }
}
