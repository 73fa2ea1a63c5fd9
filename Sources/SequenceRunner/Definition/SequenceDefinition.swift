public import FoundationEssentials
import SequencePlatform

/// A title and an ordered list of cards and groups, as the user defines them.
public struct SequenceDefinition: Hashable, Sendable {
  /// The identity of the sequence in notification identifiers; the same in every run.
  public internal(set) var id: UUID
  /// The text that is shown; never empty, at most 1000 characters.
  public let title: String
  /// The cards and groups in running order; never empty.
  public internal(set) var elements: [SequenceElement]
  /// The effect of suspend on a run; `nil` if the sequence does not decide.
  public internal(set) var onSuspend: SuspendPolicy?
  /// The effect of a locked screen on a run; `nil` if the sequence does not decide.
  public internal(set) var onLock: SuspendPolicy?
  /// The color of the sequence in the window; `nil` for that of the desktop.
  public internal(set) var color: SequenceColor?
  /// One emoji or symbol, which is shown before the title; `nil` for none.
  public internal(set) var icon: String?
  /// Whether a run rings at its end: its notification is urgent, and Sequence repeats its sound until the user reacts.
  public internal(set) var rings: Bool
  /// The labels of its runs, by which the history and statistics find them.
  public let labels: [String]

  /// Creates a sequence from all its properties.
  ///
  /// `Timeline` checks whether the sequence can run; this initializer checks nothing.
  public init(
    id: UUID, title: String, elements: [SequenceElement], onSuspend: SuspendPolicy?, onLock: SuspendPolicy?,
    color: SequenceColor? = nil, icon: String? = nil, rings: Bool = false, labels: [String] = []
  ) {
    self.id = id
    self.title = title
    self.elements = elements
    self.onSuspend = onSuspend
    self.onLock = onLock
    self.color = color
    self.icon = icon
    self.rings = rings
    self.labels = labels
  }

  package var endlessGroup: Group? {
    if case .group(let group)? = elements.last, group.rounds == .forever { group } else { nil }
  }
}

/// The limits on the size of a sequence.
package enum SequenceLimits {
  /// The shortest duration of a card: 1 ns.
  package static let shortestDuration = Duration.nanoseconds(1)
  /// The longest duration of a card: 30 days.
  package static let longestDuration = Duration.seconds(30 * 86_400)
  /// The shortest duration of a card whose duration differs between rounds, in each of them: 1 s.
  package static let shortestRound = Duration.seconds(1)
  /// The longest total of all countdowns of a sequence: 36,500 days.
  package static let longestTotal = Duration.seconds(36_500 * 86_400)
  /// The deepest nesting of groups.
  package static let deepestNesting = 16
  /// The shortest round that can repeat forever without a step that waits for the user: 1 s.
  package static let shortestEndlessRound = Duration.seconds(1)
  /// The largest number of active runs in a state directory.
  package static let mostRuns = 100
  /// The largest number of steps of a sequence, with one round of an endless group.
  package static let mostSteps = 100_000
  /// The largest number of characters in a title or a note.
  package static let longestTitle = 1000
  /// The largest size of a title or a note: 4000 bytes of UTF-8.
  ///
  /// One character may have any number of bytes.
  package static let largestTitle = 4000
  /// The largest size of the icon of a sequence, which is one character: 64 bytes of UTF-8.
  package static let largestIcon = 64
  /// The largest number of labels of a sequence, and of those that a run has besides.
  package static let mostLabels = 10
  /// The largest size of all titles and notes, with those of each card as often as it is in the tree: 4 MiB of UTF-8.
  package static let largestText = 4 << 20
  /// The largest size of a sequence file: 1 MiB, in bytes.
  package static let largestFile = 1 << 20
  /// The largest number of reminders of a goal.
  package static let mostReminders = 100
  /// The largest number of reminders of a card that insists.
  package static let mostInsistence = 30
  /// The shortest interval of these reminders: 10 s.
  package static let shortestInsistence = Duration.seconds(10)

  package static func isTooLong(_ text: String) -> Bool {
    // A character has at least one byte, so the characters of most texts need not be counted.
    let bytes = text.utf8.count
    return bytes > largestTitle || bytes > longestTitle && text.count > longestTitle
  }

  /// Whether a text is one character that can be seen.
  package static func isIcon(_ text: String) -> Bool {
    guard text.utf8.count <= largestIcon, text.count == 1, let first = text.unicodeScalars.first else {
      return false
    }
    return switch first.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark,
      .enclosingMark:
      false
    default: true
    }
  }

  package static let titleLimits: LocalizedText = "\(longestTitle) characters or \(largestTitle) bytes"
}

