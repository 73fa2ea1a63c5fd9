package import CSequenceGLib
import CSequenceLinux
import Glibc
import NotifierLedger
import SequencePlatform

package enum DesktopFailure: Error, Hashable, Sendable {
  case noBus(reason: String)
  case noServer
  /// The bus could start a server, but there is no screen that it could use.
  case noScreen
  case notStarted(reason: String)
  case notAnswering
  /// Another server has taken the place of the intended one.
  case otherServer
  case refused(name: String, message: String)
  /// It was cancelled before its time.
  case calledOff
  /// The call was sent, and no answer came: it may or may not have been carried out.
  case unknownOutcome
}

extension DesktopFailure {
  package var reason: NotificationReason {
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

extension DesktopFailure {
  init(_ error: UnsafeMutablePointer<GError>, isSent: Bool) {
    let message = unsafe String(cString: error.pointee.message)
    if let remote = unsafe g_dbus_error_get_remote_error(error) {
      defer { unsafe g_free(remote) }
      self.init(remoteError: unsafe String(cString: remote), message: message, isSent: isSent)
    } else if unsafe error.pointee.domain == g_io_error_quark() {
      switch unsafe GIOErrorEnum(rawValue: UInt32(bitPattern: error.pointee.code)) {
      case G_IO_ERROR_TIMED_OUT: self = isSent ? .unknownOutcome : .notAnswering
      // The answer is not of the type that it should be.
      case G_IO_ERROR_INVALID_ARGUMENT where isSent: self = .refused(name: "libnotify", message: message)
      default: self = .noBus(reason: message)
      }
    } else if isSent {
      // libnotify has errors of its own for answers that make no sense.
      self = .refused(name: "libnotify", message: message)
    } else {
      self = .noBus(reason: message)
    }
  }

  package init(remoteError name: String, message: String, isSent: Bool) {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
      self = .noServer
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
      "org.freedesktop.DBus.Error.TimedOut":
      self = isSent ? .unknownOutcome : .notAnswering
    default:
      // GLib puts the name in front of the message, for those who have only that.
      let prefix = "GDBus.Error:\(name): "
      self = .refused(
        name: name, message: message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)
    }
  }
}

/// Calls a function of GLib that reports errors through a `GError`, and throws them as failures.
///
/// GLib makes a descriptor for each call that waits for an answer, and ends the process if it gets none. So the call is not
/// made then.
///
/// - Parameter isSent: whether an unanswered call may have been carried out.
package func checkingGError<Result>(
  isSent: Bool, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
) throws(DesktopFailure) -> Result {
  try requireDescriptors()
  var error: UnsafeMutablePointer<GError>?
  let result = unsafe body(&error)
  guard let error = unsafe error else { return result }
  defer { unsafe g_error_free(error) }
  throw unsafe DesktopFailure(error, isSent: isSent)
}

func requireDescriptors() throws(DesktopFailure) {
  var made: [Int32] = []
  defer { for number in made { _ = close(number) } }
  do throws(SystemError) {
    for _ in 0..<3 { made.append(try SystemError.check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }) }
  } catch {
    throw .noBus(reason: error.problem.text.description)
  }
}
