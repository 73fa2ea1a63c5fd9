import NotificationDelivery
import NotificationLedger
import Platform

/// A notification server with its screen, and the calls that applications make to it: the desktop of a test, without
/// any waiting.
struct TestServer {
  /// The features of the server.
  let capabilities: Set<String>
  /// The visible notifications, oldest first.
  private(set) var screen: [OnScreen] = []
  /// All notifications that were shown, oldest first.
  private(set) var shown: [VisibleNotification] = []
  /// The events for applications that were not passed on yet.
  private var outbox: [(client: Int, event: DesktopEvent)] = []

  private var condition = Condition.answering
  private var clients: [Int: Client] = [:]
  private var clientCount = 0
  /// How many servers there have been.
  private var epochs = 1
  /// How many buses there have been.
  private var buses = 1
  private var refusals = 0

  private enum Condition { case answering, hanging, absent }

  /// A notification on the screen.
  struct OnScreen {
    let notification: VisibleNotification
    let number: UInt32
    /// The application that is notified of what happens to it.
    let client: Int
    /// When it expires, on the boot clock; `nil` for never.
    let expiry: Duration?
  }

  /// A connected application.
  private struct Client {
    let application: NotifyingApplication
    /// The orders that were not begun.
    var orders: [DesktopOrder] = []
    var current: Current?
    /// The entries that were called off before their orders were begun.
    var calledOff: Set<Int64> = []
    /// The calls that were given up, and that the server carries out once it answers again.
    var late: [DesktopOrder] = []
    /// Whether a question was given up, to which the server answers too.
    var isLateQuestion = false

    /// Forgets the calls and the question that were given up.
    mutating func forgetLate() { (late, isLateQuestion) = ([], false) }
  }

  /// The order that an application waits for.
  private enum Current {
    /// A notification that is prepared, until its time.
    case prepared(DesktopOrder, until: Duration)
    /// A server that hangs was asked whether it is there.
    case asking(DesktopOrder, until: Duration)
    /// A server that hangs was called.
    case calling(DesktopOrder, until: Duration)

    var end: Duration {
      switch self {
      case .prepared(_, let end), .asking(_, let end), .calling(_, let end): end
      }
    }
  }

  /// How long an answer to a question is waited for, and to a call: as libnotify's connection does.
  private static let questionLimit = Duration.seconds(1)
  private static let callLimit = Duration.seconds(25)
  /// How late a prepared notification is still shown; later, the machine was suspended meanwhile.
  private static let latestShowing = Duration.seconds(1)

  init(capabilities: Set<String>) { self.capabilities = capabilities }

  // MARK: - Applications

  /// Connects an application; returns its number.
  mutating func connect(_ application: NotifyingApplication) -> Int {
    clientCount += 1
    clients[clientCount] = Client(application: application)
    tell(clientCount, .connected(ConnectedBus(id: busID, address: "test:\(busID)")))
    return clientCount
  }

  /// Disconnects an application, whose prepared notification is shown first.
  mutating func disconnect(_ number: Int, at reading: ClockReading) {
    if case .prepared(let order, _)? = clients[number]?.current, condition == .answering {
      carryOut(order, of: number, at: reading)
    }
    clients[number] = nil
    outbox.removeAll { $0.client == number }
  }

  /// Whether an application is connected.
  var hasClients: Bool { !clients.isEmpty }

  /// Takes an order of an application.
  mutating func take(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch order {
    case .callOff(let entry): callOff(entry, of: number)
    // There is one bus; the other one has ended, with its notifications.
    case .closeOnOtherBus(let entry, _, _): tell(number, .goneWithServer(entry: entry))
    case .probe, .status, .show, .close: clients[number]?.orders.append(order)
    }
    proceed(number, at: reading)
  }

  /// Removes and returns the events for applications.
  mutating func takeEvents() -> [(client: Int, event: DesktopEvent)] {
    defer { outbox = [] }
    return outbox
  }

  private mutating func callOff(_ entry: Int64, of number: Int) {
    if case .prepared(.show(let prepared, _, _), _)? = clients[number]?.current, prepared == entry {
      clients[number]?.current = nil
      tell(number, .notShown(entry: entry, .calledOff))
    } else {
      clients[number]?.calledOff.insert(entry)
    }
  }

  private mutating func tell(_ number: Int, _ event: DesktopEvent) {
    if clients[number] != nil { outbox.append((number, event)) }
  }

  private mutating func tellAll(_ event: DesktopEvent) {
    for number in clients.keys.sorted() { tell(number, event) }
  }

  // MARK: - Time

