import Foundation
import Glibc
import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequenceNotifications
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import NotifierDelivery

/// The agent's reactions to suspend, with a manual clock and without logind.
@Suite(.timeLimit(.minutes(1)))
final class SuspendMonitorTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let events: MessageQueue<SleepEvent>
  private var configuration = Configuration()
  private var orders: [SleepOrder] = []
  private var failures: [String] = []
  private lazy var keeper = monitor()

  private func monitor() -> SuspendMonitor {
    SuspendMonitor(
      store: store, keepsAwake: { [unowned self] in configuration.keepsAwake },
      keepsScreenOn: { [unowned self] in configuration.keepsScreenOn }, events: events,
      send: { [unowned self] in orders.append($0) }, onFailure: { [unowned self] in failures.append("\($0)") }
    )
  }

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    events = try MessageQueue()
  }

  private func start(_ away: SuspendPolicy?, manual: Bool = false) throws {
    let cards = ["A", "B", "C"].map {
      SequenceElement.card(
        Card(id: UUID(), title: $0, timing: .countdown(.seconds(10), advance: manual ? .manual : .automatic)))
    }
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: cards, onSuspend: away, onLock: nil)))
  }

  private func hear(_ event: SleepEvent) throws {
    events.put(event)
    try keeper.listen()
    try turn()
  }

  /// Has a service take its name, and waits until it can be asked.
  private func arrive(_ service: IdleService) throws {
    try hear(.otherService(service))
    clock.advance(by: .seconds(5))
    try turn()
  }

  /// A turn of the agent in which no hook runs.
  private func turn() throws { keeper.release(isBusy: false, at: try keeper.update().reading) }

  private func ordered() -> [SleepOrder] {
    defer { orders = [] }
    return orders
  }

  /// Returns an inhibitor, and a closure that reports whether it is held.
  private func inhibitor() throws -> (any SleepInhibitor, isHeld: () -> Bool) {
    var ends: [Int32] = [0, 0]
    _ = try SystemError.check("pipe") { pipe(&ends) }
    let end = ends[0]
    return (
      LoginInhibitor(FileDescriptor(owning: ends[1])),
      {
        var entry = pollfd(fd: end, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 0
      }
    )
  }

  private func waiting() throws -> [LedgerEntry] {
    try store.ledger.entries(in: .allSequences).filter { $0.state == .pending }
  }

  /// A sequence with `onLock: ask` whose only card is a rest or not.
  private func start(_ title: String, isRest: Bool, _ source: RunSource) throws -> UUID {
    let sequence = SequenceDefinition(title, onLock: .ask) {
      Card(title, .countdown(.seconds(7200)), isRest: isRest)
    }
    let start = RunStart(source: source, beside: true)
    return try #require(try store.start(try Timeline(sequence), start).run?.runID)
  }

  @Test func `a lock with a sleep and another agent in it is one pause and one question, only for work`()
    throws
  {
    let work = try start("Work", isRest: false, .file)
    let others = [try start("Break", isRest: true, .file), try start("Tea", isRest: false, .timer)]
    func run(_ id: UUID) throws -> ActiveRunSnapshot { try #require(try store.peek().status(of: id).run) }
    func questions() throws -> [LedgerEntry] {
      try store.ledger.entries(in: .allSequences).filter { event(of: $0.request) == .return }
    }
    _ = try keeper.update()
    #expect(ordered() == [.watchLock])
    try hear(.locked(false, isChange: false, failure: nil))
    // 12:00
    try hear(.locked(true, isChange: true, failure: nil))
    let lockedAt = clock.now()
    clock.advance(by: .seconds(300))
    try hear(.suspending(.sleep))
    clock.advance(by: .seconds(1500))
    // 12:30: another agent.
    keeper = monitor()
    _ = try keeper.update()
    #expect(ordered() == [.watchLock])
    try hear(.locked(true, isChange: false, failure: nil))
    // 13:00
    clock.advance(by: .seconds(1800))
    try hear(.back)
    #expect(try questions().isEmpty)
    func suspend() throws -> Suspend { try #require(try run(work).suspend) }
    #expect(try suspend().cause == .lock && suspend().since == lockedAt && suspend().until == nil)
    // 13:01
    clock.advance(by: .seconds(60))
    try hear(.locked(false, isChange: true, failure: nil))
    #expect(try suspend().since == lockedAt && suspend().until == clock.now())
    #expect(try questions().map(\.request.summary) == ["Work is paused. Count that time?"])
    #expect(try questions()[0].request.body.hasPrefix("The screen was locked for 1h1m"))
    for other in others { #expect(try !run(other).isPaused) }
    // It stays paused, and counts the time if the user says so.
    try hear(.locked(true, isChange: true, failure: nil))
    try hear(.locked(false, isChange: true, failure: nil))
    #expect(try questions().count == 1)
    _ = try store.perform(.resume(countingSuspend: true), on: work)
    #expect(try store.peek().status(of: work).position?.elapsed == .seconds(3660))
  }

  @Test func `a lock that begins before the agent, or ends in a sleep, or can't be noticed`() throws {
    let work = try start("Work", isRest: false, .file)
    func isPaused() throws -> Bool { try store.peek().status(of: work).run?.isPaused == true }
    _ = try keeper.update()
    try hear(.locked(true, isChange: false, failure: nil))
    #expect(try !isPaused())
    try hear(.locked(false, isChange: true, failure: nil))
    try hear(.locked(true, isChange: true, failure: nil))
    #expect(try isPaused())
    // Unlocked while the machine is on its way to sleep: only its return is the end.
    try hear(.suspending(.sleep))
    try hear(.locked(false, isChange: true, failure: nil))
    #expect(try store.peek().run?.suspend?.until == nil)
    try hear(.back)
    #expect(try store.peek().run?.suspend?.until == clock.now())
    _ = try store.perform(.resume())
    // Another session may be the one on the screen.
    _ = ordered()
    try hear(.otherSession)
    #expect(ordered() == [.watchLock])
    try hear(.locked(true, isChange: true, failure: nil))
    try hear(.otherLogind)
    #expect(ordered() == [.watchLock])
    #expect(try store.peek().run?.suspend?.until == nil)
    for _ in 1...2 { try hear(.locked(false, isChange: false, failure: "no logind")) }
    #expect(try store.peek().run?.suspend?.until == nil)
    #expect(failures == ["a locked screen is not noticed, so the run continues: no logind"])
    // Nobody knows whether it is still locked.
    clock.advance(by: .seconds(30))
    try turn()
    #expect(try store.peek().run?.suspend?.until == clock.now())
  }

  @Test func `a logind that is restarted under a lock ends it only if the screen is unlocked`() throws {
    let work = try start("Work", isRest: false, .file)
    func until() throws -> ClockReading? { try store.peek().status(of: work).run?.suspend?.until }
    try turn()
    try hear(.locked(false, isChange: false, failure: nil))
    try hear(.locked(true, isChange: true, failure: nil))
    // The former one is gone, and then another one comes.
    try hear(.otherLogind)
    try hear(.locked(false, isChange: false, failure: "no logind"))
    clock.advance(by: .seconds(2))
    try hear(.otherLogind)
    try hear(.locked(true, isChange: false, failure: nil))
    clock.advance(by: .seconds(60))
    try turn()
    #expect(try until() == nil)
    try hear(.locked(false, isChange: true, failure: nil))
    #expect(try until() == clock.now())
  }

  @Test func `a lock that can't be found out in a suspend is decided after it, without wake-ups in it`()
    throws
  {
    let work = try start("Work", isRest: false, .file)
    try turn()
    try hear(.locked(true, isChange: true, failure: nil))
    try hear(.suspending(.sleep))
    try hear(.locked(false, isChange: false, failure: "no logind"))
    clock.advance(by: .seconds(60))
    try turn()
    #expect(keeper.nextWake.map { $0 > clock.now().boot } ?? true)
    #expect(try store.peek().status(of: work).run?.suspend?.until == nil)
    try hear(.back)
    // The answer may be on its way.
    clock.advance(by: .seconds(29))
    try turn()
    #expect(try store.peek().status(of: work).run?.suspend?.until == nil)
    clock.advance(by: .seconds(1))
    try turn()
    #expect(try store.peek().status(of: work).run?.suspend?.until == clock.now())
  }

  @Test func `a lock is asked for again after a logind that didn't answer`() throws {
    let work = try start("Work", isRest: false, .file)
    try turn()
    #expect(ordered() == [.watchLock])
    try hear(.locked(false, isChange: false, failure: "logind does not answer"))
    #expect(ordered().isEmpty)
    clock.advance(by: try #require(keeper.nextWake) - clock.now().boot)
    try turn()
    #expect(ordered() == [.watchLock])
    try hear(.locked(false, isChange: false, failure: nil))
    #expect(keeper.nextWake == nil)
    try hear(.locked(true, isChange: true, failure: nil))
    #expect(try store.peek().status(of: work).run?.suspend?.cause == .lock)
  }

  @Test func `a logind that doesn't answer is asked again at the next step, and after growing pauses`() throws
  {
    try start(.pause, manual: true)
    try turn()
    var pauses: [Int64] = []
    for _ in 1...9 {
      #expect(ordered() == [.inhibit(.login(.delay))])
      try hear(.refused(.login(.delay), reason: "logind does not answer", isNotified: true, nil))
      #expect(ordered().isEmpty)
      let pause = try #require(keeper.nextWake) - clock.now().boot
      pauses.append(pause.components.seconds)
      clock.advance(by: pause)
      try turn()
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600])
    // Signals are heard, so that this is all that is missing.
    #expect(
      failures == ["suspend is not delayed, so the run may be paused too late: logind does not answer"])
    try hear(.refused(.login(.delay), reason: "logind does not answer", isNotified: true, nil))
    _ = ordered()
    _ = try store.perform(.next)
    try turn()
    #expect(ordered() == [.inhibit(.login(.delay))])
    try hear(.held(.login(.delay), try inhibitor().0))
    #expect(keeper.nextWake == nil)
  }

  @Test func `the machine goes once the hooks of the pause have run, or after a second`() throws {
    for isEnding in [true, false] {
      try start(.pause)
      try turn()
      var (held, isHeld): ((any SleepInhibitor)?, () -> Bool) = try inhibitor()
      try hear(.held(.login(.delay), try #require(held)))
      held = nil
      events.put(.suspending(.sleep))
      try keeper.listen()
      keeper.release(isBusy: true, at: try keeper.update().reading)
      #expect(isHeld())
      #expect(keeper.nextWake == clock.now().boot + .seconds(1))
      if !isEnding { clock.advance(by: .seconds(1)) }
      keeper.release(isBusy: !isEnding, at: try keeper.update().reading)
      #expect(!isHeld())
      _ = try store.perform(.stop)
      try hear(.back)
    }
  }

  @Test(arguments: [nil, SuspendPolicy.continue])
  func `a run with onSuspend continue calls nothing on logind and stays unchanged`(policy: SuspendPolicy?)
    throws
  {
    try start(policy)
    _ = try keeper.update()
    let before = try store.settle().run
    try hear(.suspending(.sleep))
    try hear(.back)
    #expect(ordered() == [])
    #expect(try store.settle().run == before)
    #expect(try waiting().count == 3)
  }

  @Test func `the machine suspends only after the pause is stored`() throws {
    try start(.pause)
    _ = try keeper.update()
    #expect(ordered() == [.inhibit(.login(.delay))])
    var (held, isHeld): ((any SleepInhibitor)?, () -> Bool) = try inhibitor()
    try hear(.held(.login(.delay), try #require(held)))
    held = nil
    clock.advance(by: .seconds(4))

    // While another process locks the store, nothing is written and the inhibitor is kept.
    _ = try store.database.rows("PRAGMA busy_timeout = 0") { $0.integer(0) }
    let other = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
    events.put(.suspending(.sleep))
    try keeper.listen()
    try other.database.transaction { () throws(StoreError) in
      #expect(throws: StoreError.self) { try keeper.update() }
      #expect(isHeld())
    }
    clock.advance(by: .seconds(2))
    try turn()
    #expect(!isHeld())
    #expect(try store.settle().position?.remaining == .seconds(6))
    #expect(try store.settle().run?.suspend?.cause == .sleep)
    #expect(try store.ledger.entries(in: .allSequences).allSatisfy { $0.state == .cancelled })
    #expect(try store.hasNothingToWaitFor() == false)
    #expect(ordered() == [])
  }

  @Test(arguments: [(SuspendPolicy.pause, ["resume"]), (.ask, ["resume", "count"])])
  func `the user is notified after the machine is back`(policy: SuspendPolicy, buttons: [String]) throws {
    try start(policy)
    _ = try keeper.update()
    try hear(.held(.login(.delay), try inhibitor().0))
    clock.advance(by: .seconds(14))
    try hear(.suspending(.sleep))
    #expect(try waiting().isEmpty)
    clock.advance(by: .seconds(3600 + 62))
    try hear(.back)
    let entry = try #require(try waiting().first)
    #expect(event(of: entry.request) == .return)
    #expect(entry.request.actions.map(\.key) == buttons)
    #expect(entry.due == clock.now())
    #expect(entry.request.body == "The computer slept for 1h1m2s · 6s left · step 2 of 3")
    #expect(entry.request.summary == (policy == .ask ? "B is paused. Count that time?" : "B is paused"))
    // The suspend no longer needs to be delayed.
    #expect(ordered().last == .disconnect)
    _ = try store.perform(.resume())
    _ = try keeper.update()
    #expect(ordered() == [.inhibit(.login(.delay))])
  }

  @Test func `the button counts the time, once`() throws {
    try start(.ask)
    clock.advance(by: .seconds(4))
    try hear(.suspending(.sleep))
    clock.advance(by: .seconds(8))
    try hear(.back)
    let entry = try #require(try waiting().first)
    let notifications = RunNotifications(store: store, onFailure: { Issue.record($0) })
    let presenter = try notifications.presenter(store.peek())
    // A live display cannot ask.
    let display = try FileLock(path: store.directory.foregroundLockPath)
    #expect(try display.take())
    guard case .show = try presenter.presentation(of: entry, lateness: .zero) else {
      Issue.record("it is not shown")
      return
    }
    #expect(presenter.isStillNews(entry))
    let count = try #require(entry.request.actions.last)
    func respond() throws -> NotificationReason {
      try store.changeLedger { ledger throws(StoreError) in
        try notifications.respond(to: count, of: entry, in: ledger, at: clock.now())
      }
    }
    #expect(try respond() == .pressed("Count that time"))
    #expect(try store.settle().position?.step.index == 1)
    #expect(try store.settle().position?.elapsed == .seconds(2))
    #expect(try respond() == .pressed("Count that time", but: NotificationReason("step-was-over")))
  }

  @Test func `a new monitor finds the return that its predecessor missed`() throws {
    try start(.pause)
    try store.suspend(for: .sleep, at: clock.now())
    clock.advance(by: .seconds(60))
    _ = try keeper.update()
    #expect(try store.settle().run?.suspend?.length == .seconds(60))
    #expect(try waiting().count == 1)
  }

  @Test
  func `a shutdown is reported in the next boot, and a power loss by the last decision`()
    throws
  {
    try start(.ask)
    clock.advance(by: .seconds(12))
    try hear(.suspending(.shutdown))
    clock.reboot(after: .seconds(60))
    _ = try keeper.update()
    #expect(try waiting().first?.request.body.hasPrefix("The computer was off for 1m · 8s left") == true)
    _ = try store.perform(.resume())
    clock.advance(by: .seconds(9))

    // The end of the second step was shown, so the machine was on at that time.
    let shown = try #require(try store.ledger.due(at: clock.now()).first)
    try store.ledger.suppress(shown, at: clock.now().wall, reason: .foreground)
    clock.reboot(after: .seconds(60))
    _ = try keeper.update()
    let status = try store.settle()
    #expect(status.run?.suspend?.cause == .powerLoss)
    #expect(status.position?.step.index == 2)
    #expect(status.position?.elapsed == .zero)
    #expect(
      try waiting().map(\.request.body)
        == ["The computer lost power; last activity 1m1s ago · 10s left · step 3 of 3"])
  }

  /// The orders while a countdown runs.
  private static let requests: [InhibitorRequest] =
    [.login(.idleness), .desktop(.sessionManager), .desktop(.powerManagement)]
  private static let idleness = requests.map(SleepOrder.inhibit)

  @Test func `idle is inhibited while a countdown runs, if that is wanted`() throws {
    configuration.keepAwake = .system
    try start(nil, manual: true)
    _ = try keeper.update()
    #expect(ordered() == SuspendMonitorTests.idleness)
    var held = try SuspendMonitorTests.requests.map { ($0, try inhibitor()) }
    #expect(held.map { .inhibit($0.0) } == SuspendMonitorTests.idleness)
    for (hold, (inhibitor, _)) in held { try hear(.held(hold, inhibitor)) }
    let isHeld = held.map(\.1.isHeld)
    held = []
    clock.advance(by: .seconds(9))
    _ = try keeper.update()
    #expect(isHeld.map { $0() } == [true, true, true])
    _ = try store.perform(.pause)
    _ = try keeper.update()
    #expect(isHeld.map { $0() } == [false, false, false])
    #expect(ordered() == [.disconnect])
    _ = try store.perform(.resume())
    _ = try keeper.update()
    #expect(ordered() == SuspendMonitorTests.idleness)
    // The countdown is over and waits for the user, so the machine need not stay awake.
    clock.advance(by: .seconds(1))
    for hold in SuspendMonitorTests.requests { try hear(.held(hold, try inhibitor().0)) }
    #expect(ordered() == [.disconnect])
  }

  private static let screen: [SleepOrder] = [
    .inhibit(.desktop(.sessionScreen)), .inhibit(.desktop(.screenSaver)),
  ]

  @Test func `displays that can't be looked at end nothing, are logged once, and looked at again`() throws {
    configuration.keepAwake = .screen
    let path = store.directory.displayLockPath
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let run = try start("Work", isRest: false, .file)
    for _ in 0..<3 { _ = try keeper.update() }
    #expect(failures == ["displays do not keep the screen on: open \(path) failed: Is a directory"])
    #expect(ordered().filter { SuspendMonitorTests.screen.contains($0) } == [])
    #expect(keeper.nextWake.map { $0 - clock.now().boot } == .seconds(10))
    try FileManager.default.removeItem(atPath: path)
    var display = try DisplayedRuns(in: store.directory)
    try display.show(run)
    clock.advance(by: .seconds(10))
    _ = try keeper.update()
    #expect(ordered().filter { SuspendMonitorTests.screen.contains($0) } == SuspendMonitorTests.screen)
  }

  @Test func `a step in overtime keeps the screen on for ten minutes`() throws {
    configuration.keepAwake = .screen
    try start(nil, manual: true)
    var display = try DisplayedRuns(in: store.directory)
    try display.show(store.peek().run?.runID)
    _ = try keeper.update()
    #expect(ordered().filter { SuspendMonitorTests.screen.contains($0) } == SuspendMonitorTests.screen)
    for hold in [InhibitorRequest.desktop(.sessionScreen), .desktop(.screenSaver)] {
      try hear(.held(hold, try inhibitor().0))
    }
    clock.advance(by: .seconds(609))
    _ = try keeper.update()
    #expect(try !keeper.hasNothingToWaitFor(store.peek()))
    #expect(keeper.nextWake.map { $0 - clock.now().boot } == .seconds(1))
    clock.advance(by: .seconds(1))
    _ = try keeper.update()
    #expect(try keeper.hasNothingToWaitFor(store.peek()))
    // The next step is looked at again.
    _ = ordered()
    _ = try store.perform(.next)
    _ = try keeper.update()
    #expect(ordered().filter { SuspendMonitorTests.screen.contains($0) } == SuspendMonitorTests.screen)
  }

  @Test func `a new service is asked again, and a new logind gets only its own request`() throws {
    configuration.keepAwake = .system
    try start(nil)
    _ = try keeper.update()
    // Pending orders go to the new service.
    try arrive(.sessionManager)
    #expect(ordered() == SuspendMonitorTests.idleness)
    for hold in SuspendMonitorTests.requests { try hear(.held(hold, try inhibitor().0)) }
    try arrive(.sessionManager)
    #expect(ordered() == [.inhibit(.desktop(.sessionManager))])
    try hear(.refused(.desktop(.sessionManager), reason: "not now", nil))
    #expect(ordered() == [])
    try arrive(.sessionManager)
    #expect(ordered() == [.inhibit(.desktop(.sessionManager))])
    try hear(.otherLogind)
    #expect(ordered() == [.inhibit(.login(.idleness))])
  }

  @Test func `each refusal is logged once`() throws {
    configuration.keepAwake = .system
    try start(nil)
    _ = try keeper.update()
    for _ in 1...2 {
      for hold in SuspendMonitorTests.requests { try hear(.refused(hold, reason: "\(hold)", nil)) }
      try hear(.back)
    }
    #expect(
      ordered() == SuspendMonitorTests.idleness + SuspendMonitorTests.idleness + SuspendMonitorTests.idleness)
    #expect(failures.count == 3)
    #expect(failures.allSatisfy { $0.hasPrefix("a service does not inhibit sleep") })
  }

  @Test func `keepAwake takes effect during a countdown, in both directions`() throws {
    try start(nil)
    _ = try keeper.update()
    #expect(ordered() == [])
    #expect(try keeper.hasNothingToWaitFor(store.peek()))
    configuration.keepAwake = .system
    #expect(try !keeper.hasNothingToWaitFor(store.peek()))
    _ = try keeper.update()
    #expect(ordered() == SuspendMonitorTests.idleness)
    let isHeld = try hearHeld()
    #expect(isHeld() == [true, true, true])
    configuration.keepAwake = .no
    _ = try keeper.update()
    #expect(isHeld() == [false, false, false])
    #expect(ordered() == [.disconnect])
    #expect(try keeper.hasNothingToWaitFor(store.peek()))
  }

  @Test func `a refusal is logged once and asked again at the next countdown`() throws {
    configuration.keepAwake = .system
    try start(nil)
    for _ in 1...3 {
      _ = try keeper.update()
      #expect(ordered() == SuspendMonitorTests.idleness)
      for hold in SuspendMonitorTests.requests { try hear(.refused(hold, reason: "no", nil)) }
      clock.advance(by: .seconds(4))
      _ = try keeper.update()
      #expect(ordered() == [])
      clock.advance(by: .seconds(6))
    }
    #expect(failures.count == 3)
  }

  /// Grants the inhibitors of idleness, and returns a closure that reports which are held.
  private func hearHeld() throws -> () -> [Bool] {
    try SuspendMonitorTests.requests.map { hold in
      let (inhibitor, isHeld) = try inhibitor()
      try hear(.held(hold, inhibitor))
      return isHeld
    }.reduce({ [] }) { before, isHeld in { before() + [isHeld()] } }
  }

  @Test func `an unusable logind is logged once and asked again on the next change`() throws {
    try start(.pause)
    _ = try keeper.update()
    try hear(.refused(.login(.delay), reason: "no system bus", nil))
    clock.advance(by: .seconds(1))
    _ = try keeper.update()
    #expect(ordered() == [.inhibit(.login(.delay))])
    try hear(.otherLogind)
    #expect(ordered() == [.inhibit(.login(.delay))])
    try hear(.refused(.login(.delay), reason: "no system bus", nil))
    #expect(failures.count == 1)
    #expect(failures.first?.hasSuffix(": no system bus") == true)
    #expect(try store.settle().position?.state == .running)
  }
}
