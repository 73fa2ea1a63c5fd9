import Foundation
import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport

/// Agents of one store that are killed at work, one after another.
///
/// Each agent must repeat its predecessor's notification, because the run still exists. It must also replace
/// an older notification of another sequence, and show a notification with a place of its own.
final class MortalAgents {
  private let server: RecordingServer
  private let tool: Tool
  private let bus: PrivateBus
  private let store: RunStore
  private let waiter: StoreWaiter
  private let other = UUID()
  /// The tag of each text.
  private var slots: [String: String] = [:]
  /// The texts that were shown.
  private var shown: Set<String> = []
  /// The reasons why texts were given up.
  private var reasons: [String: String] = [:]
  /// The events of the server since the last death.
  private var events: [ServerEvent] = []
  private(set) var deaths: [Death: Int] = [:]
  /// The visible texts when an agent came to rest with too many.
  private var crowds: [[String]] = []

  /// The work that an agent was killed at.
  enum Death: CaseIterable {
    /// A notification is due, and none is being shown.
    case deciding
    /// A notification is being shown; the server was not asked, or has not processed the call.
    case asking
    /// The server was asked to show a notification, and has not replied.
    case awaitingAnswer
    /// A notification is visible, and that is not recorded.
    case recordingShown
    /// A visible notification must be closed.
    case closing
    /// A notification was closed, and that is not recorded.
    case recordingClosed
    /// There was nothing left to do.
    case resting
  }

  /// - Parameter manner: a command for the server that sets its behavior.
  init(manner: String) throws {
    bus = try PrivateBus()
    server = try RecordingServer(on: bus)
    try server.tell(manner)
    tool = try Tool(bus: bus.address)
    store = try RunStore.withNotifications(in: StateDirectory(path: tool.state), clock: try SystemClock())
    waiter = try StoreWaiter(store.base)
    let cards = [("First", Duration.milliseconds(1)), ("Second", .seconds(3600)), ("Third", .seconds(3600))]
    _ = try store.start(
      try Timeline(
        SequenceDefinition(
          id: UUID(), title: "Run",
          elements: cards.map { title, duration in
            .card(Card(id: UUID(), title: title, timing: .countdown(duration, advance: .automatic)))
          }, onSuspend: nil, onLock: nil)))
    for entry in try store.ledger.entries(in: .everything) {
      slots[entry.request.summary] = entry.request.place
    }
  }

  // MARK: - Runs of agents

  /// Makes two notifications due at once.
  func makeDue() throws {
    let reading = store.clock.now()
    let (inTurn, alone) = ("Step \(slots.count)", "Message \(slots.count)")
    let requests = [
      NotificationRequest(
        identifier: .countdownEnd(sequence: other, card: UUID(), rounds: []), tag: "sequence.\(other)",
        summary: inTurn, due: reading),
      NotificationRequest(
        identifier: .finished(sequence: UUID()), summary: alone, due: reading),
    ]
    for request in requests { slots[request.summary] = request.place }
    try store.database.transaction { () throws(StoreError) in try store.ledger.add(requests, at: reading) }
  }

  /// Starts an agent.
  ///
  /// - Parameter place: kinds of system calls, and how many of them a thread begins before the agent is
  ///   killed.
  private func begin(dyingAt place: (calls: String, number: Int)? = nil) throws -> ChildProcess {
    let agent = [try BuiltProducts.path(of: "sequence-agent"), "--state-dir", tool.state]
    guard let place else {
      return try ChildProcess(agent[0], Array(agent.dropFirst()), environment: tool.environment)
    }
    let tracing = [
      "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(place.calls)",
      "-e", "inject=\(place.calls):signal=KILL:when=\(place.number)",
    ]
    // The agent dies with its tracer, and the tracer with the tests.
    return try ChildProcess(
      "/usr/bin/strace", tracing + ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + agent,
      environment: tool.environment)
  }

