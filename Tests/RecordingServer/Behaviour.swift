/// How the server behaves: as the specification says, until it is told otherwise.
struct Behaviour {
  var capabilities = ["body", "actions"]
  /// The methods whose calls are held.
  var hanging: Set<String> = []
  /// The method after whose next call all are held.
  var lastAnswered: String?
  var refusal: Refusal?
  var closeRefusal: Refusal?
  /// Whether closing what is not on screen is an error.
  var isStrict = false
  /// Whether only the connection that showed a notification may replace and close it while it is on the bus.
  var isOnlySender = false
  /// Whether a notification stays when one of its actions is invoked.
  var isResident = false
  /// How many stay on screen; the oldest give way.
  var kept: Int?
  /// How many are let on screen.
  var limit: Int?
  /// For how long the same text is refused, in nanoseconds.
  var sameTime: Int64?
  /// Whether a replaced notification that is not on screen gives its number to the new one.
  var keepsUnknownID = true
  /// Whether signals go to the connection that showed the notification only.
  var signalsSenderOnly = false
}

/// An error that calls are answered with, all of them or the next few.
struct Refusal {
  let name: String
  var left: Int?
}
