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
