/// What becomes of a run while the machine sleeps or is switched off.
public enum SuspendPolicy: String, Hashable, Sendable, Encodable, CaseIterable {
  /// It goes on: the time counts.
  case `continue`
  /// It is paused from the moment at which the machine goes, until the user resumes it.
  case pause
  /// It is paused too, and the user is asked afterwards whether the time counts all the same.
  case ask
}
