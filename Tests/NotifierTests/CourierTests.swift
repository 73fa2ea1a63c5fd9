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
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let courier: TestCourier
  private let epoch = TestCourier.epoch

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    courier = TestCourier(of: store)
  }

  private func agent(_ process: Int32) -> TestCourier { TestCourier(of: store, process: process) }

  private func agent(_ application: RecordingApplication, process: Int32 = 1) -> TestCourier {
    let courier = Courier(
      store: store.base, responder: application, latestDelivery: .seconds(3600), process: process)
    return TestCourier(courier) { Turn(reading: clock.now(), presenter: application) }
  }

  private func start(_ seconds: Int...) throws { try start(seconds) }

  private func start(_ seconds: [Int]) throws {
    try start(seconds.map { Timing.countdown(.seconds($0), advance: .automatic) })
  }

  private func start(_ timings: [Timing]) throws {
    let cards = timings.enumerated().map {
      SequenceElement.card(Card(id: UUID(), title: "Card \($0)", timing: $1))
    }
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: cards, onSuspend: nil, onLock: nil)))
  }

  private let server = TestCourier.server()

  private let other = ServerEpoch(busID: "bus", owner: ":1.9")

  private func states() throws -> [LedgerEntry.State] {
    try store.ledger.entries(in: .allSequences).map(\.state)
  }

  private func entries() throws -> [LedgerEntry] { try store.ledger.entries(in: .allSequences) }

  private func summaries(_ orders: [DesktopOrder]) -> [String] {
    orders.compactMap { if case .show(_, let content, _) = $0 { content.summary } else { nil } }
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
    try start(10, 10, 10)
    clock.advance(by: .seconds(10))
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
    try start(10, 10)
    clock.advance(by: .seconds(10))
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
    try start(10, 10, 100)
    clock.advance(by: .seconds(10))
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
    // Of another day, the date comes first.
    #expect(content.body.contains(" · at 2"))
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
    let next = agent(2)
    try next.takeOver()
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
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.card(card)], onSuspend: .ask, onLock: nil)))
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

  @Test func `an agent whose notifications only wait for a server rests after 30 s`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    #expect(try courier.advance() == nil)
    clock.advance(by: .seconds(10))
    while clock.now().boot <= .seconds(1000 + 10 + 30) {
      #expect(try courier.advance() == .probe)
      try courier.receive(.serverUnavailable(.noServer))
      #expect(try courier.advance() == nil)
      #expect(try !courier.hasNothingToWaitFor())
      clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
    }
    _ = try courier.advance()
    try courier.receive(.serverUnavailable(.noServer))
    #expect(try courier.hasNothingToWaitFor())
    #expect(try states() == [.pending])
    // A display doesn't start another one, a command does.
    #expect(try store.hasNothingToWaitFor(ignoringWaiting: true))
    #expect(try !store.hasNothingToWaitFor())
    clock.advance(by: .seconds(3600))
    let next = agent(2)
    try next.takeOver()
    #expect(summaries(try next.carryAllOut()) == ["Card 0: time is up"])
  }

  @Test func `a server is started once something is due, and not for what is gone anyway`() throws {
    try start(10, 100)
    try courier.takeOver()
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverStartable)
    #expect(try courier.advance() == nil)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(try courier.advance() == .startServer)
    try courier.receive(.serverAvailable(server))
    #expect(summaries(try courier.carryAllOut()) == ["Card 1, 1m40s"])
    // At the next login, the server that showed it is gone.
    _ = try store.perform(.stop)
    clock.reboot(after: .seconds(500))
    let next = agent(2)
    try next.takeOver()
    #expect(try next.advance() == .probe)
    try next.receive(.serverStartable)
    #expect(try next.advance() == nil)
    #expect(try states() == [.removed, .cancelled])
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a server that can't start is tried more and more rarely, and soon for another notification`()
    throws
  {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    var starts: [Int64] = []
    while clock.now().boot < .seconds(1000 + 86_400) {
      switch try courier.advance() {
      case .probe: try courier.receive(.serverStartable)
      case .startServer:
        starts.append(clock.now().boot.components.seconds - 1010)
        try courier.receive(.serverUnavailable(.notStarted(reason: "it failed")))
      case let order:
        #expect(order == nil)
        clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
      }
    }
    #expect(starts.prefix(8) == [0, 10, 30, 70, 150, 310, 630, 1230])
    #expect(starts.count < 150)
    let reason = "the notification server could not be started: it failed"
    #expect(try store.ledger.agentReport()?.desktop == .unavailable(reason: reason))
    // A second run, whose end is due while the pause lasts.
    clock.advance(by: .milliseconds(1))
    let card = Card(id: UUID(), title: "Tea", timing: .countdown(.seconds(20), advance: .automatic))
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Tea", elements: [.card(card)], onSuspend: nil, onLock: nil)),
      RunStart(source: .timer, beside: true))
    clock.advance(by: .seconds(20))
    #expect(try courier.advance() == .probe)
  }

  @Test func `without a screen no server is started until there is one`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    func fail() throws {
      while try courier.advance() == nil {
        clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
      }
      try courier.receive(.serverStartable)
      #expect(try courier.advance() == .startServer)
      try courier.receive(.serverUnavailable(.noScreen))
      #expect(try courier.advance() == nil)
    }
    for _ in 1...9 { try fail() }
    #expect(try courier.nextWake() == clock.now().boot + .seconds(60))
    // The programs of a session come one after the other.
    for _ in 1...20 { try courier.receive(.sessionChanged) }
    #expect(try courier.advance() == nil)
    #expect(try courier.nextWake() == clock.now().boot + .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(summaries(try courier.carryAllOut()) == ["Card 0: time is up"])
  }

  @Test func `a server that ends when it shows something is started every ten seconds at most`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    let begin = clock.now().boot
    var starts: [Duration] = []
    while clock.now().boot - begin < .seconds(120) {
      switch try courier.advance() {
      case nil:
        clock.advance(by: max(try #require(try courier.nextWake()) - clock.now().boot, .milliseconds(1)))
      case .probe: try courier.receive(.serverStartable)
      case .startServer:
        starts.append(clock.now().boot - begin)
        try courier.receive(.serverChanged)
        try courier.receive(.serverAvailable(server))
      case .show(let entry, _, _):
        try courier.receive(.notShown(entry: entry, .otherServer))
        try courier.receive(.serverGone)
      case .status, .close, .callOff: Issue.record("an unexpected order")
      }
    }
    #expect(
      starts.count > 2 && zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= .seconds(10) }, "\(starts)")
  }

  @Test func `the agent of a login waits for a server as long as something due is true`() throws {
    try start(10)
    let courier = TestCourier(of: store, waitsForServer: true)
    clock.advance(by: .seconds(10))
    func fail(_ failure: DesktopFailure) throws {
      while try courier.advance() == .probe {
        try courier.receive(.serverUnavailable(failure))
      }
    }
    try fail(.noServer)
    clock.advance(by: .seconds(3600))
    try fail(.noServer)
    #expect(try !courier.hasNothingToWaitFor())
    // No signal would report a bus.
    clock.advance(by: .seconds(600))
    try fail(.noBus(reason: "none"))
    #expect(try courier.hasNothingToWaitFor())
    clock.advance(by: .seconds(10))
    try fail(.noServer)
    #expect(try !courier.hasNothingToWaitFor())
    clock.advance(by: .seconds(86_400))
    try fail(.noServer)
    #expect(try states() == [.missed])
    #expect(try courier.hasNothingToWaitFor())
  }

  @Test func `a bus that accepts and never answers counts as unavailable after 10 s`() throws {
    try start([.countdown(.seconds(10), advance: .manual)])
    clock.advance(by: .seconds(10))
    #expect(try courier.advance() == .probe)
    #expect(try courier.nextWake() == clock.now().boot + Courier.longestProbe)
    clock.advance(by: Courier.longestProbe)
    #expect(try courier.advance() == nil)
    #expect(try store.ledger.agentReport()?.desktop == .unavailable(reason: DesktopFailure.notAnswering.text))
    #expect(try !courier.hasNothingToWaitFor())
    clock.advance(by: .seconds(21))
    #expect(try courier.advance() == nil)
    #expect(try courier.hasNothingToWaitFor())
    // The answer that comes after all counts.
    try courier.receive(.serverAvailable(server))
    #expect(summaries(try courier.carryAllOut()) == ["Card 0: time is up"])
  }

  @Test func `the second click of a double click changes nothing`() throws {
    try start(10, 100, 1000)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.shown(entry: show.entry, show.shown))
    for _ in 1...2 { try courier.receive(.actionInvoked(show.shown, key: "extend")) }
    #expect(try store.settle().position?.remaining == .seconds(130))
    #expect(try store.ledger.entry(show.entry)?.withdrawal?.description == "\"+30 s\" was pressed")
  }

  @Test func `what is shown again keeps the time at which it was due`() throws {
    try start(10, 1000)
    clock.advance(by: .seconds(10))
    let due = clock.now().wall
    try courier.carryAllOut()
    clock.advance(by: .seconds(500))
    let next = agent(2)
    try next.takeOver()
    #expect(summaries(try next.carryAllOut()) == ["Card 1, 16m40s"])
    let again = try #require(try store.ledger.live().first { $0.withdrawal == nil })
    #expect(again.due.wall == due)
    #expect(!again.request.body.contains(" at "))
  }

  @Test func `the note of a card is the last line of its notification`() throws {
    let timing = Timing.countdown(.seconds(10), advance: .automatic)
    let cards = [
      Card(id: UUID(), title: "Sear", timing: timing),
      Card(id: UUID(), title: "Roast", note: "Turn down\nto 160 °C", timing: timing),
    ]
    _ = try store.start(
      try Timeline(
        SequenceDefinition(
          id: UUID(), title: "Test", elements: cards.map(SequenceElement.card), onSuspend: nil, onLock: nil)))
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
    #expect(try entries()[0].reason?.sentence.hasPrefix("merged into sequence.") == true)
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

  @Test func `without a server a notification waits for one`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .noServer))
    #expect(try courier.advance() == nil)
    #expect(try store.ledger.agentReport()?.desktop == .unavailable(reason: DesktopFailure.noServer.text))
    try courier.receive(.serverChanged)
    #expect(summaries(try courier.carryAllOut()).count == 1)
  }

  @Test func `without a server a notification is missed when it is no longer true, with the reason`() throws {
    try start(10)
    clock.advance(by: .seconds(10 + 86_400))
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverUnavailable(.noServer))
    #expect(try courier.advance() == nil)
    #expect(try states() == [.pending])
    clock.advance(by: .seconds(1))
    while case .probe? = try courier.advance() {
      try courier.receive(.serverUnavailable(.noServer))
    }
    #expect(try states() == [.missed])
    #expect(try entries()[0].reason?.sentence == "86401 s late: \(DesktopFailure.noServer.text)")
  }

  @Test func `a new agent replaces a dead agent's notification, because its buttons no longer work`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(20))
    try courier.carryAllOut()
    let shown = try #require(try store.ledger.live().first?.shown)
    let next = agent(2)
    try next.takeOver()
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
    let application = RecordingApplication()
    let next = agent(application, process: 2)
    try add(("one", 0))
    try courier.carryAllOut()
    let shown = try #require(try store.ledger.live().first?.shown)
    try next.takeOver()
    try next.receive(.closedByServer(shown, reason))
    #expect(summaries(try next.carryAllOut()).isEmpty)
    #expect(application.choices == (reason == .dismissed ? [.dismissed] : []))
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a button that is pressed before a new agent repeats the notification still works`() throws {
    let application = RecordingApplication()
    let next = agent(application, process: 2)
    try add(("one", 0))
    try courier.carryAllOut()
    let entry = try #require(try store.ledger.live().first)
    let shown = try #require(entry.shown)
    try next.takeOver()
    try next.receive(.actionInvoked(shown, key: "yes"))
    try next.receive(.closedByServer(shown, .dismissed))
    #expect(summaries(try next.carryAllOut()).isEmpty)
    #expect(application.choices == [.action(key: "yes")])
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
    let next = agent(2)
    try next.takeOver()
    #expect(summaries(try next.carryAllOut()) == ["Card 1: time is up"])
    #expect(try states() == [.removed, .delivered])
  }

  @Test func `another server is not asked to show an old notification in place of a newer one`() throws {
    let goal = Goal(duration: .seconds(10), reminders: 2)
    let card = Card(id: UUID(), title: "Card", timing: .countUp(goal: goal))
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.card(card)], onSuspend: nil, onLock: nil)))
    clock.advance(by: .seconds(10))
    #expect(summaries(try courier.carryAllOut()) == ["Card: goal of 10s reached"])
    clock.advance(by: .seconds(610))
    try courier.receive(.serverChanged)
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
    #expect(try courier.nextShow().content.summary == "Card: 10m past the goal")
  }

  @Test func `a new agent removes outdated notifications of a dead agent`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    clock.advance(by: .seconds(90_000))
    let next = agent(2)
    try next.takeOver()
    _ = try store.settle()
    let orders = try next.carryAllOut()
    #expect(orders.contains { if case .close = $0 { true } else { false } })
    #expect(try store.ledger.live().isEmpty)
  }

  @Test func `a notification possibly shown when the agent died is shown again under the same id`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let lost = try courier.nextShow()
    let next = agent(2)
    try next.takeOver()
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
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let lost = try courier.nextShow()
    _ = try store.perform(.stop)
    let next = agent(2)
    try next.takeOver()
    #expect(try next.carryAllOut() == [.probe, .close(entry: lost.entry, lost.shown)])
    #expect(try next.hasNothingToWaitFor())
  }

  @Test func `a notification of a previous server is never closed or replaced`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    let old = try #require(try store.ledger.live().first?.shown)
    try courier.receive(.serverChanged)
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
    // It is still current, so the new server shows it, once.
    let again = try courier.nextShow()
    #expect(again.content.summary == "Card 1, 10s")
    #expect(again.shown.epoch == other)
    #expect(again.shown.id != old.id)
    try courier.receive(.shown(entry: again.entry, again.shown))
    #expect(try courier.carryAllOut().isEmpty)
    _ = try store.perform(.stop)
    #expect(try courier.carryAllOut() == [.close(entry: again.entry, again.shown)])
    #expect(try courier.hasNothingToWaitFor())
  }

  @Test func `a notification on a former bus is gone, and shown again if it is still news`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    let next = agent(2)
    try next.takeOver()
    #expect(try next.advance() == .probe)
    try next.receive(.serverAvailable(TestCourier.server(ServerEpoch(busID: "other", owner: ":1.1"))))
    #expect(try entries().first?.state == .removed)
    let orders = try next.carryAllOut()
    #expect(summaries(orders) == ["Card 1, 1m40s"])
    #expect(!orders.contains { if case .close = $0 { true } else { false } })
  }

  @Test func `an outdated notification is not shown again by another server`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    try courier.receive(.closedByServer(try #require(try store.ledger.live().first?.shown), .dismissed))
    try courier.receive(.serverChanged)
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
    #expect(try courier.advance() == nil)
    #expect(try entries()[0].reason?.sentence == "the user dismissed it")
  }

  @Test func `an unanswered notification is not repeated, and the late answer settles it`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .unknownOutcome))
    #expect(try states() == [.presenting, .pending])
    clock.advance(by: .seconds(3))
    while case .probe? = try courier.advance() {
      try courier.receive(.serverUnavailable(.notAnswering))
    }
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: show.entry, show.shown))
    try courier.receive(.serverChanged)
    #expect(try states() == [.delivered, .pending])
    #expect(try courier.carryAllOut() == [.probe])
    _ = try store.perform(.stop)
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, show.shown)])
  }

  @Test func `an unanswered and withdrawn notification keeps no courier if the server answers other calls`()
    throws
  {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .unknownOutcome))
    _ = try store.perform(.stop)
    clock.advance(by: .seconds(1))
    #expect(try courier.carryAllOut() == [.probe, .close(entry: show.entry, show.shown)])
    #expect(try states() == [.removed, .cancelled])
    #expect(try courier.hasNothingToWaitFor())
    // The answer comes late, with another number.
    let shown = ShownNotification(id: 7, epoch: epoch)
    try courier.receive(.shown(entry: show.entry, shown))
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, shown)])
    #expect(try states() == [.removed, .cancelled])
  }

  @Test func `an unanswered notification is replaced by the next one, whatever its outcome`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(10))
    let first = try courier.nextShow()
    try courier.receive(.notShown(entry: first.entry, .unknownOutcome))
    clock.advance(by: .seconds(10))
    let second = try courier.nextShow()
    #expect(second.shown == first.shown)
    try courier.receive(.shown(entry: first.entry, first.shown))
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: second.entry, second.shown))
    #expect(try courier.advance() == nil)
    #expect(try states() == [.removed, .delivered, .pending])
  }

  @Test func `a notification that a dead server did not answer is shown by the next server`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, .unknownOutcome))
    try courier.receive(.serverChanged)
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
    let again = try courier.nextShow()
    #expect(again.entry == show.entry)
    #expect(again.shown.epoch == other)
  }

  private let excess = DesktopFailure.refused(
    name: "org.freedesktop.Notifications.MaxNotificationsExceeded", message: "no more")

  @Test func `a server with too many notifications is tried again after our own are removed`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.notShown(entry: show.entry, excess))
    #expect(try entries()[1].reason?.sentence == excess.text)
    // The older notification is closed first; only then, and not immediately, this one is tried again.
    let close = try #require(try courier.advance())
    guard case .close = close else { throw TestSupportError("\(close)") }
    try courier.carryOut(close)
    #expect(try courier.advance() == nil)
    let wake = try #require(try courier.nextWake())
    clock.advance(by: wake - clock.now().boot)
    #expect(summaries(try courier.carryAllOut()) == ["Card 2, 1m40s"])
    #expect(try states() == [.removed, .delivered, .pending])
  }

  @Test func `a refused notification is tried again a few times and then fails`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    var attempts = 0
    while attempts < 10, try states()[0] != .failed {
      let show = try courier.nextShow()
      attempts += 1
      try courier.receive(.notShown(entry: show.entry, .refused(name: "org.example.No", message: "no")))
      #expect(try courier.advance() == nil)
      let wake = try #require(try courier.nextWake())
      clock.advance(by: min(wake - clock.now().boot, .seconds(10)))
    }
    #expect(attempts == 4)
    #expect(try entries()[0].reason?.sentence == "the notification server refused: no (org.example.No)")
  }

  @Test func `a notification that cannot be removed is tried again and then reported`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    _ = try store.perform(.stop)
    var attempts = 0
    while attempts < 10, case .close(let entry, _)? = try courier.advance() {
      attempts += 1
      try courier.receive(.notClosed(entry: entry, .refused(name: "org.example.No", message: "no")))
      clock.advance(by: .seconds(10))
    }
    #expect(attempts == 4)
    #expect(
      try entries()[0].reason?.sentence
        == "it could not be removed: the notification server refused: no (org.example.No)")
  }

  @Test func `a bus that returns with another server shows current notifications again`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    try courier.receive(.busClosed)
    #expect(try courier.advance() == nil)
    clock.advance(by: .seconds(2))
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(TestCourier.server(other)))
    #expect(try courier.nextShow().content.summary == "Card 1, 1m40s")
  }

  @Test func `a bus that returns with the same server keeps what is on screen`()
    throws
  {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    let shown = try #require(try store.ledger.live().first?.shown)
    try courier.receive(.busClosed)
    clock.advance(by: .seconds(2))
    #expect(try courier.advance() == .probe)
    try courier.receive(.serverAvailable(server))
    #expect(try courier.nextShow().shown == shown)
  }

  @Test func `a server that goes away is not started again at once, and not without a due notification`()
    throws
  {
    try start(10, 1000)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    try courier.receive(.closedByServer(try #require(try store.ledger.live().first?.shown), .dismissed))
    try courier.receive(.serverGone)
    for _ in 0..<100 {
      #expect(try courier.advance() == nil)
      clock.advance(by: .seconds(5))
    }
    #expect(try courier.nextWake() == .seconds(1000 + 1010))
    clock.advance(by: .seconds(510))
    #expect(try courier.advance() == .probe)
  }

  @Test func `step ends without a server become one notification as soon as there is a server`() throws {
    try start(10, 10, 10, 1000)
    #expect(try courier.advance() == nil)
    try courier.receive(.serverUnavailable(.noServer))
    clock.advance(by: .seconds(55))
    while case .probe? = try courier.advance() {
      try courier.receive(.serverUnavailable(.noServer))
    }
    #expect(try states() == [.pending, .pending, .pending, .pending])
    try courier.receive(.serverChanged)
    let orders = try courier.carryAllOut()
    #expect(summaries(orders) == ["Card 3, 16m40s"])
    #expect(try states() == [.missed, .missed, .delivered, .pending])
  }

  @Test func `an end that waits is shown once the clock of a boot is right`() throws {
    try start(10)
    clock.advance(by: .seconds(10))
    _ = try store.settle()
    // Without a battery, the clock begins in the past.
    clock.reboot(after: .seconds(-365 * 86_400))
    let next = agent(2)
    try next.takeOver()
    #expect(summaries(try next.carryAllOut()).isEmpty)
    clock.setWall(by: .seconds(365 * 86_400 + 60))
    try next.clockWasSet()
    #expect(summaries(try next.carryAllOut()) == ["Test is finished"])
  }

  @Test func `after a reboot the courier waits for a late server as long as usual`()
    throws
  {
    try start(10, 10, 1000)
    clock.reboot(after: .seconds(500))
    let next = agent(2)
    try next.takeOver()
    #expect(try next.advance() == .probe)
    try next.receive(.serverUnavailable(.noServer))
    clock.advance(by: .seconds(20))
    #expect(try next.advance() == .probe)
    try next.receive(.serverAvailable(server))
    #expect(summaries(try next.carryAllOut()) == ["Now: Card 2, 16m40s"])
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
    try start(10, 10, 1000)
    clock.advance(by: .seconds(10))
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

  @Test func `a button executes its command on its step`() throws {
    try start(10, 100, 1000)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    #expect(show.content.actions.map(\.key) == ["pause", "skip", "extend"])
    try courier.receive(.shown(entry: show.entry, show.shown))
    try courier.receive(.actionInvoked(show.shown, key: "extend"))
    #expect(try store.settle().position?.remaining == .seconds(130))
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, show.shown)])
    #expect(try entries().first { $0.number == show.entry }?.reason?.sentence == "\"+30 s\" was pressed")
  }

  @Test func `a click and its command are one transaction`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.shown(entry: show.entry, show.shown))
    func transactions() -> Int { store.database.runCount(ofStatementsWith: "BEGIN IMMEDIATE") }
    let before = transactions()
    try courier.receive(.actionInvoked(show.shown, key: "pause"))
    #expect(transactions() - before == 1)
  }

  @Test(arguments: [
    "UPDATE ON active_run", "INSERT ON journal", "INSERT ON notification",
    "UPDATE OF withdrawal ON notification", "UPDATE OF response ON notification",
  ])
  func `a click that could not be recorded has done nothing, and is recorded once by the next attempt`(
    change: String
  ) throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.shown(entry: show.entry, show.shown))
    let before = (try store.settle().run, try entries())
    try store.database.execute(
      "CREATE TEMP TRIGGER stop BEFORE \(change) BEGIN SELECT RAISE(ABORT, 'stopped'); END")
    #expect(throws: StoreError.self) { try courier.receive(.actionInvoked(show.shown, key: "pause")) }
    try store.database.execute("DROP TRIGGER stop")
    #expect(try (store.settle().run, entries()) == before)
    try courier.receive(.actionInvoked(show.shown, key: "pause"))
    #expect(try store.settle().run?.isPaused == true)
    let entry = try #require(try store.ledger.entry(show.entry))
    #expect(entry.withdrawal?.sentence == "\"Pause\" was pressed" && entry.response == .action(key: "pause"))
    let pauses = try store.database.rows("SELECT count(*) FROM journal WHERE kind = 'pause'") {
      $0.integer(0)
    }
    #expect(pauses == [1])
    #expect(summaries(try courier.carryAllOut()) == ["Card 1 is paused"])
  }

  @Test func `a button of a notification whose step has ended does nothing and reports that`() throws {
    try start(10, 10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.shown(entry: show.entry, show.shown))
    clock.advance(by: .seconds(10))
    let before = try store.settle().run
    try courier.receive(.actionInvoked(show.shown, key: "skip"))
    #expect(try store.settle().run == before)
    #expect(try courier.hasNothingToWaitFor() == false)
    try courier.carryAllOut()
    #expect(
      try entries().first { $0.number == show.entry }?.reason?.sentence
        == "\"Skip\" was pressed, but the step had ended"
    )
  }

  @Test func `pausing by a button leaves a notification that can resume the run`() throws {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    let show = try courier.nextShow()
    try courier.receive(.shown(entry: show.entry, show.shown))
    clock.advance(by: .seconds(40))
    try courier.receive(.actionInvoked(show.shown, key: "pause"))
    #expect(try store.settle().run?.isPaused == true)
    let paused = try courier.nextShow()
    #expect(paused.shown == show.shown)
    #expect(paused.content.summary == "Card 1 is paused")
    #expect(paused.content.body == "1m left · step 2 of 2")
    try courier.receive(.shown(entry: paused.entry, paused.shown))
    clock.advance(by: .seconds(5000))
    try courier.receive(.actionInvoked(paused.shown, key: "resume"))
    #expect(try store.settle().position?.remaining == .seconds(60))
    try courier.carryAllOut()
    #expect(try store.ledger.live().isEmpty)
    #expect(try states().count { $0 == .pending } == 1)
  }

  @Test func `buttons of other programs' notifications and of closed ones are ignored`()
    throws
  {
    try start(10, 100)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    let shown = try #require(try store.ledger.live().first?.shown)
    try courier.receive(.actionInvoked(ShownNotification(id: shown.id, epoch: other), key: "skip"))
    try courier.receive(.actionInvoked(ShownNotification(id: 5, epoch: epoch), key: "skip"))
    try courier.receive(.closedByServer(shown, .dismissed))
    try courier.receive(.actionInvoked(shown, key: "skip"))
    #expect(try store.settle().run?.log.count == 1)
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
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.card(card)], onSuspend: .ask, onLock: nil)))
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

  /// Returns the order just before the end of a step, without executing it.
  private func prepared() throws -> (entry: Int64, content: NotificationContent, shown: ShownNotification) {
    try courier.takeOver()
    _ = try courier.carryAllOut()
    clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
    return try courier.nextShow()
  }

  @Test func `the next due notification is prepared shortly before, and shown on time`() throws {
    try start(10, 1000)
    let due = clock.now().boot + .seconds(10)
    let order = try prepared()
    #expect(clock.now().boot == due - courier.preparation)
    #expect(order.content.due == due)
    #expect(try states() == [.presenting, .pending])
    clock.advance(by: courier.preparation)
    #expect(try courier.advance() == nil)
    try courier.receive(.shown(entry: order.entry, order.shown))
    #expect(try states() == [.delivered, .pending])
  }

  @Test func `a prepared notification is cancelled once if the run is paused before its time`() throws {
    try start(10, 1000)
    let order = try prepared()
    _ = try store.perform(.pause)
    #expect(try courier.advance() == .callOff(entry: order.entry))
    #expect(try courier.advance() == nil)
    try courier.receive(.notShown(entry: order.entry, .calledOff))
    #expect(try entries().map(\.state) == [.cancelled, .cancelled])
    #expect(try entries().map { $0.reason?.sentence } == ["the run was paused", "the run was paused"])
    #expect(try courier.carryAllOut().isEmpty)
    // After planning it again, it is shown as usual.
    _ = try store.perform(.resume())
    clock.advance(by: courier.preparation)
    #expect(summaries(try courier.carryAllOut()) == ["Card 1, 16m40s"])
    #expect(try states() == [.delivered, .pending])
  }

  @Test func `a prepared notification that is planned again leaves one entry`() throws {
    try start(10, 1000)
    let order = try prepared()
    _ = try store.perform(.extend(.seconds(30)))
    #expect(try courier.advance() == .callOff(entry: order.entry))
    try courier.receive(.notShown(entry: order.entry, .calledOff))
    #expect(try states() == [.pending, .pending])
    clock.advance(by: .seconds(30))
    #expect(try courier.nextShow().content.due == clock.now().boot + courier.preparation)
  }

  @Test func `a notification cancelled too late is removed`() throws {
    try start(10, 1000)
    let order = try prepared()
    _ = try store.perform(.pause)
    #expect(try courier.advance() == .callOff(entry: order.entry))
    clock.advance(by: courier.preparation)
    try courier.receive(.shown(entry: order.entry, order.shown))
    #expect(try courier.carryAllOut() == [.close(entry: order.entry, order.shown)])
    #expect(try states() == [.removed, .cancelled])
  }

  @Test func `a notification slightly later than the due one is not prepared before it`() throws {
    let requests = try [("late", 30), ("early", 20)].map { name, milliseconds in
      NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: name)), tag: "one", summary: name,
        due: clock.now().advanced(by: .milliseconds(milliseconds)))
    }
    try store.database.transaction { () throws(StoreError) in try store.ledger.add(requests, at: clock.now())
    }
    try courier.takeOver()
    let first = try courier.nextShow()
    #expect(first.content.summary == "early")
    clock.advance(by: .milliseconds(20))
    try courier.receive(.shown(entry: first.entry, first.shown))
    let second = try courier.nextShow()
    #expect(second.content.summary == "late")
    #expect(second.content.due == clock.now().boot + .milliseconds(10))
  }

  @Test func `a notification prepared before a long suspend is shown with its time`() throws {
    try start(10, 1000)
    let order = try prepared()
    clock.advance(by: .seconds(60))
    try courier.receive(.notShown(entry: order.entry, .calledOff))
    let content = try courier.nextShow().content
    #expect(content.summary == "Card 1, 16m40s")
    #expect(content.body.contains(" · at "))
    #expect(try states() == [.presenting, .pending])
  }

  /// Shows a notification at the end of the first step, and prepares the one that will replace it.
  private func preparedOverOlder(last: Timing = .countdown(.seconds(1000), advance: .automatic)) throws -> (
    older: LedgerEntry, newer: (entry: Int64, content: NotificationContent, shown: ShownNotification)
  ) {
    let timing = Timing.countdown(.seconds(10), advance: .automatic)
    try start([timing, timing, last])
    clock.advance(by: .seconds(10))
    _ = try courier.carryAllOut()
    let older = try #require(try store.ledger.live().first)
    clock.advance(by: try #require(try courier.nextWake()) - clock.now().boot)
    return (older, try courier.nextShow())
  }

  @Test func `a button pressed just before the end of its step works`() throws {
    let (older, newer) = try preparedOverOlder()
    #expect(try entries().map(\.isWithdrawn) == [false, false, false])
    try courier.receive(.actionInvoked(try #require(older.shown), key: "pause"))
    #expect(try store.settle().run?.isPaused == true)
    #expect(try courier.advance() == .callOff(entry: newer.entry))
    try courier.receive(.notShown(entry: newer.entry, .calledOff))
    #expect(summaries(try courier.carryAllOut()) == ["Card 1 is paused"])
  }

  /// Takes over from an agent that died when a notification was to replace an older one, with the same id.
  private func successorOverOlder() throws -> (
    agent: TestCourier, older: LedgerEntry, shown: ShownNotification
  ) {
    let (older, newer) = try preparedOverOlder(last: .countUp(goal: nil))
    clock.advance(by: newer.content.due - clock.now().boot)
    let next = agent(2)
    try next.takeOver()
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

  @Test func `a response just before a newer notification reaches the application`() throws {
    let responses = try responsesToOlder { shown in
      [.actionInvoked(shown, key: "yes"), .closedByServer(shown, .dismissed)]
    }
    #expect(responses == [[.action(key: "yes")], [.dismissed]])
  }

  /// Returns the application's responses to events of an older notification while a newer one waits.
  private func responsesToOlder(
    _ events: (ShownNotification) -> [DesktopEvent]
  ) throws -> [[NotificationResponse.Choice]] {
    let application = RecordingApplication()
    let courier = agent(application)
    let action = NotificationAction(key: "yes", title: "Yes")
    func add(_ name: String, after duration: Duration) throws {
      let identifier = try #require(NotificationIdentifier(rawValue: name))
      let request = NotificationRequest(
        identifier: identifier, tag: "one", summary: name, actions: [action],
        due: clock.now().advanced(by: duration))
      try store.database.transaction { () throws(StoreError) in
        try store.ledger.add([request], at: clock.now())
      }
    }
    try courier.takeOver()
    return try events(ShownNotification(id: 0, epoch: epoch)).indices.map { index in
      application.choices = []
      try add("older.\(index)", after: .zero)
      try courier.carryAllOut()
      try add("newer.\(index)", after: .milliseconds(30))
      guard case .show(let entry, _, let shown) = try courier.advance() else {
        throw TestSupportError("nothing is made ready")
      }
      try courier.receive(events(shown)[index])
      clock.advance(by: .milliseconds(30))
      try courier.receive(.shown(entry: entry, shown))
      try courier.carryAllOut()
      return application.choices
    }
  }

  /// An application that shows every notification and records its responses.
  private final class RecordingApplication: NotificationPresenter, NotificationResponder {
    var choices: [NotificationResponse.Choice] = []
    func presentation(of entry: LedgerEntry, lateness: Duration) -> Presentation { .show(entry.request) }
    func isStillNews(_ entry: LedgerEntry) -> Bool { true }
    func respond(
      to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
    ) -> NotificationReason { .pressed(action.title) }
    func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) {}
    var readsResponses: Bool { true }
    func receive(_ response: NotificationResponse) { choices.append(response.choice) }
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

  @Test func `a notification stays if the newer one that would replace it is cancelled`() throws {
    let (older, newer) = try preparedOverOlder()
    let coming = try #require(try store.ledger.entry(newer.entry)).request.identifier
    try store.changeLedger { ledger throws(StoreError) in
      _ = try ledger.clearPlanned(NotificationScope(coming), at: clock.now())
    }
    #expect(try courier.advance() == .callOff(entry: newer.entry))
    try courier.receive(.notShown(entry: newer.entry, .calledOff))
    #expect(try courier.carryAllOut().isEmpty)
    #expect(try store.ledger.live().map(\.number) == [older.number])
  }

  @Test func `another server does not repeat an old notification in place of the newer one`()
    throws
  {
    let application = RecordingApplication()
    let courier = agent(application)
    for name in ["older", "newer"] {
      let request = NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: name)), tag: "one", summary: name,
        due: clock.now())
      try store.database.transaction { () throws(StoreError) in
        try store.ledger.add([request], at: clock.now())
      }
      if name == "older" { try courier.carryAllOut() }
    }
    guard case .show(let entry, _, _) = try courier.advance() else {
      throw TestSupportError("nothing is shown")
    }
    clock.advance(by: .milliseconds(1))
    try courier.receive(.serverGone)
    try courier.receive(.notShown(entry: entry, .otherServer))
    try courier.receive(.serverChanged)
    #expect(summaries(try courier.carryAllOut()) == ["newer"])
    #expect(try store.ledger.entries(in: .everything).map(\.state) == [.removed, .delivered])
  }

  @Test func `a server that exits while a notification is prepared is not started again`() throws {
    try start(10, 1000)
    let order = try prepared()
    try courier.receive(.serverGone)
    try courier.receive(.notShown(entry: order.entry, .otherServer))
    #expect(try courier.advance() == nil)
  }

  @Test func `a cancelled pending notification keeps its reason`() throws {
    try start(10, 1000)
    clock.advance(by: .seconds(10))
    let lost = try courier.nextShow()
    let next = agent(2)
    try next.takeOver()
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

  /// Plans notifications with one tag, due after some time from now.
  private func add(_ requests: (name: String, milliseconds: Int)...) throws {
    let requests = try requests.map {
      NotificationRequest(
        identifier: try #require(NotificationIdentifier(rawValue: $0.name)), tag: "one", summary: $0.name,
        actions: [NotificationAction(key: "yes", title: "Yes")],
        due: clock.now().advanced(by: .milliseconds($0.milliseconds)))
    }
    try store.changeLedger { ledger throws(StoreError) in try ledger.add(requests, at: clock.now()) }
  }

  @Test func `a notification due before the awaited one is shown before it`() throws {
    try courier.takeOver()
    try courier.carryAllOut()
    try add(("later", 40))
    let later = try courier.nextShow()
    try add(("earlier", 20))
    #expect(try courier.advance() == .callOff(entry: later.entry))
    try courier.receive(.notShown(entry: later.entry, .calledOff))
    let earlier = try courier.nextShow()
    #expect(earlier.content.summary == "earlier")
    #expect(try courier.advance() == nil)
    clock.advance(by: .milliseconds(20))
    try courier.receive(.shown(entry: earlier.entry, earlier.shown))
    #expect(try courier.nextShow().content.summary == "later")
  }

  @Test func `a notification rescheduled while prepared is shown once, at its new time`() throws {
    try courier.takeOver()
    try courier.carryAllOut()
    try add(("one", 40))
    let ready = try courier.nextShow()
    #expect(try entriesToCome() == ["one"])
    let later = ScheduledRequest(
      NotificationRequest(NotificationIdentifier("one"), "one"), due: clock.now().advanced(by: .seconds(1)))
    try store.changeLedger { ledger throws(StoreError) in try ledger.schedule([later], at: clock.now()) }
    #expect(try entriesToCome() == ["one"])
    #expect(try courier.advance() == .callOff(entry: ready.entry))
    try courier.receive(.notShown(entry: ready.entry, .calledOff))
    clock.advance(by: .milliseconds(40))
    #expect(try courier.carryAllOut().isEmpty)
    clock.advance(by: .milliseconds(960))
    #expect(summaries(try courier.carryAllOut()) == ["one"])
    #expect(try store.ledger.entries(in: .everything).count == 1)
  }

  private func entriesToCome() throws -> [String] {
    try store.ledger.entries(in: .everything).filter { $0.isToCome(at: clock.now()) }.map(\.request.summary)
  }

  @Test func `a notification for a step seen on a display is not decided before its time`() throws {
    try start(10, 1000)
    try courier.takeOver()
    try courier.carryAllOut()
    let display = try FileLock(path: store.directory.foregroundLockPath)
    let run = try #require(try store.settle().run)
    #expect(try display.share(DisplayedRuns.region(of: run.runID)))
    clock.advance(by: .seconds(10) - courier.preparation)
    #expect(try courier.carryAllOut().isEmpty)
    _ = try store.perform(.pause)
    #expect(try states() == [.cancelled, .cancelled])
  }

  @Test func `one that is missed leaves nothing on screen that is not so any more`() throws {
    try start(10, 10)
    clock.advance(by: .seconds(10))
    try courier.carryAllOut()
    let older = try #require(try store.ledger.live().first)
    clock.advance(by: .seconds(90_000))
    let orders = try courier.carryAllOut()
    #expect(orders == [.close(entry: older.number, try #require(older.shown))])
    #expect(try states() == [.removed, .missed])
    #expect(try entries()[0].reason?.sentence == "it was outdated")
  }
}
