import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequenceNotifications
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Runs with more notifications than are planned at a time.
struct HorizonTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let courier: TestCourier
  private let cards = [UUID(), UUID()]
  private let sequence = UUID()

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    courier = TestCourier(of: store)
  }

  /// Starts rounds of steps of equal length.
  @discardableResult
  private func start(rounds: Int, cards count: Int = 2, seconds: Int = 10) throws -> RunStatus {
    let elements = cards.prefix(count).enumerated().map { index, id in
      SequenceElement.card(
        Card(id: id, title: "Card \(index)", timing: .countdown(.seconds(seconds), advance: .automatic)))
    }
    return try store.start(
      try Timeline(
        SequenceDefinition(
          id: sequence, title: "Test", elements: [.group(Group(rounds: .times(rounds), elements: elements))],
          onSuspend: nil, onLock: nil)), RunStart(replacing: true))
  }

  private func entries(_ state: LedgerEntry.State = .pending) throws -> [LedgerEntry] {
    try store.ledger.entries(in: .allSequences).filter { $0.state == state }
  }

  /// When the pending notifications are due, in seconds from now.
  private func due() throws -> [Int64] {
    try entries().map { ($0.due.boot - clock.now().boot).components.seconds }
  }

  /// Delivers the notifications of some steps, each at its time; returns how many were shown.
  private func deliver(steps: Int) throws -> Int {
    var shown = 0
    for _ in 0..<steps {
      clock.advance(by: .seconds(10))
      shown += try courier.deliver().count
    }
    return shown
  }

  private func clear(_ scope: NotificationScope) throws -> Int {
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.clearPlanned(scope, at: clock.now()).pending
    }
  }

  @Test func `switching the sounds changes no notification, and planning goes on`() throws {
    try start(rounds: 200)
    clock.advance(by: .seconds(15))
    try courier.deliver()
    let before = try store.ledger.entries(in: .allSequences)
    let mark = try store.ledger.planningMarks().first
    _ = try store.perform(.playSounds(true))
    #expect(try store.ledger.entries(in: .allSequences) == before)
    #expect(try store.ledger.planningMarks().first == mark)
    let run = try #require(try store.settle().run)
    #expect(mark?.entry == (try store.database.activeJournalEntry(of: run.runID))?.entry.number)
  }

  @Test(arguments: [32, 50_000]) func `a command plans 64 notifications of a run of any length`(rounds: Int)
    throws
  {
    try start(rounds: rounds)
    #expect(try due() == (1...64).map { $0 * 10 })
    #expect(try store.ledger.planningMarks().first == nil || rounds > 32)
    clock.advance(by: .seconds(5))
    _ = try store.perform(.next)
    #expect(try entries().count == min(64, rounds * 2 - 1))
    _ = try store.perform(.pause)
    #expect(try entries().isEmpty)
    #expect(try store.ledger.planningMarks().first == nil)
    _ = try store.perform(.resume())
    #expect(try due().first == 10)
    #expect(try entries().count == min(64, rounds * 2 - 1))
  }

  @Test func `the delivery that leaves fewer than 32 plans more, and each is shown once`() throws {
    try start(rounds: 100)
    #expect(try deliver(steps: 32) == 32)
    #expect(try entries().count == 32)
    clock.advance(by: .seconds(10))
    let (entry, _, shown) = try courier.nextShow()
    // A turn continues before it delivers.
    #expect(try entries().count == 64)
    try courier.receive(.shown(entry: entry, shown))
    #expect(try entries().count == 64)
    #expect(try due() == (1...64).map { $0 * 10 })
    #expect(try deliver(steps: 167) == 167)
    #expect(try entries().isEmpty && store.ledger.planningMarks().first == nil)
    #expect(try entries(.removed).count + entries(.delivered).count == 200)
  }

  @Test func `the transaction that records a delivery plans more`() throws {
    try start(rounds: 100)
    #expect(try deliver(steps: 32) == 32)
    clock.advance(by: .seconds(10) - courier.preparation)
    let (entry, content, shown) = try courier.nextShow()
    #expect(content.due > clock.now().boot)
    #expect(try entries().count == 31)
    clock.advance(by: courier.preparation)
    try courier.receive(.shown(entry: entry, shown))
    #expect(try entries().count == 64)
  }

  @Test func `an agent that was killed between a delivery and the planning of more is continued`() throws {
    try start(rounds: 100)
    #expect(try deliver(steps: 32) == 32)
    clock.advance(by: .seconds(10) - courier.preparation)
    let (entry, _, shown) = try courier.nextShow()
    clock.advance(by: courier.preparation)
    let prepared = try #require(try store.ledger.entry(entry))
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.deliver(prepared, as: shown, at: clock.now().wall)
    }
    #expect(try entries().count == 31)
    let next = TestCourier(of: store, process: 2)
    try next.takeOver()
    try next.deliver()
    #expect(try due() == (1...64).map { $0 * 10 })
  }

  @Test func `planning waits while one is prepared, and that one is shown once`() throws {
    let small = try RunStore.withNotifications(
      in: StateDirectory(path: directory.path), clock: clock, horizon: PlanningHorizon(2))
    let courier = TestCourier(of: small, horizon: PlanningHorizon(2), preparation: .seconds(12))
    let card = SequenceElement.card(
      Card(id: cards[0], title: "Card", timing: .countdown(.seconds(10), advance: .automatic)))
    _ = try small.start(
      try Timeline(
        SequenceDefinition(
          id: sequence, title: "Test", elements: [.group(Group(rounds: 10, elements: [card]))],
          onSuspend: nil, onLock: nil)))
    try courier.takeOver()
    let (first, _, shown) = try courier.nextShow()
    clock.advance(by: .seconds(10))
    try courier.receive(.shown(entry: first, shown))
    let (second, content, place) = try courier.nextShow()
    #expect(content.due == clock.now().boot + .seconds(10))
    // The time to plan more comes while the second one waits for its own.
    clock.advance(by: .seconds(10))
    #expect(try courier.advance() == nil)
    #expect(try courier.nextWake() == nil && due().isEmpty)
    try courier.receive(.shown(entry: second, place))
    #expect(try due() == [10, 20])
    let names = try small.ledger.entries(in: .allSequences).map(\.request.identifier)
    #expect(Set(names).count == names.count)
  }

  @Test func `clearing a card inside the horizon also holds beyond it, until the next command`() throws {
    try start(rounds: 200)
    #expect(try clear(.card(cards[0], ofSequence: sequence)) == 32)
    #expect(try entries().count == 32)
    #expect(try deliver(steps: 200) == 100)
    #expect(try entries().allSatisfy { $0.request.identifier.rawValue.contains(cards[1].uuidString) })
    #expect(try due().first == 20)
    _ = try store.perform(.restart)
    #expect(try due() == (1...64).map { $0 * 10 })
    #expect(try deliver(steps: 100) == 100)
  }

  @Test func `a card beyond the horizon can be cleared`() throws {
    let second = SequenceElement.card(
      Card(id: cards[1], title: "Second", timing: .countdown(.seconds(10), advance: .automatic)))
    let first = SequenceElement.card(
      Card(id: cards[0], title: "First", timing: .countdown(.seconds(10), advance: .automatic)))
    let last = SequenceElement.card(Card("Last", .countdown(.seconds(10))))
    _ = try store.start(
      try Timeline(
        SequenceDefinition(
          id: sequence, title: "Test",
          elements: [
            .group(Group(rounds: 100, elements: [first])), second, .group(Group(rounds: 2, elements: [last])),
          ], onSuspend: nil, onLock: nil)))
    #expect(try clear(.card(cards[1], ofSequence: sequence)) == 0)
    #expect(try deliver(steps: 100) == 100)
    #expect(try deliver(steps: 1) == 0)
    #expect(try deliver(steps: 2) == 2)
    #expect(try entries().isEmpty)
  }

  @Test func `clearing a sequence ends its plan, and clearing all but its end leaves an agent waiting`()
    throws
  {
    try start(rounds: 200, cards: 1)
    #expect(try clear(.sequence(sequence)) == 64)
    #expect(try courier.deliver().isEmpty)
    #expect(try courier.hasNothingToWaitFor())
    try start(rounds: 200, cards: 1)
    #expect(try clear(.card(cards[0], ofSequence: sequence)) == 64)
    #expect(try courier.deliver().isEmpty)
    #expect(try !courier.hasNothingToWaitFor())
    // The agent wakes to continue, although nothing is due.
    while try store.ledger.planningMarks().first != nil {
      let wake = try #require(try courier.nextWake())
      #expect(wake > clock.now().boot)
      clock.advance(by: wake - clock.now().boot)
      #expect(try courier.deliver().isEmpty)
    }
    #expect(try entries().map { event(of: $0.request) } == [.runEnd])
  }

  @Test func `after a long sleep one notification stands for all, and its button acts on the current step`()
    throws
  {
    try start(rounds: 200, seconds: 60)
    try courier.deliver()
    clock.advance(by: .seconds(6045))
    let shown = try courier.deliver()
    #expect(shown.map(\.summary) == ["Now: Card 0, 1m"])
    #expect(shown.first?.body.hasSuffix("101 of 400 · 100 steps ended meanwhile") == true)
    #expect(try due() == (0..<64).map { $0 * 60 + 15 })
    #expect(try entries(.missed).count == 64)
    let onScreen = try #require(try entries(.delivered).first)
    try courier.receive(.actionInvoked(try #require(onScreen.shown), key: "skip"))
    #expect(try store.settle().run?.log.count == 101)
    #expect(try due() == (1...64).map { $0 * 60 })
  }

  @Test func `a mark in the past leaves out a cleared card`() throws {
    try start(rounds: 200, seconds: 60)
    try courier.deliver()
    _ = try clear(.card(cards[1], ofSequence: sequence))
    clock.advance(by: .seconds(6045))
    // The last one that isn't cleared announced a step that has ended, too.
    #expect(try courier.deliver().isEmpty)
    let last = try #require(try entries(.missed).last)
    #expect(last.request.identifier.rawValue.contains(cards[0].uuidString))
    #expect(last.unlisted == 66)
  }

  @Test func `the end of a run is shown, even if it was beyond the horizon`() throws {
    try start(rounds: 200)
    try courier.deliver()
    clock.advance(by: .seconds(4000))
    #expect(try courier.deliver().map(\.summary) == ["Test is finished"])
    #expect(try store.ledger.planningMarks().first == nil)
    try start(rounds: 200)
    try courier.deliver()
    clock.advance(by: .seconds(4100))
    #expect(try store.settle().run == nil)
    #expect(try entries().last?.unlisted == 335)
    #expect(try courier.deliver().map(\.summary) == ["Test is finished"])
  }

  @Test func `after a reboot the mark moves on, and what was shown or cleared does not return`() throws {
    try start(rounds: 200)
    #expect(try deliver(steps: 10) == 10)
    _ = try clear(.card(cards[1], ofSequence: sequence))
    clock.advance(by: .seconds(5))
    clock.reboot(after: .seconds(10))
    _ = try store.settle()
    let before = try #require(try store.ledger.planningMarks().first)
    #expect(before.time == .seconds(640 - 115))
    let entry = try #require(try store.database.activeJournalEntry(of: before.runID)).entry
    #expect(before.entry == entry.number && entry.kind == .anchor)
    let next = TestCourier(of: store, process: 2)
    try next.takeOver()
    try next.deliver()
    #expect(try due() == (0..<26).map { $0 * 20 + 15 })
    var shown = 0
    for _ in 0..<100 {
      clock.advance(by: .seconds(10))
      shown += try next.deliver().count
    }
    #expect(shown == 50)
    #expect(
      try store.ledger.clearedScopes(of: #require(store.settle().run).runID) == [
        .card(cards[1], ofSequence: sequence)
      ])
  }

  @Test(.timeLimit(.minutes(1))) func `a cleared endless run stays cleared after a reboot`() throws {
    let card = Card(id: cards[0], title: "A", timing: .countdown(.seconds(10), advance: .automatic))
    let group = Group(rounds: .forever, elements: [.card(card)])
    _ = try store.start(
      try Timeline(
        SequenceDefinition(
          id: sequence, title: "Test", elements: [.group(group)], onSuspend: nil, onLock: nil)))
    #expect(try clear(.sequence(sequence)) == 64)
    clock.reboot(after: .seconds(15))
    #expect(try store.settle().run?.log.count == 1)
    #expect(try entries().isEmpty)
  }

  @Test func `a reboot that lasts beyond the mark leaves one notification for those in between`() throws {
    try start(rounds: 200, seconds: 60)
    try courier.deliver()
    clock.reboot(after: .seconds(6045))
    _ = try store.settle()
    let next = TestCourier(of: store, process: 2)
    try next.takeOver()
    let shown = try next.deliver()
    #expect(shown.map(\.summary) == ["Now: Card 0, 1m"])
    #expect(shown.first?.body.hasSuffix("100 steps ended meanwhile") == true)
    #expect(try due() == (0..<64).map { $0 * 60 + 15 })
  }

  @Test func `later notifications are listed from the agenda, without the cleared ones`() throws {
    try start(rounds: 200)
    let all = try store.laterNotifications(in: [.allSequences], atMost: 64)
    #expect(
      try all.requests.map { (try #require($0.due).boot - clock.now().boot).components.seconds }
        == (65...128).map { $0 * 10 })
    #expect(all.hasMore)
    #expect(try entries().count == 64)
    _ = try clear(.card(cards[1], ofSequence: sequence))
    let left = try store.laterNotifications(in: [.sequence(sequence)], atMost: 500)
    #expect(left.requests.count == 169 && !left.hasMore)
    #expect(try store.laterNotifications(in: [.sequence(UUID())], atMost: 64).requests.isEmpty)
    _ = try store.perform(.pause)
    #expect(try store.laterNotifications(in: [.allSequences], atMost: 64).requests.isEmpty)
  }

  @Test func `commands cost the same for any number of steps and of notifications that have ended`() throws {
    try start(rounds: 64)
    let few = try instructions()
    try start(rounds: 50_000)
    let many = try instructions()
    #expect(few > 1000, "something was counted")
    #expect(many < few + few / 10, "\(few) for few, \(many) for many")
    let requests = try (0..<1000).map { number in
      NotificationRequest(
        identifier: try #require(
          NotificationIdentifier(rawValue: "sequence.\(sequence).card.\(UUID()).round.\(number).countdown")),
        summary: "", due: clock.now().advanced(by: .seconds(1)))
    }
    try store.changeLedger { ledger throws(StoreError) in try ledger.add(requests, at: clock.now()) }
    _ = try store.perform(.pause)
    _ = try store.perform(.resume())
    let full = try instructions()
    // Keeping the last thousand reads an index of them.
    #expect(full < many + 40_000, "\(many) without, \(full) with")
  }

  /// Returns the number of SQLite instructions of some commands.
  private func instructions() throws -> Int {
    let before = store.database.instructionCount
    for command in [RunCommand.pause, .resume(), .next, .skip, .extend(.seconds(5)), .restart, .back] {
      _ = try store.perform(command)
    }
    return store.database.instructionCount - before
  }
}
