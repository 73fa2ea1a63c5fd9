import NotifierLedger

/// A failure of an order to the desktop.
package enum DesktopFailure: Error, Hashable, Sendable {
  /// There is no session bus, or it cannot be reached.
  case noBus(reason: String)
  /// No program on the bus shows notifications.
  case noServer
  /// There is a server, but it does not answer.
  case notAnswering
  /// Another server has taken the place of the intended one.
  case otherServer
  /// The server answered with an error.
  case refused(name: String, message: String)
  /// It was cancelled before its time.
  case calledOff
  /// The call was sent, and no answer came: it may or may not have been carried out.
  case unknownOutcome

  /// The reason that the ledger keeps.
  var reason: NotificationReason {
    switch self {
    case .noBus(let reason): NotificationReason("no-bus", [reason])
    case .noServer: NotificationReason("no-server")
    case .notAnswering: NotificationReason("not-answering")
    case .otherServer: NotificationReason("server-restarted")
    case .refused(let name, let message): NotificationReason("refused", [message, name])
    case .calledOff: NotificationReason("called-off")
    case .unknownOutcome: NotificationReason("unknown-outcome")
    }
  }

  package var text: String { reason.description }

  /// Whether too much was asked for at once, which passes.
  ///
  /// Sources: notification-daemon ("MaxNotificationsExceeded"), Plasma ("ExcessNotificationGeneration", for equal ones
  /// within a second), and the bus's own limit.
  var isExcess: Bool {
    isRefusal(named: "ExcessNotificationGeneration") || isRefusal(named: "LimitsExceeded") || isForWantOfRoom
  }

  /// Whether the server shows as many notifications as it can, so that removing one helps.
  var isForWantOfRoom: Bool { isRefusal(named: "MaxNotificationsExceeded") }

  /// Whether the notification to close was not there, which some servers call an error.
  var isAlreadyClosed: Bool { isRefusal(named: "InvalidId") }

  private func isRefusal(named suffix: String) -> Bool {
    guard case .refused(let name, _) = self else { return false }
    return name.hasSuffix(".\(suffix)")
  }
}
