import Platform
import SequenceRunner

/// Text from a file, made fit for a title, a note or a comment.
enum PlainText {
  /// The text as one line: every run of white space is one space, and nothing is left that a terminal acts on.
  ///
  /// - Parameter report: where control characters are counted that were left out.
  static func line(_ text: some StringProtocol, _ report: inout ImportReport) -> String {
    let text = String(text)
    let safe = TextSafety.sanitised(text)
    if !TextSafety.isSafe(text) {
      let lost = text.unicodeScalars.filter { TextSafety.sanitised(String($0)).isEmpty }
      report.drop("control character", count: lost.count)
    }
    return safe.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The lines of a text that have something in them.
  static func lines(_ text: some StringProtocol, _ report: inout ImportReport) -> [String] {
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let line = self.line(line, &report)
      if !line.isEmpty { lines.append(line) }
    }
    return lines
  }

  /// A name from the file as it may stand in a report: short, and on one line.
  static func name(_ text: some StringProtocol) -> String {
    TextSafety.sanitised(String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))))
  }

  /// The name of a file without its directory and its extension, for a title where the file has none.
  static func title(ofFileNamed name: String, _ report: inout ImportReport) -> String {
    let file = name.split(separator: "/").last ?? ""
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    let title = line(stem, &report)
    return title.isEmpty || name == "-" ? "Imported workout" : title
  }
}
