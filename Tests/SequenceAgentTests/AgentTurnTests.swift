import NotifierBus
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
import TestSupport
import Testing

/// The loop of the agent, with all of its work.
@Suite(.timeLimit(.minutes(1)))
struct AgentTurnTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: OpenRunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try OpenRunStore.complete(in: StateDirectory(path: directory.path), clock: clock)
  }

  /// A desktop without a server, which keeps the loop from waiting.
  private final class RestlessDesktop: DesktopConnection {
    private let events: MessageQueue<DesktopEvent>
    init() throws {
      events = try MessageQueue()
      events.put(.busClosed)
    }
    var descriptor: Int32 { events.descriptor }
    let endingLimit = Duration.zero
    func takeEvents() -> [DesktopEvent] { [] }
    func send(_ order: DesktopOrder) {}
    func rest(until wake: Duration?) {}
    func connectToSleep(
      why: @escaping @Sendable (InhibitorRequest) -> String
    ) throws(SystemError) -> any SleepConnection {
      throw SystemError(call: "none", code: 1)
    }
    func end() {}
  }

  private func loop(_ configuration: Configuration) throws -> DeliveryLoop {
    let sleep = try MessageQueue<SleepEvent>()
    let monitor = SuspendMonitor(
      store: store, keepsAwake: { configuration.keepsAwake }, events: sleep, send: { _ in },
      onFailure: { Issue.record($0) })
    let hooks = HookRunner(HookEnvironment([:], state: store.directory), clock: clock)
    let dispatcher = EventDispatcher(
      store: store, hooks: hooks, soundProgram: nil, configuration: { configuration })
    let panel = try Panel(
      store: store, configuration: { configuration }, open: { _ in }, onFailure: { Issue.record($0) })
    let courier = Courier(store: store.base, application: try RunNotifications(store: store), process: 1)
    return try DeliveryLoop(
      store.base, courier, RestlessDesktop(), delegate: AgentDelegate(monitor, dispatcher, panel),
      onFailure: { Issue.record($0) })
  }

  @Test(arguments: [false, true])
  func `a turn reads the runs once if they have changed, and otherwise asks for their revision`(
    hasHooks: Bool
  ) throws {
    var configuration = Configuration()
    configuration.keepsAwake = true
    if hasHooks {
      configuration.hooks = [Hook(events: [.runEnd], program: "/bin/true", arguments: [])]
    }
    for title in ["A", "B"] {
      _ = try store.start(try CardSpec.sequence(cards: ["\(title) 1h"], title: title), RunStart(beside: true))
    }
    let other = try OpenRunStore.complete(in: store.directory, clock: clock)
    let loop = try loop(configuration)
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
      // To settle them, and beside the journal, which may have changed since.
      #expect(try turn() == (0, 2))
      _ = try other.perform(.toggle)
      #expect(try turn().read == 1)
    }
  }
}
