import Foundation
import NotificationLedger
import Platform
import SequencePlanning
import SequenceRunner
import Store
import TestSupport

/// Agents of one store that are killed at their work, one after the other.
///
/// Each has to show what the one before it showed already, since the run is still there; something in the place of
/// an older notification of another sequence; and something that has a place of its own.
final class MortalAgents {
  private let server: RecordingServer
  private let tool: Tool
  private let bus: PrivateBus
  private let store: RunStore
  private let waiter: StoreWaiter
  private let other = UUID()
  /// The place on screen that belongs to each text.
  private var slots: [String: String] = [:]
  /// The texts that were shown.
  private var shown: Set<String> = []
  /// Why texts were given up.
  private var reasons: [String: String] = [:]
  /// What the server told since the last death.
  private var events: [ServerEvent] = []
  private(set) var deaths: [Death: Int] = [:]
  /// What was on screen when an agent came to rest, and should not have been.
  private var crowds: [[String]] = []

  /// In the middle of what an agent died.
  enum Death: CaseIterable {
    /// Something is due, and nothing of it is being shown.
    case deciding
    /// Something is being shown; the server was not asked, or has not taken that up yet.
    case asking
    /// The server was asked to show something, and has not answered.
    case awaitingAnswer
    /// Something is on screen, and that is not recorded.
    case recordingShown
    /// Something is to be taken away, and is on screen.
    case closing
    /// Something was taken away, and that is not recorded.
    case recordingClosed
    /// There was nothing left to do.
    case resting
  }

  /// - Parameter manner: a command for the server, which tells how it answers.
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
          }, onSuspend: nil)))
    for entry in try store.ledger.entries(in: .everything) {
      slots[entry.request.summary] = entry.request.tag
    }
  }

  // MARK: - Lives

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
    for request in requests { slots[request.summary] = request.tag }
    try store.database.transaction { try store.ledger.add(requests, at: reading) }
  }

  /// Starts an agent.
  ///
  /// - Parameter place: kinds of system calls, and how many of them each of its threads begins before it is killed.
  private func begin(dyingAt place: (calls: String, number: Int)? = nil) throws -> ChildProcess {
    let agent = [try BuiltProducts.path(of: "sequence-agent"), "--state-dir", tool.state]
    guard let place else {
      return try ChildProcess(agent[0], Array(agent.dropFirst()), environment: tool.environment)
    }
    let tracing = [
      "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(place.calls)",
      "-e", "inject=\(place.calls):signal=KILL:when=\(place.number)",
    ]
    // The agent dies with its tracer, and that with the tests.
    return try ChildProcess(
      "/usr/bin/strace", tracing + ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + agent,
      environment: tool.environment)
  }

  /// Waits until an agent has nothing left to do; whether it lives to see that.
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

  /// Kills an agent, if it is not dead, and finds out in the middle of what it died.
  private func bury(_ agent: ChildProcess) throws {
    try kill(agent)
    try listen()
    deaths[try death(), default: 0] += 1
    events = []
    // The ledger keeps the last thousand that ended; no agent ends more than a few.
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

  /// Kills an agent before each call of some kinds that it makes until it comes to rest, one agent for each.
  ///
  /// An agent does to the store and to the server what its system calls do: when between two of them it dies makes
  /// no difference.
  func killBeforeEachCall(of kinds: String, step: Int) throws {
    for number in stride(from: 1, through: 2000, by: step) {
      try makeDue()
      let agent = try begin(dyingAt: (kinds, number))
      let isAlive = try comesToRest(agent)
      try bury(agent)
      if isAlive { return }
    }
    throw TestSupportError("the agent does not come to rest")
  }

  /// Kills an agent that is about to ask the server to show something.
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

  /// Kills an agent that waits to hear that something is shown; returns the one after it.
  ///
  /// - Parameter isLate: whether the server takes up what the dead agent asked for only once the next one asks too.
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

  /// Kills an agent that was told that something is shown, and cannot record it yet.
  func killBeforeRecordingShown() throws {
    try makeDue()
    try server.tell("hang Notify")
    let agent = try begin()
    try waitFor("held")
    try store.database.transaction {
      try server.tell("hang off")
      try waitFor("notify")
      try kill(agent)
    }
    try bury(agent)
  }

  /// Kills an agent that takes something away, before that is done or before it is recorded.
  func killWhileClosing(_ agent: ChildProcess, isClosed: Bool) throws {
    guard try comesToRest(agent) else { throw TestSupportError("the agent ended") }
    try server.tell("hang CloseNotification")
    let reading = store.clock.now()
    try store.database.transaction {
      _ = try store.ledger.clear(.sequence(other), at: reading, reason: .cleared)
    }
    try waitFor("held")
    if isClosed {
      try store.database.transaction {
        try server.tell("hang off")
        try waitFor("close")
        try kill(agent)
      }
    }
    try bury(agent)
    try server.tell("hang off")
  }

  /// Kills an agent at each of the points that matter most, which are held open for it.
  func killAtEachPoint() throws {
    try killBeforeAsking()
    try killWhileClosing(killBeforeAnswer(isLate: false), isClosed: false)
    try killBeforeRecordingShown()
    try killWhileClosing(killBeforeAnswer(isLate: true), isClosed: true)
  }

  // MARK: - Accounts

  /// How it all came out.
  struct Outcome {
    /// What was neither shown nor given up for a reason.
    var vanished: [String] = []
    /// Why something was given up that nothing newer took the place of, and that was not late.
    var losses: Set<String> = []
    /// What was on screen when an agent came to rest, as often as more was than there are places.
    var crowds: [[String]] = []
    /// What was on screen when all was taken away, and the last agent had ended.
    var left: [String] = []
    /// What has no end in the ledger, or none that it has a reason for.
    var open: [LedgerEntry] = []
  }

  /// Lets an agent live, stops the run and clears the rest, and adds up.
  func finish() throws -> Outcome {
    var outcome = Outcome()
    let agent = try begin()
    guard try comesToRest(agent) else { throw TestSupportError("the agent ended") }
    try kill(agent)
    try tool.succeed("stop")
    try tool.succeed("notifications", "clear", "--all")
    let deadline = store.clock.now().boot + .seconds(60)
    while try !store.ledger.isAtRest(), store.clock.now().boot < deadline { try waiter.wait(until: deadline) }
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

  /// Takes note of what the server tells until it tells of something.
  private func waitFor(_ kind: String) throws {
    while true {
      let event = try server.next()
      take(event)
      if event.event == kind { return }
    }
  }

  /// The texts that are on screen.
  @discardableResult
  private func listen() throws -> [String] {
    let screen = try server.screen()
    for event in screen.before { take(event) }
    return screen.texts
  }

  /// Takes note of what was given up and why, before the ledger forgets it.
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
