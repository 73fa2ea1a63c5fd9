import FoundationEssentials
import Platform
package import Store

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
  /// The checksum is looked at first: many a changed byte would be taken for another value.
  ///
  /// - Throws: `StoreError.damaged` if it is not what was written.
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

  /// The checksum of a text.
  package static func checksum(_ text: String) -> String {
    String(StableHash.fnv1a128(text.utf8), radix: 16)
  }
}