  /// Waits until an agent has nothing left to do; returns whether it survives until then.
  private func comesToRest(_ agent: ChildProcess) throws -> Bool {
    guard let ending = try agent.ending() else { return false }
    let deadline = store.clock.now().boot + .seconds(60)
    while try isBusy() {
      guard store.clock.now().boot < deadline else { throw TestSupportError("the agent does not get on") }
      if try !waiter.wait(until: deadline, or: [ending.number]).isEmpty { return false }
    }
    let screen = try listen()
    if Set(screen.map { slots[$0] }).count < screen.count { crowds.append(screen) }
    return true
  }

  /// Kills an agent if it is alive, and determines its work at that time.
  private func bury(_ agent: ChildProcess) throws {
    try kill(agent)
    try listen()
    deaths[try death(), default: 0] += 1
    events = []
    // The ledger keeps the last thousand ended entries; no agent ends more than a few.
    if deaths.values.reduce(0, +).isMultiple(of: 20) { try account() }
  }

  private func kill(_ agent: ChildProcess) throws {
    agent.signal(SIGKILL)
    _ = try agent.exitStatus()
    try tool.waitForEndOfAgent()
  }

  private func isBusy() throws -> Bool {
    try !store.ledger.due(at: store.clock.now()).isEmpty
      || store.ledger.live().contains { $0.state == .presenting || $0.isWithdrawn }
  }

  private func death() throws -> Death {
    let live = try store.ledger.live()
    if let text = live.first(where: { $0.state == .presenting })?.request.summary {
      if events.contains(where: { $0.event == "notify" && $0.summary == text }) { return .recordingShown }
      return events.last?.method == "Notify" ? .awaitingAnswer : .asking
    }
    guard try store.ledger.due(at: store.clock.now()).isEmpty else { return .deciding }
    let withdrawn = live.filter(\.isWithdrawn).map { $0.shown?.id }
    if withdrawn.isEmpty { return .resting }
    return events.contains { $0.event == "close" && withdrawn.contains($0.id) } ? .recordingClosed : .closing
  }

  // MARK: - Deaths

  /// Kills an agent before each call of some kinds until it comes to rest, with a new agent for each call.
  ///
  /// An agent affects the store and the server through its system calls only, so the time of death between
  /// two calls does not matter.
  func killBeforeEachCall(of kinds: String, step: Int) throws {
    for number in stride(from: 1, through: 2000, by: step) {
      try makeDue()
      let agent = try begin(dyingAt: (kinds, number))
      let isAlive = try comesToRest(agent)
      try bury(agent)
      if isAlive { return }
      if (number / step).isMultiple(of: 20) { try clearScreen() }
    }
    throw TestSupportError("the agent does not come to rest")
  }

  /// Has an agent show everything, and then remove it.
  ///
  /// An agent shows visible notifications again. If each killed agent left one more, no agent would come to its end
  /// on a busy machine.
  private func clearScreen() throws {
    let agent = try begin()
    guard try comesToRest(agent) else { throw TestSupportError("the agent ended") }
    try store.database.transaction { () throws(StoreError) in
      for entry in try store.ledger.live() {
        try store.ledger.withdraw(entry, at: store.clock.now().wall, reason: .removed)
      }
    }
    guard try comesToRest(agent) else { throw TestSupportError("the agent ended") }
    try bury(agent)
  }

  /// Kills an agent that is about to ask the server to show a notification.
  func killBeforeAsking() throws {
    try makeDue()
    try server.tell("hang GetServerInformation")
    let agent = try begin()
    try waitFor("held")
    try server.tell("hang later")
    try waitFor("held")
    try bury(agent)
    try server.tell("hang off")
  }

  /// Kills an agent that waits for the reply about a shown notification; returns its successor.
  ///
  /// - Parameter isLate: whether the server processes the call of the dead agent only after its successor's
  ///   call.
  func killBeforeAnswer(isLate: Bool) throws -> ChildProcess {
    try makeDue()
    try server.tell("hang Notify")
    let agent = try begin()
    try waitFor("held")
    try bury(agent)
    if !isLate { try server.tell("hang off") }
    let successor = try begin()
    if isLate {
      try waitFor("held")
      try server.tell("hang off")
    }
    return successor
  }

