import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The buttons of notifications.
extension CourierTests {
  @Test func `the second click of a double click changes nothing`() throws {
    try passFirst(10, 100, 1000)
    let show = try courier.showNext()
    for _ in 1...2 { try courier.receive(.actionInvoked(show.shown, key: "extend")) }
    #expect(try store.settle().position?.remaining == .seconds(130))
    #expect(try store.ledger.entry(show.entry)?.withdrawal?.description == "\"+30 s\" was pressed")
  }

  @Test func `a button executes its command on its step`() throws {
    try passFirst(10, 100, 1000)
    let show = try courier.nextShow()
    #expect(show.content.actions.map(\.key) == ["pause", "skip", "extend"])
    try courier.receive(.shown(entry: show.entry, show.shown))
    try courier.receive(.actionInvoked(show.shown, key: "extend"))
    #expect(try store.settle().position?.remaining == .seconds(130))
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, show.shown)])
    #expect(try entries().first { $0.number == show.entry }?.reason?.sentence == "\"+30 s\" was pressed")
  }

  @Test func `a click and its command are one transaction`() throws {
    try passFirst(10, 100)
    let show = try courier.showNext()
    func transactions() -> Int { store.database.runCount(ofStatementsWith: "BEGIN IMMEDIATE") }
    let before = transactions()
    try courier.receive(.actionInvoked(show.shown, key: "pause"))
    #expect(transactions() - before == 1)
  }

  @Test(arguments: [
    "UPDATE ON active_run", "INSERT ON journal", "INSERT ON notification",
    "UPDATE OF withdrawal ON notification", "UPDATE OF response ON notification",
  ])
  func `a click that could not be recorded has done nothing, and is recorded once by the next attempt`(
    change: String
  ) throws {
    try passFirst(10, 100)
    let show = try courier.showNext()
    let before = (try store.settle().run, try entries())
    try store.database.execute(
      "CREATE TEMP TRIGGER stop BEFORE \(change) BEGIN SELECT RAISE(ABORT, 'stopped'); END")
    #expect(throws: StoreError.self) { try courier.receive(.actionInvoked(show.shown, key: "pause")) }
    try store.database.execute("DROP TRIGGER stop")
    #expect(try (store.settle().run, entries()) == before)
    try courier.receive(.actionInvoked(show.shown, key: "pause"))
    #expect(try store.settle().run?.isPaused == true)
    let entry = try #require(try store.ledger.entry(show.entry))
    #expect(entry.withdrawal?.sentence == "\"Pause\" was pressed" && entry.response == .action(key: "pause"))
    let pauses = try store.database.rows("SELECT count(*) FROM journal WHERE kind = 'pause'") {
      $0.integer(0)
    }
    #expect(pauses == [1])
    #expect(summaries(try courier.carryAllOut()) == ["Card 1 is paused"])
  }

  @Test func `a button of a notification whose step has ended does nothing and reports that`() throws {
    try passFirst(10, 10, 100)
    let show = try courier.showNext()
    clock.advance(by: .seconds(10))
    let before = try store.settle().run
    try courier.receive(.actionInvoked(show.shown, key: "skip"))
    #expect(try store.settle().run == before)
    #expect(try courier.hasNothingToWaitFor() == false)
    try courier.carryAllOut()
    #expect(
      try entries().first { $0.number == show.entry }?.reason?.sentence
        == "\"Skip\" was pressed, but the step had ended"
    )
  }

  @Test func `pausing by a button leaves a notification that can resume the run`() throws {
    try passFirst(10, 100)
    let show = try courier.showNext()
    clock.advance(by: .seconds(40))
    try courier.receive(.actionInvoked(show.shown, key: "pause"))
    #expect(try store.settle().run?.isPaused == true)
    let paused = try courier.nextShow()
    #expect(paused.shown == show.shown)
    #expect(paused.content.summary == "Card 1 is paused")
    #expect(paused.content.body == "1m left · step 2 of 2")
    try courier.receive(.shown(entry: paused.entry, paused.shown))
    clock.advance(by: .seconds(5000))
    try courier.receive(.actionInvoked(paused.shown, key: "resume"))
    #expect(try store.settle().position?.remaining == .seconds(60))
    try courier.carryAllOut()
    #expect(try store.ledger.live().isEmpty)
    #expect(try states().count { $0 == .pending } == 1)
  }

  @Test func `buttons of other programs' notifications and of closed ones are ignored`()
    throws
  {
    try passFirst(10, 100)
    try courier.carryAllOut()
    let shown = try visible()
    try courier.receive(.actionInvoked(ShownNotification(id: shown.id, epoch: other), key: "skip"))
    try courier.receive(.actionInvoked(ShownNotification(id: 5, epoch: epoch), key: "skip"))
    try courier.receive(.closedByServer(shown, .dismissed))
    try courier.receive(.actionInvoked(shown, key: "skip"))
    #expect(try store.settle().run?.log.count == 1)
  }

  @Test func `a response just before a newer notification reaches the application`() throws {
    let responses = try responsesToOlder { shown in
      [.actionInvoked(shown, key: "yes"), .closedByServer(shown, .dismissed)]
    }
    #expect(responses == [[.action(key: "yes")], [.dismissed]])
  }

  /// Returns the application's responses to events of an older notification while a newer one waits.
  func responsesToOlder(
    _ events: (ShownNotification) -> [DesktopEvent]
  ) throws -> [[NotificationResponse.Choice]] {
    let courier = agent(RecordingApplication())
    let action = NotificationAction(key: "yes", title: "Yes")
    func add(_ name: String, after duration: Duration) throws {
      let identifier = try #require(NotificationIdentifier(rawValue: name))
      let request = NotificationRequest(
        identifier: identifier, tag: "one", summary: name, actions: [action],
        due: clock.now().advanced(by: duration))
      try store.database.transaction { () throws(StoreError) in
        try store.ledger.add([request], at: clock.now())
      }
    }
    try courier.takeOver()
    return try events(ShownNotification(id: 0, epoch: epoch)).indices.map { index in
      let before = try choices().count
      try add("older.\(index)", after: .zero)
      try courier.carryAllOut()
      try add("newer.\(index)", after: .milliseconds(30))
      guard case .show(let entry, _, let shown) = try courier.advance() else {
        throw TestSupportError("nothing is made ready")
      }
      try courier.receive(events(shown)[index])
      clock.advance(by: .milliseconds(30))
      try courier.receive(.shown(entry: entry, shown))
      try courier.carryAllOut()
      return Array(try choices().dropFirst(before))
    }
  }
}
