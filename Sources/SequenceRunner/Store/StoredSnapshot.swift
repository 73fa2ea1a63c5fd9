import FoundationEssentials

/// The one form in which a snapshot is stored: JSON, and its checksum.
package enum StoredSnapshot {
  /// The text to store, and the checksum to store beside it.
  package static func encode(_ snapshot: ActiveRunSnapshot) throws -> (text: String, checksum: String) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(snapshot), as: UTF8.self)
    return (text, checksum(text))
  }

  /// The snapshot that was stored.
  ///
  /// The checksum is looked at before the decoder is: a decoder takes many a changed byte for another value,
  /// and Foundation's is ended by the system on some.
  ///
  /// - Throws: `StoreError.damaged` if it is not what was written.
  package static func decode(_ text: String, checksum: String, path: String) throws(StoreError)
    -> ActiveRunSnapshot
  {
    guard StoredSnapshot.checksum(text) == checksum else {
      throw .damaged(path: path, reason: "a snapshot does not have its checksum")
    }
    // Foundation's decoder is ended by the system on some texts that nest 513 deep.
    guard nesting(of: text) <= deepestNesting else {
      throw .damaged(path: path, reason: "a snapshot nests too deep")
    }
    do {
      return try JSONDecoder().decode(ActiveRunSnapshot.self, from: Data(text.utf8))
    } catch {
      throw .damaged(path: path, reason: "a snapshot cannot be read: \(error)")
    }
  }

  /// Deep enough for any snapshot: a group takes four levels.
  private static let deepestNesting = 4 * SequenceLimits.deepestNesting + 32

  /// How deep a JSON text nests; what is in its strings does not count.
  private static func nesting(of text: String) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in text.utf8 {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isInString { depth += 1 }
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { depth -= 1 }
      default: break
      }
    }
    return deepest
  }

  /// The checksum of a text.
  package static func checksum(_ text: String) -> String {
    String(StableHash.fnv1a128(text.utf8), radix: 16)
  }
}
