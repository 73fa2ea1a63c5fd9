package import NotifierLedger

package enum DesktopOrder: Hashable, Sendable {
  /// Find out whether a notification server answers, without starting one.
  case probe
  /// Have the bus start a notification server, if there is a screen that it could use.
  case startServer
  case status
  /// Show the notification of a ledger entry.
  ///
  /// The agent requests the number. A notification with that number is replaced; an unused number is assigned to this
  /// notification, which the specification requires. It is shown only by the server of the epoch.
  case show(entry: Int64, NotificationContent, as: ShownNotification)
  /// Cancel the prepared notification of a ledger entry before its time.
  ///
  /// It overtakes the orders before it, and its answer is theirs: `notShown`, or `shown` if it came too late.
  case callOff(entry: Int64)
  case close(entry: Int64, ShownNotification)

  package func failed(_ failure: DesktopFailure) -> DesktopEvent {
    switch self {
    case .probe, .startServer: .serverUnavailable(failure)
    case .status: .examined(.failure(failure))
    case .show(let entry, _, _), .callOff(let entry): .notShown(entry: entry, failure)
    case .close(let entry, _): .notClosed(entry: entry, failure)
    }
  }
}

package struct NotificationContent: Hashable, Sendable {
  /// The time on the boot clock to show it; a time that has passed means at once.
  ///
  /// Everything else is done when it is ordered, so that showing it is all that is left at its time.
  package var due: Duration
  /// The time on the boot clock after which it is too late, because the machine slept; `nil` for never.
  package var latest: Duration?
  package var summary: String
  package var body: String
  package let actions: [NotificationAction]
  /// The tag that it shares with the notifications that it replaces, for servers that support tags; `nil` if their
  /// number is known.
  package var tag: String?
  package let style: NotificationStyle
  /// Whether no sound is played, because it was shown before with its sound.
  package let isSilent: Bool
  /// The identifier of the request, for test desktops; servers don't get it.
  package let identifier: NotificationIdentifier?

  package init(
    identifier: NotificationIdentifier? = nil, due: Duration = .zero, summary: String, body: String,
    actions: [NotificationAction], tag: String?, style: NotificationStyle, isSilent: Bool = false
  ) {
    self.identifier = identifier
    self.due = due
    self.summary = summary
    self.body = body
    self.actions = actions
    self.tag = tag
    self.style = style
    self.isSilent = isSilent
  }
}

package enum DesktopEvent: Hashable, Sendable {
  case serverAvailable(NotificationServer)
  /// No server is there; the bus can start one.
  case serverStartable
  case serverUnavailable(DesktopFailure)
  case examined(DesktopCondition)
  /// A server took the name, or the one that was too slow has answered.
  case serverChanged
  /// The server went away, and there is none in its place.
  case serverGone
  /// A program took a name on the bus or left it, after no screen was found for a server.
  case sessionChanged
  case busClosed
  /// The notification of an entry is on screen; said late, maybe, after `notShown` with an unknown outcome.
  case shown(entry: Int64, ShownNotification)
  case notShown(entry: Int64, DesktopFailure)
  case closed(entry: Int64)
  case goneWithServer(entry: Int64)
  case notClosed(entry: Int64, DesktopFailure)
  /// The server says that a notification went away.
  case closedByServer(ShownNotification, CloseReason)
  /// The user pressed a button; the token, if any, lets a window come to the front.
  case actionInvoked(ShownNotification, key: String, token: String? = nil)

  var answeredEntry: Int64? {
    switch self {
    case .shown(let entry, _), .notShown(let entry, _), .closed(let entry), .goneWithServer(let entry),
      .notClosed(let entry, _):
      entry
    case .serverAvailable, .serverStartable, .serverUnavailable, .examined, .serverChanged, .serverGone,
      .sessionChanged, .busClosed, .closedByServer, .actionInvoked:
      nil
    }
  }

  var closedEntry: Int64? {
    switch self {
    case .closed(let entry), .goneWithServer(let entry), .notClosed(let entry, _): entry
    case .shown, .notShown, .serverAvailable, .serverStartable, .serverUnavailable, .examined,
      .serverChanged, .serverGone, .sessionChanged, .busClosed, .closedByServer, .actionInvoked:
      nil
    }
  }

  /// Whether it is the answer to an order: exactly one such comes for each.
  func answers(_ order: DesktopOrder) -> Bool {
    switch (order, self) {
    case (.probe, .serverAvailable), (.probe, .serverStartable), (.probe, .serverUnavailable),
      (.startServer, .serverAvailable), (.startServer, .serverUnavailable), (.status, .examined):
      true
    case (.show(let ordered, _, _), .shown(let entry, _)),
      (.show(let ordered, _, _), .notShown(let entry, _)):
      ordered == entry
    case (.close(let ordered, _), _): ordered == closedEntry
    default: false
    }
  }
}

package struct NotificationServer: Hashable, Sendable {
  package let epoch: ServerEpoch
  package let name: String
  package let vendor: String
  package let version: String
  /// The version of the specification that it follows.
  package let specification: String
  package let capabilities: Set<String>

  package init(
    epoch: ServerEpoch, name: String, vendor: String = "", version: String, specification: String = "",
    capabilities: Set<String>
  ) {
    self.epoch = epoch
    self.name = name
    self.vendor = vendor
    self.version = version
    self.specification = specification
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

  package var reason: NotificationReason {
    switch self {
    case .expired: NotificationReason("expired")
    case .dismissed: .dismissed
    case .closedByCall: NotificationReason("closed-by-call")
    case .undefined: NotificationReason("closed-by-server")
    }
  }
}

/// The state of the desktop, found without starting anything.
package enum DesktopCondition: Hashable, Sendable {
  case answering(NotificationServer, isDoNotDisturbOn: Bool?)
  /// A server is running and does not answer; with its process id if the bus knows it.
  case silent(process: UInt32?)
  case startable
  case failure(DesktopFailure)
}
