import CSequenceGLib
import Glibc
import SequencePlatform
import Synchronization

/// The system bus, and logind on it: takes inhibitors, and listens to when the machine goes and comes back.
final class LoginBus {
  /// How long a call may take, in milliseconds; logind may have to ask polkit first.
  private static let limit: Int32 = 5000
  static let name = "org.freedesktop.login1"
  static let path = "/org/freedesktop/login1"
  static let interface = "org.freedesktop.login1.Manager"
  static let properties = "org.freedesktop.DBus.Properties"

  private let connection: BusConnection
  private let watch: LoginWatch
  private var subscriptions: [BusSubscription] = []
  private var lock: BusSubscription?

  /// Notices a logind that starts later.
  init(events: MessageQueue<SleepEvent>) throws(DesktopFailure) {
    connection = try BusConnection(sharedTo: G_BUS_TYPE_SYSTEM)
    watch = LoginWatch(events: events)
    // They are read on the wire, so that a blocked desktop thread delays none.
    subscriptions = ["PrepareForSleep", "PrepareForShutdown", "SessionNew", "SessionRemoved"].map {
      connection.subscribe(to: $0, of: LoginBus.interface, from: LoginBus.name)
    }
    unsafe subscriptions += [
      connection.watchOwner(of: LoginBus.name),
      connection.filter { [watch] message, isIncoming in if isIncoming { unsafe watch.read(message) } },
    ]
    // Asked after that, so that no change of the owner is missed.
    watch.owner = try connection.owner(of: LoginBus.name, limit: LoginBus.limit)
  }

  /// Reports whether the session on the screen is locked, now and at each change.
  ///
  /// - Throws: `DesktopFailure` if the user has no such session, or logind doesn't say.
  func watchLock() throws(DesktopFailure) {
    // Also without one, so that the next session is noticed.
    watch.session = watch.session ?? "/"
    let session = try sessionOnScreen()
    watch.session = session
    lock = connection.subscribe(
      to: "PropertiesChanged", of: LoginBus.properties, from: LoginBus.name, at: session)
    // Asked after that, so that no change is missed.
    let answer = try connection.call(
      LoginBus.name, session, LoginBus.properties, "Get",
      [.text("org.freedesktop.login1.Session"), .text("LockedHint")])
    guard let isLocked = answer.firstBoolean else {
      throw .refused(name: LoginBus.name, message: "it doesn't say whether the session is locked")
    }
    watch.events.put(.locked(isLocked, isChange: false, failure: nil))
  }

  func sessionOnScreen() throws(DesktopFailure) -> String { try LoginBus.sessionOnScreen(on: connection) }

  static func sessionOnScreen(on connection: BusConnection) throws(DesktopFailure) -> String {
    let user = try connection.call(
      LoginBus.name, LoginBus.path, LoginBus.interface, "GetUser", [.number(getuid())]
    ).firstString
    let answer = try connection.call(
      LoginBus.name, user, LoginBus.properties, "Get",
      [.text("org.freedesktop.login1.User"), .text("Display")])
    guard let session = answer.children.first?.children.first?.strings.last, session != "/" else {
      throw .refused(name: LoginBus.name, message: "you have no session on a screen")
    }
    return session
  }

  var isClosed: Bool { connection.isClosed }

  func hold(_ hold: LogindInhibitor, _ text: InhibitorText) throws(DesktopFailure) -> LoginInhibitor {
    try requireOwner()
    let words: [String] = [hold.what, text.who, text.why(.login(hold)), hold.mode]
    var descriptors: UnsafeMutablePointer<GUnixFDList>?
    let reply = unsafe try checkingGError(isSent: false) {
      unsafe g_dbus_connection_call_with_unix_fd_list_sync(
        connection.pointer, LoginBus.name, LoginBus.path, LoginBus.interface, "Inhibit",
        BusValue.tuple(words.map { .text($0) }), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START,
        LoginBus.limit, nil, &descriptors, nil, $0)
    }
    if let reply = unsafe reply { unsafe g_variant_unref(reply) }
    defer { if let list = unsafe descriptors { unsafe g_object_unref(UnsafeMutableRawPointer(list)) } }
    guard let list = unsafe descriptors, unsafe g_unix_fd_list_get_length(list) > 0 else {
      throw .refused(name: LoginBus.name, message: "it returned no descriptor")
    }
    // A copy of the list's own, which is closed with the list; no child inherits it.
    let descriptor = unsafe try checkingGError(isSent: false) { unsafe g_unix_fd_list_get(list, 0, $0) }
    return LoginInhibitor(FileDescriptor(owning: descriptor))
  }

  /// Whether its signals are received.
  var isNotified: Bool { watch.owner != nil }

  func requireOwner() throws(DesktopFailure) {
    if watch.owner == nil { watch.owner = try connection.owner(of: LoginBus.name, limit: LoginBus.limit) }
    if watch.owner == nil { throw .noServer }
  }
}

/// Reads the messages of the system bus in GLib's own thread, and reports the signals of logind.
private final class LoginWatch: Sendable {
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

  private func report(_ cause: SuspendKind, _ body: OpaquePointer) {
    guard let isSuspending = unsafe Answer(g_variant_ref(body)).firstBoolean else { return }
    events.put(isSuspending ? .suspending(cause) : .back)
  }
}