  /// The next time on the boot clock at which something happens by itself; `nil` if nothing does.
  var nextTime: Duration? {
    let expiries = condition == .answering ? screen.compactMap(\.expiry) : []
    return (clients.values.compactMap { $0.current?.end } + expiries).min()
  }

  /// Does what is due.
  mutating func proceed(at reading: ClockReading) {
    if condition == .answering {
      for place in screen.indices.reversed() where screen[place].expiry.map({ $0 <= reading.boot }) ?? false {
        remove(at: place, .expired)
      }
    }
    for number in clients.keys.sorted() { proceed(number, at: reading) }
  }

  /// Carries out the orders of an application until one has to wait.
  private mutating func proceed(_ number: Int, at reading: ClockReading) {
    while var client = clients[number] {
      if let current = client.current {
        guard current.end <= reading.boot else { return }
        client.current = nil
        clients[number] = client
        end(current, of: number, at: reading)
      } else if let order = client.orders.first {
        client.orders.removeFirst()
        clients[number] = client
        begin(order, of: number, at: reading)
      } else {
        return
      }
    }
  }

  private mutating func begin(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch condition {
    case .absent: fail(order, .noServer, of: number)
    case .hanging:
      clients[number]?.current = .asking(order, until: reading.boot + TestServer.questionLimit)
    case .answering:
      if case .show(_, let content, let shown) = order, content.due > reading.boot, shown.epoch == epoch {
        clients[number]?.current = .prepared(order, until: content.due)
      } else {
        carryOut(order, of: number, at: reading)
      }
    }
  }

  /// Ends the waiting of an order whose time has come.
  private mutating func end(_ current: Current, of number: Int, at reading: ClockReading) {
    switch current {
    case .prepared(let order, let due):
      guard case .show(let entry, _, let shown) = order else { return }
      if reading.boot - due > TestServer.latestShowing {
        tell(number, .notShown(entry: entry, .calledOff))
      } else if condition == .absent || shown.epoch != epoch {
        tell(number, .notShown(entry: entry, .otherServer))
      } else if condition == .hanging {
        clients[number]?.current = .calling(order, until: reading.boot + TestServer.callLimit)
      } else {
        carryOut(order, of: number, at: reading)
      }
    case .asking(let order, _):
      clients[number]?.isLateQuestion = true
      fail(order, .notAnswering, of: number)
    case .calling(let order, _):
      clients[number]?.late.append(order)
      fail(order, .unknownOutcome, of: number)
    }
  }

  // MARK: - Calls

  private var busID: String { "test-bus-\(buses)" }
  private var epoch: ServerEpoch { ServerEpoch(busID: busID, owner: ":1.\(epochs)") }

  private var identity: NotificationServer {
    NotificationServer(
      epoch: epoch, name: "test desktop", vendor: "NotifierTesting", version: "1", specification: "1.2",
      capabilities: capabilities)
  }

  private mutating func fail(_ order: DesktopOrder, _ failure: DesktopFailure, of number: Int) {
    switch order {
    case .probe: tell(number, .serverUnavailable(failure))
    case .status: tell(number, .examined(.failure(failure)))
    case .show(let entry, _, _), .callOff(let entry): tell(number, .notShown(entry: entry, failure))
    case .close(let entry, _), .closeOnOtherBus(let entry, _, _):
      // Without a server nothing is on the screen.
      let event =
        failure == .noServer
        ? DesktopEvent.goneWithServer(entry: entry) : .notClosed(entry: entry, failure)
      tell(number, event)
    }
  }

  /// Carries out an order; the server answers.
  private mutating func carryOut(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch order {
    case .probe: tell(number, .serverAvailable(identity))
    case .status: tell(number, .examined(.answering(identity)))
    case .show(let entry, let content, let shown):
      let wasCalledOff = clients[number]?.calledOff.remove(entry) != nil
      if shown.epoch != epoch {
        tell(number, .notShown(entry: entry, .otherServer))
      } else if wasCalledOff || content.latest.map({ $0 < reading.boot }) ?? false {
        tell(number, .notShown(entry: entry, .calledOff))
      } else {
        show(entry, content, as: shown, of: number, at: reading)
      }
    case .close(let entry, let shown):
      guard shown.epoch == epoch else { return tell(number, .goneWithServer(entry: entry)) }
      if let place = screen.firstIndex(where: { $0.number == shown.id }) { remove(at: place, .closedByCall) }
      tell(number, .closed(entry: entry))
    case .callOff, .closeOnOtherBus: break
    }
  }

