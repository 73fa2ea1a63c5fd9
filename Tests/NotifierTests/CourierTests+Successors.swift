import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// An agent after one that died.
extension CourierTests {
  @Test func `what is shown again keeps the time at which it was due`() throws {
    try passFirst(10, 1000)
    let due = clock.now().wall
    try courier.carryAllOut()
    clock.advance(by: .seconds(500))
    let next = try successor()
    #expect(summaries(try next.carryAllOut()) == ["Card 1, 16m40s"])
    let again = try #require(try store.ledger.live().first { $0.withdrawal == nil })
    #expect(again.due.wall == due)
    #expect(!again.request.body.contains(" at "))
  }

  @Test func `a new agent replaces a dead agent's notification, because its buttons no longer work`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(20))
    try courier.carryAllOut()
    let shown = try visible()
    let next = try successor()
    let orders = try next.carryAllOut()
    #expect(summaries(orders) == ["Card 2, 1m40s"])
    #expect(orders.contains { if case .show(_, _, let asked) = $0 { asked == shown } else { false } })
    #expect(try states() == [.missed, .removed, .delivered, .pending])
    #expect(try store.ledger.live().count == 1)
  }

  @Test(arguments: [CloseReason.dismissed, .expired, .undefined])
  func `a notification that the server closes before a new agent repeats it is not repeated`(
    reason: CloseReason
  ) throws {
    let next = agent(RecordingApplication(), process: 2)
    try add(("one", 0))
    try courier.carryAllOut()
    let shown = try visible()
    try next.takeOver()
    try next.receive(.closedByServer(shown, reason))
    #expect(summaries(try next.carryAllOut()).isEmpty)
    #expect(try choices() == (reason == .dismissed ? [.dismissed] : []))
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a button that is pressed before a new agent repeats the notification still works`() throws {
    let next = agent(RecordingApplication(), process: 2)
    try add(("one", 0))
    try courier.carryAllOut()
    let entry = try #require(try store.ledger.live().first)
    let shown = try #require(entry.shown)
    try next.takeOver()
    try next.receive(.actionInvoked(shown, key: "yes"))
    try next.receive(.closedByServer(shown, .dismissed))
    #expect(summaries(try next.carryAllOut()).isEmpty)
    #expect(try choices() == [.action(key: "yes")])
    #expect(try store.ledger.entry(entry.number)?.response == .action(key: "yes"))
  }

  @Test(arguments: [true, false])
  func `a new agent repeats silently only notifications whose display was confirmed`(isConfirmed: Bool) throws
  {
    try add(("one", 0))
    let first = try courier.nextShow()
    #expect(!first.content.isSilent)
    if isConfirmed { try courier.receive(.shown(entry: first.entry, first.shown)) }
    // A confirmed display stays confirmed, whatever happens to its repetitions.
    for process: Int32 in 2...3 {
      let next = agent(RecordingApplication(), process: process)
      try next.takeOver()
      #expect(try next.advance() == .probe)
      try next.receive(.serverAvailable(server))
      guard case .show(_, let content, _) = try next.advance() else {
        throw TestSupportError("nothing is shown")
      }
      #expect(content.isSilent == isConfirmed)
    }
  }

  @Test func `a new agent does not show a dead agent's notification in place of a newer one`() throws {
    try start([.countdown(.seconds(10), advance: .automatic), .countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    #expect(summaries(try courier.carryAllOut()) == ["Card 1, 10s"])
    clock.advance(by: .seconds(15))
    let next = try successor()
    #expect(summaries(try next.carryAllOut()) == ["Card 1: time is up"])
    #expect(try states() == [.removed, .delivered])
  }

  @Test func `a new agent removes outdated notifications of a dead agent`() throws {
    try passFirst(10, 100)
    try courier.carryAllOut()
    clock.advance(by: .seconds(90_000))
    let next = try successor()
    _ = try store.settle()
    let orders = try next.carryAllOut()
    #expect(orders.contains { if case .close = $0 { true } else { false } })
    #expect(try store.ledger.live().isEmpty)
  }

  @Test func `a notification possibly shown when the agent died is shown again under the same id`() throws {
    try passFirst(10, 100)
    let lost = try courier.nextShow()
    let next = try successor()
    let orders = try next.carryAllOut()
    #expect(
      orders.contains { if case .show(_, _, let shown) = $0 { shown == lost.shown } else { false } })
    #expect(!orders.contains { if case .close = $0 { true } else { false } })
    #expect(try states() == [.removed, .delivered, .pending])
    _ = try store.perform(.stop)
    try next.carryAllOut()
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a notification possibly shown when the agent died is removed if the run was stopped`() throws {
    try passFirst(10, 100)
    let lost = try courier.nextShow()
    _ = try store.perform(.stop)
    let next = try successor()
    #expect(try next.carryAllOut() == [.probe, .close(entry: lost.entry, lost.shown)])
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a notification on a former bus is gone, and shown again if it is still news`() throws {
    try passFirst(10, 100)
    try courier.carryAllOut()
    let next = try successor()
    #expect(try next.advance() == .probe)
    try next.receive(.serverAvailable(TestCourier.server(ServerEpoch(busID: "other", owner: ":1.1"))))
    #expect(try entries().first?.state == .removed)
    let orders = try next.carryAllOut()
    #expect(summaries(orders) == ["Card 1, 1m40s"])
    #expect(!orders.contains { if case .close = $0 { true } else { false } })
  }

  @Test func `an end that waits is shown once the clock of a boot is right`() throws {
    try passFirst(10)
    _ = try store.settle()
    // Without a battery, the clock begins in the past.
    clock.reboot(after: .seconds(-365 * 86_400))
    let next = try successor()
    #expect(summaries(try next.carryAllOut()).isEmpty)
    clock.setWall(by: .seconds(365 * 86_400 + 60))
    try next.clockWasSet()
    #expect(summaries(try next.carryAllOut()) == ["Test is finished"])
  }

  @Test func `a cancelled pending notification keeps its reason`() throws {
    try passFirst(10, 1000)
    let lost = try courier.nextShow()
    let next = try successor()
    #expect(try next.advance() == .probe)
    try next.receive(.serverAvailable(server))
    guard case .show(let entry, _, _) = try next.advance() else {
      throw TestSupportError("nothing is shown")
    }
    #expect(entry != lost.entry)
    try next.receive(.notShown(entry: entry, .calledOff))
    #expect(
      try store.ledger.entry(entry)?.reason?.sentence == "shown again: the program that showed it ended")
  }

  /// Takes over from an agent that died when a notification was to replace an older one, with the same id.
  func successorOverOlder() throws -> (
    agent: TestCourier, older: LedgerEntry, shown: ShownNotification
  ) {
    let (older, newer) = try preparedOverOlder(last: .countUp(goal: nil))
    clock.advance(by: newer.content.due - clock.now().boot)
    let next = try successor()
    return (next, older, newer.shown)
  }

  @Test(arguments: [CloseReason.dismissed, .expired, .undefined])
  func `closing a notification that a dead agent was replacing does not lose the newer one`(
    reason: CloseReason
  ) throws {
    let (next, older, shown) = try successorOverOlder()
    try next.receive(.closedByServer(shown, reason))
    #expect(try store.ledger.entry(older.number)?.state == .removed)
    #expect(summaries(try next.carryAllOut()) == ["Card 2"])
  }

  @Test(arguments: ["pause", "skip"])
  func `a button of a notification that a dead agent was replacing does not act on the next step`(key: String)
    throws
  {
    let (next, older, shown) = try successorOverOlder()
    try next.receive(.actionInvoked(shown, key: key))
    let run = try #require(try store.settle().run)
    #expect(!run.isPaused)
    #expect(run.log.count == 2)
    let withdrawal = try #require(try store.ledger.entry(older.number)?.withdrawal)
    #expect("\(withdrawal)".contains(key.capitalized))
    #expect(summaries(try next.carryAllOut()) == ["Card 2"])
  }

  @Test func `a button that only the newer notification has acts although its agent died`() throws {
    let (next, _, shown) = try successorOverOlder()
    try next.receive(.actionInvoked(shown, key: "done"))
    #expect(try store.settle().run == nil)
    #expect(summaries(try next.carryAllOut()).isEmpty)
  }
}
