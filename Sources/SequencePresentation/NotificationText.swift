import SequencePlatform
package import SequenceRunner

/// The building blocks of notification texts.
package enum NotificationText {
  /// Returns the title and the duration or goal of a step.
  package static func title(of step: Step) -> String {
    let title = words(step.card.title)
    return switch step.card.timing {
    case .countdown(let duration, _): "\(title), \(DurationText.format(duration))"
    case .countUp(nil): title
    case .countUp(let goal?): "\(title), goal \(DurationText.format(goal.duration))"
    }
  }

  package static func line(_ parts: [String]) -> String { parts.joined(separator: " · ") }

  /// Returns a body with another part at the end of its first line; the note follows on the last line.
  package static func adding(_ part: String, to body: String) -> String {
    let (first, rest) = (body.prefix { $0 != "\n" }, body.drop { $0 != "\n" })
    return (first.isEmpty ? part : line([String(first), part])) + rest
  }

  /// Returns a title isolated from the text after it, so that its writing direction does not affect that
  /// text.
  ///
  /// Otherwise digits after an Arabic title would become part of it, and a title could reverse all text after
  /// it.
  ///
  /// Source: Unicode Standard Annex #9, "Explicit Directional Isolates".
  package static func words(_ title: String) -> String {
    let plain = TextSafety.sanitised(title)
    guard plain.unicodeScalars.contains(where: isRightToLeft) else { return plain }
    // The left-to-right mark is for servers that take the direction of the line from its first letter.
    return "\u{200E}\u{2068}\(plain)\u{2069}"
  }

  /// Returns whether a character is in a right-to-left block (Unicode database, "DerivedBidiClass").
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
