public import SequenceRunner

/// A notification that is to be shown at a moment.
public struct NotificationRequest: Hashable, Sendable {
  /// Names it; a request for the same name replaces one that is still to come.
  public let identifier: NotificationIdentifier
  /// What it is about.
  public let kind: NotificationKind
  /// The line that is shown large.
  public let summary: String
  /// The text below; may be empty.
  public let body: String
  /// What the clocks will say when it is due, if nobody sets them.
  public let due: Reading

  /// A request with all its properties.
  public init(
    identifier: NotificationIdentifier, kind: NotificationKind, summary: String, body: String, due: Reading
  ) {
    self.identifier = identifier
    self.kind = kind
    self.summary = summary
    self.body = body
    self.due = due
  }
}

/// What a notification is about.
public enum NotificationKind: String, Hashable, Sendable, CaseIterable {
  /// A step is over, and another has begun.
  case stepEnd
  /// The time of a step is over, and the user has to go on.
  case timeOver
  /// The goal of a count-up was reached, maybe a while ago.
  case reminder
  /// The run is over.
  case runEnd
}
