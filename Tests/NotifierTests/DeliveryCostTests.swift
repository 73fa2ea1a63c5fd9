import Foundation
import NotifierLedger
import NotifierDelivery
import SequenceNotifications
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

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
    let store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
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
    let store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    let card = Card(id: UUID(), title: "Work", timing: .countdown(.seconds(10), advance: .automatic))
    let group = Group(rounds: .times(count), elements: [.card(card)])
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.group(group)], onSuspend: nil, onLock: nil))
    )
    let courier = TestCourier(of: store)
    try courier.takeOver()
    try courier.deliver()
    let before = store.database.instructionCount
    for _ in 0..<10 {
      clock.advance(by: .seconds(10))
      #expect(try !courier.deliver().isEmpty)
      #expect(try courier.nextWake() == clock.now().boot + .seconds(10) - courier.preparation)
      #expect(try !courier.hasNothingToWaitFor())
    }
    return store.database.instructionCount - before
  }
}
