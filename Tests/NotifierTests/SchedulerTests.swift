import Foundation
import NotifierTesting
import Testing

/// The scheduler as used by a program, on a test desktop.
@Suite(.timeLimit(.minutes(1)))
struct SchedulerTests {
  private let desktop = TestDesktop()

  private func scheduler() throws -> NotificationScheduler {
    try NotificationScheduler(desktop.openStore(), on: desktop)
  }

  private func request(_ name: String, after duration: Duration) throws -> NotificationRequest {
    NotificationRequest(
      try #require(NotificationIdentifier(rawValue: name)), name, trigger: .after(duration))
  }

  private func question(_ name: String) throws -> NotificationRequest {
    NotificationRequest(
      try #require(NotificationIdentifier(rawValue: name)), name,
      actions: [NotificationAction(key: "yes", title: "Yes")])
  }

  @Test func `scheduled notifications are pending in order of their times until removed by scope`()
    async throws
  {
    try await scheduler().deliver { scheduler throws in
      let requests = try [("tea.black", 200), ("tea.green", 100), ("bread", 300), ("team", 400)]
        .map { try request($0.0, after: .seconds($0.1)) }
      #expect(try scheduler.store.add(requests).isEmpty)
      #expect(
        try scheduler.store.pending().map(\.request.summary) == ["tea.green", "tea.black", "bread", "team"])
      let tea = NotificationScope(try #require(NotificationIdentifier(rawValue: "tea")))
      #expect(try scheduler.store.pending(in: tea).count == 2)
      try scheduler.store.remove(tea)
      #expect(try scheduler.store.pending().map(\.request.summary) == ["bread", "team"])
      #expect(try scheduler.store.entries(in: tea).map(\.state) == [.cancelled, .cancelled])
      try scheduler.store.remove(.everything)
      #expect(try scheduler.store.pending().isEmpty)
    }
  }

  @Test func `a notification with the same identifier is replaced, and past ones are returned unscheduled`()
    async throws
  {
    try await scheduler().deliver { scheduler throws in
      #expect(try scheduler.store.add(request("a", after: .seconds(100))))
      let later = try request("a", after: .seconds(500))
      #expect(try scheduler.store.add(later))
      #expect(try scheduler.store.pending().map(\.request) == [later])
      let past = try request("b", after: .seconds(-11))
      #expect(try scheduler.store.add([past]) == [past])
      #expect(try scheduler.store.add(past) == false)
      #expect(try scheduler.store.pending().map(\.request) == [later])
    }
  }

  @Test func `numbers that are not finite are refused, and fractions of a nanosecond are left out`()
    async throws
  {
    let id = NotificationIdentifier("a")
    var style = NotificationStyle()
    style.progress = 0 / 0.0
    var hinted = NotificationStyle()
    hinted.hints = ["x": .double(.infinity)]
    try await scheduler().deliver { scheduler throws in
      for style in [style, hinted] {
        #expect(throws: RequestError.unusableNumber(identifier: id)) {
          _ = try scheduler.store.add(NotificationRequest(id, "A", style: style))
        }
      }
      let trigger = NotificationTrigger.every(.seconds(3600) / 7)
      _ = try scheduler.store.add(NotificationRequest(id, "A", trigger: trigger))
      #expect(try scheduler.store.pending().map(\.request.trigger) == [trigger])
    }
  }

  @Test func `a repeating notification that is added again keeps its time, and gets the new text`()
    async throws
  {
    let id = try #require(NotificationIdentifier(rawValue: "a"))
    func request(_ text: String, _ trigger: NotificationTrigger) -> NotificationRequest {
      NotificationRequest(id, text, trigger: trigger)
    }
    try await scheduler().deliver { scheduler throws in
      _ = try scheduler.store.add(request("old", .every(.seconds(3600))))
      let due = try #require(try scheduler.store.entries().first).dueAt
      _ = try scheduler.store.add(request("new", .every(.seconds(3600))))
      let entry = try #require(try scheduler.store.entries().first)
      #expect(try scheduler.store.pending().map(\.request) == [request("new", .every(.seconds(3600)))])
      #expect(entry.dueAt == due)
      _ = try scheduler.store.add(request("new", .every(.seconds(60))))
      #expect(try #require(try scheduler.store.entries().first).dueAt < due)
      _ = try scheduler.store.add(request("new", .daily(8)))
      #expect(try scheduler.store.pending().map(\.request) == [request("new", .daily(8))])
      #expect(try scheduler.store.entries().count == 1)
    }
  }

