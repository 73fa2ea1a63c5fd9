import CLibnotify
import NotificationLedger
import Synchronization

/// Hears of answers that come after libnotify has given up waiting for them.
///
/// A server that hangs takes a call up when it goes on, and answers; whoever asked knows of a time limit only. The
/// bus tags each answer with the number of its call, so a late one tells exactly what became of which. The calls
/// are made by one thread, one after the other; the messages are seen by GLib's own.
final class ReplyWatch: Sendable {
  private let busID: String
  private let events: Mailbox<DesktopEvent>
  private let state = Mutex(State())

  /// A call whose answer matters, however late it comes.
  enum Call: Sendable {
    /// `Notify` for a ledger entry.
    case show(entry: Int64)
    /// `GetServerInformation`.
    case question

    var member: String {
      switch self {
      case .show: "Notify"
      case .question: "GetServerInformation"
      }
    }
  }

  private struct State {
    /// The call that is waited for.
    var current: Call?
    var serial: UInt32?
    /// What was answered to it.
    var reply: Reply?
    /// Those that are not waited for any more.
    var late: [UInt32: Call] = [:]
  }

  private enum Reply {
    case number(UInt32, sender: String)
    case error(name: String, message: String)
    case other
  }

  init(busID: String, events: Mailbox<DesktopEvent>) {
    self.busID = busID
    self.events = events
  }

  /// Says that a call is about to be made.
  func begin(_ call: Call) {
    state.withLock {
      $0.current = call
      $0.serial = nil
      $0.reply = nil
    }
  }

  /// Says that the call is not waited for any more.
  ///
  /// - Parameter isAnswered: whether an answer was got; if not, one that comes, or came this moment, is told.
  func end(isAnswered: Bool) {
    state.withLock { state in
      if !isAnswered, let call = state.current, let serial = state.serial {
        if let reply = state.reply {
          tell(reply, to: call)
        } else {
          state.late[serial] = call
        }
      }
      state.current = nil
      state.serial = nil
      state.reply = nil
    }
  }

  /// Looks at a message on its way out or in; it comes in GLib's thread.
  func look(at message: OpaquePointer, isIncoming: Bool) {
    let type = unsafe g_dbus_message_get_message_type(message)
    if isIncoming, type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || type == G_DBUS_MESSAGE_TYPE_ERROR {
      unsafe received(message)
    } else if !isIncoming, type == G_DBUS_MESSAGE_TYPE_METHOD_CALL {
      unsafe sent(message)
    }
  }

  private func sent(_ message: OpaquePointer) {
    guard let member = unsafe g_dbus_message_get_member(message) else { return }
    let name = unsafe String(cString: member)
    let serial = unsafe g_dbus_message_get_serial(message)
    state.withLock { state in
      if state.serial == nil, state.current?.member == name { state.serial = serial }
    }
  }

  private func received(_ message: OpaquePointer) {
    let serial = unsafe g_dbus_message_get_reply_serial(message)
    state.withLock { state in
      if state.serial == serial {
        state.reply = unsafe ReplyWatch.reply(in: message)
      } else if let call = state.late.removeValue(forKey: serial) {
        unsafe tell(ReplyWatch.reply(in: message), to: call)
      }
    }
  }

  private func tell(_ reply: Reply, to call: Call) {
    if case .show(let entry) = call {
      switch reply {
      case .number(let id, let sender):
        let epoch = ServerEpoch(busID: busID, owner: sender)
        events.put(.shown(entry: entry, ShownNotification(id: id, epoch: epoch)))
      case .error(let name, let message):
        // Not answering is no outcome any more: the bus says so once the server is gone.
        let failure = DesktopFailure(remoteError: name, message: message, isSent: false)
        events.put(.notShown(entry: entry, failure == .notAnswering ? .otherServer : failure))
      case .other:
        events.put(.notShown(entry: entry, .refused(name: "none", message: "the answer made no sense")))
      }
    }
    events.put(.serverRecovered)
  }

  private static func reply(in message: OpaquePointer) -> Reply {
    if let name = unsafe g_dbus_message_get_error_name(message) {
      let text = unsafe g_dbus_message_get_arg0(message).map { unsafe String(cString: $0) }
      return .error(name: unsafe String(cString: name), message: text ?? "")
    }
    guard let body = unsafe g_dbus_message_get_body(message),
      unsafe String(cString: g_variant_get_type_string(body)) == "(u)",
      let sender = unsafe g_dbus_message_get_sender(message)
    else { return .other }
    return .number(unsafe uint32(body, 0), sender: unsafe String(cString: sender))
  }
}

/// The number at a place of a tuple.
func uint32(_ tuple: OpaquePointer, _ index: Int) -> UInt32 {
  guard let child = unsafe g_variant_get_child_value(tuple, gsize(index)) else { return 0 }
  defer { unsafe g_variant_unref(child) }
  return unsafe g_variant_get_uint32(child)
}
