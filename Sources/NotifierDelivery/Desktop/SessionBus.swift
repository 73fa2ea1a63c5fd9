import CLibnotify
import FoundationEssentials
import NotifierLedger
import SequencePlatform

/// The session bus: the owner of the name of notification servers, and its description of itself.
///
/// Each question has a short time limit, because libnotify's calls have a limit of 25 s.
@safe final class SessionBus {
  /// How long a question may take, in milliseconds.
  static let questionLimit: Int32 = 1000
  /// How long a server may take to start, in milliseconds; a slower one is noticed when it takes its name.
  private static let activationLimit: Int32 = 5000
  static let serverName = "org.freedesktop.Notifications"
  static let serverPath = "/org/freedesktop/Notifications"

  private let connection: OpaquePointer
  private let events: MessageQueue<DesktopEvent>
  private var subscriptions: [UInt32] = []
  private var filter: UInt32 = 0
  private var closedHandler: gulong = 0
  /// The server that answered last.
  private var known: NotificationServer?
  /// The bus's own id, the first half of each epoch.
  let id: String
  /// Reads all messages, and reports those about notifications.
  let wire: WireWatch

  /// Connects to the session bus, and subscribes to the signals of servers.
  ///
  /// - Parameter mayUseLoginBus: whether the bus of the user's login is used if the one of the environment is dead.
  init(events: MessageQueue<DesktopEvent>, mayUseLoginBus: Bool) throws(DesktopFailure) {
    var used = ""
    let connection = unsafe try SessionBusAddress.connect(mayUseLoginBus: mayUseLoginBus) {
      address throws(DesktopFailure) in
      used = address
      // libnotify connects to the bus of the environment only.
      if mayUseLoginBus { SessionBusAddress.put(address) }
      return unsafe try checkingGError(isSent: false) {
        unsafe g_bus_get_sync(G_BUS_TYPE_SESSION, nil, $0)
      }
    }
    unsafe self.connection = connection
    self.events = events
    // By default GLib ends the process when the bus goes away.
    unsafe g_dbus_connection_set_exit_on_close(connection, 0)
    do throws(DesktopFailure) {
      id = unsafe try SessionBus.id(of: connection, limit: SessionBus.questionLimit)
      wire = WireWatch(busID: id, events: events)
    } catch {
      unsafe g_object_unref(UnsafeMutableRawPointer(connection))
      throw error
    }
    events.put(.connected(ConnectedBus(id: id, address: used)))
    subscribe()
  }

