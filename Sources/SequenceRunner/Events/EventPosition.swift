import Platform

/// A position between the events of runs, up to which a reader has read them.
package struct EventPosition: Hashable, Sendable, Comparable {
  /// The number of the last journal entry whose own events were read; 0 before the first entry.
  package let entry: Int64
  /// The time after the start of that entry's clock up to which the events that time brings were read.
  package let time: Duration

  package init(entry: Int64, time: Duration) {
    self.entry = entry
    self.time = time
  }

  package static func < (left: EventPosition, right: EventPosition) -> Bool {
    (left.entry, left.time) < (right.entry, right.time)
  }
}
