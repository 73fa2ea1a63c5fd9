/// The effect of suspend (sleep, hibernation, shutdown, power loss), or of a locked screen, on a run.
@nonexhaustive
public enum SuspendPolicy: String, Hashable, Sendable, Encodable, CaseIterable {
  /// The run continues, and the time counts.
  case `continue`
  /// The run is paused when the suspend or the lock begins, until the user resumes it.
  case pause
  /// The run is paused as with `pause`, and the user is then asked whether the time counts.
  case ask
}