  deinit {
    for subscription in subscriptions {
      unsafe g_dbus_connection_signal_unsubscribe(connection, subscription)
    }
    unsafe g_dbus_connection_remove_filter(connection, filter)
    unsafe g_signal_handler_disconnect(UnsafeMutableRawPointer(connection), closedHandler)
    unsafe g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// Whether the bus has gone away.
  var isClosed: Bool { unsafe g_dbus_connection_is_closed(connection) != 0 }

  /// The epoch of the server that is there now; `nil` if none is.
  func currentEpoch() throws(DesktopFailure) -> ServerEpoch? {
    do throws(DesktopFailure) {
      let owner = unsafe try SessionBus.owner(
        of: SessionBus.serverName, on: connection, limit: SessionBus.questionLimit)
      return ServerEpoch(busID: id, owner: owner)
    } catch .noServer {
      return nil
    }
  }

  /// Returns the server that answers; a server that the bus can start is started.
  func server() throws(DesktopFailure) -> NotificationServer {
    var epoch = try currentEpoch()
    if epoch == nil {
      let starting = Result { () throws(DesktopFailure) in try activateServer() }
      epoch = try currentEpoch()
      // A server that could not be started in time is noticed when it takes its name.
      if epoch == nil, case .failure(.noBus(let reason)) = starting { throw .noBus(reason: reason) }
    }
    guard let epoch else { throw .noServer }
    return try server(of: epoch)
  }

  /// Returns the state of the desktop, without starting anything.
  func examine() throws(DesktopFailure) -> DesktopFinding {
    guard let epoch = try currentEpoch() else {
      return try canStartServer() ? .startable : .failure(.noServer)
    }
    do throws(DesktopFailure) {
      let server = try server(of: epoch)
      let doNotDisturb = unsafe DoNotDisturb(on: connection)
      return .answering(server, isDoNotDisturbOn: try doNotDisturb.isOn(for: server.name))
    } catch .notAnswering {
      wire.end(isAnswered: false)
      let process = try callBus("GetConnectionUnixProcessID", SessionBus.serverName).firstNumber
      return .silent(process: process)
    }
  }

  /// Returns the description that the server of an epoch gives of itself.
  private func server(of epoch: ServerEpoch) throws(DesktopFailure) -> NotificationServer {
    wire.begin(.question)
    let information = try callServer("GetServerInformation").strings
    wire.end(isAnswered: true)
    if let known, known.epoch == epoch { return known }
    let capabilities = try callServer("GetCapabilities").firstStrings
    func part(_ index: Int) -> String { index < information.count ? information[index] : "" }
    let found = NotificationServer(
      epoch: epoch, name: part(0), vendor: part(1), version: part(2), specification: part(3),
      capabilities: Set(capabilities))
    known = found
    return found
  }

  private func activateServer() throws(DesktopFailure) {
    guard try canStartServer() else { throw .noServer }
    let arguments = unsafe [g_variant_new_string(SessionBus.serverName), g_variant_new_uint32(0)]
    _ = unsafe try SessionBus.call(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "StartServiceByName", g_variant_new_tuple(arguments, 2), limit: SessionBus.activationLimit)
  }

  private func canStartServer() throws(DesktopFailure) -> Bool {
    try callBus("ListActivatableNames", nil).firstStrings.contains(SessionBus.serverName)
  }

  private func callBus(_ method: String, _ argument: String?) throws(DesktopFailure) -> Answer {
    var parameters: OpaquePointer?
    if let argument {
      let arguments = unsafe [g_variant_new_string(argument)]
      unsafe parameters = g_variant_new_tuple(arguments, 1)
    }
    return unsafe try SessionBus.call(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, parameters,
      limit: SessionBus.questionLimit)
  }

  private func callServer(_ method: String) throws(DesktopFailure) -> Answer {
    unsafe try SessionBus.call(
      connection, SessionBus.serverName, SessionBus.serverPath, SessionBus.serverName, method, nil,
      limit: SessionBus.questionLimit)
  }

  /// Connects to the session bus with a private connection; the caller releases it.
  static func connectApart() throws(DesktopFailure) -> OpaquePointer {
    unsafe try SessionBusAddress.connect(mayUseLoginBus: true, connect)
  }

  /// Connects to the bus of an address; the caller releases the connection.
  static func connect(to address: String) throws(DesktopFailure) -> OpaquePointer {
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let connection = unsafe try checkingGError(isSent: false) {
      unsafe g_dbus_connection_new_for_address_sync(address, flags, nil, nil, $0)
    }
    guard let connection = unsafe connection else { throw .noBus(reason: "GLib returned no connection") }
    return unsafe connection
  }

  /// The id of a bus.
  static func id(of connection: OpaquePointer, limit: Int32) throws(DesktopFailure) -> String {
    unsafe try call(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", nil,
      limit: limit
    ).firstString
  }

  /// The unique name that owns a name on a bus.
  ///
  /// - Throws: `.noServer` if none does.
  static func owner(
    of name: String, on connection: OpaquePointer, limit: Int32
  ) throws(DesktopFailure) -> String {
    let arguments = unsafe [g_variant_new_string(name)]
    return unsafe try call(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      g_variant_new_tuple(arguments, 1), limit: limit
    ).firstString
  }

  static func call(
    _ connection: OpaquePointer, _ name: String, _ path: String, _ interface: String,
    _ method: String, _ parameters: OpaquePointer?, limit: Int32
  ) throws(DesktopFailure) -> Answer {
    let result = unsafe try checkingGError(isSent: false) {
      unsafe g_dbus_connection_call_sync(
        connection, name, path, interface, method, parameters, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, limit,
        nil, $0)
    }
    guard let result = unsafe result else { throw .notAnswering }
    return unsafe Answer(result)
  }

  private func subscribe() {
    // Signals about notifications are read on the wire; the subscriptions make the bus send them. Each subscription
    // retains the queue until it has ended for good.
    func add(
      _ sender: String, _ interface: String, _ member: String, _ argument: String?,
      _ callback: GDBusSignalCallback
    ) {
      let queue = unsafe Unmanaged.passRetained(SignalContext(events: events)).toOpaque()
      let subscription = unsafe g_dbus_connection_signal_subscribe(
        connection, sender, interface, member, nil, argument, G_DBUS_SIGNAL_FLAGS_NONE, callback, queue,
        { unsafe $0.map { unsafe Unmanaged<SignalContext>.fromOpaque($0).release() } })
      subscriptions.append(subscription)
    }
    for member in ["NotificationClosed", "ActivationToken", "ActionInvoked"] {
      unsafe add(SessionBus.serverName, SessionBus.serverName, member, nil) { _, _, _, _, _, _, _ in }
    }
    unsafe add(
      "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", SessionBus.serverName,
      nameOwnerChanged)
    let watch = unsafe Unmanaged.passRetained(wire).toOpaque()
    unsafe filter = g_dbus_connection_add_filter(connection, messageFilter, watch) {
      unsafe $0.map { unsafe Unmanaged<WireWatch>.fromOpaque($0).release() }
    }
    let context = unsafe Unmanaged.passRetained(SignalContext(events: events)).toOpaque()
    unsafe closedHandler = g_signal_connect_data(
      UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(connectionClosed, to: GCallback.self),
      context,
      { context, _ in unsafe context.map { unsafe Unmanaged<SignalContext>.fromOpaque($0).release() } },
      GConnectFlags(rawValue: 0))
  }
}

private typealias ConnectionClosed =
  @convention(c) (
    UnsafeMutableRawPointer?, gboolean, UnsafeMutablePointer<GError>?, UnsafeMutableRawPointer?
  ) -> Void

private let connectionClosed: ConnectionClosed = { _, _, _, context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<SignalContext>.fromOpaque(context).takeUnretainedValue().events.put(.busClosed)
}

private let messageFilter: GDBusMessageFilterFunction = { _, message, isIncoming, watch in
  if let message = unsafe message, let watch = unsafe watch {
    unsafe Unmanaged<WireWatch>.fromOpaque(watch).takeUnretainedValue()
      .read(message, isIncoming: isIncoming != 0)
  }
  return unsafe message
}

/// The context of a callback, which only puts a value into the queue.
private final class SignalContext: Sendable {
  let events: MessageQueue<DesktopEvent>

  init(events: MessageQueue<DesktopEvent>) {
    self.events = events
  }
}

private let nameOwnerChanged: GDBusSignalCallback = { _, _, _, _, _, parameters, context in
  guard let parameters = unsafe parameters, let context = unsafe context,
    unsafe String(cString: g_variant_get_type_string(parameters)) == "(sss)",
    let child = unsafe g_variant_get_child_value(parameters, 2)
  else { return }
  defer { unsafe g_variant_unref(child) }
  guard let owner = unsafe g_variant_get_string(child, nil) else { return }
  let isGone = unsafe String(cString: owner).isEmpty
  unsafe Unmanaged<SignalContext>.fromOpaque(context).takeUnretainedValue()
    .events.put(isGone ? .serverGone : .serverChanged)
}
