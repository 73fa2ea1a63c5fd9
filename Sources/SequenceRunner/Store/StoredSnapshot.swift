import FoundationEssentials

/// The one form in which a snapshot is stored: JSON, and its checksum.
enum StoredSnapshot {
  /// The text to store, and the checksum to store beside it.
  static func encode(_ snapshot: ActiveRunSnapshot) throws -> (text: String, checksum: String) {
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
  static func decode(_ text: String, checksum: String, path: String) throws(StoreError) -> ActiveRunSnapshot {
    guard StoredSnapshot.checksum(text) == checksum else {
      throw .damaged(path: path, reason: "a snapshot does not have its checksum")
    }
    do {
      return try JSONDecoder().decode(ActiveRunSnapshot.self, from: Data(text.utf8))
    } catch {
      throw .damaged(path: path, reason: "a snapshot cannot be read: \(error)")
    }
  }

  private static func checksum(_ text: String) -> String {
    String(StableHash.fnv1a128(text.utf8), radix: 16)
  }
}
