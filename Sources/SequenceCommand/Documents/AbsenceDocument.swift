import NotificationLedger
import Platform
import SequencePlanning
import SequenceRunner

/// An absence of the machine that a run is paused for, within a document.
struct AbsenceDocument: Encodable {
  let cause: String
  let since: String
  /// In seconds; absent until the machine is back.
  let length: Double?

  init(_ absence: Absence) {
    cause = absence.cause.rawValue
    since = absence.since.wall.description
    length = absence.length?.seconds
  }
}
