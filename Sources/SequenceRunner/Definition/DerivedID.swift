package import FoundationEssentials
import SequencePlatform

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
    uuid(["card", sequence.uuidString, place.map(String.init).joined(separator: "."), title])
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

  /// Foundation's initializer calls `sscanf`, which takes a quarter of the time to decode a run.
  init?(text: String) {
    var (bits, place) = (UInt128(0), 0)
    for byte in text.utf8 {
      let digit: UInt8
      switch (byte, place) {
      case (UInt8(ascii: "-"), 8), (UInt8(ascii: "-"), 13), (UInt8(ascii: "-"), 18), (UInt8(ascii: "-"), 23):
        place += 1
        continue
      case (_, 8), (_, 13), (_, 18), (_, 23), (_, 36...): return nil
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), _): digit = byte - UInt8(ascii: "0")
      case (UInt8(ascii: "A")...UInt8(ascii: "F"), _): digit = byte - UInt8(ascii: "A") + 10
      case (UInt8(ascii: "a")...UInt8(ascii: "f"), _): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      bits = bits << 4 | UInt128(digit)
      place += 1
    }
    guard place == 36 else { return nil }
    self.init(bits)
  }
}
