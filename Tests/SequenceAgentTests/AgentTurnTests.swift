import Foundation
import NotifierDelivery
import NotifierLedger
@testable import SequenceAgent
import SequenceConfiguration
import SequenceFiles
import SequenceNotifications
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore
import Synchronization
import TestSupport
import Testing

/// The loop of the agent, with all of its work.
@Suite(.timeLimit(.minutes(1)))
struct AgentTurnTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try CompleteStore.open(in: StateDirectory(path: directory.path), clock: clock)
  }

  /// A desktop that answers at once, or keeps the loop from waiting.
  private final class AnsweringDesktop: DesktopConnection {
    private let events: MessageQueue<DesktopEvent>
    private let hasServer: Bool
    private let titles = Mutex<[String]>([])
    var shown: [String] { titles.withLock { $0 } }

    init(hasServer: Bool) throws {
      events = try MessageQueue()
      self.hasServer = hasServer
      if !hasServer { events.put(.busClosed) }
    }

    var descriptor: Int32 { events.descriptor }
    let endingLimit = Duration.zero
    func takeEvents() throws(SystemError) -> [DesktopEvent] { hasServer ? try events.takeAll() : [] }
    func rest(until wake: Duration?) {}
    func end() {}

    func send(_ order: DesktopOrder) {
      switch order {
      case .probe, .startServer:
        let epoch = ServerEpoch(busID: "bus", owner: ":1.1")
        events.put(
          .serverAvailable(NotificationServer(epoch: epoch, name: "test", version: "1", capabilities: [])))
      case .show(let entry, let content, let shown):
        titles.withLock { $0.append(content.summary) }
        events.put(.shown(entry: entry, shown))
      case .close(let entry, _): events.put(.closed(entry: entry))
      case .callOff, .status: break
      }
    }

    func connectToSleep(
      why: @escaping @Sendable (InhibitorRequest) -> String
    ) throws(SystemError) -> SleepConnection { throw SystemError(call: "none", code: 1) }
  }

  /// The loop of an agent of a store, or of a program that shows its notifications.
  private func loop(
    _ store: RunStore, _ configuration: Configuration, _ desktop: AnsweringDesktop, isAgent: Bool = true,
    panel given: Panel? = nil
  ) throws -> DeliveryLoop {
    let sleep = try MessageQueue<SleepEvent>()
    let monitor = SuspendMonitor(
      store: store, keepsAwake: { configuration.keepsAwake }, events: sleep, send: { _ in },
      onFailure: { Issue.record($0) })
    let hooks = HookRunner(HookEnvironment([:], state: store.directory), clock: store.clock)
    let dispatcher = EventDispatcher(
      store: store, hooks: hooks, soundProgram: nil, configuration: { configuration })
    let panel = try given ?? panel(configuration)
    let notifications = RunNotifications(store: store, onFailure: { Issue.record($0) })
    return try DeliveryLoop(
      store.base, notifications.courier(process: 1), desktop,
      delegate: isAgent
        ? AgentDelegate(
          notifications, monitor, dispatcher, panel,
          ScheduleDirector(store: store, configuration: { configuration }, onFailure: { Issue.record($0) }))
        : NotifierDelegate(notifications, monitor),
      onFailure: { Issue.record($0) })
  }

  private func panel(_ configuration: Configuration) throws -> Panel {
    try Panel(
      store: store, configuration: { configuration }, HookEnvironment([:], state: store.directory),
      onFailure: { Issue.record($0) })
  }

  private func extensions() throws -> Int {
    let counts = try store.database.rows("SELECT count(*) FROM journal WHERE kind = 'extend'") {
      $0.integer(0)
    }
    return Int(counts[0])
  }

  @Test func `requests of the panel are carried out one in each turn, after notifications that are due`()
    throws
  {
    let panel = try panel(Configuration())
    let desktop = try AnsweringDesktop(hasServer: true)
    let loop = try loop(store, Configuration(), desktop, panel: panel)
    _ = try store.start(try CardSpec.sequence(cards: ["A 10s", "B 1h"]))
    let other = try #require(
      try store.start(try CardSpec.sequence(cards: ["C 2h", "D 1h"]), RunStart(beside: true)).run)
    // No turn waits.
    let ready = try MessageQueue<Int>()
    ready.put(0)
    func turn() throws { _ = try loop.turn(or: [ready.descriptor], isDone: { false }) }
    // The server is found.
    for _ in 0..<3 { try turn() }
    clock.advance(by: .seconds(10))
    for number in 1...3 {
      let context = RunContext(runID: other.runID, step: 0)
      panel.events.put(.requested(.button(.extend, context), number: number, at: clock.now().boot))
    }
    try turn()
    #expect(desktop.shown.first?.hasPrefix("B") == true, "\(desktop.shown)")
    #expect(try extensions() == 1)
    // The next turns need nothing that wakes them.
    #expect(panel.nextWake == clock.now().boot)
    for _ in 0..<2 { try turn() }
    #expect(try extensions() == 3)
  }

  @Test func `a request is too late a second after its arrival, even if the agent takes it only then`() throws
  {
    let panel = try panel(Configuration())
    _ = try store.start(try CardSpec.sequence(cards: ["A 1h", "B 1h"]))
    let arrival = clock.now().boot
    for number in 1...2 {
      panel.events.put(.requested(.key(.playPause), number: number, at: arrival))
    }
    clock.advance(by: .seconds(1))
    try panel.performRequests([])
    #expect(try store.peek().run?.isPaused == true)
    clock.advance(by: .milliseconds(1))
    try panel.performRequests([])
    #expect(try store.peek().run?.isPaused == true)
    // One more turn, in which the answer leaves.
    #expect(try !panel.hasNothingToWaitFor(store.peek()))
    try panel.performRequests([])
    #expect(try panel.hasNothingToWaitFor(store.peek()))
  }

  @Test func `the deadline of a command counts at the beginning of its transaction`() throws {
    _ = try store.start(try CardSpec.sequence(cards: ["A 1h", "B 1h"]))
    let deadline = clock.now().boot
    _ = try store.perform(.pause, notAfter: deadline)
    clock.advance(by: .nanoseconds(1))
    #expect(throws: RunStore.late) { try store.perform(.resume(), notAfter: deadline) }
    #expect(try store.peek().run?.isPaused == true)
  }

  /// Other work that fails, as a part of the agent that expects no such failure.
  private final class FailingWork: DeliveryDelegate {
    var failure: (any Error)?
    var descriptors: [Int32] = []
    private let store: RunStore
    private let notifications: RunNotifications

    init(_ store: RunStore, _ notifications: RunNotifications) {
      (self.store, self.notifications) = (store, notifications)
    }

    let nextWake: Duration? = .zero
    func beginTurn() throws -> Turn {
      if let failure { throw failure }
      let status = try store.peek()
      return Turn(
        reading: status.reading, presenter: notifications.presenter(status), hasNothingToWaitFor: { false })
    }
  }

  @Test func `an agent has begun its work once it waits after a turn, and not if the turn fails`() throws {
    let notifications = RunNotifications(store: store, onFailure: { Issue.record($0) })
    let work = FailingWork(store, notifications)
    let loop = try DeliveryLoop(
      store.base, notifications.courier(process: 1), AnsweringDesktop(hasServer: false), delegate: work,
      onFailure: { Issue.record($0) })
    var begun = 0
    let failure = SystemError(call: "inotify_init1", code: EMFILE)
    work.failure = failure
    #expect(throws: failure) {
      try loop.turn(or: [], willWait: { begun += 1 }, isDone: { false })
    }
    #expect(begun == 0)
    work.failure = nil
    _ = try loop.turn(or: [], willWait: { begun += 1 }, isDone: { false })
    #expect(begun == 1)
  }

  @Test func `a turn that failed is not ended by work that it has left undone`() throws {
    let notifications = RunNotifications(store: store, onFailure: { Issue.record($0) })
    let work = FailingWork(store, notifications)
    var failures: [String] = []
    let loop = try DeliveryLoop(
      store.base, notifications.courier(process: 1), AnsweringDesktop(hasServer: false), delegate: work,
      onFailure: { failures.append("\($0)") })
    let undone = try MessageQueue<Int>()
    undone.put(0)
    work.descriptors = [undone.descriptor]
    // The turns don't wait.
    let ending = try MessageQueue<Int>()
    ending.put(0)
    func turn() throws -> [Int32] {
      guard case .ready(let ready) = try loop.turn(or: [ending.descriptor], isDone: { false }) else {
        throw TestSupportError("the loop has ended")
      }
      return ready
    }
    work.failure = StoreError.full(path: store.directory.databasePath)
    for _ in 0..<2 { #expect(try !turn().contains(undone.descriptor)) }
    #expect(failures.count == 1)
    work.failure = nil
    #expect(try turn().contains(undone.descriptor))
  }

  @Test func `a notification is shown, and the reason logged once, if no display can be looked at`() throws {
    let path = store.directory.foregroundLockPath
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    var failures: [String] = []
    let notifications = RunNotifications(store: store, onFailure: { failures.append("\($0)") })
    _ = try store.start(try CardSpec.sequence(cards: ["A 10s", "B 1h"]))
    clock.advance(by: .seconds(10))
    let entry = try #require(try store.ledger.due(at: clock.now()).first)
    func isShown() throws -> Bool {
      let presenter = try notifications.presenter(store.peek())
      if case .show = try presenter.presentation(of: entry, lateness: .zero) { return true }
      return false
    }
    for _ in 0..<2 { #expect(try isShown()) }
    #expect(
      failures == ["displays do not suppress notifications: open \(path) failed: Is a directory"])
    try FileManager.default.removeItem(atPath: path)
    let display = try FileLock(path: path)
    #expect(try display.take())
    #expect(try !isShown())
  }

  @Test(arguments: [(true, false), (true, true), (false, false)])
  func `a turn reads the runs once if they have changed, and otherwise asks for their revision`(
    isAgent: Bool, hasHooks: Bool
  ) throws {
    var configuration = Configuration()
    configuration.keepAwake = .system
    if hasHooks {
      configuration.hooks = [Hook(events: [.runEnd], program: "/bin/true", arguments: [])]
    }
    for title in ["A", "B"] {
      _ = try store.start(try CardSpec.sequence(cards: ["\(title) 1h"], title: title), RunStart(beside: true))
    }
    let other = try CompleteStore.open(in: store.directory, clock: clock)
    let loop = try loop(store, configuration, AnsweringDesktop(hasServer: false), isAgent: isAgent)
    /// Takes a turn, and returns how often the runs were read, and their revision alone.
    func turn() throws -> (read: Int, asked: Int) {
      func counts() -> (Int, Int) {
        (
          store.database.runCount(ofStatementsWith: "FROM active_run"),
          store.database.runCount(ofStatementsWith: "SELECT revision FROM store")
        )
      }
      let before = counts()
      guard case .ready = try loop.turn(or: [], isDone: { true }) else {
        throw TestSupportError("the loop has ended")
      }
      clock.advance(by: .seconds(1))
      let after = counts()
      return (after.0 - before.0, after.1 - before.1)
    }
    // The server that isn't there is looked for.
    for _ in 0..<3 { _ = try turn() }
    for _ in 0..<3 {
      // Once to settle them, and once with the journal, which may have changed since.
      #expect(try turn() == (0, isAgent ? 2 : 1))
      _ = try other.perform(.toggle)
      #expect(try turn().read == 1)
    }
  }

  @Test func `the loop waits for a clock that is three days ahead, and for nothing else`() throws {
    let clock = ShiftedClock(try SystemClock())
    let store = try CompleteStore.open(in: StateDirectory(path: directory.path + "/shifted"), clock: clock)
    let desktop = try AnsweringDesktop(hasServer: true)
    let loop = try loop(store, Configuration(), desktop)
    let start = clock.now()
    _ = try store.start(try CardSpec.sequence(cards: ["A 0.2s", "B 1h"]))
    var turns = 0
    while desktop.shown.isEmpty, turns < 100 {
      _ = try loop.turn(or: [], isDone: { false })
      turns += 1
    }
    #expect(desktop.shown == ["B, 1h"])
    // It is prepared 50 ms before its time.
    #expect(clock.now().elapsed(since: start) >= .milliseconds(150))
    // A loop that doesn't wait takes all of the turns.
    #expect(turns < 20, "\(turns)")
    #expect(clock.readings < 500, "\(clock.readings)")
  }
}
