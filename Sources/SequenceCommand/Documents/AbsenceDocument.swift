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

/// How an absence is told in a line of text.
enum AbsenceText {
  /// What happened, and what the user can do now.
  static func line(_ absence: Absence) -> String {
    guard let past = past(absence) else { return goes(absence.cause) }
    return past + " (resume, or resume --counting)"
  }

  /// What happened; `nil` until the machine is back.
  static func past(_ absence: Absence) -> String? {
    guard let length = absence.length else { return nil }
    let text = absence.cause.text(length)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Why the run was paused, at the moment at which it was.
  static func goes(_ cause: Absence.Cause) -> String {
    switch cause {
    case .sleep: "the machine goes to sleep"
    case .shutdown: "the machine is switched off"
    case .outage: "the machine went off"
    }
  }
}
