import CSequenceGLib
import NotifierLedger
import SequencePlatform

/// The session bus: the owner of the name of notification servers, and its description of itself.
///
/// Each question has a short time limit, because libnotify's calls have a limit of 25 s.
@safe final class SessionBus {
  /// How long a server may take to start, in milliseconds; a slower one is noticed when it takes its name.
  private static let activationLimit: Int32 = 5000

  private let connection: BusConnection
  private let events: DesktopClients
  private var subscriptions: [UInt32] = []
  /// The subscription to programs that come and leave; `nil` without one.
  private var session: UInt32?
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
  init(events: DesktopClients, mayUseLoginBus: Bool) throws(DesktopFailure) {
    connection = try SessionBusAddress.connect(mayUseLoginBus: mayUseLoginBus) {
      address throws(DesktopFailure) in
      // libnotify connects to the bus of the environment only.
      if mayUseLoginBus { SessionBusAddress.put(address) }
      return try BusConnection(sharedTo: G_BUS_TYPE_SESSION)
    }
    self.events = events
    id = try connection.id()
    wire = WireWatch(busID: id, events: events)
    subscribe()
  }

  deinit {
    for subscription in subscriptions + (session.map { [$0] } ?? []) {
      unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, subscription)
    }
    unsafe g_dbus_connection_remove_filter(connection.pointer, filter)
    unsafe g_signal_handler_disconnect(UnsafeMutableRawPointer(connection.pointer), closedHandler)
  }

  /// Whether the bus has gone away.
  var isClosed: Bool { connection.isClosed }

  /// The epoch of the server that is there now; `nil` if none is.
  func currentEpoch() throws(DesktopFailure) -> ServerEpoch? {
    try connection.owner(of: BusConnection.serverName).map { ServerEpoch(busID: id, owner: $0) }
  }

  /// Returns the server that answers; `nil` if none is there, and the bus can start one.
  ///
  /// - Throws: `DesktopFailure.noServer` if the bus can't.
  func server() throws(DesktopFailure) -> NotificationServer? {
    guard let epoch = try currentEpoch() else {
      guard try canStartServer() else { throw .noServer }
      return nil
    }
    watchSession(false)
    return try server(of: epoch)
  }

  /// Returns the server that answers; one is started if none is there.
  ///
  /// A server that is started without a screen fails. systemd refuses further starts after a few of them, and meanwhile
  /// the bus keeps the notifications of all programs waiting.
  ///
  /// - Throws: `DesktopFailure.noScreen`, `.notStarted`.
  func startServer() throws(DesktopFailure) -> NotificationServer {
    if let server = try server() { return server }
    guard GraphicalSession.isThere(on: connection) else {
      watchSession(true)
      throw .noScreen
    }
    watchSession(false)
    do throws(DesktopFailure) {
      _ = try connection.callBus(
        "StartServiceByName", [.text(BusConnection.serverName), .number(0)],
        limit: SessionBus.activationLimit)
    } catch .refused(_, let message) {
      throw .notStarted(reason: message)
    } catch .notAnswering {
      // It is noticed when it takes its name.
      throw .notStarted(reason: "it did not start within \(SessionBus.activationLimit / 1000) s")
    }
    guard let epoch = try currentEpoch() else { throw .notStarted(reason: "it ended at once") }
    return try server(of: epoch)
  }

  /// Sets whether each program that comes to the bus or leaves it is reported, as those of a new graphical session do.
  private func watchSession(_ isWanted: Bool) {
    guard isWanted != (session != nil) else { return }
    if let session {
      unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, session)
      self.session = nil
    } else {
      session = unsafe subscription(
        BusConnection.busName, BusConnection.busName, "NameOwnerChanged", nil, sessionChanged)
    }
  }

  /// Returns the state of the desktop, without starting anything.
  func examine() throws(DesktopFailure) -> DesktopCondition {
    guard let epoch = try currentEpoch() else {
      return try canStartServer() ? .startable : .failure(.noServer)
    }
    do throws(DesktopFailure) {
      let server = try server(of: epoch)
      let doNotDisturb = try DoNotDisturb(on: connection).isOn(for: server.name)
      return .answering(server, isDoNotDisturbOn: doNotDisturb)
    } catch .notAnswering {
      wire.end(isAnswered: false)
      let process = try connection.callBus(
        "GetConnectionUnixProcessID", [.text(BusConnection.serverName)]
      ).firstNumber
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

  private func canStartServer() throws(DesktopFailure) -> Bool {
    try connection.callBus("ListActivatableNames").firstStrings.contains(BusConnection.serverName)
  }

  private func callServer(_ method: String) throws(DesktopFailure) -> Answer {
    try connection.call(
      BusConnection.serverName, BusConnection.serverPath, BusConnection.serverName, method)
  }

  private func subscribe() {
    // Signals about notifications are read on the wire; the subscriptions make the bus send them.
    for member in ["NotificationClosed", "ActivationToken", "ActionInvoked"] {
      subscriptions.append(
        unsafe subscription(
          BusConnection.serverName, BusConnection.serverName, member, nil, { _, _, _, _, _, _, _ in }))
    }
    subscriptions.append(
      unsafe subscription(
        BusConnection.busName, BusConnection.busName, "NameOwnerChanged", BusConnection.serverName,
        nameOwnerChanged))
    let watch = unsafe Unmanaged.passRetained(wire).toOpaque()
    unsafe filter = g_dbus_connection_add_filter(connection.pointer, messageFilter, watch) {
      unsafe $0.map { unsafe Unmanaged<WireWatch>.fromOpaque($0).release() }
    }
    let context = unsafe Unmanaged.passRetained(SignalContext(events: events)).toOpaque()
    unsafe closedHandler = g_signal_connect_data(
      UnsafeMutableRawPointer(connection.pointer), "closed",
      unsafeBitCast(connectionClosed, to: GCallback.self),
      context,
      { context, _ in unsafe context.map { unsafe Unmanaged<SignalContext>.fromOpaque($0).release() } },
      GConnectFlags(rawValue: 0))
  }
}

extension SessionBus {
  /// Subscribes to a signal; the subscription retains the queue until it has ended for good.
  private func subscription(
    _ sender: String, _ interface: String, _ member: String, _ argument: String?,
    _ callback: GDBusSignalCallback
  ) -> UInt32 {
    let queue = unsafe Unmanaged.passRetained(SignalContext(events: events)).toOpaque()
    return unsafe g_dbus_connection_signal_subscribe(
      connection.pointer, sender, interface, member, nil, argument, G_DBUS_SIGNAL_FLAGS_NONE, callback, queue,
      { unsafe $0.map { unsafe Unmanaged<SignalContext>.fromOpaque($0).release() } })
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
  let events: DesktopClients

  init(events: DesktopClients) {
    self.events = events
  }
}

private let nameOwnerChanged: GDBusSignalCallback = { _, _, _, _, _, parameters, context in
  guard let parameters = unsafe parameters, let context = unsafe context else { return }
  let names = unsafe Answer(g_variant_ref(parameters)).strings
  guard names.count == 3 else { return }
  let isGone = names[2].isEmpty
  unsafe Unmanaged<SignalContext>.fromOpaque(context).takeUnretainedValue()
    .events.put(isGone ? .serverGone : .serverChanged)
}

private let sessionChanged: GDBusSignalCallback = { _, _, _, _, _, _, context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<SignalContext>.fromOpaque(context).takeUnretainedValue().events.put(.sessionChanged)
}
