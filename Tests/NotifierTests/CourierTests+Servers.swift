import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Servers that are missing, refuse, end or change.
extension CourierTests {
  @Test func `an agent whose notifications only wait for a server rests after 30 s`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    #expect(try courier.advance() == nil)
    clock.advance(by: .seconds(10))
    while clock.now().boot <= .seconds(1000 + 10 + 30) {
      #expect(try courier.advance() == .probe)
      try courier.receive(.serverUnavailable(.noServer))
      #expect(try courier.advance() == nil)
      #expect(try !courier.hasNothingToWaitFor())
      clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
    }
    _ = try courier.advance()
    try courier.receive(.serverUnavailable(.noServer))
    #expect(try courier.hasNothingToWaitFor())
    #expect(try states() == [.pending])
    // A display doesn't start another one, a command does.
    #expect(try store.hasNothingToWaitFor(ignoringWaiting: true))
    #expect(try !store.hasNothingToWaitFor())
    clock.advance(by: .seconds(3600))
    let next = try successor()
    #expect(summaries(try next.carryAllOut()) == ["Card 0: time is up"])
  }

  @Test func `a server is started once something is due, and not for what is gone anyway`() throws {
    try start(10, 100)
    try courier.takeOver()
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverStartable)
    #expect(try courier.advance() == nil)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(try courier.advance() == .startServer)
    try courier.receive(.serverAvailable(server))
    #expect(summaries(try courier.carryAllOut()) == ["Card 1, 1m40s"])
    // At the next login, the server that showed it is gone.
    _ = try store.perform(.stop)
    clock.reboot(after: .seconds(500))
    let next = try successor()
    #expect(try next.advance() == .probe)
    try next.receive(.serverStartable)
    #expect(try next.advance() == nil)
    #expect(try states() == [.removed, .cancelled])
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a server that can't start is tried more and more rarely, and soon for another notification`()
    throws
  {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    var starts: [Int64] = []
    while clock.now().boot < .seconds(1000 + 86_400) {
      switch try courier.advance() {
      case .probe: try courier.receive(.serverStartable)
      case .startServer:
        starts.append(clock.now().boot.components.seconds - 1010)
        try courier.receive(.serverUnavailable(.notStarted(reason: "it failed")))
      case let order:
        #expect(order == nil)
        clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
      }
    }
    #expect(starts.prefix(8) == [0, 10, 30, 70, 150, 310, 630, 1230])
    #expect(starts.count < 150)
    let reason = NotificationReason("not-started", ["it failed"])
    #expect(try store.ledger.agentReport()?.desktop == .unavailable(reason: reason))
    // A second run, whose end is due while the pause lasts.
    clock.advance(by: .milliseconds(1))
    let card = Card(id: UUID(), title: "Tea", timing: .countdown(.seconds(20), advance: .automatic))
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Tea", elements: [.card(card)], onSuspend: nil, onLock: nil)),
      RunStart(source: .timer, beside: true))
    clock.advance(by: .seconds(20))
    #expect(try courier.advance() == .probe)
  }

  @Test func `without a screen no server is started until there is one`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    func fail() throws {
      while try courier.advance() == nil {
        clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
      }
      try courier.receive(.serverStartable)
      #expect(try courier.advance() == .startServer)
      try courier.receive(.serverUnavailable(.noScreen))
      #expect(try courier.advance() == nil)
    }
    for _ in 1...9 { try fail() }
    #expect(try courier.nextWake() == clock.now().boot + .seconds(60))
    // The programs of a session come one after the other.
    for _ in 1...20 { try courier.receive(.sessionChanged) }
    #expect(try courier.advance() == nil)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(summaries(try courier.carryAllOut()) == ["Card 0: time is up"])
  }

  @Test func `a server that ends when it shows something is started every ten seconds at most`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    let begin = clock.now().boot
    var starts: [Duration] = []
    while clock.now().boot - begin < .seconds(120) {
      switch try courier.advance() {
      case nil:
        clock.advance(by: max(try #require(try courier.nextWake()) - clock.now().boot, .milliseconds(1)))
      case .probe: try courier.receive(.serverStartable)
      case .startServer:
        starts.append(clock.now().boot - begin)
        try courier.receive(.serverChanged)
        try courier.receive(.serverAvailable(server))
      case .show(let entry, _, _):
        try courier.receive(.notShown(entry: entry, .otherServer))
        try courier.receive(.serverGone)
      case .status, .close, .callOff: Issue.record("an unexpected order")
      }
    }
    #expect(
      starts.count > 2 && zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= .seconds(10) }, "\(starts)")
  }

  @Test func `the agent of a login waits for a server as long as something due is true`() throws {
    try start(10)
    let courier = TestCourier(of: store, waitsForServer: true)
    clock.advance(by: .seconds(10))
    func fail(_ failure: DesktopFailure) throws {
      while try courier.advance() == .probe {
        try courier.receive(.serverUnavailable(failure))
      }
    }
    try fail(.noServer)
    clock.advance(by: .seconds(3600))
    try fail(.noServer)
    #expect(try !courier.hasNothingToWaitFor())
    // No signal would report a bus.
    clock.advance(by: .seconds(600))
    try fail(.noBus(reason: "none"))
    #expect(try courier.hasNothingToWaitFor())
    clock.advance(by: .seconds(10))
    try fail(.noServer)
    #expect(try !courier.hasNothingToWaitFor())
    clock.advance(by: .seconds(86_400))
    try fail(.noServer)
    #expect(try states() == [.missed])
    #expect(try courier.hasNothingToWaitFor())
  }

  @Test func `a bus that accepts and never answers counts as unavailable after 10 s`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    #expect(try courier.advance() == .probe)
    #expect(try courier.nextWake() == clock.now().boot + Courier.longestProbe)
    clock.advance(by: Courier.longestProbe)
    #expect(try courier.advance() == nil)
    #expect(
      try store.ledger.agentReport()?.desktop == .unavailable(reason: DesktopFailure.notAnswering.reason))
    #expect(try !courier.hasNothingToWaitFor())
    clock.advance(by: .seconds(21))
    #expect(try courier.advance() == nil)
    #expect(try courier.hasNothingToWaitFor())
    // The answer that comes after all counts.
    try courier.receive(.serverAvailable(server))
    #expect(summaries(try courier.carryAllOut()) == ["Card 0: time is up"])
  }

  @Test func `without a server a notification waits for one`() throws {
    try passFirst(10, 100)
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .noServer))
    #expect(try courier.advance() == nil)
    #expect(try store.ledger.agentReport()?.desktop == .unavailable(reason: DesktopFailure.noServer.reason))
    try courier.receive(.serverChanged)
    #expect(summaries(try courier.carryAllOut()).count == 1)
  }

  @Test func `without a server a notification is missed when it is no longer true, with the reason`() throws {
    try start(10)
    clock.advance(by: .seconds(10 + 86_400))
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverUnavailable(.noServer))
    #expect(try courier.advance() == nil)
    #expect(try states() == [.pending])
    clock.advance(by: .seconds(1))
    while case .probe? = try courier.advance() {
      try courier.receive(.serverUnavailable(.noServer))
    }
    #expect(try states() == [.missed])
    #expect(try entries()[0].reason?.sentence == "86401 s late: \(DesktopFailure.noServer.reason.sentence)")
  }

  @Test func `another server is not asked to show an old notification in place of a newer one`() throws {
    let goal = Goal(duration: .seconds(10), reminders: 2)
    let card = Card(id: UUID(), title: "Card", timing: .countUp(goal: goal))
    try start([card])
    clock.advance(by: .seconds(10))
    #expect(summaries(try courier.carryAllOut()) == ["Card: goal of 10s reached"])
    clock.advance(by: .seconds(610))
    try changeServer()
    #expect(try courier.nextShow().content.summary == "Card: 10m past the goal")
  }

  @Test func `a notification of a previous server is never closed or replaced`() throws {
    try passFirst(10, 10, 100)
    try courier.carryAllOut()
    let old = try visible()
    try changeServer()
    // It is still current, so the new server shows it, once.
    let again = try courier.nextShow()
    #expect(again.content.summary == "Card 1, 10s")
    #expect(again.shown.epoch == other)
    #expect(again.shown.id != old.id)
    try courier.receive(.shown(entry: again.entry, again.shown))
    #expect(try courier.carryAllOut().isEmpty)
    _ = try store.perform(.stop)
    #expect(try courier.carryAllOut() == [.close(entry: again.entry, again.shown)])
    #expect(try courier.hasNothingToWaitFor())
  }

  @Test func `an outdated notification is not shown again by another server`() throws {
    try passFirst(10, 100)
    try courier.carryAllOut()
    try courier.receive(.closedByServer(try visible(), .dismissed))
    try changeServer()
    #expect(try courier.advance() == nil)
    #expect(try entries()[0].reason?.sentence == "the user dismissed it")
  }

  @Test func `an unanswered notification is not repeated, and the late answer settles it`() throws {
    try passFirst(10, 100)
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .unknownOutcome))
    #expect(try states() == [.presenting, .pending])
    clock.advance(by: .seconds(3))
    while case .probe? = try courier.advance() {
      try courier.receive(.serverUnavailable(.notAnswering))
    }
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: show.entry, show.shown))
    try courier.receive(.serverChanged)
    #expect(try states() == [.delivered, .pending])
    #expect(try courier.carryAllOut() == [.probe])
    _ = try store.perform(.stop)
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, show.shown)])
  }

  @Test func `an unanswered and withdrawn notification keeps no courier if the server answers other calls`()
    throws
  {
    try passFirst(10, 100)
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .unknownOutcome))
    _ = try store.perform(.stop)
    clock.advance(by: .seconds(1))
    #expect(try courier.carryAllOut() == [.probe, .close(entry: show.entry, show.shown)])
    #expect(try states() == [.removed, .cancelled])
    #expect(try courier.hasNothingToWaitFor())
    // The answer comes late, with another number.
    let shown = ShownNotification(id: 7, epoch: epoch)
    try courier.receive(.shown(entry: show.entry, shown))
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, shown)])
    #expect(try states() == [.removed, .cancelled])
  }

  @Test func `an unanswered notification is replaced by the next one, whatever its outcome`() throws {
    try passFirst(10, 10, 100)
    let first = try courier.nextShow()
    try courier.receive(.notShown(entry: first.entry, .unknownOutcome))
    clock.advance(by: .seconds(10))
    let second = try courier.nextShow()
    #expect(second.shown == first.shown)
    try courier.receive(.shown(entry: first.entry, first.shown))
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: second.entry, second.shown))
    #expect(try courier.advance() == nil)
    #expect(try states() == [.removed, .delivered, .pending])
  }

  @Test func `a notification that a dead server did not answer is shown by the next server`() throws {
    try passFirst(10, 100)
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .unknownOutcome))
    try changeServer()
    let again = try courier.nextShow()
    #expect(again.entry == show.entry)
    #expect(again.shown.epoch == other)
  }

  var excess: DesktopFailure {
    .refused(name: "org.freedesktop.Notifications.MaxNotificationsExceeded", message: "no more")
  }

  @Test func `a server with too many notifications is tried again after our own are removed`() throws {
    try passFirst(10, 10, 100)
    try courier.carryAllOut()
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, excess))
    #expect(try entries()[1].reason?.sentence.description == excess.reason.description)
    // The older notification is closed first; only then, and not immediately, this one is tried again.
    let close = try #require(try courier.advance())
    guard case .close = close else { throw TestSupportError("\(close)") }
    try courier.carryOut(close)
    #expect(try courier.advance() == nil)
    let wake = try #require(try courier.nextWake())
    clock.advance(by: wake - clock.now().boot)
    #expect(summaries(try courier.carryAllOut()) == ["Card 2, 1m40s"])
    #expect(try states() == [.removed, .delivered, .pending])
  }

  @Test func `a refused notification is tried again a few times and then fails`() throws {
    try passFirst(10, 100)
    var attempts = 0
    while attempts < 10, try states()[0] != .failed {
      let show = try courier.nextShow()
      attempts += 1
      try courier.receive(.notShown(entry: show.entry, .refused(name: "org.example.No", message: "no")))
      #expect(try courier.advance() == nil)
      let wake = try #require(try courier.nextWake())
      clock.advance(by: min(wake - clock.now().boot, .seconds(10)))
    }
    #expect(attempts == 4)
    #expect(try entries()[0].reason?.sentence == "the notification server refused: no (org.example.No)")
  }

  @Test func `a notification that cannot be removed is tried again and then reported`() throws {
    try passFirst(10, 100)
    try courier.carryAllOut()
    _ = try store.perform(.stop)
    var attempts = 0
    while attempts < 10, case .close(let entry, _)? = try courier.advance() {
      attempts += 1
      try courier.receive(.notClosed(entry: entry, .refused(name: "org.example.No", message: "no")))
      clock.advance(by: .seconds(10))
    }
    #expect(attempts == 4)
    #expect(
      try entries()[0].reason?.sentence
        == "it could not be removed: the notification server refused: no (org.example.No)")
  }

  @Test func `a bus that returns with another server shows current notifications again`() throws {
    try passFirst(10, 100)
    try courier.carryAllOut()
    try courier.receive(.busClosed)
    #expect(try courier.advance() == nil)
    clock.advance(by: .seconds(2))
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
    #expect(try courier.nextShow().content.summary == "Card 1, 1m40s")
  }

  @Test func `a bus that returns with the same server keeps what is on screen`()
    throws
  {
    try passFirst(10, 100)
    try courier.carryAllOut()
    let shown = try visible()
    try courier.receive(.busClosed)
    clock.advance(by: .seconds(2))
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(server))
    #expect(try courier.nextShow().shown == shown)
  }

  @Test func `a server that goes away is not started again at once, and not without a due notification`()
    throws
  {
    try passFirst(10, 1000)
    try courier.carryAllOut()
    try courier.receive(.closedByServer(try visible(), .dismissed))
    try courier.receive(.serverGone)
    for _ in 0..<100 {
      #expect(try courier.advance() == nil)
      clock.advance(by: .seconds(5))
    }
    #expect(try courier.nextWake() == .seconds(1000 + 1010))
    clock.advance(by: .seconds(510))
    #expect(try courier.advance() == .probe)
  }

  @Test func `step ends without a server become one notification as soon as there is a server`() throws {
    try start(10, 10, 10, 1000)
    #expect(try courier.advance() == nil)
    try courier.receive(.serverUnavailable(.noServer))
    clock.advance(by: .seconds(55))
    while case .probe? = try courier.advance() {
      try courier.receive(.serverUnavailable(.noServer))
    }
    #expect(try states() == [.pending, .pending, .pending, .pending])
    try courier.receive(.serverChanged)
    let orders = try courier.carryAllOut()
    #expect(summaries(orders) == ["Card 3, 16m40s"])
    #expect(try states() == [.missed, .missed, .delivered, .pending])
  }

  @Test func `after a reboot the courier waits for a late server as long as usual`()
    throws
  {
    try start(10, 10, 1000)
    clock.reboot(after: .seconds(500))
    let next = try successor()
    #expect(try next.advance() == .probe)
    try next.receive(.serverUnavailable(.noServer))
    clock.advance(by: .seconds(20))
    #expect(try next.advance() == .probe)
    try next.receive(.serverAvailable(server))
    #expect(summaries(try next.carryAllOut()) == ["Now: Card 2, 16m40s"])
  }
}
