import Foundation
import NotificationLedger
import Notifier
import SequenceConfiguration
import SequenceNotifications
import SequenceRunner
import Store
import TestSupport
import Testing

/// Entries of which something makes no sense, though the store is sound.
struct DamagedEntryTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.complete(in: StateDirectory(path: directory.path), clock: clock)
    for name in ["a.first", "a.second"] {
      let request = NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: name)), slot: name, summary: name,
        actions: [NotificationAction(key: "yes", title: "Yes")], due: clock.now())
      try store.changeLedger { try $0.add([request], at: clock.now()) }
    }
  }

  @Test func `what has buttons that make no sense is shown without them`() throws {
    try store.database.run("UPDATE notification SET actions = '[{\"key\":' WHERE number = 1")
    #expect(try store.ledger.unreadableCount() == 1)
    #expect(try store.ledger.due(at: clock.now()).map(\.request.summary) == ["a.first", "a.second"])
    let entries = try store.ledger.entries(in: .everything)
    #expect(entries.map(\.request.actions.count) == [0, 1])
    #expect(entries.map(\.reason) == ["its buttons could not be read", nil])
    #expect(try store.ledger.unreadableCount() == 0)
  }

  @Test(arguments: [
    ("identifier = 'a..first'", "a.first"), ("identifier = ''", "unreadable"),
    ("state = 'pendinh'", "a.first"),
  ])
  func `what has no name or state that makes sense has failed, and the others are shown`(
    change: String, name: String
  ) throws {
    try store.database.run("UPDATE notification SET \(change) WHERE number = 1")
    let courier = Courier(store: store, application: try RunNotifications(store: store), process: 1)
    try courier.takeOver()
    #expect(try courier.advance() == .probe)
    let epoch = ServerEpoch(busID: "bus", owner: ":1.1")
    try courier.handle(
      .serverAvailable(NotificationServer(epoch: epoch, name: "test", version: "1", capabilities: [])))
    guard case .show(2, _, let shown) = try courier.advance() else {
      throw TestSupportError("the second one is not shown")
    }
    try courier.handle(.shown(entry: 2, shown))
    let entries = try store.ledger.entries(in: .everything)
    #expect(entries.map(\.request.identifier.rawValue).sorted() == [name, "a.second"].sorted())
    #expect(Set(entries.map(\.state)) == [.failed, .delivered])
    #expect(entries.contains { $0.reason == "what was stored of it could not be read" })
  }
}
