import NotifierLedger

extension DesktopFailure {
  /// The reason that the ledger keeps.
  var reason: NotificationReason {
    switch self {
    case .noBus(let reason): NotificationReason("no-bus", [reason])
    case .noServer: NotificationReason("no-server")
    case .noScreen: NotificationReason("no-screen")
    case .notStarted(let reason): NotificationReason("not-started", [reason])
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
