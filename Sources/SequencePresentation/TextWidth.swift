/// The width of text in terminal columns.
///
/// Width is measured per grapheme cluster, like in terminals that support clusters: an emoji sequence is one
/// wide character. Unlike `wcwidth`, the result does not depend on the locale of the process.
package enum TextWidth {
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

  /// Returns the columns of a text, which must have no control characters.
  package static func columns(_ text: String) -> Int {
    // A fast path: finding clusters takes most of the time to print a long table.
    guard !text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) else { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  /// Returns the columns of one grapheme cluster: 0, 1 or 2, or more if several spacing letters form a
  /// cluster.
  static func columns(_ cluster: Character) -> Int {
    if let ascii = cluster.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    let scalars = cluster.unicodeScalars
    guard !isEmoji(scalars) else { return 2 }
    return scalars.reduce(0) { $0 + columns($1) }
  }

  /// Returns a text that fits into a number of columns; a longer text is cut between clusters, with an
  /// ellipsis.
  package static func truncated(_ text: String, to columns: Int, ellipsis: Character = "…") -> String {
    guard columns > 0 else { return "" }
    // Each byte takes at most one column, so short text needs no measuring.
    guard text.utf8.count > columns, self.columns(text) > columns else { return text }
    var kept = ""
    var room = columns - self.columns(ellipsis)
    for cluster in text {
      room -= self.columns(cluster)
      if room < 0 { break }
      kept.append(cluster)
    }
    return kept + String(ellipsis)
  }

  /// Returns a text in at most some lines of a number of columns, divided between words where possible; the last line is
  /// cut with an ellipsis.
  package static func wrapped(
    _ text: String, to columns: Int, lines most: Int, ellipsis: Character = "…"
  ) -> [String] {
    var lines: [String] = []
    var rest = text.drop { $0 == " " }
    while !rest.isEmpty, lines.count < most {
      guard lines.count + 1 < most, self.columns(String(rest)) > columns else {
        lines.append(truncated(String(rest), to: columns, ellipsis: ellipsis))
        break
      }
      var room = columns
      let fitting = rest.prefix { cluster in
        room -= self.columns(cluster)
        return room >= 0
      }
      // A space after the last word that fits needs no room.
      let end = rest[fitting.endIndex] == " " ? fitting.endIndex : fitting.lastIndex(of: " ")
      let line = rest[..<(end ?? fitting.endIndex)]
      guard !line.isEmpty else { break }
      lines.append(String(line))
      rest = rest[line.endIndex...].drop { $0 == " " }
    }
    return lines
  }

  /// Returns whether a cluster is shown as an emoji: by default, because of U+FE0F, or as a keycap or flag.
  private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let first = scalars.first else { return false }
    if first.properties.isEmojiPresentation { return true }
    return first.properties.isEmoji && scalars.contains("\u{FE0F}")
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if isWide(scalar) { return 2 }
    switch scalar.value {
    // Vowels and final consonants of Hangul join the block of the consonant before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    // The soft hyphen is a format character that terminals show.
    case 0xAD: return 1
    // The same holds for Arabic, Syriac and Kaithi signs that precede or enclose numbers.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    var (low, high) = (0, wide.count)
    while low < high {
      let middle = low + (high - low) / 2
      if wide[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    guard low < wide.count, wide[low].contains(scalar.value) else { return false }
    return scalar.value < 0x302A || 0x302D < scalar.value
  }

  /// East Asian wide and full-width characters (Unicode Standard Annex 11) except emoji, ascending.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3098, 0x309B...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x17000...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
