import CSequenceGLib
import SequencePlatform
import SequenceFiles

enum ForeignText {
  /// Decodes text in UTF-8, otherwise in Windows-1252, which is written by programs that declare no encoding.
  static func decode(_ bytes: [UInt8], _ report: inout ImportReport) throws(ImportError) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ImportError("this is UTF-16", remedy: "save the file as UTF-8")
    }
    guard !bytes.contains(0) else {
      throw ImportError(
        "this is a binary file", remedy: "export the workout as .zwo, .erg, .mrc or JSON")
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard let text = windows1252(bytes) else {
      throw ImportError("this is neither UTF-8 nor Windows-1252", remedy: "save the file as UTF-8")
    }
    report.change("text in Windows-1252, now in UTF-8")
    return text
  }

  private static func windows1252(_ bytes: [UInt8]) -> String? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: gchar.self) { buffer in
        var length: gsize = 0
        // The reason is always the same, a byte that is undefined in Windows-1252, so no error is requested.
        guard
          let text = unsafe g_convert(
            buffer.baseAddress, gssize(buffer.count), "UTF-8", "WINDOWS-1252", nil, &length, nil)
        else { return nil }
        defer { unsafe g_free(text) }
        return unsafe String(
          decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
      }
    }
  }
}

enum PlainText {
  /// Returns the text as one line with single spaces and without control characters, which are reported.
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

extension Substring {
  func trimming(while fits: (Character) -> Bool) -> Substring {
    var rest = drop(while: fits)
    while let last = rest.last, fits(last) { rest.removeLast() }
    return rest
  }
}
