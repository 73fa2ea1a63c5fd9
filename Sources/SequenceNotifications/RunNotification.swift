public import NotifierLedger
public import SequenceRunner

/// A notification of a run that is about to be shown.
public struct RunNotification: Sendable {
  /// The notification with its English text.
  public let request: NotificationRequest
  /// The event that it is about; `nil` for a notification of another program.
  public var kind: NotificationKind? { request.kind }
  /// The run, as it is when the notification is prepared: up to 50 ms before its time.
  public let run: ActiveRunSnapshot
  /// The step that is current while the notification is visible; `nil` for the end of the run.
  public let step: Step?

  init(request: NotificationRequest, run: ActiveRunSnapshot, index: Int) {
    self.request = request
    self.run = run
    step = index < run.timeline.count ?? .max && request.kind != .runEnd ? run.timeline.step(at: index) : nil
  }
}
