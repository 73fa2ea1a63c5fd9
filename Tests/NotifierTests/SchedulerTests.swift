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

  private final class FailureList: Sendable {
    private let failures = Mutex<[String]>([])
    func add(_ failure: any Error) { failures.withLock { $0.append("\(failure)") } }
    var isEmpty: Bool { failures.withLock(\.isEmpty) }
  }
}
