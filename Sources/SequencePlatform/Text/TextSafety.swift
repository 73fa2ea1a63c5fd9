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

  /// Returns a text without control characters, isolated from the text around it if its writing direction could change
  /// the order of that.
  ///
  /// Otherwise digits after an Arabic title would become part of it, and a title could reverse all text after it. Spaces
  /// at the ends belong to the text around.
  ///
  /// Source: Unicode Standard Annex #9, "Explicit Directional Isolates".
  package static func isolated(_ text: String) -> String {
    let plain = sanitised(text)
    guard plain.unicodeScalars.contains(where: isRightToLeft) else { return plain }
    let start = plain.prefix { $0 == " " }
    let end = plain.reversed().prefix { $0 == " " }
    let words = plain.dropFirst(start.count).dropLast(end.count)
    // The left-to-right mark is for programs that take the direction of the line from its first letter.
    return "\(start)\u{200E}\u{2068}\(words)\u{2069}\(String(end))"
  }

  /// Returns a text of a user without the marks of `isolated`, which it has if it was copied from an answer.
  package static func unisolated(_ text: String) -> String {
    text.replacing("\u{200E}\u{2068}", with: "").replacing("\u{2069}", with: "")
  }

  /// Returns a number with a sign so that the sign stays before the digits in text from right to left.
  package static func directed(_ number: String) -> String { "\u{200E}\(number)" }

  /// Returns whether a character is in a right-to-left block (Unicode database, "DerivedBidiClass").
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
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
