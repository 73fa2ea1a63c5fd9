/// The behavior of the server; by default that of the specification.
struct Behavior {
  var name = "recording-server"
  var capabilities = ["body", "actions"]
  /// Whether do-not-disturb is on; without it the server doesn't know the question.
  var isInhibited: Bool?
  var hanging: Set<String> = []
  /// The method after whose next call all calls are held.
  var lastAnswered: String?
  var refusal: Refusal?
  var closeRefusal: Refusal?
  /// Whether closing an invisible notification is an error.
  var isStrict = false
  /// Whether only the connection that showed a notification may replace and close it while it is on the bus.
  var isOnlySender = false
  /// Whether a notification stays visible when one of its actions is invoked.
  var isResident = false
  /// The number of notifications that stay visible; older ones are closed.
  var kept: Int?
  /// The largest number of visible notifications; others are refused.
  var limit: Int?
  /// The time for which the same text is refused, in nanoseconds.
  var sameTime: Int64?
  /// Whether a replaced notification that is not visible passes its id on to the new one.
  var keepsUnknownID = true
  /// Whether signals go only to the connection that showed the notification.
  var signalsSenderOnly = false
}

/// An error for all calls or for the next few.
struct Refusal {
  let name: String
  var left: Int?
}
