import NotifierLedger
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import Notifier
import NotifierTesting

/// The store of notifications, without a scheduler.
@Suite(.timeLimit(.minutes(1)))
struct NotificationStoreTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func store() throws -> NotificationStore {
    try NotificationStore(StateDirectory(path: directory.path))
  }

  private func request(_ components: (String, String)) -> NotificationRequest {
    NotificationRequest(
      NotificationIdentifier(components.0, components.1), components.1, trigger: .after(.seconds(100)))
  }

  @Test func `several stores of a directory see each other's changes`() throws {
    let (one, other) = (try store(), try store())
    _ = try one.add([request(("med", "Anna")), request(("med", "Ben"))])
    #expect(try other.pending().map(\.request.summary) == ["Anna", "Ben"])
    try other.remove(NotificationScope("med", "Anna"))
    #expect(try one.pending().map(\.request.summary) == ["Ben"])
    #expect(try one.delivered().isEmpty)
    #expect(try one.desktop() == .unknown)
  }

  @Test func `a store names the damaged stores that it has replaced`() throws {
    let path = StateDirectory(path: directory.path).databasePath
    do { #expect(try store().damagedStores.isEmpty) }
    let database = try Database(path: path)
    try database.execute("ALTER TABLE response RENAME COLUMN choice TO chosen")
    let store = try store()
    _ = try store.responses()
    let moved = try #require(store.damagedStores.first)
    #expect(moved.hasPrefix(path + ".damaged-") && store.damagedStores.count == 1)
    #expect(try self.store().damagedStores.isEmpty)
  }

  @Test func `a stream has all entries, and then those that another store changes`() async throws {
    let (one, other) = (try store(), try store())
    _ = try one.add([request(("med", "Anna")), request(("tea", "green"))])
    var changes = other.changes(in: NotificationScope("med")).makeAsyncIterator()
    #expect(try await changes.next()?.request.summary == "Anna")
    _ = try one.add([request(("tea", "black")), request(("med", "Ben"))])
    #expect(try await changes.next()?.request.summary == "Ben")
    try one.remove(NotificationScope("med", "Anna"))
    let removed = try await changes.next()
    #expect(removed?.request.summary == "Anna")
    #expect(removed?.state == .cancelled)
  }

  @Test func `a cancelled reader ends its stream only`() async throws {
    let store = try store()
    _ = try store.add(request(("med", "Anna")))
    var other = store.changes().makeAsyncIterator()
    #expect(try await other.next()?.request.summary == "Anna")
    let reader = Task { for try await _ in store.changes() {} }
    reader.cancel()
    try await reader.value
    _ = try store.add(request(("med", "Ben")))
    #expect(try await other.next()?.request.summary == "Ben")
  }

  @Test func `a stream continues with the store that replaces a damaged one`() async throws {
    let store = try store()
    _ = try store.add(request(("med", "Anna")))
    var changes = store.changes().makeAsyncIterator()
    #expect(try await changes.next()?.request.summary == "Anna")
    try Database(path: StateDirectory(path: directory.path).databasePath).execute(
      "ALTER TABLE notification RENAME COLUMN summary TO sumary")
    _ = try store.add(request(("med", "Ben")))
    #expect(try await changes.next()?.request.summary == "Ben")
  }

  @Test func `nothing is removed that no scheduler shows`() async throws {
    let store = try store()
    _ = try store.add(request(("med", "Anna")))
    try store.remove(.everything)
    #expect(try await store.waitUntilRemoved(within: .zero))
  }

  @Test func `two stores add and remove at once without losing anything`() async throws {
    let stores = [try store(), try store()]
    try await withThrowingTaskGroup { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for number in 0..<50 {
            _ = try store.add(request(("\(index)", "\(number)")))
            if number.isMultiple(of: 2) { try store.remove(NotificationScope("\(index)", "\(number)")) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try stores[0].pending().count == 50)
    #expect(try stores[1].entries().count { $0.state == .cancelled } == 50)
  }

  @Test func `removal is counted, and waits only for a scheduler`() async throws {
    let desktop = TestDesktop()
    let store = try desktop.openStore()
    let scheduler = try NotificationScheduler(store, on: desktop)
    #expect(try store.hasScheduler())
    let ids = ["a", "b", "c"].map { NotificationIdentifier("tea", $0) }
    for id in ids { _ = try store.add(NotificationRequest(id, "Tea")) }
    _ = try store.add(
      NotificationRequest(NotificationIdentifier("tea", "d"), "Tea", trigger: .every(.seconds(60))))
    await desktop.advance(by: .seconds(59))
    await desktop.advance(by: .seconds(1))
    _ = try store.add(NotificationRequest(ids[0].appending("later"), "Tea", trigger: .after(.seconds(60))))
    #expect(try store.remove(NotificationScope(ids[1])) == 1)
    #expect(try await store.waitUntilRemoved())
    await scheduler.shutdown()
    #expect(try !store.hasScheduler())
    // "a" is visible, "a.later" is pending, and "d" is both.
    #expect(try store.remove(NotificationScope("tea", "a")) == 2)
    #expect(try store.remove(NotificationScope("tea", "d")) == 1)
    #expect(try store.remove(NotificationScope("tea", "a")) == 0)
    #expect(try await !store.waitUntilRemoved(within: .seconds(1_000_000)))
    #expect(try store.pending().isEmpty)
    // A scheduler that ends at once closes them.
    #expect(desktop.onScreen.map(\.identifier).contains(ids[0]))
    try await NotificationScheduler(store, on: desktop).shutdown()
    #expect(desktop.onScreen.map(\.identifier) == [ids[2]])
    #expect(try await store.waitUntilRemoved())
  }
}
