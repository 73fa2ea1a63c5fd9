/// Why the desktop did not do what it was asked to.
package enum DesktopFailure: Error, Hashable, Sendable {
  /// There is no session bus, or it cannot be reached.
  case noBus(reason: String)
  /// Nobody on the bus shows notifications.
  case noServer
  /// There is a server, but it does not answer.
  case notAnswering
  /// The server is not the one that was meant.
  case otherServer
  /// The server answered with an error.
  case refused(name: String, message: String)
  /// It was not wanted any more before its time came.
  case calledOff
  /// The call was sent, and no answer came: it may or may not have been carried out.
  case unknownOutcome

  package var text: String {
    switch self {
    case .noBus(let reason): "no session bus: \(reason)"
    case .noServer: "no notification server on the session bus"
    case .notAnswering: "the notification server does not answer"
    case .otherServer: "the notification server was restarted"
    case .refused(let name, let message): "the notification server refused: \(message) (\(name))"
    case .calledOff: "it was called off before its time"
    case .unknownOutcome: "the notification server did not answer; it may or may not have done it"
    }
  }

  /// Whether too much was asked for at once, which passes.
  ///
  /// Sources: notification-daemon ("MaxNotificationsExceeded"), Plasma ("ExcessNotificationGeneration", for equal ones
  /// within a second), and the bus's own limit.
  var isExcess: Bool {
    isRefusal(named: "ExcessNotificationGeneration") || isRefusal(named: "LimitsExceeded") || isForWantOfRoom
  }

  /// Whether the server shows all that it can, so that taking something away helps.
  var isForWantOfRoom: Bool { isRefusal(named: "MaxNotificationsExceeded") }

  private func isRefusal(named suffix: String) -> Bool {
    guard case .refused(let name, _) = self else { return false }
    return name.hasSuffix(".\(suffix)")
  }
}
