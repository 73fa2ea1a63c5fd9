import Foundation
import Glibc
import NotificationDelivery
import NotificationLedger
import Notifier
import Platform
import SequencePlanning
import SequenceRunner
import Store
import Synchronization
import TestSupport
import Testing

/// The scheduler as used by a program.
///
/// A process can have only one, so the tests are serialized.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct SchedulerTests {
  private let directory: TemporaryDirectory
  private let failures = FailureList()

  init() throws { directory = try TemporaryDirectory() }

  private func scheduler() throws -> NotificationScheduler {
    let failures = failures
    return try NotificationScheduler(
      NotificationStore(StateDirectory(path: directory.path)),
      application: NotifyingApplication(name: "Test", desktopEntry: "test", icon: "face-smile"),
      onFailure: { failures.add($0) })
  }

  private func request(_ name: String, after duration: Duration, by scheduler: NotificationScheduler) throws
    -> NotificationRequest
  {
    NotificationRequest(
      try #require(NotificationIdentifier(rawValue: name)), name, trigger: .after(duration))
  }

  /// Runs a scheduler, and waits for the end of its threads, so that the process can create another one.
  private func withScheduler<Result>(_ body: (NotificationScheduler) async throws -> Result) async throws
    -> Result
  {
    let scheduler = try scheduler()
    do {
      let result = try await body(scheduler)
      await scheduler.shutdown()
      return result
    } catch {
      await scheduler.shutdown()
      throw error
    }
  }

  @Test func `scheduled notifications are pending in order of their times until removed by scope`()
    async throws
  {
    try await withScheduler { scheduler throws in
      let requests = try [("tea.black", 200), ("tea.green", 100), ("bread", 300), ("team", 400)]
        .map { try request($0.0, after: .seconds($0.1), by: scheduler) }
      #expect(try scheduler.store.add(requests).isEmpty)
      #expect(try scheduler.store.pending().map(\.summary) == ["tea.green", "tea.black", "bread", "team"])
      let tea = NotificationScope(try #require(NotificationIdentifier(rawValue: "tea")))
      #expect(try scheduler.store.pending(in: tea).count == 2)
      try scheduler.store.remove(tea)
      #expect(try scheduler.store.pending().map(\.summary) == ["bread", "team"])
      #expect(try scheduler.store.entries(in: tea).map(\.state) == [.cancelled, .cancelled])
      try scheduler.store.remove(.everything)
      #expect(try scheduler.store.pending().isEmpty)
      #expect(failures.isEmpty)
    }
  }

  @Test func `a notification with the same identifier is replaced, and past ones are returned unscheduled`()
    async throws
  {
    try await withScheduler { scheduler throws in
      #expect(try scheduler.store.add(request("a", after: .seconds(100), by: scheduler)) == nil)
      let later = try request("a", after: .seconds(500), by: scheduler)
      #expect(try scheduler.store.add(later) == nil)
      #expect(try scheduler.store.pending() == [later])
      let past = try request("b", after: .seconds(-11), by: scheduler)
      #expect(try scheduler.store.add([past]) == [past])
      #expect(try scheduler.store.add(past) == past)
      #expect(try scheduler.store.pending() == [later])
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
    try await withScheduler { scheduler throws in
      for style in [style, hinted] {
        #expect(throws: RequestError.unusableNumber(identifier: id)) {
          _ = try scheduler.store.add(NotificationRequest(id, "A", style: style))
        }
      }
      let trigger = NotificationTrigger.every(.seconds(3600) / 7)
      try scheduler.store.add(NotificationRequest(id, "A", trigger: trigger))
      #expect(try scheduler.store.pending().map(\.trigger) == [trigger])
    }
  }

  @Test func `a repeating notification that is added again keeps its time, and gets the new text`()
    async throws
  {
    let id = try #require(NotificationIdentifier(rawValue: "a"))
    func request(_ text: String, _ trigger: NotificationTrigger) -> NotificationRequest {
      NotificationRequest(id, text, trigger: trigger)
    }
    try await withScheduler { scheduler throws in
      try scheduler.store.add(request("old", .every(.seconds(3600))))
      let due = try #require(try scheduler.store.entries().first).dueAt
      try scheduler.store.add(request("new", .every(.seconds(3600))))
      let entry = try #require(try scheduler.store.entries().first)
      #expect(try scheduler.store.pending() == [request("new", .every(.seconds(3600)))])
      // Calculated from the boot clock at each reading, so it is rounded to a microsecond each time.
      #expect(abs(entry.dueAt.duration(since: due).seconds) < 0.01)
      try scheduler.store.add(request("new", .every(.seconds(60))))
      #expect(try #require(try scheduler.store.entries().first).dueAt < due)
      try scheduler.store.add(request("new", .daily(8)))
      #expect(try scheduler.store.pending() == [request("new", .daily(8))])
      #expect(try scheduler.store.entries().count == 1)
    }
  }

  @Test(arguments: [
    NotificationTrigger.every(.milliseconds(999)), .matching(DateComponents(month: 2, day: 30)),
    .matching(DateComponents(hour: 24)), .matching(DateComponents()),
    .matching(DateComponents(hour: 8, weekOfYear: 3)),
  ])
  func `a trigger without a time is refused`(trigger: NotificationTrigger) async throws {
    let id = try #require(NotificationIdentifier(rawValue: "a"))
    try await withScheduler { scheduler throws in
      #expect(throws: RequestError.unusableTrigger(trigger, identifier: id)) {
        try scheduler.store.add(NotificationRequest(id, "a", trigger: trigger))
      }
      #expect(try scheduler.store.entries().isEmpty)
    }
  }

  @Test func `scheduled notifications outlive the scheduler, and a directory has one scheduler at a time`()
    async throws
  {
    try await withScheduler { scheduler throws in
      try scheduler.store.add(request("a", after: .seconds(1000), by: scheduler))
      #expect(throws: SchedulerError.directoryInUse(directory.path)) { try self.scheduler() }
    }
    try await withScheduler { scheduler async throws in
      #expect(try scheduler.store.pending().map(\.summary) == ["a"])
    }
  }

  @Test func `a process has one scheduler at a time`() async throws {
    try await withScheduler { _ throws in
      let other = try TemporaryDirectory()
      #expect(throws: SchedulerError.processInUse) {
        try NotificationScheduler(
          NotificationStore(StateDirectory(path: other.path)),
          application: NotifyingApplication(name: "Other", desktopEntry: "other", icon: "face-smile"),
          onFailure: { _ in })
      }
    }
  }

  @Test func `responses end with the scheduler, and its store keeps what is added`() async throws {
    let scheduler = try scheduler()
    let streams = [scheduler.responses(), scheduler.responses()]
    await scheduler.shutdown()
    for await _ in streams[0] { Issue.record("a response without a notification") }
    for await _ in streams[1] { Issue.record("a response without a notification") }
    for await _ in scheduler.responses() { Issue.record("a response without a notification") }
    try scheduler.store.add(request("a", after: .seconds(100), by: scheduler))
    #expect(try scheduler.store.pending().map(\.summary) == ["a"])
    await scheduler.shutdown()
  }

  @Test(arguments: [
    (
      SchedulerError.directoryInUse("/a"),
      "another scheduler or agent delivers from /a; use another directory, or shut the other one down"
    ),
    (.processInUse, "this process has another scheduler; wait for shutdown() of the other one first"),
  ])
  func `an error of a scheduler is a sentence with a remedy`(error: SchedulerError, text: String) {
    #expect("\(error)" == text)
  }

  // MARK: - With a notification server

  /// Starts a server on its own bus, which becomes the session bus of this process.
  private func server() throws -> (bus: PrivateBus, server: RecordingServer) {
    let bus = try PrivateBus()
    // setenv fails only for invalid names or without memory.
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    return (bus, try RecordingServer(on: bus))
  }

  /// Waits until the scheduler has recorded the reply of the server.
  private func waitUntilDelivered(by scheduler: NotificationScheduler) throws {
    let store = try OpenStore(
      directory: StateDirectory(path: directory.path), clock: try SystemClock(), parts: [NotificationTables()]
    )
    let waiter = try StoreWaiter(store)
    let limit = SystemClock.sinceBoot() + .seconds(10)
    while try scheduler.store.delivered().isEmpty, SystemClock.sinceBoot() < limit {
      try waiter.wait(until: limit)
    }
  }

  /// Returns a request with a button.
  private func question(_ name: String, by scheduler: NotificationScheduler) throws -> NotificationRequest {
    NotificationRequest(
      try #require(NotificationIdentifier(rawValue: name)), name,
      actions: [NotificationAction(key: "yes", title: "Yes")], style: NotificationStyle(sound: "bell"))
  }

  @Test func `a notification that has just become due is shown`() async throws {
    let (bus, server) = try server()
    try await withScheduler { scheduler throws in
      #expect(try scheduler.store.add([question("now", by: scheduler)]).isEmpty)
      #expect(try server.next("notify").summary == "now")
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a notification has the look and the sound of its request`() async throws {
    let (bus, server) = try server()
    try await withScheduler { scheduler throws in
      var style = NotificationStyle(
        urgency: .low, category: "x-test", sound: "/a.oga", icon: "b", image: "/c.png", progress: 0.256)
      style.expiry = .after(.milliseconds(2500))
      (style.isTransient, style.isResident) = (true, true)
      style.hints = ["x-own": .byte(7), "category": .string("y-test"), "x-half": .double(0.5)]
      try scheduler.store.add(NotificationRequest(NotificationIdentifier("a"), "a", style: style))
      let shown = try server.next("notify")
      #expect(shown.icon == "b")
      #expect(shown.timeout == 2500)
      var hints = try #require(shown.hints)
      hints["sender-pid"] = nil
      #expect(
        hints == [
          "urgency": "0x00", "category": "'y-test'", "sound-file": "'/a.oga'", "image-path": "'/c.png'",
          "value": "26", "transient": "true", "resident": "true", "x-own": "0x07", "x-half": "0.5",
          "desktop-entry": "'test'",
        ])
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a response has the token that the server gave for it`() async throws {
    let (bus, server) = try server()
    try await withScheduler { scheduler async throws in
      var responses = scheduler.responses().makeAsyncIterator()
      try scheduler.store.add([question("tea", by: scheduler), question("bread", by: scheduler)])
      let ids = [try server.next("notify").id ?? 0, try server.next("notify").id ?? 0]
      try server.tell("token \(ids[0]) abc")
      try server.tell("invoke \(ids[0]) yes")
      #expect(await responses.next()?.activationToken == "abc")
      try server.tell("token \(ids[0] + 7) abc")
      try server.tell("invoke \(ids[1]) yes")
      #expect(await responses.next()?.activationToken == nil)
      let state = try scheduler.store.desktop()
      #expect(state == .available(server: "recording-server 1", capabilities: ["actions", "body"]))
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a resident notification stays when its button is pressed`() async throws {
    let (bus, server) = try server()
    try server.tell("resident on")
    try await withScheduler { scheduler async throws in
      var request = try question("tea", by: scheduler)
      request.style.isResident = true
      var responses = scheduler.responses().makeAsyncIterator()
      try scheduler.store.add(request)
      let id = try server.next("notify").id ?? 0
      for _ in 0..<2 {
        try server.tell("invoke \(id) yes")
        #expect(await responses.next()?.choice == .action(key: "yes"))
      }
      #expect(try server.screen().ids == [id])
      #expect(try scheduler.store.entries().map(\.response) == [.action(key: "yes")])
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a cancelled reader leaves the responses to the next reader`() async throws {
    let (bus, server) = try server()
    try await withScheduler { scheduler async throws in
      let first = Task { [responses = scheduler.responses()] in for await _ in responses {} }
      first.cancel()
      await first.value
      try scheduler.store.add(question("tea", by: scheduler))
      try server.tell("invoke \(try server.next("notify").id ?? 0) yes")
      var next = scheduler.responses().makeAsyncIterator()
      #expect(await next.next()?.choice == .action(key: "yes"))
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `each reader receives each response, and the store keeps it`() async throws {
    let (bus, server) = try server()
    try await withScheduler { scheduler async throws in
      var readers = [scheduler.responses(), scheduler.responses()].map { $0.makeAsyncIterator() }
      try scheduler.store.add([question("tea", by: scheduler), question("bread", by: scheduler)])
      for _ in 0..<2 {
        let shown = try server.next("notify")
        try server.tell(shown.summary == "tea" ? "invoke \(shown.id ?? 0) yes" : "dismiss \(shown.id ?? 0)")
      }
      for index in readers.indices {
        let responses = [await readers[index].next(), await readers[index].next()]
        #expect(Set(responses.compactMap { $0?.choice }) == [.action(key: "yes"), .dismissed])
      }
      let kept = try scheduler.store.entries().map { [$0.request.summary: $0.response] }
      #expect(kept == [["tea": .action(key: "yes")], ["bread": .dismissed]])
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a scheduler silently repeats notifications that its predecessor showed`() async throws {
    let (bus, server) = try server()
    try await withScheduler { scheduler throws in
      try scheduler.store.add(question("tea", by: scheduler))
      let shown = try server.next("notify")
      #expect(shown.hints?["sound-name"] == "'bell'")
      #expect(shown.hints?["suppress-sound"] == nil)
      try waitUntilDelivered(by: scheduler)
    }
    try await withScheduler { _ throws in
      let again = try server.next("notify")
      #expect(again.summary == "tea")
      #expect(again.hints?["suppress-sound"] == "true")
      #expect(again.hints?["sound-name"] == nil)
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `notifications are not sent to the portal of a sandbox`() async throws {
    unsetenv("NOTIFY_IGNORE_PORTAL")
    try await withScheduler { _ throws in
      #expect(getenv("NOTIFY_IGNORE_PORTAL").map { String(cString: $0) } == "1")
    }
  }

  @Test(arguments: [[""], ["yes", "yes"], ["y\0es"]])
  func `actions with empty, equal or invalid keys are refused`(keys: [String]) async throws {
    let identifier = try #require(NotificationIdentifier(rawValue: "a"))
    try await withScheduler { scheduler throws in
      let request = NotificationRequest(
        identifier, "a", actions: keys.map { NotificationAction(key: $0, title: "Yes") },
        trigger: .after(.seconds(100)))
      #expect(throws: RequestError.unusableKey(keys[0], identifier: identifier)) {
        try scheduler.store.add(request)
      }
      #expect(try scheduler.store.entries().isEmpty)
    }
  }

  private final class FailureList: Sendable {
    private let failures = Mutex<[String]>([])
    func add(_ failure: any Error) { failures.withLock { $0.append("\(failure)") } }
    var isEmpty: Bool { failures.withLock(\.isEmpty) }
  }
}
