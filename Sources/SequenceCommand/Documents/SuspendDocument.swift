import NotificationLedger
import Platform
import SequencePlanning
import SequenceRunner

/// An absence of the machine that a run is paused for, within a document.
struct SuspendDocument: Encodable {
  let cause: String
  let since: String
  /// In seconds; absent until the machine is back.
  let length: Double?

  init(_ suspend: Suspend) {
    cause = suspend.cause.name
    since = suspend.since.wall.description
    length = suspend.length?.seconds
  }
}