  /// Kills an agent that has received the reply and cannot record it yet.
  func killBeforeRecordingShown() throws {
    try makeDue()
    try server.tell("hang Notify")
    let agent = try begin()
    try waitFor("held")
    try killWhileLocked(agent, after: "notify")
    try bury(agent)
  }

  /// Lets the server continue, and kills an agent that cannot record the server's answer.
  private func killWhileLocked(_ agent: ChildProcess, after event: String) throws {
    try store.database.writing({
      try server.tell("hang off")
      try waitFor(event)
      try kill(agent)
    }) { $0 }
  }

  /// Kills an agent that closes a notification, before that is done or before it is recorded.
  func killWhileClosing(_ agent: ChildProcess, isClosed: Bool) throws {
    guard try comesToRest(agent) else { throw TestSupportError("the agent ended") }
    try server.tell("hang CloseNotification")
    let reading = store.clock.now()
    try store.database.transaction { () throws(StoreError) in
      _ = try store.ledger.clearPlanned(.sequence(other), at: reading)
    }
    try waitFor("held")
    if isClosed {
      try killWhileLocked(agent, after: "close")
    }
    try bury(agent)
    try server.tell("hang off")
  }

  /// Kills an agent at each of the most important points, which are held open for it.
  func killAtEachPoint() throws {
    try killBeforeAsking()
    try killWhileClosing(killBeforeAnswer(isLate: false), isClosed: false)
    try killBeforeRecordingShown()
    try killWhileClosing(killBeforeAnswer(isLate: true), isClosed: true)
  }

  // MARK: - Results

  struct Outcome {
    /// The texts that were neither shown nor given up for a reason.
    var vanished: [String] = []
    /// The reasons for giving up texts that were neither late nor replaced.
    var losses: Set<String> = []
    /// The visible texts when an agent came to rest with too many.
    var crowds: [[String]] = []
    /// The visible texts after everything was closed and the last agent had ended.
    var left: [String] = []
    /// The entries without an end, or without a valid reason for it.
    var open: [LedgerEntry] = []
  }

  /// Runs a last agent, stops the run, clears the rest, and returns the results.
  func finish() throws -> Outcome {
    var outcome = Outcome()
    let agent = try begin()
    guard try comesToRest(agent) else { throw TestSupportError("the agent ended") }
    try kill(agent)
    try tool.succeed("stop")
    try tool.succeed("notifications", "clear", "--all")
    let deadline = store.clock.now().boot + .seconds(60)
    while try !store.ledger.hasNothingToWaitFor(), store.clock.now().boot < deadline {
      try waiter.wait(until: deadline)
    }
    try tool.waitForEndOfAgent()
    outcome.left = try listen()
    outcome.crowds = crowds
    try account()
    outcome.vanished = slots.keys.filter { !shown.contains($0) && reasons[$0] == nil }
    outcome.losses = Set(
      reasons.filter { $0.key.hasPrefix("Message") && !shown.contains($0.key) }.map(\.value)
        .filter { !$0.contains(" s late") })
    let ended: [LedgerEntry.State] = [.removed, .missed, .suppressed, .failed, .cancelled]
    outcome.open = try store.ledger.entries(in: .everything).filter {
      !ended.contains($0.state) || $0.reason == nil
    }
    return outcome
  }

  private func take(_ event: ServerEvent) {
    events.append(event)
    if event.event == "notify", event.id != nil, let text = event.summary { shown.insert(text) }
  }

  /// Records the events of the server until a certain kind.
  private func waitFor(_ kind: String) throws {
    while true {
      let event = try server.next()
      take(event)
      if event.event == kind { return }
    }
  }

  @discardableResult
  private func listen() throws -> [String] {
    let screen = try server.screen()
    for event in screen.before { take(event) }
    return screen.texts
  }

  /// Records given-up texts and reasons before the ledger purges them.
  private func account() throws {
    for entry in try store.ledger.entries(in: .everything) {
      switch entry.state {
      case .missed, .suppressed, .failed, .cancelled:
        reasons[entry.request.summary] = entry.reason?.description
      case .pending, .presenting, .delivered, .removed: break
      }
    }
  }
}
