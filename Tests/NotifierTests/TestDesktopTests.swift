import Foundation
import NotifierTesting
import Synchronization
import Testing

/// The desktop for tests of other programs, used as they use it.
@Suite(.timeLimit(.minutes(1)))
struct TestDesktopTests {
  private let desktop: TestDesktop
  private let store: NotificationStore
  private let tea = NotificationIdentifier("tea")
  private let bread = NotificationIdentifier("bread")

  init() throws {
    desktop = TestDesktop(
      clock: ManualClock(
        at: try Date("2026-11-22T12:00:00+01:00", strategy: .iso8601),
        in: try #require(TimeZone(identifier: "Europe/Berlin"))))
    store = try desktop.openStore()
  }

  /// Runs a scheduler until the end of a block.
  private func withScheduler(
    latestDelivery: Duration? = nil, _ body: (NotificationScheduler) async throws -> Void
  ) async throws {
    try await NotificationScheduler(store, on: desktop, latestDelivery: latestDelivery).deliver(body)
  }

  private func request(_ trigger: NotificationTrigger = .immediately) -> NotificationRequest {
    NotificationRequest(
      tea, "Tea", "green", actions: [.click, NotificationAction(key: "more", title: "More")],
      style: NotificationStyle(urgency: .critical, sound: "bell"), trigger: trigger)
  }

  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  // MARK: - The screen

  @Test func `a notification is on the screen at its time, with its content`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request(.after(.seconds(60))))
      await desktop.advance(by: .seconds(60) - .nanoseconds(1))
      #expect(desktop.onScreen.isEmpty)
      await desktop.advance(by: .nanoseconds(1))
      let shown = try #require(desktop.onScreen.first)
      #expect(shown.identifier == tea)
      #expect((shown.summary, shown.body) == ("Tea", "green"))
      #expect(shown.actions.map(\.key) == ["default", "more"])
      #expect(shown.style == NotificationStyle(urgency: .critical, sound: "bell"))
      #expect(shown.application == .test)
      #expect(!shown.isSilent)
      #expect(try shown.shownAt == date("2026-11-22T12:01:00+01:00"))
      #expect(desktop.shown == [shown])
      #expect(try store.delivered().map(\.request.identifier) == [tea])
    }
  }

  @Test func `notifications are in the order in which they were shown, and a tag has one place`() async throws
  {
    try await withScheduler { _ in
      for (name, tag) in [("a", "x"), ("b", nil), ("c", "x")] as [(String, String?)] {
        _ = try store.add(
          NotificationRequest(
            NotificationIdentifier(name), name,
            trigger: .after(.seconds(name == "a" ? 1 : name == "b" ? 2 : 3)),
            tag: tag))
      }
      await desktop.advance(by: .seconds(2))
      #expect(desktop.onScreen.map(\.summary) == ["a", "b"])
      await desktop.advance(by: .seconds(1))
      #expect(desktop.onScreen.map(\.summary) == ["b", "c"])
      try store.remove(NotificationScope("b"))
      await desktop.finishDueWork()
      #expect(desktop.onScreen.map(\.summary) == ["c"])
      #expect(try await store.waitUntilRemoved())
    }
  }

  @Test func `a server without buttons shows none`() async throws {
    let desktop = TestDesktop(capabilities: ["body"])
    let store = try desktop.openStore()
    let scheduler = try NotificationScheduler(store, on: desktop)
    _ = try store.add(request())
    await desktop.finishDueWork()
    #expect(desktop.onScreen.map(\.actions) == [[]])
    #expect(try store.desktop() == .available(server: "test desktop 1", capabilities: ["body"]))
    await #expect(
      throws: Problem("\(tea.description) has no action \"more\"", remedy: "press a key of its actions")
    ) {
      try await desktop.press("more", on: tea)
    }
    await scheduler.shutdown()
  }

  @Test func `willPresent decides, without a desktop of the session`() async throws {
    let scheduler = try NotificationScheduler(
      store, application: .test, through: .test(desktop),
      willPresent: { entry, _ in entry.request.body == "green" ? .suppress(reason: "no green") : .show },
      onFailure: { Issue.record($0) })
    _ = try store.add(request(.after(.seconds(1))))
    await desktop.advance(by: .seconds(1))
    #expect(desktop.shown.isEmpty)
    #expect(try store.entries().map(\.state) == [.suppressed])
    await scheduler.shutdown()
  }

  // MARK: - The user

  @Test func `responses are in the streams and in the store`() async throws {
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      _ = try store.add(request())
      await desktop.finishDueWork()
      try await desktop.press("more", on: tea, activationToken: "abc")
      #expect(desktop.onScreen.isEmpty)
      let pressed = try #require(await responses.next())
      let entry = try #require(try store.entries().first { $0.id == pressed.entry })
      #expect(entry.request == pressed.request && entry.occurrence == pressed.occurrence)
      #expect(
        try pressed
          == NotificationResponse(
            to: entry, choice: .action(key: "more"), activationToken: "abc",
            respondedAt: date("2026-11-22T12:00:00+01:00"), position: pressed.position))
      _ = try store.add(request())
      await desktop.finishDueWork()
      try await desktop.click(tea)
      #expect(await responses.next()?.choice == .action(key: "default"))
      _ = try store.add(request())
      await desktop.finishDueWork()
      try await desktop.dismiss(tea)
      #expect(await responses.next()?.choice == .dismissed)
      #expect(
        try store.entries().map(\.response) == [.action(key: "more"), .action(key: "default"), .dismissed])
    }
  }

  @Test func `a resident notification stays when its button is pressed`() async throws {
    try await withScheduler { _ in
      var resident = request()
      resident.style.isResident = true
      _ = try store.add(resident)
      await desktop.finishDueWork()
      for _ in 0..<2 { try await desktop.press("more", on: tea) }
      #expect(desktop.onScreen.map(\.identifier) == [tea])
    }
  }

  @Test func `notifications expire by the server or at their time, without a response`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request())
      await desktop.finishDueWork()
      try await desktop.expire(tea)
      var short = request()
      short.style.expiry = .after(.seconds(5))
      _ = try store.add(short)
      await desktop.advance(by: .seconds(4))
      #expect(desktop.onScreen.count == 1)
      await desktop.advance(by: .seconds(1))
      #expect(desktop.onScreen.isEmpty)
      let entries = try store.entries()
      #expect(entries.map(\.reason?.code) == ["expired", "expired"])
      #expect(entries.map(\.response) == [nil, nil])
    }
  }

  @Test func `what is not on the screen can't be pressed`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request(.after(.seconds(60))))
      await #expect(throws: notOnScreen(tea)) { try await desktop.press("more", on: tea) }
      await #expect(throws: notOnScreen(tea)) { try await desktop.dismiss(tea) }
      await desktop.advance(by: .seconds(60))
      await #expect(
        throws: Problem("\(tea.description) has no action \"less\"", remedy: "press a key of its actions")
      ) {
        try await desktop.press("less", on: tea)
      }
    }
  }

  @Test func `responses without a reader are in the next stream`() async throws {
    try await withScheduler { scheduler in
      let cancelled = Task { [responses = scheduler.responses()] in for await _ in responses {} }
      cancelled.cancel()
      await cancelled.value
      _ = try store.add(request())
      await desktop.finishDueWork()
      try await desktop.press("more", on: tea)
      var next = scheduler.responses().makeAsyncIterator()
      #expect(await next.next()?.choice == .action(key: "more"))
    }
  }

  // MARK: - Programs

  @Test func `a notification outlives its scheduler, and the next one shows it again silently`() async throws
  {
    try await withScheduler { _ in
      _ = try store.add(request())
      await desktop.finishDueWork()
    }
    #expect(desktop.onScreen.map(\.isSilent) == [false])
    try await withScheduler { scheduler in
      await desktop.finishDueWork()
      #expect(desktop.onScreen.map(\.isSilent) == [true])
      var responses = scheduler.responses().makeAsyncIterator()
      try await desktop.press("more", on: tea)
      #expect(await responses.next()?.choice == .action(key: "more"))
    }
  }

  @Test func `a button that is pressed while no scheduler runs has no receiver`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request())
      await desktop.finishDueWork()
    }
    try await desktop.press("more", on: tea)
    #expect(desktop.onScreen.isEmpty)
    #expect(try store.entries().map(\.response) == [nil])
    try await withScheduler { _ in
      await desktop.finishDueWork()
      #expect(desktop.onScreen.map(\.summary) == ["Tea"])
    }
  }

  @Test func `what became due without a scheduler is late`() async throws {
    _ = try store.add(request(.after(.seconds(60))))
    await desktop.advance(by: .seconds(100))
    #expect(desktop.shown.isEmpty)
    try await withScheduler(latestDelivery: .seconds(60)) { _ in
      await desktop.finishDueWork()
      #expect(desktop.onScreen.map(\.summary) == ["Tea"])
    }
  }

  @Test func `a stream holds its scheduler, which ends when both are released`() async throws {
    var scheduler: NotificationScheduler? = try NotificationScheduler(store, on: desktop)
    weak let held = scheduler
    var stream = scheduler?.responses()
    scheduler = nil
    _ = try store.add(request())
    await desktop.finishDueWork()
    try await desktop.press("more", on: tea)
    for await response in try #require(stream) {
      #expect(response.choice == .action(key: "more"))
      break
    }
    #expect(held != nil)
    stream = nil
    #expect(held == nil)
  }

  @Test func `a scheduler that is shut down at once shows what is due before`() async throws {
    _ = try store.add([NotificationRequest(bread, "Bread"), request(.after(.seconds(1)))])
    try await withScheduler { _ in }
    #expect(desktop.onScreen.map(\.identifier) == [bread])
    try await withScheduler { _ in try store.remove(NotificationScope(bread)) }
    #expect(desktop.onScreen.isEmpty)
    #expect(try store.pending().map(\.request.identifier) == [tea])
  }

  @Test func `a scheduler ends though the server hangs or is missing`() async throws {
    try await withScheduler { _ in
      await desktop.stopServer()
      _ = try store.add(request())
    }
    await desktop.startServer()
    await desktop.hang()
    try await withScheduler { _ in }
    #expect(desktop.shown.isEmpty)
    await desktop.answer()
    try await withScheduler { _ in }
    #expect(desktop.shown.map(\.identifier) == [tea])
  }

  @Test func `a directory has one scheduler, whichever its desktop`() async throws {
    try await withScheduler { _ in
      #expect(throws: SchedulerError.directoryInUse(store.directory.path)) {
        try NotificationScheduler(
          store, application: .test, through: .test(TestDesktop(clock: desktop.clock)),
          onFailure: { Issue.record($0) })
      }
    }
  }

  @Test func `a store of another clock is refused`() throws {
    #expect(throws: SchedulerError.otherClock) {
      try NotificationScheduler(
        store, application: .test, through: .test(TestDesktop()), onFailure: { Issue.record($0) })
    }
  }

  @Test func `several programs share a desktop`() async throws {
    let other = try desktop.openStore("other")
    let second = try NotificationScheduler(
      other, application: NotifyingApplication(name: "Other", desktopEntry: "", icon: ""),
      through: .test(desktop), onFailure: { Issue.record($0) })
    try await withScheduler { _ in
      _ = try store.add(request(.after(.seconds(2))))
      _ = try other.add(NotificationRequest(bread, "Bread", trigger: .after(.seconds(1))))
      await desktop.advance(by: .seconds(2))
      #expect(desktop.onScreen.map(\.application.name) == ["Other", "Test"])
      try await desktop.dismiss(bread)
      #expect(try other.entries().map(\.response) == [.dismissed])
      #expect(try store.entries().map(\.response) == [nil])
    }
    await second.shutdown()
  }

  @Test func `the machine reboots`() async throws {
    try await withScheduler { _ in
      _ = try store.add([request(), NotificationRequest(bread, "Bread", trigger: .after(.seconds(3600)))])
      await desktop.finishDueWork()
    }
    desktop.reboot(after: .seconds(3600))
    #expect(desktop.onScreen.isEmpty)
    try await withScheduler { _ in
      await desktop.finishDueWork()
      #expect(desktop.onScreen.map(\.summary).sorted() == ["Bread", "Tea"])
    }
  }

  // MARK: - Faults

  @Test func `a restarted server shows what the last one showed`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request())
      await desktop.finishDueWork()
      await desktop.restartServer()
      #expect(desktop.onScreen.map(\.isSilent) == [true])
      #expect(desktop.shown.count == 2)
    }
  }

  @Test func `without a server a notification waits until it is too late`() async throws {
    try await withScheduler(latestDelivery: .seconds(600)) { _ in
      await desktop.stopServer()
      _ = try store.add([request(), NotificationRequest(bread, "Bread", trigger: .after(.seconds(500)))])
      await desktop.advance(by: .seconds(700))
      #expect(desktop.shown.isEmpty)
      #expect(try store.desktop() == .unavailable(reason: NotificationReason("no-server")))
      await desktop.startServer()
      #expect(desktop.onScreen.map(\.summary) == ["Bread"])
      let missed = try #require(try store.entries().first { $0.request.identifier == tea })
      #expect(missed.state == .missed)
    }
  }

  @Test func `a server that hangs delays notifications, and shows each once`() async throws {
    try await withScheduler { _ in
      _ = try store.add([request(), NotificationRequest(bread, "Bread", trigger: .after(.seconds(60)))])
      await desktop.finishDueWork()
      await desktop.hang()
      await #expect(throws: Problem("the notification server hangs", remedy: "call answer() first")) {
        try await desktop.dismiss(tea)
      }
      await desktop.advance(by: .seconds(300))
      #expect(desktop.onScreen.map(\.summary) == ["Tea"])
      await desktop.answer()
      #expect(desktop.shown.map(\.summary) == ["Tea", "Bread"])
    }
  }

  @Test func `a call to a server that begins to hang is carried out once it answers`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request(.after(.seconds(60))))
      // It is prepared 50 ms before its time.
      await desktop.advance(by: .milliseconds(59_980))
      await desktop.hang()
      await desktop.advance(by: .seconds(26))
      #expect(try store.entries().map(\.state) == [.presenting])
      await desktop.answer()
      #expect(desktop.onScreen.count == 1)
      #expect(try store.entries().map(\.state) == [.delivered])
      await desktop.advance(by: .seconds(100))
      #expect(desktop.shown.count == 1)
    }
  }

  @Test func `a server that hangs and is restarted shows each notification`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request(.after(.seconds(60))))
      await desktop.advance(by: .milliseconds(59_980))
      await desktop.hang()
      await desktop.advance(by: .seconds(26))
      await desktop.restartServer()
      #expect(desktop.onScreen.map(\.summary) == ["Tea"])
      #expect(try store.entries().filter { $0.state == .delivered }.count == 1)
    }
  }

  @Test(arguments: [(2, 1), (100, 0)])
  func `a notification that is refused is tried again, but not for ever`(refusals: Int, shown: Int)
    async throws
  {
    try await withScheduler { _ in
      await desktop.refuse(refusals)
      _ = try store.add(request())
      await desktop.advance(by: .seconds(60))
      #expect(desktop.onScreen.count == shown)
      #expect(try store.entries().map(\.state) == [shown == 1 ? .delivered : .failed])
    }
  }

  @Test func `a removed notification leaves the screen once its server answers`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request())
      await desktop.hang()
      try store.remove(.everything)
      await desktop.advance(by: .seconds(10))
      await desktop.answer()
      await desktop.advance(by: .seconds(10))
      #expect(desktop.onScreen.isEmpty)
      #expect(try await store.waitUntilRemoved())
    }
  }

  // MARK: - Time

  @Test func `a suspend makes notifications late`() async throws {
    try await withScheduler(latestDelivery: .seconds(600)) { _ in
      _ = try store.add([
        request(.after(.seconds(60))), NotificationRequest(bread, "Bread", trigger: .after(.seconds(3500))),
      ])
      await desktop.suspend(for: .seconds(3600))
      #expect(desktop.shown.map(\.summary) == ["Bread"])
      #expect(try store.entries().filter { $0.state == .missed }.map(\.request.identifier) == [tea])
    }
  }

  @Test func `a prepared notification is decided on again after a suspend`() async throws {
    try await withScheduler(latestDelivery: .seconds(600)) { _ in
      _ = try store.add(request(.after(.seconds(60))))
      await desktop.advance(by: .milliseconds(59_980))
      await desktop.suspend(for: .seconds(3600))
      #expect(desktop.shown.isEmpty)
      #expect(try store.entries().map(\.state) == [.missed])
    }
  }

  @Test func `a set clock moves what follows it`() async throws {
    try await withScheduler { _ in
      _ = try store.add([
        NotificationRequest(
          NotificationIdentifier("at"), "At", trigger: .at(date("2026-11-22T14:00:00+01:00"))),
        NotificationRequest(NotificationIdentifier("after"), "After", trigger: .after(.seconds(3600))),
      ])
      await desktop.setClock(to: try date("2026-11-22T13:59:00+01:00"))
      #expect(desktop.clock.date == (try date("2026-11-22T13:59:00+01:00")))
      await desktop.advance(by: .seconds(60))
      #expect(desktop.shown.map(\.summary) == ["At"])
      await desktop.advance(by: .seconds(3540))
      #expect(desktop.shown.map(\.summary) == ["At", "After"])
    }
  }

  @Test func `another time zone moves a daily notification`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request(.daily(18)))
      await desktop.setTimeZone(try #require(TimeZone(identifier: "America/New_York")))
      await desktop.advance(to: try date("2026-11-22T17:59:59-05:00"))
      #expect(desktop.shown.isEmpty)
      await desktop.advance(by: .seconds(1))
      #expect(desktop.shown.map(\.shownAt) == [try date("2026-11-22T18:00:00-05:00")])
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-28T12:00:00Z", ["28T18:00:00Z", "29T17:00:00Z", "30T17:00:00Z"]),
    ("Europe/Berlin", "2026-10-24T12:00:00Z", ["24T17:00:00Z", "25T18:00:00Z", "26T18:00:00Z"]),
    ("Australia/Lord_Howe", "2026-04-04T00:00:00Z", ["04T08:00:00Z", "05T08:30:00Z", "06T08:30:00Z"]),
    ("America/New_York", "2026-03-07T12:00:00Z", ["08T00:00:00Z", "08T23:00:00Z", "09T23:00:00Z"]),
  ])
  func `a daily notification keeps its local time across daylight saving`(
    zone: String, start: String, times: [String]
  ) async throws {
    let desktop = TestDesktop(
      clock: ManualClock(at: try date(start), in: try #require(TimeZone(identifier: zone))))
    let store = try desktop.openStore()
    let scheduler = try NotificationScheduler(store, on: desktop)
    _ = try store.add(request(.daily(19)))
    await desktop.advance(by: .seconds(3 * 86_400))
    #expect(try desktop.shown.map(\.shownAt) == times.map { try date(start.prefix(8) + $0) })
    #expect(try store.pending().map(\.request.identifier) == [tea])
    await scheduler.shutdown()
  }

  @Test func `an interval has each of its times in a week`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request(.every(.seconds(3600))))
      await desktop.advance(by: .seconds(7 * 86_400))
      let start = try date("2026-11-22T12:00:00+01:00")
      #expect(desktop.shown.map(\.shownAt) == (1...168).map { start.addingTimeInterval(Double($0) * 3600) })
      #expect(desktop.onScreen.count == 1)
    }
  }

  @Test func `a wait with a limit ends by the clock`() async throws {
    try await withScheduler { _ in
      _ = try store.add(request())
      await desktop.finishDueWork()
      await desktop.hang()
      try store.remove(.everything)
      #expect(try await !store.waitUntilRemoved(within: .zero))
    }
  }

  @Test func `values of previews are those that a store would return`() async throws {
    try await withScheduler(latestDelivery: .seconds(60)) { _ in
      let due = try date("2026-11-22T12:01:00+01:00")
      _ = try store.add(request(.at(due)))
      await desktop.suspend(for: .seconds(3600))
      let entry = try #require(try store.entries().first)
      let preview = LedgerEntry(
        request(.at(due)), .missed, dueAt: due,
        reason: NotificationReason(code: "late", arguments: ["3540"]), updatedAt: entry.updatedAt)
      #expect(preview.request == entry.request)
      #expect((preview.state, preview.dueAt) == (entry.state, entry.dueAt))
      #expect((preview.reason, preview.updatedAt) == (entry.reason, entry.updatedAt))
      #expect((preview.deliveredAt, preview.response) == (nil, nil))
    }
  }

  // MARK: - Many

  @Test(arguments: 0..<100)
  func `a hundred tests run side by side, and nothing crosses over`(number: Int) async throws {
    let id = NotificationIdentifier("number", "\(number)")
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      for round in 1...3 {
        _ = try store.add(
          NotificationRequest(
            id, "\(number) in round \(round)", actions: [NotificationAction(key: "\(number)", title: "OK")],
            trigger: .after(.seconds(60 + number))))
        await desktop.advance(by: .seconds(59 + number))
        #expect(desktop.onScreen.isEmpty)
        await desktop.advance(by: .seconds(1))
        #expect(desktop.onScreen.map(\.summary) == ["\(number) in round \(round)"])
        try await desktop.press("\(number)", on: id)
        let response = try #require(await responses.next())
        #expect(response.request.identifier == id)
        #expect(response.choice == .action(key: "\(number)"))
      }
      #expect(desktop.shown.count == 3)
      #expect(try store.entries().map(\.request.identifier) == [id, id, id])
      #expect(desktop.clock.now().boot == .seconds(1000 + 3 * (60 + number)))
    }
    #expect(desktop.onScreen.isEmpty)
  }

  @Test func `a test turns do-not-disturb on and off`() async throws {
    #expect(try await Desktop.test(desktop).isDoNotDisturbOn() == false)
    desktop.setDoNotDisturb(true)
    #expect(try await Desktop.test(desktop).isDoNotDisturbOn() == true)
    await desktop.stopServer()
    #expect(try await Desktop.test(desktop).isDoNotDisturbOn() == nil)
  }
}

private func notOnScreen(_ identifier: NotificationIdentifier) -> Problem {
  Problem(
    "\(identifier.description) is not on the screen",
    remedy: "advance the desktop to the time of the notification")
}
