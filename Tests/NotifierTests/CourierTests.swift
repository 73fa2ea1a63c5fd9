import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequencePresentation
import SequenceNotifications
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The agent's decisions, with a manual clock and without a desktop.
struct CourierTests {
  let clock = ManualClock()
  let directory: TemporaryDirectory
  let store: RunStore
  let courier: TestCourier
  let epoch = TestCourier.epoch

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    courier = TestCourier(of: store)
  }

  func agent(_ process: Int32) -> TestCourier { TestCourier(of: store, process: process) }

  func agent(_ application: RecordingApplication, process: Int32 = 1) -> TestCourier {
    let courier = Courier(
      store: store.base, responder: application, latestDelivery: .seconds(3600), process: process)
    return TestCourier(courier) { Turn(reading: clock.now(), presenter: application) }
  }

  func start(_ seconds: Int...) throws { try start(seconds) }

  func start(_ seconds: [Int]) throws {
    try start(seconds.map { Timing.countdown(.seconds($0), advance: .automatic) })
  }

  func start(_ timings: [Timing]) throws {
    try start(timings.enumerated().map { Card(id: UUID(), title: "Card \($0)", timing: $1) })
  }

  func start(_ cards: [Card], onSuspend: SuspendPolicy? = nil) throws {
    _ = try store.start(
      try Timeline(
        SequenceDefinition(
          id: UUID(), title: "Test", elements: cards.map(SequenceElement.card), onSuspend: onSuspend,
          onLock: nil)))
  }

  /// Starts a run, and passes the time up to the end of its first step.
  func passFirst(_ seconds: Int...) throws {
    try start(seconds)
    clock.advance(by: .seconds(seconds[0]))
  }

  /// Another agent, after this one was killed.
  func successor() throws -> TestCourier {
    let next = agent(2)
    try next.takeOver()
    return next
  }

  /// Lets another server take the place of the one that was there.
  func changeServer() throws {
    try courier.receive(.serverChanged)
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
  }

  func visible() throws -> ShownNotification {
    try #require(try store.ledger.live().first?.shown)
  }

  let server = TestCourier.server()

  let other = ServerEpoch(busID: "bus", owner: ":1.9")

  func states() throws -> [LedgerEntry.State] {
    try store.ledger.entries(in: .allSequences).map(\.state)
  }

  func entries() throws -> [LedgerEntry] { try store.ledger.entries(in: .allSequences) }

  func summaries(_ orders: [DesktopOrder]) -> [String] {
    orders.compactMap { if case .show(_, let content, _) = $0 { content.summary } else { nil } }
  }

  @Test func `a notification that an empty index doesn't find is shown after a repair`() throws {
    try passFirst(10, 60)
    try store.database.execute(
      """
      CREATE TABLE other (tag TEXT, boot_id TEXT, due_boot INTEGER);
      CREATE INDEX empty ON other (tag, boot_id, due_boot);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'empty')
        WHERE name = 'notification_due_in_tag';
      """)
    let next = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    #expect(try TestCourier(of: next).carryAllOut().contains { if case .show = $0 { true } else { false } })
    #expect(next.notices.count == 1)
  }

  @Test func `each step end is shown once, on time, and replaces the previous one`() throws {
    try start(10, 10, 10)
    try courier.takeOver()
    #expect(try courier.carryAllOut() == [.probe])
    #expect(try courier.nextWake() == clock.now().boot + .seconds(10) - courier.preparation)
    clock.advance(by: .seconds(10))
    let first = try courier.nextShow()
    #expect(first.content.summary == "Card 1, 10s")
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: first.entry, first.shown))
    clock.advance(by: .seconds(10))
    let second = try courier.nextShow()
    #expect(second.shown == first.shown)
    try courier.receive(.shown(entry: second.entry, second.shown))
    #expect(try courier.carryAllOut().isEmpty)
    #expect(try states() == [.removed, .delivered, .pending])
    #expect(try entries().map { $0.reason?.sentence } == ["a newer one took its place", nil, nil])
  }

  @Test func `beside another run, a notification names its sequence, unless its summary does`() throws {
    func start(_ title: String, _ card: String, _ source: RunSource) throws {
      let cards = [card, "Then"].map {
        SequenceElement.card(
          Card(id: UUID(), title: $0, note: "Slowly", timing: .countdown(.seconds(10), advance: .automatic)))
      }
      let definition = SequenceDefinition(
        id: UUID(), title: title, elements: cards, onSuspend: nil, onLock: nil)
      _ = try store.start(try Timeline(definition), RunStart(source: source))
    }
    try start("Yoga", "Warm up", .file)
    clock.advance(by: .seconds(5))
    try start("Tea", "Steep", .timer)
    var orders: [DesktopOrder] = []
    for _ in 1...3 {
      clock.advance(by: .seconds(5))
      orders += try courier.carryAllOut()
    }
    let contents = orders.compactMap { if case .show(_, let content, _) = $0 { content } else { nil } }
    #expect(
      contents.map(\.body) == [
        "Warm up is over · step 2 of 2 · Yoga\nSlowly", "Steep is over · step 2 of 2 · Tea\nSlowly",
        "Then is over · 2 steps done",
      ])
    #expect(contents.last?.summary == "Yoga is finished")
  }

  @Test func `if the server assigns a new id instead of replacing, the old notification is removed`() throws {
    try passFirst(10, 10, 10)
    let first = try courier.nextShow()
    try courier.receive(.shown(entry: first.entry, ShownNotification(id: 7, epoch: epoch)))
    clock.advance(by: .seconds(10))
    let second = try courier.nextShow()
    #expect(second.shown.id == 7)
    try courier.receive(.shown(entry: second.entry, ShownNotification(id: 8, epoch: epoch)))
    #expect(try courier.carryAllOut() == [.close(entry: first.entry, ShownNotification(id: 7, epoch: epoch))])
    #expect(try states() == [.removed, .delivered, .pending])
  }

  @Test func `pausing leaves no pending and no visible notification`() throws {
    try passFirst(10, 10)
    try courier.carryAllOut()
    _ = try store.perform(.pause)
    try courier.carryAllOut()
    #expect(try states() == [.removed, .cancelled])
    #expect(try courier.hasNothingToWaitFor())
  }

  @Test func `notifications are purged in the order of their ends, not of their planning`() throws {
    func add(_ name: String) throws {
      let identifier = try #require(NotificationIdentifier(rawValue: name))
      try store.ledger.add(
        [NotificationRequest(identifier: identifier, summary: name, due: clock.now())], at: clock.now())
    }
    func cancel(_ name: String) throws {
      let identifier = try #require(NotificationIdentifier(rawValue: name))
      _ = try store.ledger.clearPlanned(NotificationScope(identifier), at: clock.now())
    }
    try ["planned.first", "ended.first", "ended.next"].forEach(add)
    for name in ["ended.first", "ended.next", "planned.first"] {
      clock.advance(by: .seconds(1))
      try cancel(name)
    }
    try store.ledger.prune(keeping: 2)
    let left = try store.ledger.entries(in: .everything).map(\.request.summary)
    #expect(Set(left) == ["planned.first", "ended.next"])
  }

  @Test func `a long-running courier purges old notifications without any command`() throws {
    let due = clock.now()
    let requests = try (0..<1200).map { number in
      NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: "a.\(number)")), tag: "a",
        summary: "\(number)", due: due)
    }
    try store.database.transaction { () throws(StoreError) in try store.ledger.add(requests, at: due) }
    try courier.carryAllOut()
    #expect(try store.ledger.entries(in: .everything).count == 1200)
    for _ in 0..<Courier.pruneInterval {
      try courier.receive(.closedByServer(ShownNotification(id: 1, epoch: epoch), .expired))
    }
    #expect(try courier.advance() == nil)
    let left = try store.ledger.entries(in: .everything)
    #expect(left.count { $0.state == .missed } == 1000)
    #expect(left.count { $0.state == .delivered } == 1)
  }

  @Test(arguments: [RunCommand.pause, .next, .stop])
  func `a notification cancelled while it is being shown is removed as soon as its id is known`(
    command: RunCommand
  ) throws {
    try passFirst(10, 10, 100)
    let show = try courier.nextShow()
    _ = try store.perform(command)
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: show.entry, show.shown))
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, show.shown)])
    #expect(try store.ledger.live().isEmpty)
  }

  @Test(arguments: [(40, false), (41, true)])
  func `a notification that is still true more than 30 s later is shown with its time`(
    after seconds: Int, isLate: Bool
  ) throws {
    try start(10, 100)
    let time = LocalTime.clock(of: clock.now().wall.advanced(by: .seconds(10)), now: clock.now().wall)
    clock.advance(by: .seconds(seconds))
    let content = try courier.nextShow().content
    #expect(content.summary == "Card 1, 1m40s")
    #expect(content.body == "Card 0 is over · step 2 of 2" + (isLate ? " · at \(time)" : ""))
  }

  @Test func `a step that waits is told however late`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(90 * 86_400))
    let content = try courier.nextShow().content
    #expect(content.summary == "Card 0: time is up")
    #expect(content.body.contains(#/ · at [0-9:]{5} on /#))
  }

  @Test(arguments: [(86_400, true), (86_401, false)])
  func `the end of a run is told for a day`(late: Int, isShown: Bool) throws {
    try start(10)
    clock.advance(by: .seconds(10 + late))
    #expect(summaries(try courier.carryAllOut()) == (isShown ? ["Test is finished"] : []))
    #expect(try entries()[0].reason?.sentence == (isShown ? nil : "86401 s late"))
  }

  @Test func `the end of a run is not told once the sequence is started again, and not in another's words`()
    throws
  {
    try start(10, 10)
    let first = try #require(try store.settle().run)
    clock.advance(by: .seconds(3600))
    _ = try store.settle()
    // Another sequence.
    try start(1000)
    #expect(summaries(try courier.carryAllOut()) == ["Test is finished"])
    _ = try store.perform(.stop)
    #expect(try courier.carryAllOut().isEmpty)
    _ = try store.start(first.timeline)
    clock.advance(by: .seconds(3600))
    _ = try store.settle()
    _ = try store.start(first.timeline)
    #expect(try courier.carryAllOut().allSatisfy { if case .show = $0 { false } else { true } })
  }

  @Test func `runs that end one after the other without an agent are each told once, with title and time`()
    throws
  {
    func start(_ title: String, _ timings: Timing...) throws {
      let cards = timings.map { SequenceElement.card(Card(id: UUID(), title: "Card", timing: $0)) }
      _ = try store.start(
        try Timeline(
          SequenceDefinition(id: UUID(), title: title, elements: cards, onSuspend: nil, onLock: nil)))
    }
    var ends: [String] = []
    func pass(_ seconds: Int, endingAfter step: Int) throws {
      let end = clock.now().wall.advanced(by: .seconds(step))
      ends.append(LocalTime.clock(of: end, now: end))
      clock.advance(by: .seconds(seconds))
      #expect(try store.settle().run == nil)
    }
    let timed = Timing.countdown(.seconds(5), advance: .automatic)
    try start("A", .countdown(.seconds(10), advance: .manual), timed, timed)
    try courier.takeOver()
    try courier.carryAllOut()
    // The agent is killed here.
    clock.advance(by: .seconds(10))
    _ = try store.perform(.next)
    try pass(40, endingAfter: 10)
    for title in ["B", "C"] {
      try start(title, timed, timed)
      try pass(70, endingAfter: 10)
    }
    let next = try successor()
    var shown: [String] = []
    for order in try next.carryAllOut() {
      guard case .show(_, let content, _) = order else { continue }
      shown.append("\(content.summary), \(content.body.suffix(8))")
    }
    #expect(shown == zip(["A", "B", "C"], ends).map { "\($0) is finished, at \($1)" })
    #expect(try store.ledger.live().count == 3)
    try start("D", timed, timed)
    clock.advance(by: .seconds(5))
    #expect(summaries(try next.carryAllOut()).count == 1)
    _ = try store.perform(.stop)
    try next.carryAllOut()
    #expect(
      try Set(store.ledger.live().map(\.request.summary)) == [
        "A is finished", "B is finished", "C is finished",
      ])
  }

  @Test func `an end that counting a suspend puts into the past is told`() throws {
    let card = Card(id: UUID(), title: "A", timing: .countdown(.seconds(100), advance: .automatic))
    try start([card], onSuspend: .ask)
    clock.advance(by: .seconds(10))
    clock.reboot(after: .seconds(600))
    try courier.takeOver()
    #expect(summaries(try courier.carryAllOut()) == ["A is paused. Count that time?"])
    clock.advance(by: .seconds(5))
    _ = try store.perform(.resume(countingSuspend: true))
    let content = try courier.nextShow().content
    #expect(content.summary == "Test is finished")
    #expect(content.body.contains(" · at "))
  }

  @Test func `the note of a card is the last line of its notification`() throws {
    let timing = Timing.countdown(.seconds(10), advance: .automatic)
    let cards = [
      Card(id: UUID(), title: "Sear", timing: timing),
      Card(id: UUID(), title: "Roast", note: "Turn down\nto 160 °C", timing: timing),
    ]
    try start(cards)
    clock.advance(by: .seconds(10))
    #expect(try courier.nextShow().content.body == "Sear is over · step 2 of 2\nTurn down to 160 °C")
  }

  @Test func `several step ends during a suspend become one notification with the current state`() throws {
    try start(10, 10, 10, 1000)
    clock.advance(by: .seconds(100))
    let content = try courier.nextShow().content
    #expect(content.summary == "Now: Card 3, 16m40s")
    #expect(content.body == "Card 2 is over · step 4 of 4 · 3 steps ended meanwhile")
    #expect(try states() == [.missed, .missed, .presenting, .pending])
    #expect(try entries()[0].reason?.sentence.description.hasPrefix("merged into sequence.") == true)
  }

  @Test func `of two hundred notifications due at once one is shown and the others are accounted for`() throws
  {
    try start(Array(repeating: 1, count: 200) + [1000])
    clock.advance(by: .seconds(200))
    #expect(summaries(try courier.carryAllOut()).count == 1)
    let delivered = try #require(try entries().first { $0.state == .delivered })
    #expect(delivered.unlisted == 199)
    #expect(try states().count { $0 == .delivered } == 1)
  }

  @Test func `a restarted sequence shows its step ends even if they were planned before`() throws {
    try start(10, 10, 1000)
    let run = try #require(try store.settle().run)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    _ = try store.perform(.stop)
    _ = try store.start(run.timeline)
    try courier.carryAllOut()
    for _ in 0..<2 {
      clock.advance(by: .seconds(10))
      #expect(summaries(try courier.carryAllOut()).count == 1)
      #expect(try store.ledger.live().count { $0.state == .delivered && $0.withdrawal == nil } == 1)
    }
    _ = try store.perform(.back)
    for _ in 0..<2 {
      try courier.carryAllOut()
      clock.advance(by: .seconds(10))
    }
    #expect(try store.ledger.live().count <= 1)
  }

  @Test func `restarting a step while its end is visible shows the next end and keeps it visible`()
    throws
  {
    try passFirst(10, 10, 1000)
    try courier.carryAllOut()
    _ = try store.perform(.back)
    clock.advance(by: .seconds(10))
    #expect(summaries(try courier.carryAllOut()) == ["Card 1, 10s"])
    clock.advance(by: .seconds(10))
    let orders = try courier.carryAllOut()
    #expect(summaries(orders) == ["Card 2, 16m40s"])
    #expect(orders.count == 1)
    #expect(try store.ledger.live().map(\.request.summary) == ["Card 2, 16m40s"])
  }

  @Test func `while a live display has the focus nothing is shown, and the reason is recorded`() throws {
    try start(10, 10, 100)
    do {
      let display = try FileLock(path: directory.path + "/foreground.lock")
      let run = try #require(try store.settle().run)
      #expect(try display.share(DisplayedRuns.region(of: run.runID)))
      clock.advance(by: .seconds(10))
      #expect(summaries(try courier.carryAllOut()).isEmpty)
      withExtendedLifetime(display) { _ in }
    }
    #expect(try entries()[0].state == .suppressed)
    #expect(try entries()[0].reason?.sentence == "a display of the run had the keyboard focus")
    clock.advance(by: .seconds(10))
    #expect(summaries(try courier.carryAllOut()) == ["Card 2, 1m40s"])
  }

  @Test func `clearing a card removes only its notifications, and clearing reminder 1 not reminder 10`()
    throws
  {
    let ids = [UUID(), UUID()]
    let sequence = UUID()
    let goal = Goal(duration: .seconds(60), reminders: 12)
    let cards = [
      Card(id: ids[0], title: "A", timing: .countdown(.seconds(10), advance: .automatic)),
      Card(id: ids[1], title: "B", timing: .countUp(goal: goal)),
    ]
    _ = try store.start(
      try Timeline(
        SequenceDefinition(
          id: sequence, title: "T", elements: cards.map(SequenceElement.card), onSuspend: nil, onLock: nil)))
    let first = NotificationIdentifier.reminder(1, sequence: sequence, card: ids[1], rounds: [])
    try store.database.transaction { () throws(StoreError) in
      let cleared = try store.ledger.clearPlanned(NotificationScope(first), at: clock.now())
      #expect(cleared.pending == 1)
      #expect(
        try store.ledger.clearPlanned(.card(ids[0], ofSequence: sequence), at: clock.now()).pending
          == 1)
    }
    let pending = try store.ledger.entries(in: .allSequences).filter { $0.state == .pending }
    #expect(pending.count == 11)
    #expect(pending.allSatisfy { $0.request.identifier.rawValue.contains(ids[1].uuidString) })
  }

  @Test func `the question after a power loss is asked even if the agent starts late`() throws {
    let card = Card(id: UUID(), title: "A", timing: .countdown(.seconds(100), advance: .automatic))
    try start([card], onSuspend: .ask)
    clock.advance(by: .seconds(10))
    clock.reboot(after: .seconds(600))
    // A status bar may read the run before any agent starts.
    #expect(try store.settle().run?.suspend?.cause == .powerLoss)
    clock.advance(by: .seconds(3600))
    let late = agent(2)
    try late.takeOver()
    #expect(summaries(try late.carryAllOut()) == ["A is paused. Count that time?"])
    #expect(try states() == [.cancelled, .delivered])
  }

  @Test func `cleared notifications do not return after a reboot`() throws {
    try start(100, 100)
    let last = try #require(try entries().last).request.identifier
    try store.database.transaction { () throws(StoreError) in
      _ = try store.ledger.clearPlanned(NotificationScope(last), at: clock.now())
    }
    clock.advance(by: .seconds(10))
    clock.reboot(after: .seconds(20))
    _ = try store.settle()
    #expect(try states() == [.pending, .cancelled])
    #expect(summaries(try courier.carryAllOut()).isEmpty)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(70))
  }

  @Test func `pending reminders survive a reboot with the same times`()
    throws
  {
    try start(100, 100)
    let before = try store.ledger.entries(in: .allSequences).map(\.due.wall)
    clock.advance(by: .seconds(10))
    clock.reboot(after: .seconds(20))
    #expect(summaries(try courier.carryAllOut()).isEmpty)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(70))
    #expect(try store.ledger.entries(in: .allSequences).map(\.due.wall) == before)
  }

  @Test func `wall-clock notifications are due by the wall clock even if it is set, and no others are`()
    throws
  {
    let due = clock.now().advanced(by: .seconds(3600))
    let requests = [("wall", true), ("boot", false)].map { name, follows in
      NotificationRequest(
        NotificationIdentifier(name), name,
        trigger: follows ? .at(due.wall.date) : NotificationTrigger(.reading(due)))
    }
    try store.database.transaction { () throws(StoreError) in try store.ledger.add(requests, at: clock.now())
    }
    clock.setWall(by: .seconds(3000))
    try courier.clockWasSet()
    clock.advance(by: .seconds(600))
    #expect(summaries(try courier.carryAllOut()) == ["wall"])
    clock.advance(by: .seconds(3000))
    #expect(summaries(try courier.carryAllOut()) == ["boot"])
  }

  @Test func `a wall-clock notification waits if the wall clock was slower than the boot clock`() throws {
    let request = NotificationRequest(
      NotificationIdentifier("wall"), "wall",
      trigger: .at(clock.now().wall.date + 100))
    try store.database.transaction { () throws(StoreError) in try store.ledger.add([request], at: clock.now())
    }
    clock.advance(by: .seconds(100))
    clock.setWall(by: .seconds(-5))
    #expect(summaries(try courier.carryAllOut()).isEmpty)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(5))
    clock.advance(by: .seconds(5))
    #expect(summaries(try courier.carryAllOut()) == ["wall"])
  }

  @Test func `a notification that becomes due between a decision and the next wait is not missed`()
    throws
  {
    try start(10, 1000)
    _ = try courier.carryAllOut()
    clock.advance(by: .milliseconds(10_001))
    let wake = try #require(try courier.nextWake())
    #expect(wake <= clock.now().boot)
    #expect(summaries(try courier.carryAllOut()).count == 1)
    // A decided notification does not end the wait again.
    #expect(try courier.nextWake() == clock.now().boot + .milliseconds(999_999) - courier.preparation)
  }

  /// The responses that were recorded, in order.
  func choices() throws -> [NotificationResponse.Choice] {
    try store.ledger.responses(after: .beginning).map(\.choice)
  }

  /// An application that shows every notification and records its responses.
  final class RecordingApplication: NotificationPresenter, NotificationResponder {
    func presentation(of entry: LedgerEntry, lateness: Duration) -> Presentation { .show(entry.request) }
    func isStillNews(_ entry: LedgerEntry) -> Bool { true }
    func respond(
      to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
    ) -> NotificationReason { .pressed(action.title) }
    func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) {}
    var readsResponses: Bool { true }
  }

  @Test func `asking for the next wake-up changes nothing`() throws {
    try start(10)
    let run = try #require(try store.settle().run)
    let revision = try store.database.rows("SELECT revision FROM store") { $0.integer(0) }
    clock.advance(by: .seconds(100 * 86_400))
    _ = try courier.nextWake()
    #expect(try store.database.rows("SELECT revision FROM store") { $0.integer(0) } == revision)
    _ = try store.settle()
    #expect(try store.database.endedRun(id: run.runID) != nil)
  }

  @Test func `one that is missed leaves nothing on screen that is not so any more`() throws {
    try passFirst(10, 10)
    try courier.carryAllOut()
    let older = try #require(try store.ledger.live().first)
    clock.advance(by: .seconds(90_000))
    let orders = try courier.carryAllOut()
    #expect(orders == [.close(entry: older.number, try #require(older.shown))])
    #expect(try states() == [.removed, .missed])
    #expect(try entries()[0].reason?.sentence == "it was outdated")
  }
}
