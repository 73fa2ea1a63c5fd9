import FoundationEssentials
import Platform

/// Ids for what has none, the same for the same names and places: UUIDs of version 8 (RFC 9562, section 5.8).
enum DerivedID {
  /// The id of a sequence of a title.
  static func sequence(title: String) -> UUID {
    uuid(["sequence", title])
  }

  /// The id of a card of a sequence.
  ///
  /// - Parameter place: the card's place in the list, after the places of the groups around it.
  static func card(sequence: UUID, place: [Int], title: String) -> UUID {
    uuid(["card", sequence.uuidString, place.map(String.init).joined(separator: "."), title])
  }

  private static func uuid(_ parts: [String]) -> UUID {
    // 0xFF is in no UTF-8, so no two lists of texts are the same bytes.
    let hash = StableHash.fnv1a128(parts.map { Array($0.utf8) }.joined(separator: [0xFF]))
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
