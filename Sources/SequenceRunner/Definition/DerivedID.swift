package import FoundationEssentials
import Platform

/// Ids of sequences and cards that have none of their own, as UUIDs of version 8 (RFC 9562, section 5.8).
///
/// The same title and position always give the same id.
package enum DerivedID {
  /// Returns the id of the sequence with a title.
  package static func sequence(title: String) -> UUID {
    uuid(["sequence", title])
  }

  /// Returns the id of a card of a sequence.
  ///
  /// - Parameter place: the indices of the groups around the card, outermost first, and the index of the
  ///   card.
  package static func card(sequence: UUID, place: [Int], title: String) -> UUID {
    uuid(["card", sequence.uuidString, place.map(String.init).joined(separator: "."), title])
  }

  /// Returns the id of a card that is not in a sequence yet.
  static func card(title: String) -> UUID { uuid(["card", title]) }

  private static func uuid(_ parts: [String]) -> UUID {
    // 0xFF never occurs in UTF-8, so no two lists of texts have the same bytes.
    let hash = StableHash.fnv1a128(Array(parts.map { Array($0.utf8) }.joined(separator: [0xFF])))
    var bytes = (0..<16).map { UInt8(truncatingIfNeeded: hash >> (120 - 8 * $0)) }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}
