import SequencePlatform
package import SequenceStore

extension JSONReader {
  /// Reads a whole text as a value.
  ///
  /// - Throws: `StoreError.damaged` if the text is not as it was written; `.newer` if a newer program has written it.
  package static func value<Value>(
    of text: String, path: String, _ read: (inout JSONReader) throws(JSONReader.Failure) -> Value
  ) throws(StoreError) -> Value {
    do throws(JSONReader.Failure) {
      var json = JSONReader(text)
      let value = try read(&json)
      try json.end()
      return value
    } catch {
      let reason: LocalizedText = "it has something else than \(error.expected) at byte \(error.place)"
      throw error.isUnknown ? .newer(path: path, reason: reason) : .damaged(path: path, reason: reason)
    }
  }

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

  mutating func strings() throws(Failure) -> [String] {
    var strings: [String] = []
    try array { json throws(Failure) in strings.append(try json.string()) }
    return strings
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

/// A text of the store, with the checksum that shows whether it is as it was written.
package struct StoredText: Hashable, Sendable {
  package let text: String
  package let checksum: String

  package init(_ text: String) { self.init(text, checksum: StoredText.checksum(text)) }

  package init(_ text: String, checksum: String) { (self.text, self.checksum) = (text, checksum) }

  init(sequenceOf run: ActiveRunSnapshot) { self.init(JSONWriter.text { run.timeline.write(to: &$0) }) }

  init(of run: ActiveRunSnapshot) { self.init(JSONWriter.text { run.write(to: &$0) }) }

  package static func checksum(_ text: String) -> String {
    String(StableHash.fnv1a128(Array(text.utf8)), radix: 16)
  }

  package func timeline(path: String) throws(StoreError) -> Timeline {
    try JSONReader.value(of: text, path: path) { json throws(JSONReader.Failure) in
      try Timeline(from: &json)
    }
  }
}

/// The stored form of a run: the sequence, which is written when the run starts and never changes, and the snapshot
/// without it.
package struct StoredRun: Sendable {
  package var sequence: StoredText
  package var snapshot: StoredText

  package init(sequence: StoredText, snapshot: StoredText) {
    (self.sequence, self.snapshot) = (sequence, snapshot)
  }

  package init(_ run: ActiveRunSnapshot) {
    self.init(sequence: StoredText(sequenceOf: run), snapshot: StoredText(of: run))
  }

  /// The checksums are verified first, because many a changed byte would decode to another valid value.
  ///
  /// - Throws: `StoreError.damaged` if a text is not exactly as written; `.newer` if a newer program has written it.
  package func decoded(path: String) throws(StoreError) -> ActiveRunSnapshot {
    for (name, stored) in [("sequence", sequence), ("snapshot", snapshot)] {
      guard stored == StoredText(stored.text) else {
        throw .damaged(path: path, reason: "a \(name) does not have its checksum")
      }
    }
    let timeline = try sequence.timeline(path: path)
    return try JSONReader.value(of: snapshot.text, path: path) { json throws(JSONReader.Failure) in
      try ActiveRunSnapshot(from: &json, timeline: timeline)
    }
  }

  var withMatchingChecksums: StoredRun {
    StoredRun(sequence: StoredText(sequence.text), snapshot: StoredText(snapshot.text))
  }
}

extension StoredRun {
  /// - Parameter column: the first of the four columns, in the order of the texts, each with its checksum.
  init(_ row: SQLRow, from column: some RawRepresentable<Int>) {
    let column = Int32(column.rawValue)
    let snapshot = StoredText(row.text(column + 2), checksum: row.text(column + 3))
    let sequence = row.optionalText(column).map { StoredText($0, checksum: row.text(column + 1)) }
    self.init(sequence: sequence ?? snapshot.sequenceOfVersion1, snapshot: snapshot)
  }
}

extension StoredText {
  /// The sequence in the snapshot, which had it in version 1 of the tables.
  fileprivate var sequenceOfVersion1: StoredText {
    var (json, sequence) = (JSONReader(text), "")
    do throws(JSONReader.Failure) {
      try json.object { json, name throws(JSONReader.Failure) in
        let begin = json.place
        try json.skip()
        if name == "sequence" { sequence = json.text(since: begin) }
      }
    } catch {
      // The rest is damaged, and so is the snapshot; the sequence has the title of the lost run.
    }
    return StoredText(sequence)
  }
}
