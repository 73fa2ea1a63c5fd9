import Foundation
import NotifierLedger
import NotifierDelivery
import SequenceNotifications
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The cost of a delivery with many pending notifications.
struct DeliveryCostTests {
  @Test func `the cost of a delivery does not grow with the number of pending notifications`() throws {
    let few = try instructions(pending: 20)
    let many = try instructions(pending: 2000)
    #expect(few > 100, "something was counted")
    // A tree of two thousand entries is deeper than a tree of twenty.
    #expect(many < few + few / 4, "\(few) for few, \(many) for many")
  }

  @Test func `wall-clock notifications are not scanned when others are due`() throws {
    let few = try instructions(following: 20)
    let many = try instructions(following: 2000)
    #expect(few > 10, "something was counted")
    #expect(many < few + few / 4, "\(few) for few, \(many) for many")
  }

  /// Returns the number of SQLite instructions to find the next notification that does not follow the wall
  /// clock.
  private func instructions(following count: Int) throws -> Int {
    let directory = try TemporaryDirectory()
    let clock = ManualClock()
    let store = try OpenRunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    let requests = (0...count).map { number in
      NotificationRequest(
        NotificationIdentifier("a", "\(number)"), "\(number)",
        trigger: number < count
          ? .at(clock.now().wall.date + Double(10 + number)) : .after(.seconds(10 + number)))
    }
    try store.changeLedger { ledger throws(StoreError) in try ledger.add(requests, at: clock.now()) }
    let before = store.database.instructionCount
    for _ in 0..<10 {
      #expect(try store.ledger.nextFixed(after: clock.now())?.request.summary == "\(count)")
    }
    return store.database.instructionCount - before
  }

  /// Returns the number of SQLite instructions to deliver ten notifications.
  private func instructions(pending count: Int) throws -> Int {
    let directory = try TemporaryDirectory()
    let clock = ManualClock()
    let store = try OpenRunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    let card = Card(id: UUID(), title: "Work", timing: .countdown(.seconds(10), advance: .automatic))
    let group = Group(rounds: .times(count), elements: [.card(card)])
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.group(group)], onSuspend: nil, onLock: nil))
    )
    let courier = Courier(
      store: store.base, application: RunNotifications(store: store, onFailure: { Issue.record($0) }),
      process: 1)
    try courier.takeOver()
    try carryOut(courier, store)
    let before = store.database.instructionCount
    for _ in 0..<10 {
      clock.advance(by: .seconds(10))
      #expect(try carryOut(courier, store) > 0)
      #expect(try courier.nextWake() == clock.now().boot + .seconds(10) - courier.preparation)
      #expect(try !courier.hasNothingToWaitFor())
    }
    return store.database.instructionCount - before
  }

  /// Answers orders like a server, and returns the number of notifications shown.
  @discardableResult
  private func carryOut(_ courier: Courier, _ store: OpenRunStore) throws -> Int {
    let epoch = ServerEpoch(busID: "bus", owner: ":1.1")
    var shown = 0
    while let order = try courier.advance(settling: store) {
      switch order {
      case .callOff(let entry): try courier.receive(.notShown(entry: entry, .calledOff))
      case .probe, .startServer:
        let server = NotificationServer(epoch: epoch, name: "test", version: "1", capabilities: [])
        try courier.receive(.serverAvailable(server))
      case .status: Issue.record("a courier does not look")
      case .show(let entry, _, let notification):
        shown += 1
        try courier.receive(.shown(entry: entry, notification))
      case .close(let entry, _), .closeOnOtherBus(let entry, _, _): try courier.receive(.closed(entry: entry))
      }
    }
    return shown
  }
}
