public import FoundationEssentials
public import NotifierDelivery
public import NotifierLedger
import SequencePlatform
import SequenceStore

/// A notification server with its screen, and the calls that applications make to it: the desktop of a test, without
/// any waiting.
struct TestServer {
  let capabilities: Set<String>
  /// The visible notifications, oldest first.
  var screen: [OnScreen] = []
  /// All notifications that were shown, oldest first.
  var shown: [VisibleNotification] = []
  /// The events for applications that were not passed on yet.
  private var outbox: [(client: Int, event: DesktopEvent)] = []

  var condition = Condition.answering
  var clients: [Int: Client] = [:]
  private var clientCount = 0
  /// How many servers there have been.
  var epochs = 1
  var buses = 1
  var refusals = 0
  /// Whether do-not-disturb is on; it is the user's setting, and hides nothing here.
  var isDoNotDisturbOn = false

  enum Condition { case answering, hanging, absent }

  struct OnScreen {
    let notification: VisibleNotification
    let number: UInt32
    /// The application that is notified of what happens to it.
    let client: Int
    /// When it expires, on the boot clock; `nil` for never.
    let expiry: Duration?
  }

  struct Client {
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

    mutating func forgetLate() { (late, isLateQuestion) = ([], false) }
  }

  enum Current {
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

  init(capabilities: Set<String>) { self.capabilities = capabilities }

  // MARK: - Applications

  mutating func connect(_ application: NotifyingApplication) -> Int {
    clientCount += 1
    clients[clientCount] = Client(application: application)
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

  var hasClients: Bool { !clients.isEmpty }

  mutating func take(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch order {
    case .callOff(let entry): callOff(entry, of: number)
    case .probe, .startServer, .status, .show, .close: clients[number]?.orders.append(order)
    }
    proceed(number, at: reading)
  }

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

  mutating func tell(_ number: Int, _ event: DesktopEvent) {
    if clients[number] != nil { outbox.append((number, event)) }
  }

  mutating func tellAll(_ event: DesktopEvent) {
    for number in clients.keys.sorted() { tell(number, event) }
  }

  // MARK: - Time

  /// The time on the boot clock of the next expiry or answer; `nil` if there is none.
  var nextTime: Duration? {
    let expiries = condition == .answering ? screen.compactMap(\.expiry) : []
    return (clients.values.compactMap { $0.current?.end } + expiries).min()
  }

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

  mutating func begin(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch condition {
    case .absent: tell(number, order.failed(.noServer))
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

  private mutating func end(_ current: Current, of number: Int, at reading: ClockReading) {
    switch current {
    case .prepared(let order, let due):
      guard case .show(let entry, _, let shown) = order else { return }
      if reading.boot - due > Lateness.preparedNotification {
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
      tell(number, order.failed(.notAnswering))
    case .calling(let order, _):
      clients[number]?.late.append(order)
      tell(number, order.failed(.unknownOutcome))
    }
  }
}

/// A notification that a test desktop shows, or has shown.
public struct VisibleNotification: Hashable, Sendable {
  /// The identifier of its request.
  public let identifier: NotificationIdentifier
  /// The line that is shown large.
  public let summary: String
  /// The text below.
  public let body: String
  /// The buttons; none if the desktop doesn't have the capability `actions`.
  public let actions: [NotificationAction]
  /// How it looks and sounds.
  public let style: NotificationStyle
  /// Whether it makes no sound, because it was on the screen before.
  public let isSilent: Bool
  /// The application that shows it.
  public let application: NotifyingApplication
  /// When it was shown, by the wall clock.
  public let shownAt: Date

  init(
    _ content: NotificationContent, for entry: Int64, by application: NotifyingApplication,
    isWithButtons: Bool, at reading: ClockReading
  ) {
    // A notification without an identifier is none of a scheduler.
    identifier = content.identifier ?? NotificationIdentifier("\(entry)")
    summary = content.summary
    body = content.body
    actions = isWithButtons ? content.actions : []
    style = content.style
    isSilent = content.isSilent
    self.application = application
    shownAt = reading.wall.date
  }
}
