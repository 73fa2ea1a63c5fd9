import FoundationEssentials
import SequencePlatform
package import SequenceStore

/// The stored form of a value: JSON with sorted keys.
enum StoredJSON {
  static func encode(_ value: some Encodable, path: String) throws(StoreError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw .unexpected(path: path, reason: "\(error)")
    }
  }

  /// - Throws: `StoreError.damaged` if the text is not as it was written; `.newer` if a newer program has written it.
  static func decode<Value>(
    _ text: String, path: String, _ read: (inout JSONReader) throws(JSONReader.Failure) -> Value
  ) throws(StoreError) -> Value {
    do throws(JSONReader.Failure) {
      var json = JSONReader(text)
      let value = try read(&json)
      try json.end()
      return value
    } catch {
      let reason = "it has something else than \(error.expected) at byte \(error.place)"
      throw error.isUnknown ? .newer(path: path, reason: reason) : .damaged(path: path, reason: reason)
    }
  }
}

extension JSONReader {
  /// The value of a member; a failure if there was none.
  ///
  /// It is in this module, because a generic call into another module looks up the type at run time.
  func required<Value>(_ value: Value?, _ name: String) throws(Failure) -> Value {
    guard let value else { throw failure("a member \(name) before this") }
    return value
  }

  func known<Value>(_ value: Value?, _ name: String) throws(Failure) -> Value {
    guard let value else { throw unknown(name) }
    return value
  }

  mutating func moment() throws(Failure) -> Moment { Moment(microseconds: try integer()) }

  mutating func reading() throws(Failure) -> ClockReading {
    var (wall, boot, bootID) = (Moment?.none, Int64?.none, String?.none)
    try object { json, name throws(Failure) in
      switch name {
      case "wall": wall = try json.moment()
      case "boot": boot = try json.integer()
      case "bootID": bootID = try json.string()
      default: try json.skip()
      }
    }
    return ClockReading(
      wall: try required(wall, "wall"), boot: .nanoseconds(try required(boot, "boot")),
      bootID: try required(bootID, "bootID"))
  }
}

/// The stored form of a snapshot: JSON with a checksum.
package enum StoredSnapshot {
  /// Returns the text and the checksum to store, and the snapshot with the text of its sequence.
  package static func encode(
    _ snapshot: ActiveRunSnapshot, path: String
  ) throws(StoreError) -> (text: String, checksum: String, snapshot: ActiveRunSnapshot) {
    let run = try StoredJSON.encode(StoredRun(run: snapshot), path: path)
    // A sequence never changes, so it is written as it was read: to encode it takes longer than everything else.
    let sequence =
      if let stored = snapshot.timeline.storedDefinition { stored } else {
        try StoredJSON.encode(snapshot.sequence, path: path)
      }
    let text = "\(run.dropLast()),\"sequence\":\(sequence)}"
    var stored = snapshot
    stored.timeline.storedDefinition = sequence
    return (text, checksum(text), stored)
  }

  /// The checksum is verified first, because many a changed byte would decode to another valid value.
  ///
  /// - Parameter keepsText: whether the text of the sequence is kept, so that writing the run again is cheap.
  /// - Throws: `StoreError.damaged` if the text is not exactly as written; `.newer` if a newer program has written it.
  package static func decode(
    _ text: String, checksum: String, path: String, keepsText: Bool = false
  ) throws(StoreError) -> ActiveRunSnapshot {
    guard StoredSnapshot.checksum(text) == checksum else {
      throw .damaged(path: path, reason: "a snapshot does not have its checksum")
    }
    return try StoredJSON.decode(text, path: path) { json throws(JSONReader.Failure) in
      try ActiveRunSnapshot(from: &json, keepsText: keepsText)
    }
  }

  package static func checksum(_ text: String) -> String {
    String(StableHash.fnv1a128(Array(text.utf8)), radix: 16)
  }
}
