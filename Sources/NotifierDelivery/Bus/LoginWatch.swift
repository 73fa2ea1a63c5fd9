import CSequenceGLib
import SequencePlatform
import Synchronization

/// Reads the messages of the system bus in GLib's own thread, and reports the signals of logind.
final class LoginWatch: Sendable {
  let events: MessageQueue<SleepEvent>
  private let sessionPath = Mutex<String?>(nil)
  private let ownerName = Mutex<String?>(nil)

  init(events: MessageQueue<SleepEvent>) {
    self.events = events
  }

  /// The unique name of logind: anybody on the bus could send what looks like its signals.
  var owner: String? {
    get { ownerName.withLock { $0 } }
    set { ownerName.withLock { $0 = newValue } }
  }

  /// The path of the session whose lock is reported, `/` if there is none yet; `nil` if locks aren't reported.
  var session: String? {
    get { sessionPath.withLock { $0 } }
    set { sessionPath.withLock { $0 = newValue } }
  }

  func read(_ message: OpaquePointer) {
    guard unsafe g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_SIGNAL,
      let sender = unsafe g_dbus_message_get_sender(message),
      let member = unsafe g_dbus_message_get_member(message),
      let body = unsafe g_dbus_message_get_body(message)
    else { return }
    let type = unsafe String(cString: g_variant_get_type_string(body))
    switch unsafe (String(cString: sender), String(cString: member), type) {
    case ("org.freedesktop.DBus", "NameOwnerChanged", "(sss)"):
      let names = unsafe Answer(g_variant_ref(body)).strings
      guard names.count == 3, names[0] == LoginBus.name else { return }
      owner = names[2].isEmpty ? nil : names[2]
      events.put(.otherLogind)
    case (let name, "PrepareForSleep", "(b)") where name == owner:
      unsafe report(.sleep, body)
    case (let name, "PrepareForShutdown", "(b)") where name == owner:
      unsafe report(.shutdown, body)
    case (let name, "SessionNew", _) where name == owner, (let name, "SessionRemoved", _) where name == owner:
      if session != nil { events.put(.otherSession) }
    case (let name, "PropertiesChanged", "(sa{sv}as)") where name == owner:
      guard let path = unsafe g_dbus_message_get_path(message), unsafe String(cString: path) == session else {
        return
      }
      unsafe reportLock(body)
    default: break
    }
  }

  private func reportLock(_ body: OpaquePointer) {
    guard let changes = unsafe g_variant_get_child_value(body, 1) else { return }
    defer { unsafe g_variant_unref(changes) }
    let boolean = unsafe g_variant_type_new("b")
    defer { unsafe g_variant_type_free(boolean) }
    guard let hint = unsafe g_variant_lookup_value(changes, "LockedHint", boolean) else { return }
    defer { unsafe g_variant_unref(hint) }
    events.put(.locked(unsafe g_variant_get_boolean(hint) != 0, isChange: true, failure: nil))
  }

  private func report(_ cause: Departure, _ body: OpaquePointer) {
    guard let isGoing = unsafe Answer(g_variant_ref(body)).firstBoolean else { return }
    events.put(isGoing ? .going(cause) : .back)
  }
}
