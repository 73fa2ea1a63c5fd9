public import NotifierLedger

/// The kinds of notifications of a run; the configuration of Sequence has a style for each, under its name.
extension NotificationKind {
  /// The end of a countdown, after which the next step has started.
  public static let stepEnd = NotificationKind(rawValue: "step-end")
  /// The end of the time of a step that waits for the user.
  public static let overtime = NotificationKind(rawValue: "overtime")
  /// The goal of a count-up.
  public static let goal = NotificationKind(rawValue: "goal")
  /// A reminder after the goal of a count-up.
  public static let reminder = NotificationKind(rawValue: "reminder")
  /// The end of the run.
  public static let runEnd = NotificationKind(rawValue: "run-end")
  /// A pause by a button of a notification.
  public static let pause = NotificationKind(rawValue: "pause")
  /// The return of the machine while the run is paused for the suspend.
  public static let `return` = NotificationKind(rawValue: "return")
}

extension NotificationStyle {
  /// How Sequence's notifications look and sound unless the configuration says otherwise.
  package static let ofSequence: [NotificationKind: NotificationStyle] = [
    .stepEnd: NotificationStyle(category: "x-sequence.step", sound: "message-new-instant"),
    .overtime: NotificationStyle(category: "x-sequence.step", sound: "alarm-clock-elapsed"),
    .goal: NotificationStyle(category: "x-sequence.reminder", sound: "bell"),
    .reminder: NotificationStyle(category: "x-sequence.reminder", sound: "bell"),
    .runEnd: NotificationStyle(category: "x-sequence.run", sound: "complete"),
    .pause: NotificationStyle(category: "x-sequence.run"),
    // It has to be there still when the user has unlocked the screen.
    .return: NotificationStyle(urgency: .critical, category: "x-sequence.run"),
  ]
}
