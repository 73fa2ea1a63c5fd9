import Foundation
import NotificationLedger
import Notifier
import SequenceRunner
import TestSupport
import Testing

/// What the agent decides, on a manual clock and without a desktop.
struct CourierTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let courier: Courier
  private let epoch = ServerEpoch(busID: "bus", owner: ":1.1")

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    courier = Courier(store: store, process: 1)
  }

  private func start(_ seconds: Int...) throws {
    let cards = seconds.enumerated().map { index, seconds in
      SequenceElement.card(
        Card(id: UUID(), title: "Card \(index)", timing: .countdown(.seconds(seconds), advance: .automatic)))
    }
    _ = try store.start(try Timeline(SequenceDefinition(id: UUID(), title: "Test", elements: cards)))
  }

  private var server: NotificationServer {
    NotificationServer(epoch: epoch, name: "test", version: "1", capabilities: [])
  }

  /// Carries orders out as a server would that gives the numbers from `id` on.
  private func carryOut(_ orders: [DesktopOrder], from id: UInt32 = 1) throws {
    var id = id
    for order in orders {
      switch order {
      case .probe: _ = try courier.handle(.serverAvailable(server))
      case .show(let entry, _):
        _ = try courier.handle(.shown(entry: entry, ShownNotification(id: id, epoch: epoch)))
        id += 1
      case .close(let entry, _): _ = try courier.handle(.closed(entry: entry))
      }
    }
  }

  private func states() throws -> [LedgerEntry.State] {
    try store.ledger.entries(in: .allSequences).map(\.state)
  }

  private func summaries(_ orders: [DesktopOrder]) -> [String] {
    orders.compactMap { if case .show(_, let content) = $0 { content.summary } else { nil } }
  }

  @Test func `each end is shown once, at its time, and the older one goes`() throws {
    try start(10, 10, 10)
    try carryOut(courier.takeOver())
    #expect(try courier.advance().isEmpty)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(10))
    clock.advance(by: .seconds(10))
    let first = try courier.advance()
    #expect(summaries(first) == ["Card 1, 10s"])
    #expect(try courier.advance().isEmpty)
    try carryOut(first)
    clock.advance(by: .seconds(10))
    let second = try courier.advance()
    #expect(second.count == 2)
    try carryOut(second, from: 2)
    #expect(try states() == [.removed, .delivered, .pending])
  }

  @Test func `pausing leaves none pending and none on screen`() throws {
    try start(10, 10)
    clock.advance(by: .seconds(10))
    try carryOut(courier.advance())
    _ = try store.perform(.pause)
    try carryOut(courier.advance())
    #expect(try states() == [.removed, .cancelled])
    #expect(try courier.isAtRest())
  }

  @Test func `what is cancelled while it is being shown is taken away as soon as its number is known`() throws
  {
    try start(10, 10)
    clock.advance(by: .seconds(10))
    let shows = try courier.advance()
    _ = try store.perform(.stop)
    #expect(try courier.advance().isEmpty)
    try carryOut(shows)
    let closes = try courier.advance()
    #expect(closes.count == 1)
    try carryOut(closes)
    #expect(try courier.isAtRest())
  }

  @Test func `one that is more than 30 s late is missed, and one that is not is shown`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(40))
    #expect(try courier.advance().count == 1)
    try start2()
  }

  private func start2() throws {
    _ = try store.perform(.stop)
    try start(10, 100)
    clock.advance(by: .seconds(41))
    #expect(summaries(try courier.advance()).isEmpty)
    #expect(
      try store.ledger.entries(in: .allSequences).contains { $0.state == .missed && $0.reason == "31 s late" }
    )
  }

  @Test func `several that ran out during an absence become one that says where the run stands`() throws {
    try start(10, 10, 10, 1000)
    clock.advance(by: .seconds(100))
    let orders = try courier.advance()
    #expect(summaries(orders) == ["Now: Card 3"])
    try carryOut(orders)
    #expect(try states() == [.missed, .missed, .delivered, .pending])
  }

  @Test func `without a server nothing is lost until it is too late`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    guard case .show(let entry, _)? = try courier.advance().first else {
      Issue.record("nothing is shown")
      return
    }
    _ = try courier.handle(.notShown(entry: entry, .noServer))
    #expect(try courier.advance().isEmpty)
    #expect(try store.ledger.agentReport()?.desktop == .unavailable(reason: DesktopFailure.noServer.text))
    _ = try courier.handle(.serverChanged)
    #expect(try courier.advance().count == 1)
  }

  @Test func `without a server it is missed in the end, with the reason`() throws {
    try start(10, 100)
    _ = try courier.handle(.serverUnavailable(.noServer))
    clock.advance(by: .seconds(10))
    _ = try courier.handle(.serverUnavailable(.noServer))
    #expect(try courier.advance().isEmpty)
    let wake = try #require(try courier.nextWake())
    #expect(wake <= clock.now().boot + .seconds(31))
    clock.advance(by: .seconds(30.5))
    _ = try courier.handle(.serverUnavailable(.noServer))
    #expect(try courier.advance().isEmpty)
    #expect(try states() == [.missed, .pending])
    #expect(
      try store.ledger.entries(in: .allSequences).first?.reason?.contains("no notification server") == true)
  }

  @Test func `a new agent takes away what a dead one showed, and shows again what it may not have`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(10))
    try carryOut(courier.advance())
    clock.advance(by: .seconds(10))
    let lost = try courier.advance()
    #expect(summaries(lost) == ["Card 2, 1m40s"])
    let next = Courier(store: store, process: 2)
    _ = try next.takeOver()
    let orders = try next.advance()
    #expect(summaries(orders) == ["Card 2, 1m40s"])
    #expect(orders.count == 2)
  }

  @Test func `a notification of another server's life is never closed`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try carryOut(courier.advance())
    let other = NotificationServer(
      epoch: ServerEpoch(busID: "bus", owner: ":1.9"), name: "test", version: "1", capabilities: [])
    _ = try courier.handle(.serverAvailable(other))
    _ = try store.perform(.stop)
    #expect(try courier.advance().isEmpty)
    #expect(try states() == [.removed, .cancelled])
  }

  @Test func `clearing a card takes its own, and a reminder not those whose numbers begin alike`() throws {
    let ids = [UUID(), UUID()]
    let sequence = UUID()
    let goal = Goal(duration: .seconds(60), reminders: 12)
    let cards = [
      Card(id: ids[0], title: "A", timing: .countdown(.seconds(10), advance: .automatic)),
      Card(id: ids[1], title: "B", timing: .countUp(goal: goal)),
    ]
    _ = try store.start(
      try Timeline(SequenceDefinition(id: sequence, title: "T", elements: cards.map(SequenceElement.card))))
    let first = NotificationIdentifier.reminder(1, sequence: sequence, card: ids[1], rounds: [])
    try store.database.transaction {
      let cleared = try store.ledger.clear(NotificationScope(first), at: clock.now(), reason: "test")
      #expect(cleared.pending == 1)
      #expect(
        try store.ledger.clear(.card(ids[0], ofSequence: sequence), at: clock.now(), reason: "test").pending
          == 1)
    }
    let pending = try store.ledger.entries(in: .allSequences).filter { $0.state == .pending }
    #expect(pending.count == 11)
    #expect(pending.allSatisfy { $0.request.identifier.rawValue.contains(ids[1].uuidString) })
  }

  @Test func `pending reminders survive a restart of the machine, at the same moments`() throws {
    try start(100, 100)
    let before = try store.ledger.entries(in: .allSequences).map(\.request.due.wall)
    clock.advance(by: .seconds(10))
    clock.reboot(after: .seconds(20))
    #expect(try courier.advance().isEmpty)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(70))
    #expect(try store.ledger.entries(in: .allSequences).map(\.request.due.wall) == before)
  }
}
