import SequenceRunner
import SequenceStore

enum SnapshotTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    let snapshot: ActiveRunSnapshot
    do throws(StoreError) {
      let checksum = StoredSnapshot.checksum(text)
      snapshot = try StoredSnapshot.decode(text, checksum: checksum, path: "sequence.db")
    } catch {
      switch error {
      case .damaged, .newer: return false
      default: throw PropertyViolation(description: "\(error)")
      }
    }
    try TimelineRule.check(snapshot.timeline)
    try RunRule.check(snapshot)
    return true
  }
}
