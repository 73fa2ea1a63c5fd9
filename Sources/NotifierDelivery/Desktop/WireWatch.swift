import CSequenceGLib
import NotifierLedger
import Synchronization

/// Reads the messages of the bus in their order, and reports those about notifications.
///
/// There are two reasons. A number may be given to a new notification while a signal about the previous one is on its
/// way: only the order on the wire shows which of the two the signal is about. And a server that hangs answers its
/// calls later, when the caller has given up: the bus tags each answer with the number of its call, so a late answer
/// can be assigned exactly. One thread makes the calls, one after the other; GLib's own thread reads the messages.
final class WireWatch: Sendable {
  private let busID: String
  private let events: DesktopClients
  private let state = Mutex(State())

  private struct State {
    var calls = PendingCalls()
    var ownerChanges = 0
    /// The last token of a server, which comes just before the action that it is for.
    var token: (shown: ShownNotification, text: String)?
  }

  init(busID: String, events: DesktopClients) {
    self.busID = busID
    self.events = events
  }

  func begin(_ call: PendingCalls.Call) { state.withLock { $0.calls.begin(call) } }

  /// Whether the call went out; libnotify asks others of its own before.
  var isSent: Bool { state.withLock { $0.calls.isSent } }

  /// How often the server has changed so far: the same number twice means the same server all the time between.
  var ownerChanges: Int { state.withLock { $0.ownerChanges } }

  /// - Parameter isAnswered: whether an answer arrived; if not, a later answer, or one of this moment, is reported.
  func end(isAnswered: Bool) {
    state.withLock { state in
      if let (call, refusal) = state.calls.end(isAnswered: isAnswered) { report(refusal, to: call) }
    }
  }

  /// Runs in GLib's own thread.
  func read(_ message: OpaquePointer, isIncoming: Bool) {
    switch unsafe (g_dbus_message_get_message_type(message), isIncoming) {
    case (G_DBUS_MESSAGE_TYPE_METHOD_CALL, false): unsafe sent(message)
    case (G_DBUS_MESSAGE_TYPE_METHOD_RETURN, true): unsafe returned(message)
    case (G_DBUS_MESSAGE_TYPE_ERROR, true): unsafe refused(message)
    case (G_DBUS_MESSAGE_TYPE_SIGNAL, true): unsafe signalled(message)
    default: break
    }
  }

  private func sent(_ message: OpaquePointer) {
    guard let member = unsafe g_dbus_message_get_member(message) else { return }
    let name = unsafe String(cString: member)
    let serial = unsafe g_dbus_message_get_serial(message)
    state.withLock { $0.calls.sent(name, serial: serial) }
  }

  private func returned(_ message: OpaquePointer) {
    let serial = unsafe g_dbus_message_get_reply_serial(message)
    let shown = unsafe shown(message, type: "(u)")
    state.withLock { state in
      guard let (call, isLate) = state.calls.answered(serial) else { return }
      if case .show(let entry) = call {
        if let shown {
          events.put(.shown(entry: entry, shown))
        } else {
          // libnotify might not fail, and the courier would wait forever; a second report has no effect.
          let failure = DesktopFailure.refused(name: "libnotify", message: "unexpected type of answer")
          events.put(.notShown(entry: entry, failure))
        }
      }
      if isLate { events.put(.serverChanged) }
    }
  }

  private func refused(_ message: OpaquePointer) {
    guard let name = unsafe g_dbus_message_get_error_name(message) else { return }
    let text = unsafe g_dbus_message_get_arg0(message).map { unsafe String(cString: $0) } ?? ""
    let serial = unsafe g_dbus_message_get_reply_serial(message)
    let failure = unsafe DesktopFailure(
      remoteError: String(cString: name), message: text, isSent: false)
    state.withLock { state in
      if let call = state.calls.refused(serial, failure) { report(failure, to: call) }
    }
  }

  private func report(_ failure: DesktopFailure, to call: PendingCalls.Call) {
    if case .show(let entry) = call {
      // A missing answer is final now: the bus says so once the server is gone.
      events.put(.notShown(entry: entry, failure == .notAnswering ? .otherServer : failure))
    }
    events.put(.serverChanged)
  }

