package import NotificationLedger

/// What the agent asks of the desktop; carried out in order.
package enum DesktopOrder: Hashable, Sendable {
  /// Find out whether a notification server is there and answers.
  case probe
  /// Show the notification of a ledger entry.
  case show(entry: Int64, NotificationContent)
  /// Take the notification of a ledger entry away.
  case close(entry: Int64, ShownNotification)

  /// The ledger entry that it is about.
  var entry: Int64? {
    switch self {
    case .probe: nil
    case .show(let entry, _), .close(let entry, _): entry
    }
  }
}

/// What is shown of a notification.
package struct NotificationContent: Hashable, Sendable {
  package let kind: NotificationKind
  package let summary: String
  package let body: String
}

/// What the desktop answers, and what it tells by itself.
package enum DesktopEvent: Hashable, Sendable {
  /// A server is there and answers.
  case serverAvailable(NotificationServer)
  /// Notifications cannot be shown now.
  case serverUnavailable(DesktopFailure)
  /// The server gave its place up to another, or to none.
  case serverChanged
  /// The notification of an entry is on screen.
  case shown(entry: Int64, ShownNotification)
  /// The notification of an entry could not be shown.
  case notShown(entry: Int64, DesktopFailure)
  /// The notification of an entry is not on screen any more.
  case closed(entry: Int64)
  /// The server that showed the notification of an entry is gone, and the notification with it.
  case goneWithServer(entry: Int64)
  /// The notification of an entry could not be taken away.
  case notClosed(entry: Int64, DesktopFailure)
  /// The server says that a notification went away.
  case closedByServer(ShownNotification, CloseReason)
}

/// A notification server that answers.
package struct NotificationServer: Hashable, Sendable {
  package let epoch: ServerEpoch
  package let name: String
  package let version: String
  package let capabilities: Set<String>

  package init(epoch: ServerEpoch, name: String, version: String, capabilities: Set<String>) {
    self.epoch = epoch
    self.name = name
    self.version = version
    self.capabilities = capabilities
  }
}

/// Why the server took a notification from the screen.
///
/// Source: Desktop Notifications Specification 1.2, "org.freedesktop.Notifications.NotificationClosed".
package enum CloseReason: Hashable, Sendable {
  case expired
  case dismissed
  case closedByCall
  /// Servers use it for what they evict to make room, among other things.
  case undefined

  package init(code: UInt32) {
    switch code {
    case 1: self = .expired
    case 2: self = .dismissed
    case 3: self = .closedByCall
    default: self = .undefined
    }
  }

  package var text: String {
    switch self {
    case .expired: "it expired"
    case .dismissed: "the user dismissed it"
    case .closedByCall: "it was closed by a call"
    case .undefined: "the server took it away"
    }
  }
}

/// Why the desktop did not do what it was asked to.
package enum DesktopFailure: Error, Hashable, Sendable {
  /// There is no session bus, or it cannot be reached.
  case noBus(reason: String)
  /// Nobody on the bus shows notifications.
  case noServer
  /// There is a server, but it does not answer.
  case notAnswering
  /// The server answered with an error.
  case refused(name: String, message: String)
  /// The call was sent, and no answer came: it may or may not have been carried out.
  case unknownOutcome

  package var text: String {
    switch self {
    case .noBus(let reason): "no session bus: \(reason)"
    case .noServer: "no notification server on the session bus"
    case .notAnswering: "the notification server does not answer"
    case .refused(let name, let message): "the notification server refused: \(message) (\(name))"
    case .unknownOutcome: "the notification server did not answer; it may or may not have done it"
    }
  }
}
