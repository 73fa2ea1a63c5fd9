import NotifierDelivery
import NotifierLedger
import SequencePlatform

extension TestServer {
  var busID: String { "test-bus-\(buses)" }
  var epoch: ServerEpoch { ServerEpoch(busID: busID, owner: ":1.\(epochs)") }

  private var identity: NotificationServer {
    NotificationServer(
      epoch: epoch, name: "test desktop", vendor: "NotifierTesting", version: "1", specification: "1.2",
      capabilities: capabilities)
  }

  mutating func carryOut(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch order {
    case .probe, .startServer: tell(number, .serverAvailable(identity))
    case .status: tell(number, .examined(.answering(identity, isDoNotDisturbOn: isDoNotDisturbOn)))
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
      close(shown)
      tell(number, .closed(entry: entry))
    case .callOff: break
    }
  }

  mutating func show(
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

  mutating func close(_ shown: ShownNotification) {
    if let place = screen.firstIndex(where: { $0.number == shown.id }) { remove(at: place, .closedByCall) }
  }

  mutating func remove(at place: Int, _ reason: CloseReason) {
    let removed = screen.remove(at: place)
    tell(removed.client, .closedByServer(ShownNotification(id: removed.number, epoch: epoch), reason))
  }
}

extension TestServer {
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
        tell(number, order.failed(.otherServer))
      case .prepared, nil: break
      }
    }
    tellAll(.serverGone)
  }

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

  /// Carries out a call after its application's timeout; only shown notifications are reported.
  private mutating func carryOutLate(_ order: DesktopOrder, of number: Int, at reading: ClockReading) {
    switch order {
    case .show(let entry, let content, let shown): show(entry, content, as: shown, of: number, at: reading)
    case .close(_, let shown): close(shown)
    case .probe, .startServer, .status, .callOff: break
    }
  }

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
  ) throws(Problem) {
    let place = try place(of: identifier)
    let pressed = screen[place]
    guard pressed.notification.actions.contains(where: { $0.key == key }) else {
      throw Problem(
        "\(identifier.description) has no action \(quoted(key))", remedy: "press a key of its actions")
    }
    let shown = ShownNotification(id: pressed.number, epoch: epoch)
    tell(pressed.client, .actionInvoked(shown, key: key, token: token))
    if !pressed.notification.style.isResident { remove(at: place, .dismissed) }
  }

  mutating func close(
    _ identifier: NotificationIdentifier, _ reason: CloseReason
  ) throws(Problem) {
    remove(at: try place(of: identifier), reason)
  }

  private func place(of identifier: NotificationIdentifier) throws(Problem) -> Int {
    guard condition != .hanging else {
      throw Problem("the notification server hangs", remedy: "call answer() first")
    }
    guard let place = screen.lastIndex(where: { $0.notification.identifier == identifier }) else {
      throw Problem(
        "\(identifier.description) is not on the screen",
        remedy: "advance the desktop to the time of the notification")
    }
    return place
  }
}
