import FoundationEssentials
import NotifierLedger
import SequenceConfiguration
import SequenceNotifications
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

/// A start that a schedule has missed, which the button of its notification makes up for.
///
/// The schedule itself may be gone, or wait for its next time.
struct MissedStart: Encodable, Equatable {
  let path: String
  let choices: ScheduleChoices
  let deadline: Moment?
  /// When it is too late.
  let end: Moment

  /// Returns the notification that a sequence was due.
  ///
  /// - Parameters:
  ///   - reason: why it was not started; `nil` if nobody looked at the time.
  ///   - store: the path of the store, for an error.
  func request(
    _ title: String, of sequence: UUID, at time: Moment, because reason: LocalizedText?, due: ClockReading,
    store: String
  ) throws(StoreError) -> NotificationRequest {
    var request = NotificationRequest(
      identifier: .started(sequence: sequence), tag: NotificationScope.sequence(sequence).prefix,
      kind: RunEvent.Name.runStart.rawValue,
      summary: translated(
        "{title} was due at {time}",
        ["title": TextSafety.isolated(title), "time": LocalTime.clock(of: time, now: due.wall)]),
      body: TextSafety.isolated(reason?.translation ?? ""), actions: [RunNotifications.startButton],
      context: try StoredJSON.encode(self, path: store), due: due)
    request.latestDelivery = max(.zero, end.duration(since: due.wall))
    return request
  }
}

extension MissedStart {
  /// - Throws: `StoreError.damaged` for a notification about something else.
  init(_ request: NotificationRequest, store: String) throws(StoreError) {
    self = try StoredJSON.decode(request.context ?? "", path: store) { json throws(JSONReader.Failure) in
      var (path, choices) = ("", ScheduleChoices())
      var (deadline, end) = (Moment?.none, Moment(microseconds: .min))
      try json.object { json, name throws(JSONReader.Failure) in
        switch name {
        case "path": path = try json.string()
        case "choices": choices = try ScheduleChoices(from: &json)
        case "deadline": deadline = Moment(microseconds: try json.integer())
        case "end": end = Moment(microseconds: try json.integer())
        default: try json.skip()
        }
      }
      return MissedStart(path: path, choices: choices, deadline: deadline, end: end)
    }
  }
}
