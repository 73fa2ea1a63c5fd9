import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Notifications that are prepared before their time.
extension CourierTests {
  /// Returns the order just before the end of a step, without executing it.
  func prepared() throws -> (entry: Int64, content: NotificationContent, shown: ShownNotification) {
    try courier.takeOver()
    _ = try courier.carryAllOut()
    clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
    return try courier.nextShow()
  }

  @Test func `the next due notification is prepared shortly before, and shown on time`() throws {
    try start(10, 1000)
    let due = clock.now().boot + .seconds(10)
    let order = try prepared()
    #expect(clock.now().boot == due - courier.preparation)
    #expect(order.content.due == due)
    #expect(try states() == [.presenting, .pending])
    clock.advance(by: courier.preparation)
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: order.entry, order.shown))
    #expect(try states() == [.delivered, .pending])
  }

  @Test func `a prepared notification is cancelled once if the run is paused before its time`() throws {
    try start(10, 1000)
    let order = try prepared()
    _ = try store.perform(.pause)
    #expect(try courier.advance() == .callOff(entry: order.entry))
    #expect(try courier.advance() == nil)
    try courier.receive(.notShown(entry: order.entry, .calledOff))
    #expect(try entries().map(\.state) == [.cancelled, .cancelled])
    #expect(try entries().map { $0.reason?.sentence } == ["the run was paused", "the run was paused"])
    #expect(try courier.carryAllOut().isEmpty)
    // After planning it again, it is shown as usual.
    _ = try store.perform(.resume())
    clock.advance(by: courier.preparation)
    #expect(summaries(try courier.carryAllOut()) == ["Card 1, 16m40s"])
    #expect(try states() == [.delivered, .pending])
  }

  @Test func `a prepared notification that is planned again leaves one entry`() throws {
    try start(10, 1000)
    let order = try prepared()
    _ = try store.perform(.extend(.seconds(30)))
    #expect(try courier.advance() == .callOff(entry: order.entry))
    try courier.receive(.notShown(entry: order.entry, .calledOff))
    #expect(try states() == [.pending, .pending])
    clock.advance(by: .seconds(30))
    #expect(try courier.nextShow().content.due == clock.now().boot + courier.preparation)
  }

  @Test func `a notification cancelled too late is removed`() throws {
    try start(10, 1000)
    let order = try prepared()
    _ = try store.perform(.pause)
    #expect(try courier.advance() == .callOff(entry: order.entry))
    clock.advance(by: courier.preparation)
    try courier.receive(.shown(entry: order.entry, order.shown))
    #expect(try courier.carryAllOut() == [.close(entry: order.entry, order.shown)])
    #expect(try states() == [.removed, .cancelled])
  }

  @Test func `a notification slightly later than the due one is not prepared before it`() throws {
    let requests = try [("late", 30), ("early", 20)].map { name, milliseconds in
      NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: name)), tag: "one", summary: name,
        due: clock.now().advanced(by: .milliseconds(milliseconds)))
    }
    try store.database.transaction { () throws(StoreError) in try store.ledger.add(requests, at: clock.now())
    }
    try courier.takeOver()
    let first = try courier.nextShow()
    #expect(first.content.summary == "early")
    clock.advance(by: .milliseconds(20))
    try courier.receive(.shown(entry: first.entry, first.shown))
    let second = try courier.nextShow()
    #expect(second.content.summary == "late")
    #expect(second.content.due == clock.now().boot + .milliseconds(10))
  }

  @Test func `a notification prepared before a long suspend is shown with its time`() throws {
    try start(10, 1000)
    let order = try prepared()
    clock.advance(by: .seconds(60))
    try courier.receive(.notShown(entry: order.entry, .calledOff))
    let content = try courier.nextShow().content
    #expect(content.summary == "Card 1, 16m40s")
    #expect(content.body.contains(" · at "))
    #expect(try states() == [.presenting, .pending])
  }

  /// Shows a notification at the end of the first step, and prepares the one that will replace it.
  func preparedOverOlder(last: Timing = .countdown(.seconds(1000), advance: .automatic)) throws -> (
    older: LedgerEntry, newer: (entry: Int64, content: NotificationContent, shown: ShownNotification)
  ) {
    let timing = Timing.countdown(.seconds(10), advance: .automatic)
    try start([timing, timing, last])
    clock.advance(by: .seconds(10))
    _ = try courier.carryAllOut()
    let older = try #require(try store.ledger.live().first)
    clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
    return (older, try courier.nextShow())
  }

  @Test func `a button pressed just before the end of its step works`() throws {
    let (older, newer) = try preparedOverOlder()
    #expect(try entries().map(\.isWithdrawn) == [false, false, false])
    try courier.receive(.actionInvoked(try #require(older.shown), key: "pause"))
    #expect(try store.settle().run?.isPaused == true)
    #expect(try courier.advance() == .callOff(entry: newer.entry))
    try courier.receive(.notShown(entry: newer.entry, .calledOff))
    #expect(summaries(try courier.carryAllOut()) == ["Card 1 is paused"])
  }

  @Test func `a notification stays if the newer one that would replace it is cancelled`() throws {
    let (older, newer) = try preparedOverOlder()
    let coming = try #require(try store.ledger.entry(newer.entry)).request.identifier
    try store.changeLedger { ledger throws(StoreError) in
      _ = try ledger.clearPlanned(NotificationScope(coming), at: clock.now())
    }
    #expect(try courier.advance() == .callOff(entry: newer.entry))
    try courier.receive(.notShown(entry: newer.entry, .calledOff))
    #expect(try courier.carryAllOut().isEmpty)
    #expect(try store.ledger.live().map(\.number) == [older.number])
  }

  @Test func `another server does not repeat an old notification in place of the newer one`()
    throws
  {
    let application = RecordingApplication()
    let courier = agent(application)
    for name in ["older", "newer"] {
      let request = NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: name)), tag: "one", summary: name,
        due: clock.now())
      try store.database.transaction { () throws(StoreError) in
        try store.ledger.add([request], at: clock.now())
      }
      if name == "older" { try courier.carryAllOut() }
    }
    guard case .show(let entry, _, _) = try courier.advance() else {
      throw TestSupportError("nothing is shown")
    }
    clock.advance(by: .milliseconds(1))
    try courier.receive(.serverGone)
    try courier.receive(.notShown(entry: entry, .otherServer))
    try courier.receive(.serverChanged)
    #expect(summaries(try courier.carryAllOut()) == ["newer"])
    #expect(try store.ledger.entries(in: .everything).map(\.state) == [.removed, .delivered])
  }

  @Test func `a server that exits while a notification is prepared is not started again`() throws {
    try start(10, 1000)
    let order = try prepared()
    try courier.receive(.serverGone)
    try courier.receive(.notShown(entry: order.entry, .otherServer))
    #expect(try courier.advance() == nil)
  }

  /// Plans notifications with one tag, due after some time from now.
  func add(_ requests: (name: String, milliseconds: Int)...) throws {
    let requests = try requests.map {
      NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: $0.name)), tag: "one", summary: $0.name,
        actions: [NotificationAction(key: "yes", title: "Yes")],
        due: clock.now().advanced(by: .milliseconds($0.milliseconds)))
    }
    try store.changeLedger { ledger throws(StoreError) in try ledger.add(requests, at: clock.now()) }
  }

  @Test func `a notification due before the awaited one is shown before it`() throws {
    try courier.takeOver()
    try courier.carryAllOut()
    try add(("later", 40))
    let later = try courier.nextShow()
    try add(("earlier", 20))
    #expect(try courier.advance() == .callOff(entry: later.entry))
    try courier.receive(.notShown(entry: later.entry, .calledOff))
    let earlier = try courier.nextShow()
    #expect(earlier.content.summary == "earlier")
    #expect(try courier.advance() == nil)
    clock.advance(by: .milliseconds(20))
    try courier.receive(.shown(entry: earlier.entry, earlier.shown))
    #expect(try courier.nextShow().content.summary == "later")
  }

  @Test func `a notification rescheduled while prepared is shown once, at its new time`() throws {
    try courier.takeOver()
    try courier.carryAllOut()
    try add(("one", 40))
    let ready = try courier.nextShow()
    #expect(try entriesToCome() == ["one"])
    let later = ScheduledRequest(
      NotificationRequest(NotificationIdentifier("one"), "one"), due: clock.now().advanced(by: .seconds(1)))
    try store.changeLedger { ledger throws(StoreError) in try ledger.schedule([later], at: clock.now()) }
    #expect(try entriesToCome() == ["one"])
    #expect(try courier.advance() == .callOff(entry: ready.entry))
    try courier.receive(.notShown(entry: ready.entry, .calledOff))
    clock.advance(by: .milliseconds(40))
    #expect(try courier.carryAllOut().isEmpty)
    clock.advance(by: .milliseconds(960))
    #expect(summaries(try courier.carryAllOut()) == ["one"])
    #expect(try store.ledger.entries(in: .everything).count == 1)
  }

  func entriesToCome() throws -> [String] {
    try store.ledger.entries(in: .everything).filter { $0.isToCome(at: clock.now()) }.map(\.request.summary)
  }

  @Test func `a notification for a step seen on a display is not decided before its time`() throws {
    try start(10, 1000)
    try courier.takeOver()
    try courier.carryAllOut()
    let display = try FileLock(path: store.directory.foregroundLockPath)
    let run = try #require(try store.settle().run)
    #expect(try display.share(DisplayedRuns.region(of: run.runID)))
    clock.advance(by: .seconds(10) - courier.preparation)
    #expect(try courier.carryAllOut().isEmpty)
    _ = try store.perform(.pause)
    #expect(try states() == [.cancelled, .cancelled])
  }
}
