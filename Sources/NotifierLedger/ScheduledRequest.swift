package import SequencePlatform

package struct ScheduledRequest: Hashable, Sendable {
  package let request: NotificationRequest
  /// The reading at its due time, if no clock is set until then.
  package let due: ClockReading
  /// When the occurrence before was due, by the wall clock; `nil` if this is the first one.
  package let previous: Moment?
  /// The date for which a snoozed notification was meant; `nil` for its due time.
  package let snoozed: Moment?
  /// The local time minus UTC at the due time, in seconds; `nil` if no calendar has found it.
  package let offset: Int?

  package init(
    _ request: NotificationRequest, due: ClockReading, previous: Moment? = nil, snoozed: Moment? = nil,
    offset: Int? = nil
  ) {
    self.request = request
    self.due = due
    self.previous = previous
    self.snoozed = snoozed
    self.offset = offset
  }
}
