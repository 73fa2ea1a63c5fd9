import CSequenceGLib
import Glibc
import SequencePlatform

/// The system bus, and logind on it: takes inhibitors, and listens to when the machine goes and comes back.
@safe final class LoginBus {
  /// How long a call may take, in milliseconds; logind may have to ask polkit first.
  private static let limit: Int32 = 5000
  static let name = "org.freedesktop.login1"
  static let path = "/org/freedesktop/login1"
  static let interface = "org.freedesktop.login1.Manager"
  static let properties = "org.freedesktop.DBus.Properties"

  private let connection: BusConnection
  private let watch: LoginWatch
  private var subscriptions: [UInt32] = []
  private var lockSubscription: UInt32?
  private var filter: UInt32 = 0

  /// Connects to the system bus, and subscribes to the signals of logind.
  ///
  /// A logind that comes later is noticed.
  ///
  /// - Throws: `DesktopFailure` if the bus is missing.
  init(events: MessageQueue<SleepEvent>) throws(DesktopFailure) {
    connection = try BusConnection(sharedTo: G_BUS_TYPE_SYSTEM)
    watch = LoginWatch(events: events)
    subscribe()
    // Asked after that, so that no change of the owner is missed.
    watch.owner = try connection.owner(of: LoginBus.name, limit: LoginBus.limit)
  }

  deinit {
    for subscription in subscriptions + (lockSubscription.map { [$0] } ?? []) {
      unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, subscription)
    }
    unsafe g_dbus_connection_remove_filter(connection.pointer, filter)
  }

  /// Reports whether the session on the screen is locked, now and at each change.
  ///
  /// - Throws: `DesktopFailure` if the user has no such session, or logind doesn't say.
  func watchLock() throws(DesktopFailure) {
    // Also without one, so that the next session is noticed.
    watch.session = watch.session ?? "/"
    let session = try sessionOnScreen()
    watch.session = session
    if let lockSubscription {
      unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, lockSubscription)
    }
    lockSubscription = subscription(
      LoginBus.name, LoginBus.properties, "PropertiesChanged", at: session)
    // Asked after that, so that no change is missed.
    let answer = try connection.call(
      LoginBus.name, session, LoginBus.properties, "Get",
      [.text("org.freedesktop.login1.Session"), .text("LockedHint")])
    guard let isLocked = answer.firstBoolean else {
      throw .refused(name: LoginBus.name, message: "it doesn't say whether the session is locked")
    }
    watch.events.put(.locked(isLocked, isChange: false, failure: nil))
  }

  /// The path of the user's session that is on a screen.
  func sessionOnScreen() throws(DesktopFailure) -> String { try LoginBus.sessionOnScreen(on: connection) }

  /// The path of the user's session that is on a screen, by the logind of a bus.
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

  /// Whether the bus has gone away.
  var isClosed: Bool { connection.isClosed }

  /// Takes an inhibitor.
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

  /// Whether its signals are heard.
  var isHeard: Bool { watch.owner != nil }

  /// Throws `DesktopFailure.noServer` if there is no logind.
  func requireOwner() throws(DesktopFailure) {
    if watch.owner == nil { watch.owner = try connection.owner(of: LoginBus.name, limit: LoginBus.limit) }
    if watch.owner == nil { throw .noServer }
  }

  /// Subscribes to signals, which are read on the wire, so that a blocked desktop thread delays none.
  private func subscribe() {
    for member in ["PrepareForSleep", "PrepareForShutdown", "SessionNew", "SessionRemoved"] {
      subscriptions.append(subscription(LoginBus.name, LoginBus.interface, member))
    }
    subscriptions.append(
      subscription(
        "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", of: LoginBus.name))
    let context = unsafe Unmanaged.passRetained(watch).toOpaque()
    unsafe filter = g_dbus_connection_add_filter(
      connection.pointer,
      { _, message, isIncoming, context in
        if let message = unsafe message, let context = unsafe context, isIncoming != 0 {
          unsafe Unmanaged<LoginWatch>.fromOpaque(context).takeUnretainedValue().read(message)
        }
        return unsafe message
      }, context,
      { context in unsafe context.map { unsafe Unmanaged<LoginWatch>.fromOpaque($0).release() } })
  }

  /// Asks the bus for a signal.
  private func subscription(
    _ sender: String, _ interface: String, _ member: String, at path: String? = nil,
    of argument: String? = nil
  ) -> UInt32 {
    unsafe g_dbus_connection_signal_subscribe(
      connection.pointer, sender, interface, member, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, _, _ in }, nil, nil)
  }
}
