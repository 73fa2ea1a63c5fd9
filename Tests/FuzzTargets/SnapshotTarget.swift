import SequenceRunner
import SequenceStore

enum SnapshotTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    // The first line is the sequence of the run.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { StoredText(String(decoding: $0, as: UTF8.self)) }
    let snapshot: ActiveRunSnapshot
    do throws(StoreError) {
      let stored = StoredRun(sequence: lines[0], snapshot: lines.count > 1 ? lines[1] : StoredText(""))
      snapshot = try stored.decoded(path: "sequence.db")
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
