import Glibc
import NotificationLedger
import Notifier
import SequenceRunner
import Synchronization
import TestSupport
import Testing

/// The scheduler as a program uses it; there is one in a process, so one test at a time.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct SchedulerTests {
  private let directory: TemporaryDirectory
  private let failures = FailureList()

  init() throws { directory = try TemporaryDirectory() }

  private func scheduler() throws -> NotificationScheduler {
    let failures = failures
    let limit = ContinuousClock.now + .seconds(10)
    while true {
      do {
        return try NotificationScheduler(
          directory: StateDirectory(path: directory.path),
          application: NotifyingApplication(name: "Test", desktopEntry: "test", icon: "face-smile"),
          styles: [.message: NotificationStyle(sound: "bell")],
          onFailure: { failures.add($0) })
      } catch let error where ContinuousClock.now < limit {
        // The threads of one that is gone end in their own time.
        let isEnding =
          error as? SchedulerError == .directoryInUse(directory.path)
          || (error as? SystemError)?.code == EBUSY
        guard isEnding else { throw error }
        _ = poll(nil, 0, 5)
      }
    }
  }

  private func request(_ name: String, after duration: Duration, by scheduler: NotificationScheduler) throws
    -> NotificationRequest
  {
    NotificationRequest(
      identifier: try #require(NotificationIdentifier(rawValue: name)), summary: name,
      due: scheduler.now().advanced(by: duration))
  }

  @Test func `what is scheduled is pending in the order of its time, until it is removed by scope`() throws {
    let scheduler = try scheduler()
    let requests = try [("tea.black", 200), ("tea.green", 100), ("bread", 300), ("team", 400)]
      .map { try request($0.0, after: .seconds($0.1), by: scheduler) }
    #expect(try scheduler.add(requests).isEmpty)
    #expect(try scheduler.pending().map(\.summary) == ["tea.green", "tea.black", "bread", "team"])
    let tea = NotificationScope(try #require(NotificationIdentifier(rawValue: "tea")))
    #expect(try scheduler.pending(in: tea).count == 2)
    try scheduler.remove(tea)
    #expect(try scheduler.pending().map(\.summary) == ["bread", "team"])
    #expect(try scheduler.entries(in: tea).map(\.state) == [.cancelled, .cancelled])
    try scheduler.remove(.everything)
    #expect(try scheduler.pending().isEmpty)
    #expect(failures.isEmpty)
  }

  @Test func `one of the same identifier is replaced, and what is past due is left out and returned`() throws
  {
    let scheduler = try scheduler()
    #expect(try scheduler.add(request("a", after: .seconds(100), by: scheduler)))
    let later = try request("a", after: .seconds(500), by: scheduler)
    #expect(try scheduler.add(later))
    #expect(try scheduler.pending() == [later])
    let past = try request("b", after: .seconds(-1), by: scheduler)
    #expect(try scheduler.add([past]) == [past])
    #expect(try scheduler.pending() == [later])
  }

  @Test func `what is scheduled outlives the scheduler, and a directory has one at a time`() throws {
    do {
      let scheduler = try scheduler()
      try scheduler.add(request("a", after: .seconds(1000), by: scheduler))
      #expect(throws: SchedulerError.directoryInUse(directory.path)) {
        try NotificationScheduler(
          directory: StateDirectory(path: directory.path),
          application: NotifyingApplication(name: "Test", desktopEntry: "test", icon: ""), onFailure: { _ in }
        )
      }
      withExtendedLifetime(scheduler) {}
    }
    let scheduler = try scheduler()
    #expect(try scheduler.pending().map(\.summary) == ["a"])
  }

  @Test func `a moment of the wall clock is one of the boot clock`() throws {
    let scheduler = try scheduler()
    let now = scheduler.now()
    let due = now.at(now.wall.advanced(by: .seconds(60)))
    #expect(due.boot == now.boot + .seconds(60))
    #expect(due.bootID == now.bootID)
  }

  @Test func `the responses end with the scheduler`() async throws {
    var responses = try scheduler().responses.makeAsyncIterator()
    #expect(await responses.next() == nil)
  }

  // MARK: - With a notification server

  /// A server on a bus of its own, which this process takes for its session bus.
  private func server() throws -> (bus: PrivateBus, server: RecordingServer) {
    let bus = try PrivateBus()
    // It fails only for invalid names, or without memory.
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    return (bus, try RecordingServer(on: bus))
  }

  private func responses(of scheduler: NotificationScheduler) -> AsyncStream<NotificationResponse> {
    scheduler.responses
  }

  private func end(_ scheduler: consuming NotificationScheduler) async {}

  /// Waits until the scheduler has recorded the answer of the server.
  private func waitUntilDelivered(by scheduler: NotificationScheduler) throws {
    let store = try RunStore.withNotifications(
      in: StateDirectory(path: directory.path), clock: try SystemClock())
    let waiter = try StoreWaiter(store)
    let limit = scheduler.now().boot + .seconds(10)
    while try scheduler.delivered().isEmpty, scheduler.now().boot < limit { try waiter.wait(until: limit) }
  }

  /// A request with a button.
  private func question(_ name: String, by scheduler: NotificationScheduler) throws -> NotificationRequest {
    NotificationRequest(
      identifier: try #require(NotificationIdentifier(rawValue: name)), summary: name,
      actions: [NotificationAction(key: "yes", title: "Yes")], due: scheduler.now())
  }

  @Test func `a notification that has just become due is shown`() throws {
    let (bus, server) = try server()
    let scheduler = try scheduler()
    #expect(try scheduler.add([question("now", by: scheduler)]).isEmpty)
    #expect(try server.next("notify").summary == "now")
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test func `a reader that is cancelled leaves the responses to the next reader`() async throws {
    let (bus, server) = try server()
    let scheduler = try scheduler()
    let first = Task { [responses = responses(of: scheduler)] in for await _ in responses {} }
    first.cancel()
    await first.value
    var next = responses(of: scheduler).makeAsyncIterator()
    _ = try scheduler.add([
      question("tea", by: scheduler).due(at: scheduler.now().advanced(by: .milliseconds(1)))
    ])
    try server.tell("invoke \(try server.next("notify").id ?? 0) yes")
    #expect(await next.next()?.choice == .action(key: "yes"))
    withExtendedLifetime(bus) {}
  }

  @Test func `a scheduler shows again without a sound what the one before it has shown`() async throws {
    let (bus, server) = try server()
    do {
      let scheduler = try scheduler()
      _ = try scheduler.add([
        question("tea", by: scheduler).due(at: scheduler.now().advanced(by: .milliseconds(1)))
      ])
      let shown = try server.next("notify")
      #expect(shown.hints?["sound-name"] == "'bell'")
      #expect(shown.hints?["suppress-sound"] == nil)
      try waitUntilDelivered(by: scheduler)
      await end(scheduler)
    }
    let scheduler = try scheduler()
    let again = try server.next("notify")
    #expect(again.summary == "tea")
    #expect(again.hints?["suppress-sound"] == "true")
    #expect(again.hints?["sound-name"] == nil)
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test func `notifications are not sent to the portal of a sandbox`() throws {
    unsetenv("NOTIFY_IGNORE_PORTAL")
    let scheduler = try scheduler()
    #expect(getenv("NOTIFY_IGNORE_PORTAL").map { String(cString: $0) } == "1")
    withExtendedLifetime(scheduler) {}
  }

  @Test(arguments: [[""], ["yes", "yes"], ["y\0es"]])
  func `actions whose keys cannot be told apart are refused`(keys: [String]) throws {
    let scheduler = try scheduler()
    let request = NotificationRequest(
      identifier: try #require(NotificationIdentifier(rawValue: "a")), summary: "a",
      actions: keys.map { NotificationAction(key: $0, title: "Yes") },
      due: scheduler.now().advanced(by: .seconds(100)))
    #expect(throws: (any Error).self) { try scheduler.add([request]) }
    #expect(try scheduler.entries().isEmpty)
  }

  private final class FailureList: Sendable {
    private let failures = Mutex<[String]>([])
    func add(_ failure: any Error) { failures.withLock { $0.append("\(failure)") } }
    var isEmpty: Bool { failures.withLock(\.isEmpty) }
  }
}