/// The effect of suspend (sleep, hibernation, shutdown, power loss), or of a locked screen, on a run.
@nonexhaustive
public enum SuspendPolicy: String, Hashable, Sendable, CaseIterable {
  /// The run continues, and the time counts.
  case `continue`
  /// The run is paused when the suspend or the lock begins, until the user resumes it.
  case pause
  /// The run is paused as with `pause`, and the user is then asked whether the time counts.
  case ask
}

/// A color of a sequence, one of the accent colors of GNOME.
@nonexhaustive
public enum SequenceColor: String, Hashable, Sendable, CaseIterable {
  /// Blue.
  case blue
  /// A dark cyan.
  case teal
  /// Green.
  case green
  /// A dark yellow.
  case yellow
  /// Orange.
  case orange
  /// Red.
  case red
  /// Pink.
  case pink
  /// Purple.
  case purple
  /// A bluish gray.
  case slate
}

/// Ids of sequences and cards that have none of their own, as UUIDs of version 8 (RFC 9562, section 5.8).
///
/// The same title and position always give the same id.
package enum DerivedID {
  package static func sequence(title: String) -> UUID {
    uuid(["sequence", title])
  }

  /// Returns the id of the sequence of a timer or of a run of cards, whose name no other active run has.
  static func sequence(source: RunSource, name: String) -> UUID { uuid([source.rawValue, name]) }

  /// - Parameter place: the indices of the groups around the card, outermost first, and the index of the card.
  package static func card(sequence: UUID, place: [Int], title: String) -> UUID {
    uuid(["card", sequence.text, place.map(String.init).joined(separator: "."), title])
  }

  static func card(title: String) -> UUID { uuid(["card", title]) }

  private static func uuid(_ parts: [String]) -> UUID {
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      // 0xFF never occurs in UTF-8, so no two lists of texts have the same bytes.
      if index > 0 { bytes.append(0xFF) }
      bytes += part.utf8
    }
    let hash = StableHash.fnv1a128(bytes)
    let version: UInt128 = 8 << 76
    let variant: UInt128 = 2 << 62
    return UUID(hash & ~(0xF << 76 | 3 << 62) | version | variant)
  }
}

extension UUID {
  init(_ bits: UInt128) {
    let bytes = unsafe withUnsafeBytes(of: bits.bigEndian) { unsafe $0.loadUnaligned(as: uuid_t.self) }
    self.init(uuid: bytes)
  }

  var bits: UInt128 {
    unsafe withUnsafeBytes(of: uuid) { unsafe UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
  }

  /// The same as `uuidString`, which calls `snprintf`: a tenth of the instructions to start 1,000 cards.
  package var text: String {
    var (bits, text) = (bits, [UInt8]())
    text.reserveCapacity(36)
    while text.count < 36 {
      if UUID.isHyphen(text.count) { text.append(UInt8(ascii: "-")) }
      let digit = UInt8(truncatingIfNeeded: bits &>> 124)
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
      bits &<<= 4
    }
    return String(decoding: text, as: UTF8.self)
  }

  package init?(text: String) { self.init(utf8: text.utf8) }

  /// Foundation's initializer calls `sscanf`, which takes a quarter of the time to decode a run.
  init?(utf8: some Collection<UInt8>) {
    var (bits, place) = (UInt128(0), 0)
    for byte in utf8 {
      defer { place += 1 }
      if UUID.isHyphen(place) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      bits = bits &<< 4 | UInt128(digit)
    }
    guard place == 36 else { return nil }
    self.init(bits)
  }

  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }
}
