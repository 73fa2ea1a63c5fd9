import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequenceRunner

/// A bus with a notification server and its visible notifications.
final class SimulatedDesktop {
  private let keepsNumbers: Bool
  let clock: ManualClock
  var isHeard = false
  /// The events that the agent has not processed.
  var inbox: [DesktopEvent] = []
  /// The orders that were not begun.
  var orders: [DesktopOrder] = []
  /// The prepared notification that waits for its due time.
  var ready: ReadyOrder?
  /// The entries cancelled since the last check.
  var calledOff: Set<Int64> = []
  /// Events that are reported after the wait, because one thread waits and reports.
  var untold: [DesktopEvent] = []
  /// Late replies.
  private var owed: [DesktopEvent] = []

  /// The generation of the server; `nil` while there is none.
  private(set) var epoch: Int? = 1
  private var epochs = 1
  private(set) var isBusOpen = true
  private(set) var screen: [OnScreen] = []
  private var nextNumber: UInt32 = 1

  private var refusals = 0
  private var isExcess = false
  private var closeRefusals = 0
  var silences = 0
  private var isSilentlyDone = false

  struct OnScreen {
    let number: UInt32
    let entry: Int64
    let tag: String
    let keys: [String]
    /// The time of showing on the boot clock, in nanoseconds.
    let shownAt: Int64
    /// Whether an agent knows its id; without that nobody can name it if the server chose the id.
    var isKnown: Bool
  }

  init(keepsNumbers: Bool, _ clock: ManualClock) {
    self.keepsNumbers = keepsNumbers
    self.clock = clock
  }

  static func epochName(_ epoch: Int) -> ServerEpoch { ServerEpoch(busID: "bus", owner: ":1.\(epoch)") }

  private func tell(_ event: DesktopEvent) { if isHeard { inbox.append(event) } }

  /// Reports a change of the server, after the wait if there is one.
  private func tellOfServer(_ event: DesktopEvent) {
    if ready == nil { tell(event) } else { untold.append(event) }
  }

  // MARK: - Orders

  func carryOut(_ order: DesktopOrder) {
    guard isBusOpen else { return fail(order, .noBus(reason: "simulated")) }
    guard let epoch else { return fail(order, .noServer) }
    if silences > 0 {
      silences -= 1
      return leaveUnanswered(order, epoch)
    }
    // A server replies in the order of the requests.
    answer()
    inbox += result(of: order, epoch)
  }

  private func result(of order: DesktopOrder, _ epoch: Int) -> [DesktopEvent] {
    switch order {
    case .probe, .startServer, .status:
      return [
        .serverAvailable(
          NotificationServer(
            epoch: SimulatedDesktop.epochName(epoch), name: "simulated", version: "1", capabilities: []))
      ]
    case .show(let entry, let content, let shown):
      guard shown.epoch == SimulatedDesktop.epochName(epoch) else {
        return [.notShown(entry: entry, .otherServer)]
      }
      if refusals > 0 {
        refusals -= 1
        return [.notShown(entry: entry, refusal)]
      }
      return show(entry, content, as: shown)
    case .close(let entry, let shown):
      guard shown.epoch == SimulatedDesktop.epochName(epoch) else { return [.goneWithServer(entry: entry)] }
      if closeRefusals > 0 {
        closeRefusals -= 1
        return [.notClosed(entry: entry, .refused(name: "org.example.Error.No", message: "no"))]
      }
      let isThere = screen.contains { $0.number == shown.id }
      screen.removeAll { $0.number == shown.id }
      return (isThere ? [.closedByServer(shown, .closedByCall)] : []) + [.closed(entry: entry)]
    case .callOff(let entry): return [.notShown(entry: entry, .calledOff)]
    }
  }

  private var refusal: DesktopFailure {
    .refused(
      name: isExcess ? "org.freedesktop.Notifications.MaxNotificationsExceeded" : "org.example.Error.No",
      message: "no")
  }

  /// Returns the refusal of a step before the request to the server, for which lack of room is no reason.
  func refusalWhileMadeReady(of entry: Int64) -> DesktopFailure? {
    guard refusals > 0, !isExcess, entry.isMultiple(of: 3) else { return nil }
    refusals -= 1
    return refusal
  }