  private func signalled(_ message: OpaquePointer) {
    guard let member = unsafe g_dbus_message_get_member(message),
      let interface = unsafe g_dbus_message_get_interface(message),
      let body = unsafe g_dbus_message_get_body(message)
    else { return }
    switch unsafe (String(cString: interface), String(cString: member)) {
    case (BusConnection.busName, "NameOwnerChanged"):
      // Any program can send a signal of this name to this one.
      guard let sender = unsafe g_dbus_message_get_sender(message),
        unsafe String(cString: sender) == BusConnection.busName,
        unsafe Answer(g_variant_ref(body)).strings.first == BusConnection.serverName
      else { return }
      state.withLock { $0.ownerChanges += 1 }
    case ("org.freedesktop.Notifications", "NotificationClosed"):
      guard let shown = unsafe shown(message, type: "(uu)") else { return }
      events.put(.closedByServer(shown, CloseReason(code: unsafe uint32(body, 1))))
    case ("org.freedesktop.Notifications", "ActivationToken"):
      guard let shown = unsafe shown(message, type: "(us)"),
        let token = unsafe Answer(g_variant_ref(body)).strings.first
      else { return }
      state.withLock { $0.token = (shown, token) }
    case ("org.freedesktop.Notifications", "ActionInvoked"):
      guard let shown = unsafe shown(message, type: "(us)"),
        let key = unsafe Answer(g_variant_ref(body)).strings.first
      else { return }
      let token = state.withLock { state in
        defer { state.token = nil }
        return state.token.flatMap { $0.shown == shown ? $0.text : nil }
      }
      events.put(.actionInvoked(shown, key: key, token: token))
    default: break
    }
  }

  private func shown(_ message: OpaquePointer, type: String) -> ShownNotification? {
    guard let body = unsafe g_dbus_message_get_body(message),
      unsafe String(cString: g_variant_get_type_string(body)) == type,
      let sender = unsafe g_dbus_message_get_sender(message)
    else { return nil }
    let epoch = unsafe ServerEpoch(busID: busID, owner: String(cString: sender))
    return ShownNotification(id: unsafe uint32(body, 0), epoch: epoch)
  }
}

/// The D-Bus calls to the notification server whose answers matter, however late they come.
///
/// One call is waited for at a time. A call that timed out stays known by its serial number, so that a late answer is
/// matched with it.
package struct PendingCalls {
  /// The call that is about to be made, or was made and is waited for.
  private var current: Call?
  private var serial: UInt32?
  /// The refusal of the current call, until it is known whether it was waited for.
  private var refusal: DesktopFailure?
  private var late: [UInt32: Call] = [:]

  package init() {}

  package enum Call: Equatable, Sendable {
    case show(entry: Int64)
    case question

    var member: String {
      switch self {
      case .show: "Notify"
      case .question: "GetServerInformation"
      }
    }
  }

  package var lateCount: Int { late.count }

  package var isSent: Bool { serial != nil }

  package mutating func begin(_ call: Call) {
    (current, serial, refusal) = (call, nil, nil)
  }

  /// Records the serial number of a call of a D-Bus member, if it is the current call.
  package mutating func sent(_ member: String, serial: UInt32) {
    if self.serial == nil, current?.member == member { self.serial = serial }
  }

  /// Ends the wait for the current call.
  ///
  /// - Returns: the call and its refusal, if that arrived at this moment unseen.
  package mutating func end(isAnswered: Bool) -> (Call, DesktopFailure)? {
    defer { (current, serial, refusal) = (nil, nil, nil) }
    guard !isAnswered, let current, let serial else { return nil }
    if let refusal { return (current, refusal) }
    // A server that hung answers its calls in order: the first late question is enough to notice.
    guard current != .question || !late.values.contains(.question) else { return nil }
    late[serial] = current
    return nil
  }

  package mutating func answered(_ serial: UInt32) -> (call: Call, isLate: Bool)? {
    if let call = late.removeValue(forKey: serial) { return (call, true) }
    guard self.serial == serial, let current else { return nil }
    return (current, false)
  }

  /// Returns the call if its wait has ended.
  package mutating func refused(_ serial: UInt32, _ failure: DesktopFailure) -> Call? {
    if let call = late.removeValue(forKey: serial) { return call }
    if self.serial == serial { refusal = failure }
    return nil
  }
}
