import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner

/// The suspend that paused a run, within a document.
struct SuspendDocument: Encodable {
  let cause: String
  let since: String
  /// The length in seconds; absent until the computer is back.
  let length: Double?

  init(_ suspend: Suspend) {
    cause = suspend.cause.rawValue
    since = suspend.since.wall.description
    length = suspend.length?.seconds
  }
}