  private func show(_ entry: Int64, _ content: NotificationContent, as shown: ShownNotification)
    -> [DesktopEvent]
  {
    var events: [DesktopEvent] = []
    var number = shown.id
    if !keepsNumbers, !screen.contains(where: { $0.number == number }) {
      number = nextNumber
      nextNumber += 1
      if let tag = content.tag, let older = screen.first(where: { $0.tag == tag }) {
        events.append(.closedByServer(ShownNotification(id: older.number, epoch: shown.epoch), .expired))
        screen.removeAll { $0.number == older.number }
      }
    }
    let replaced = screen.first { $0.number == number }
    screen.removeAll { $0.number == number }
    screen.append(
      OnScreen(
        number: number, entry: entry, tag: content.tag ?? replaced?.tag ?? "",
        keys: content.actions.map(\.key),
        shownAt: clock.now().boot.nanoseconds, isKnown: keepsNumbers || replaced?.isKnown == true))
    events.append(.shown(entry: entry, ShownNotification(id: number, epoch: shown.epoch)))
    return events
  }

  func fail(_ order: DesktopOrder, _ failure: DesktopFailure) { inbox.append(order.failed(failure)) }

  private func leaveUnanswered(_ order: DesktopOrder, _ epoch: Int) {
    switch order {
    case .probe, .startServer, .status: inbox.append(.serverUnavailable(.notAnswering))
    case .show(let entry, _, _):
      inbox.append(.notShown(entry: entry, .unknownOutcome))
      owed += isSilentlyDone ? result(of: order, epoch) : [.notShown(entry: entry, refusal)]
    case .callOff(let entry): inbox.append(.notShown(entry: entry, .calledOff))
    case .close(let entry, _):
      if isSilentlyDone { owed += result(of: order, epoch).filter { $0 != .closed(entry: entry) } }
      inbox.append(.notClosed(entry: entry, .unknownOutcome))
    }
  }

  func answer() {
    guard !owed.isEmpty else { return }
    if isHeard { inbox += owed + [.serverChanged] }
    owed = []
  }

  func acknowledge(_ event: DesktopEvent) {
    guard case .shown(let entry, _) = event else { return }
    for index in screen.indices where screen[index].entry == entry { screen[index].isKnown = true }
  }

  func disconnect(isCarriedOut: Bool) {
    while isCarriedOut, canAct { carryOut() }
    (isHeard, inbox, owed) = (false, [], [])
    // A waiting agent and its prepared notification are gone.
    (orders, ready, calledOff, untold) = ([], nil, [], [])
  }

  // MARK: - What befalls it

  func reboot() {
    disconnect(isCarriedOut: false)
    isBusOpen = true
    beginServer()
  }

  func endServer() {
    guard isBusOpen, epoch != nil else { return }
    (epoch, screen, owed) = (nil, [], [])
    tellOfServer(.serverGone)
  }

  func beginServer() {
    guard isBusOpen else { return }
    epochs += 1
    (epoch, screen, owed) = (epochs, [], [])
    nextNumber = 1
    (silences, refusals, closeRefusals) = (0, 0, 0)
    tellOfServer(.serverChanged)
  }

  func closeBus() {
    guard isBusOpen else { return }
    isBusOpen = false
    owed = []
    tellOfServer(.busClosed)
  }

  func openBus(isSame: Bool) {
    guard !isBusOpen else { return }
    isBusOpen = true
    guard !isSame else { return }
    epochs += 1
    (epoch, screen) = (epochs, [])
    nextNumber = 1
  }

  func refuse(_ count: Int, isExcess: Bool) { (refusals, self.isExcess) = (count, isExcess) }
  func refuseClosing(_ count: Int) { closeRefusals = count }
  func fallSilent(_ count: Int, isCarriedOut: Bool) { (silences, isSilentlyDone) = (count, isCarriedOut) }

  // MARK: - The user

  func take(_ place: Int, _ reason: CloseReason) {
    guard let (shown, notification) = one(place) else { return }
    screen.removeAll { $0.number == notification.number }
    tell(.closedByServer(shown, reason))
  }

  /// Presses a button if its key is allowed.
  func press(_ place: Int, button: Int, isClosing: Bool, where isAllowed: (String) -> Bool) {
    guard let (shown, notification) = one(place), !notification.keys.isEmpty else { return }
    let key = notification.keys[button % notification.keys.count]
    guard isAllowed(key) else { return }
    tell(.actionInvoked(shown, key: key))
    if isClosing { take(place, .dismissed) }
  }

  private func one(_ place: Int) -> (ShownNotification, OnScreen)? {
    guard !screen.isEmpty, isBusOpen, let epoch else { return nil }
    // The reply about showing precedes later events of the notification.
    answer()
    let notification = screen[place % screen.count]
    return (
      ShownNotification(id: notification.number, epoch: SimulatedDesktop.epochName(epoch)), notification
    )
  }
}
