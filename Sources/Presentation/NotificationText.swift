import Platform
package import SequenceRunner

/// How the texts of notifications are put together.
package enum NotificationText {
  /// What a step is: its title and how long it lasts.
  package static func title(of step: Step) -> String {
    let title = words(step.card.title)
    return switch step.card.timing {
    case .countdown(let duration, _): "\(title), \(DurationText.format(duration))"
    case .countUp(nil): title
    case .countUp(let goal?): "\(title), goal \(DurationText.format(goal.duration))"
    }
  }

  package static func line(_ parts: [String]) -> String { parts.joined(separator: " · ") }

  /// A title that our own words follow, so that its direction of writing does not reach them.
  ///
  /// Without that, digits of ours that follow Arabic would be taken for a part of it, and a title could turn around
  /// all that comes after it.
  ///
  /// Source: Unicode Standard Annex #9, "Explicit Directional Isolates".
  package static func words(_ title: String) -> String {
    let plain = TextSafety.sanitised(title)
    guard plain.unicodeScalars.contains(where: isRightToLeft) else { return plain }
    // The mark before it is for servers that take the direction of the whole line from its first letter.
    return "\u{200E}\u{2068}\(plain)\u{2069}"
  }

  /// Whether it is in a block of right-to-left characters; source: the Unicode database, "DerivedBidiClass".
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