  private mutating func show(
    _ entry: Int64, _ content: NotificationContent, as shown: ShownNotification, of number: Int,
    at reading: ClockReading
  ) {
    guard let application = clients[number]?.application else { return }
    guard refusals == 0 else {
      refusals -= 1
      let refusal = DesktopFailure.refused(
        name: "org.freedesktop.DBus.Error.Failed", message: "the test desktop refuses")
      return tell(number, .notShown(entry: entry, refusal))
    }
    let notification = VisibleNotification(
      content, for: entry, by: application, isWithButtons: capabilities.contains("actions"), at: reading)
    let expiry: Duration? =
      if case .after(let time) = content.style.expiry { reading.boot + time } else { nil }
    screen.removeAll { $0.number == shown.id }
    screen.append(OnScreen(notification: notification, number: shown.id, client: number, expiry: expiry))
    self.shown.append(notification)
    tell(number, .shown(entry: entry, shown))
  }

  private mutating func remove(at place: Int, _ reason: CloseReason) {
    let removed = screen.remove(at: place)
    tell(removed.client, .closedByServer(ShownNotification(id: removed.number, epoch: epoch), reason))
  }

  // MARK: - Faults

  /// Ends the server, and with it what it shows.
  mutating func stop() {
    guard condition != .absent else { return }
    condition = .absent
    screen = []
    for (number, client) in clients.sorted(by: { $0.key < $1.key }) {
      // The bus answers the calls that the server will not answer.
      for case .show(let entry, _, _) in client.late { tell(number, .notShown(entry: entry, .otherServer)) }
      clients[number]?.forgetLate()
      switch client.current {
      case .asking(let order, _):
        clients[number]?.current = nil
        clients[number]?.orders.insert(order, at: 0)
      case .calling(let order, _):
        clients[number]?.current = nil
        fail(order, .otherServer, of: number)
      case .prepared, nil: break
      }
    }
    tellAll(.serverGone)
  }

  /// Starts a server, if there is none.
  mutating func start() {
    guard condition == .absent else { return }
    condition = .answering
    epochs += 1
    refusals = 0
    tellAll(.serverChanged)
  }

  /// Has the server take no more calls, and answer none.
  mutating func hang() { if condition == .answering { condition = .hanging } }

  /// Has a server that hangs carry out all calls, and answer again.
  mutating func answer(at reading: ClockReading) {
    guard condition == .hanging else { return }
    condition = .answering
    for (number, client) in clients.sorted(by: { $0.key < $1.key }) {
      clients[number]?.forgetLate()
      client.late.forEach { carryOutLate($0, of: number, at: reading) }
      if client.isLateQuestion || !client.late.isEmpty { tell(number, .serverChanged) }
      switch client.current {
      case .asking(let order, _):
        clients[number]?.current = nil
        begin(order, of: number, at: reading)
      case .calling(let order, _):
        clients[number]?.current = nil
        carryOut(order, of: number, at: reading)
      case .prepared, nil: break
      }
    }
  }

  /// Carries out a call that its application has given up; only what is shown is reported.
  private mutating func carryOutLate(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch order {
    case .show(let entry, let content, let shown): show(entry, content, as: shown, of: number, at: reading)
    case .close(_, let shown):
      if let place = screen.firstIndex(where: { $0.number == shown.id }) { remove(at: place, .closedByCall) }
    case .probe, .status, .callOff, .closeOnOtherBus: break
    }
  }

  /// Has the server refuse the next notifications.
  mutating func refuse(_ count: Int) { refusals = count }

  /// Begins with another bus and an empty screen, after the machine was off.
  mutating func reboot() {
    (screen, refusals, condition) = ([], 0, .answering)
    (buses, epochs) = (buses + 1, 1)
  }

  // MARK: - The user

  /// Presses a button of a notification, which closes it unless it is resident.
  mutating func press(
    _ key: String, of identifier: NotificationIdentifier, token: String?
  ) throws(TestDesktopError) {
    let place = try place(of: identifier)
    let pressed = screen[place]
    guard pressed.notification.actions.contains(where: { $0.key == key }) else {
      throw .noAction(key: key, identifier)
    }
    let shown = ShownNotification(id: pressed.number, epoch: epoch)
    tell(pressed.client, .actionInvoked(shown, key: key, token: token))
    if !pressed.notification.style.isResident { remove(at: place, .dismissed) }
  }

  /// Takes a notification from the screen.
  mutating func close(
    _ identifier: NotificationIdentifier, _ reason: CloseReason
  ) throws(TestDesktopError) {
    remove(at: try place(of: identifier), reason)
  }

  /// The place of the newest notification of an identifier.
  private func place(of identifier: NotificationIdentifier) throws(TestDesktopError) -> Int {
    guard condition != .hanging else { throw .hanging }
    guard let place = screen.lastIndex(where: { $0.notification.identifier == identifier }) else {
      throw .notOnScreen(identifier)
    }
    return place
  }
}
