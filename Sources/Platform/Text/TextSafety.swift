/// Makes text that came from outside harmless for a terminal.
///
/// A title or a note may come from a file that somebody else wrote. Control characters in it could move the
/// cursor, set the window's title or make the terminal type; bidirectional controls could turn the rest of
/// the line around.
package enum TextSafety {
  /// The text on one line, without anything that a terminal would act on.
  ///
  /// Line ends and tabs become spaces. Other control characters (C0, DEL, C1) and bidirectional embeddings,
  /// overrides and isolates are left out.
  package static func sanitised(_ text: String) -> String {
    guard !isSafe(text) else { return text }
    var safe = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch treatment(of: scalar) {
      case .keep: safe.append(scalar)
      case .drop: break
      // CR LF is one line end.
      case .space: if !(previous == "\r" && scalar == "\n") { safe.append(" ") }
      }
      previous = scalar
    }
    return String(safe)
  }

  /// Whether there is nothing in a text that a terminal would act on.
  package static func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { treatment(of: $0) == .keep }
  }

  private enum Treatment {
    case keep
    case drop
    case space
  }

  private static func treatment(of scalar: Unicode.Scalar) -> Treatment {
    switch scalar.value {
    // Tab, LF, VT, FF, CR; NEL; line and paragraph separator.
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: .space
    case 0x00...0x1F, 0x7F...0x9F: .drop
    case 0x202A...0x202E, 0x2066...0x2069: .drop
    default: .keep
    }
  }
}

/// A word of the user's as it may stand in a message.
package func quote(_ text: String) -> String { "\"\(TextSafety.sanitised(text))\"" }
