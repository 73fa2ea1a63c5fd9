/// Makes text from outside harmless for a terminal.
///
/// A title or a note may come from a file that another person wrote. Control characters in it could move the cursor,
/// set the window's title or make the terminal type; bidirectional controls could reverse the rest of the line.
package enum TextSafety {
  /// Characters that a place other than a terminal can show.
  package struct Kept: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ends of lines, each as a line feed.
    package static let lines = Kept(rawValue: 1)
    /// Bidirectional embeddings, overrides and isolates.
    package static let directions = Kept(rawValue: 2)
  }

  package static func sanitised(_ text: String) -> String { sanitised(text, keeping: []) }

  /// The text without control characters and, unless they are kept, on one line and without bidirectional controls.
  ///
  /// Tabs and line ends become spaces. Other control characters (C0, DEL, C1) and bidirectional embeddings, overrides
  /// and isolates are left out.
  package static func sanitised(_ text: String, keeping kept: Kept) -> String {
    guard !isSafe(text) else { return text }
    var safe = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch Part(scalar) {
      case .text: safe.append(scalar)
      case .control: break
      case .direction: if kept.contains(.directions) { safe.append(scalar) }
      case .space: safe.append(" ")
      // CR LF is one line end.
      case .lineEnd:
        if !(previous == "\r" && scalar == "\n") { safe.append(kept.contains(.lines) ? "\n" : " ") }
      }
      previous = scalar
    }
    return String(safe)
  }

  package static func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { Part($0) == .text }
  }

  /// Escapes the control characters of a JSON document; encoders escape only the first 32.
  ///
  /// They can be only in the strings of a document.
  package static func escapedJSON(_ document: String) -> String {
    guard !isSafe(document) else { return document }
    return document.unicodeScalars.map { scalar in
      guard Part(scalar) != .text else { return String(scalar) }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// The text as markup, a form of XML, that shows it as it is.
  ///
  /// Scalar by scalar: with an accent on it "<" is another character to Swift, and still markup to others.
  package static func escapedMarkup(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private enum Part {
    case text, control, direction, space, lineEnd

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      // LF, CR, NEL, line and paragraph separator.
      case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: self = .lineEnd
      // Tab, VT, FF.
      case 0x09, 0x0B, 0x0C: self = .space
      case 0x00...0x1F, 0x7F...0x9F: self = .control
      case 0x202A...0x202E, 0x2066...0x2069: self = .direction
      default: self = .text
      }
    }
  }
}
