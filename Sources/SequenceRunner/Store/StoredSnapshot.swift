import FoundationEssentials
import Platform
package import Store

/// The stored form of a snapshot: JSON with a checksum.
package enum StoredSnapshot {
  /// Returns the text and the checksum to store.
  ///
  /// - Parameter path: the store, for the error.
  package static func encode(
    _ snapshot: ActiveRunSnapshot, path: String
  ) throws(StoreError) -> (text: String, checksum: String) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text: String
    do {
      text = String(decoding: try encoder.encode(snapshot), as: UTF8.self)
    } catch {
      throw .unexpected(path: path, reason: "\(error)")
    }
    return (text, checksum(text))
  }

  /// Decodes a stored snapshot.
  ///
  /// The checksum is verified first, because many a changed byte would decode to another valid value.
  ///
  /// - Throws: `StoreError.damaged` if the text is not exactly as written.
  package static func decode(_ text: String, checksum: String, path: String) throws(StoreError)
    -> ActiveRunSnapshot
  {
    guard StoredSnapshot.checksum(text) == checksum else {
      throw .damaged(path: path, reason: "a snapshot does not have its checksum")
    }
    do throws(JSONReader.Failure) {
      var json = JSONReader(text)
      let snapshot = try ActiveRunSnapshot(from: &json)
      try json.end()
      return snapshot
    } catch {
      throw .damaged(
        path: path, reason: "a snapshot has something else than \(error.expected) at byte \(error.place)")
    }
  }

  /// Returns the checksum of a text.
  package static func checksum(_ text: String) -> String {
    String(StableHash.fnv1a128(text.utf8), radix: 16)
  }
}
