import CSequenceGLib
import FoundationEssentials
import NotifierLedger
import SequencePlatform

/// The session bus: the owner of the name of notification servers, and its description of itself.
///
/// Each question has a short time limit, because libnotify's calls have a limit of 25 s.
final class SessionBus {
  /// How long a server may take to start, in milliseconds; a slower one is noticed when it takes its name.
  private static let activationLimit: Int32 = 5000

  private let connection: BusConnection
  private let events: DesktopClients
  private var subscriptions: [BusSubscription] = []
  private var session: BusSubscription?
  private var known: NotificationServer?
  let id: String
  let wire: WireWatch

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
    // Signals about notifications are read on the wire; the subscriptions make the bus send them.
    subscriptions = ["NotificationClosed", "ActivationToken", "ActionInvoked"].map {
      connection.subscribe(to: $0, of: BusConnection.serverName, from: BusConnection.serverName)
    }
    unsafe subscriptions += [
      connection.watchOwner(of: BusConnection.serverName) { owner in
        events.put(owner == nil ? .serverGone : .serverChanged)
      },
      connection.filter { [wire] message, isIncoming in unsafe wire.read(message, isIncoming: isIncoming) },
      connection.onClose { [weak self] in self?.reportEnd() },
    ]
  }

  private var isEndReported = false

  /// Reports that the bus went away, once.
  func reportEnd() {
    if !isEndReported { events.put(.busClosed) }
    isEndReported = true
  }

  var isClosed: Bool { connection.isClosed }

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

  /// Sets whether programs that take or leave a name are reported, as those of a new graphical session do.
  private func watchSession(_ isWanted: Bool) {
    guard isWanted != (session != nil) else { return }
    // A desktop, its settings, portals and accessibility bus have names in `org`. Without it each program that only
    // connects, such as a script that asks something every second, would wake this process twice.
    session =
      isWanted
      ? connection.watchOwner(of: "org", isNamespace: true) { [events] _ in events.put(.sessionChanged) }
      : nil
  }

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
}

/// Finds out whether the user has a graphical session, in which a notification server finds a screen.
enum GraphicalSession {
  private static let variables = ["WAYLAND_DISPLAY", "DISPLAY"]
  /// How long ago a session on a screen has to have begun: later it has a screen even if systemd was not notified of it.
  private static let beginning = Duration.seconds(30)

  /// Whether there is one: a display in the environment of this process or of the user's systemd, or a session on a
  /// screen that logind knows.
  ///
  /// Over SSH, a display is on another computer.
  static func isThere(on bus: BusConnection) -> Bool {
    let own = EnvironmentVariables.process
    if own["SSH_CONNECTION"] == nil, variables.contains(where: { own[$0]?.isEmpty == false }) { return true }
    return answer { () throws(DesktopFailure) in try isKnownToSystemd(bus) }
      || answer(hasBegunOnScreen)
  }

  private static func isKnownToSystemd(_ bus: BusConnection) throws(DesktopFailure) -> Bool {
    let answer = try bus.call(
      "org.freedesktop.systemd1", "/org/freedesktop/systemd1", LoginBus.properties, "Get",
      [.text("org.freedesktop.systemd1.Manager"), .text("Environment")])
    let entries = answer.children.first?.children.first?.strings ?? []
    return entries.contains { entry in variables.contains { entry.hasPrefix("\($0)=") } }
  }

  /// Whether logind knows a session on a screen.
  ///
  /// It knows it before the desktop has started, which then sets the variables.
  private static func hasBegunOnScreen() throws(DesktopFailure) -> Bool {
    let system = try BusConnection(sharedTo: G_BUS_TYPE_SYSTEM)
    let session = try LoginBus.sessionOnScreen(on: system)
    func property(_ name: String) throws(DesktopFailure) -> Answer? {
      try system.call(
        LoginBus.name, session, LoginBus.properties, "Get",
        [.text("org.freedesktop.login1.Session"), .text(name)]
      ).children.first?.children.first
    }
    guard let type = try property("Type")?.string, ["x11", "wayland", "mir"].contains(type),
      let start = try property("Timestamp")?.long
    else { return false }
    return Date().timeIntervalSince1970 - Double(start) / 1_000_000 > beginning.seconds
  }

  private static func answer(_ question: () throws(DesktopFailure) -> Bool) -> Bool {
    do throws(DesktopFailure) { return try question() } catch { return false }
  }
}