  @Test(arguments: [
    NotificationTrigger.every(.milliseconds(999)), .matching(DateComponents(month: 2, day: 30)),
    .matching(DateComponents(hour: 24)), .matching(DateComponents()),
    .matching(DateComponents(hour: 8, weekOfYear: 3)), .after(.seconds(Int64.max)),
    .matching(DateComponents(calendar: Calendar(identifier: .hebrew), month: 1, day: 1)),
    .matching(DateComponents(year: Int.max - 1)), .matching(DateComponents(year: 10_000, hour: 2)),
    .every(.seconds(Int64.max)),
  ])
  func `a trigger without a time is refused`(trigger: NotificationTrigger) async throws {
    let id = try #require(NotificationIdentifier(rawValue: "a"))
    try await scheduler().deliver { scheduler throws in
      #expect(throws: RequestError.unusableTrigger(trigger, identifier: id)) {
        try scheduler.store.add(NotificationRequest(id, "a", trigger: trigger))
      }
      #expect(try scheduler.store.entries().isEmpty)
    }
  }

  @Test func `scheduled notifications outlive the scheduler, and a directory has one scheduler at a time`()
    async throws
  {
    try await scheduler().deliver { scheduler throws in
      _ = try scheduler.store.add(request("a", after: .seconds(1000)))
      #expect(throws: SchedulerError.directoryInUse(scheduler.store.directory.path)) { try self.scheduler() }
    }
    try await scheduler().deliver { scheduler async throws in
      #expect(try scheduler.store.pending().map(\.request.summary) == ["a"])
    }
  }

  @Test func `responses end with the scheduler, and its store keeps what is added`() async throws {
    let scheduler = try scheduler()
    let streams = [scheduler.responses(), scheduler.responses()]
    await scheduler.shutdown()
    for await _ in streams[0] { Issue.record("a response without a notification") }
    for await _ in streams[1] { Issue.record("a response without a notification") }
    for await _ in scheduler.responses() { Issue.record("a response without a notification") }
    _ = try scheduler.store.add(request("a", after: .seconds(100)))
    #expect(try scheduler.store.pending().map(\.request.summary) == ["a"])
    await scheduler.shutdown()
  }

  @Test(arguments: [
    (
      SchedulerError.directoryInUse("/a"),
      "the notifications in /a are shown by another scheduler or agent already; use another directory, or shut the "
        + "other one down"
    ),
    (
      .otherClock,
      "the store has another clock than its test desktop; open it with openStore() of the desktop, or with its clock"
    ),
  ])
  func `an error of a scheduler is a sentence with a remedy`(error: SchedulerError, text: String) {
    #expect("\(error)" == text)
  }

  @Test func `a cancelled reader leaves the responses to the next reader`() async throws {
    try await scheduler().deliver { scheduler async throws in
      let first = Task { [responses = scheduler.responses()] in for await _ in responses {} }
      first.cancel()
      await first.value
      _ = try scheduler.store.add(question("tea"))
      await desktop.finishDueWork()
      try await desktop.press("yes", on: NotificationIdentifier("tea"))
      var next = scheduler.responses().makeAsyncIterator()
      #expect(await next.next()?.choice == .action(key: "yes"))
    }
  }

  @Test func `each reader receives each response in order, and the store keeps it`() async throws {
    try await scheduler().deliver { scheduler async throws in
      var readers = [scheduler.responses(), scheduler.responses()].map { $0.makeAsyncIterator() }
      _ = try scheduler.store.add([question("tea"), question("bread")])
      await desktop.finishDueWork()
      try await desktop.press("yes", on: NotificationIdentifier("tea"))
      try await desktop.dismiss(NotificationIdentifier("bread"))
      for index in readers.indices {
        #expect(await readers[index].next()?.choice == .action(key: "yes"))
        #expect(await readers[index].next()?.choice == .dismissed)
      }
      let kept = try scheduler.store.entries().map { [$0.request.summary: $0.response] }
      #expect(kept == [["tea": .action(key: "yes")], ["bread": .dismissed]])
    }
  }

  @Test(arguments: [[""], ["yes", "yes"], ["y\0es"]])
  func `actions with empty, equal or invalid keys are refused`(keys: [String]) async throws {
    let identifier = try #require(NotificationIdentifier(rawValue: "a"))
    try await scheduler().deliver { scheduler throws in
      let request = NotificationRequest(
        identifier, "a", actions: keys.map { NotificationAction(key: $0, title: "Yes") },
        trigger: .after(.seconds(100)))
      #expect(throws: RequestError.unusableKey(keys[0], identifier: identifier)) {
        try scheduler.store.add(request)
      }
      #expect(try scheduler.store.entries().isEmpty)
    }
  }

  @Test(arguments: ["", " ", "\u{1B}\u{7}"])
  func `an action needs a title, except for the click`(title: String) async throws {
    let identifier = NotificationIdentifier("a")
    try await scheduler().deliver { scheduler throws in
      func request(_ actions: NotificationAction...) -> NotificationRequest {
        NotificationRequest(identifier, "a", actions: actions, trigger: .after(.seconds(100)))
      }
      #expect(throws: RequestError.unusableTitle(key: "yes", identifier: identifier)) {
        try scheduler.store.add(request(.click, NotificationAction(key: "yes", title: title)))
      }
      #expect(try scheduler.store.entries().isEmpty)
      _ = try scheduler.store.add(request(NotificationAction(key: "default", title: title)))
      #expect(try scheduler.store.entries().count == 1)
    }
  }
}
