import NotifierLedger
import NotifierDelivery
import SequenceAgent
import SequenceConfiguration
import SequenceNotifications
import SequencePlanning
import SequenceRunner

extension World {
  func beginAgent() throws {
    guard courier == nil else { return }
    let store = scratch.agent
    let login = try SimulatedLogin(isLocked: isLocked)
    eventReader = EventReader(store: store, configuration: { [unowned self] in configuration })
    let keeper = SuspendMonitor(
      store: store, keepsAwake: { false }, events: login.events, send: login.send,
      onFailure: { _ in })
    let notifications = RunNotifications(
      store: store, horizon: PlanningHorizon(scenario.horizon), onFailure: { _ in })
    let begun = notifications.courier(
      process: 1, preparation: .microseconds(scenario.preparation * scenario.quantum))
    (courier, self.keeper, self.notifications, self.login) = (begun, keeper, notifications, login)
    desktop.isHeard = true
    try begun.takeOver(at: beginTurn(keeper, notifications).turn)
    oracle.beginAgent()
    wake = nil
  }

  func endAgent(isCarriedOut: Bool) {
    guard courier != nil else { return }
    (courier, wake) = (nil, nil)
    (keeper, notifications, login, eventReader) = (nil, nil, nil, nil)
    desktop.disconnect(isCarriedOut: isCarriedOut)
    oracle.endAgent()
  }

  /// Sends a logind signal to the agent, if it listens.
  func tellAgent(_ event: SleepEvent) throws {
    guard let keeper, let login, login.isListenedTo else { return }
    if case .otherLogind = event { login.restart() }
    login.tell(event)
    try listen(keeper, login)
    oracle.heard(World.login(event))
  }

  func lock(_ isLocked: Bool) throws {
    guard self.isLocked != isLocked else { return }
    self.isLocked = isLocked
    if let signal = login?.lock(isLocked) { try tellAgent(signal) }
  }

  private func listen(_ keeper: SuspendMonitor, _ login: SimulatedLogin) throws {
    try keeper.listen()
    for answer in login.acknowledge() { oracle.heard(World.login(answer)) }
  }

  /// Takes one turn (an event, an order or a decision); returns whether there was anything to do.
  func turn() throws -> Bool {
    guard let courier, let keeper, let notifications, let login else { return false }
    try listen(keeper, login)
    let before = oracle.rows
    let (status, turn) = try beginTurn(keeper, notifications)
    oracle.beginTurn()
    if let event = desktop.inbox.first {
      try courier.receive(event, at: turn)
      oracle.heard(news(event))
      desktop.acknowledge(event)
      desktop.inbox.removeFirst()
      return true
    }
    if desktop.canAct {
      _ = try decide(courier, at: turn)
      try dispatch()
      desktop.carryOut()
      return true
    }
    let ordered = try decide(courier, at: turn)
    try dispatch()
    wake = [try courier.nextWake(), eventReader?.nextEvent].compactMap { $0.map { Int($0.nanoseconds) } }
      .min()
    let hasNothingToWaitFor =
      try courier.hasNothingToWaitFor() && keeper.hasNothingToWaitFor(status)
      && eventReader?.hasNothingToWaitFor(status) ?? true
    try compare("the permission of the agent to exit", oracle.hasNothingToWaitFor, hasNothingToWaitFor)
    if hasNothingToWaitFor { endAgent(isCarriedOut: false) }
    // Its own writes also wake it.
    return ordered != nil || login.owesAnswer || oracle.rows != before
  }

  private func beginTurn(
    _ keeper: SuspendMonitor, _ notifications: RunNotifications
  ) throws -> (status: RunStatus, turn: Turn) {
    let status = try keeper.update()
    turnStatus.status = status
    // No hook runs.
    keeper.release(isBusy: false, at: status.reading)
    return (status, Turn(reading: status.reading, presenter: notifications.presenter(status)))
  }

  private func decide(_ courier: Courier, at turn: Turn) throws -> DesktopOrder? {
    let ordered = try courier.advance(at: turn)
    try oracle.advanced(ordered.map(order))
    if let ordered { desktop.send(ordered) }
    return ordered
  }

  func rest() throws {
    var turns = 0
    while try turn() {
      turns += 1
      guard turns < 10_000 else {
        throw Difference("the agent", expected: "at rest", found: "\(turns) turns")
      }
    }
    try oracle.checkPunctuality(nextWake: wake)
    guard let login else { return }
    try compare("the agent listening to logind", oracle.mustListen, login.isListenedTo)
    if oracle.mustWatchLock { try compare("the agent watching the lock", true, login.isLockWatched) }
    try compare("the inhibitor", oracle.mustHoldUp, login.isHeldUp)
  }

  /// Lets time pass while the agent and the desktop act at their own wake-ups.
  ///
  /// - Parameter untilReady: whether to stop as soon as a prepared notification waits for its due time.
  func wait(_ ticks: Int, untilReady: Bool = false) throws {
    let tick = scenario.quantum * 1000
    var left = max(0, ticks)
    try rest()
    while left > 0 {
      if untilReady, desktop.wake != nil { return }
      guard let wake = [wake, desktop.wake].compactMap({ $0 }).min() else { return pass(left) }
      let until = max(1, (wake - oracle.boot + tick - 1) / tick)
      guard until <= left else { return pass(left) }
      pass(until)
      left -= until
      try rest()
    }
  }

  // MARK: - The screen

  /// Checks that no two current notifications occupy one place, and that an agent at rest knows every visible
  /// one.
  func checkScreen() throws {
    var wanted: Set<Int> = []
    for shown in desktop.screen {
      guard let place = oracle.place(Int(shown.entry)), oracle.rows[place].isLive,
        !oracle.rows[place].isWithdrawn
      else { continue }
      let isAlone = wanted.insert(oracle.rows[place].sequence).inserted
      try compare("entry \(shown.entry) being alone in its place", true, isAlone)
      let due = oracle.rows[place].dueBoot
      try compare("entry \(shown.entry) being shown early", false, shown.shownAt < due)
    }
    guard let agent = oracle.agent, agent.isAwaitingAnswer == nil, desktop.inbox.isEmpty,
      let epoch = desktop.epoch,
      agent.server == .available(epoch: epoch)
    else { return }
    try checkScreenAtRest(agent)
  }

  private func checkScreenAtRest(_ agent: OracleAgent) throws {
    for row in oracle.rows where row.state == .delivered && !row.isWithdrawn {
      let isThere = desktop.screen.contains { Int($0.entry) == row.number }
      try compare("\(row.name) being visible", true, isThere)
    }
    guard !oracle.hasWork else { return }
    for shown in desktop.screen where shown.isKnown {
      let row = oracle.place(Int(shown.entry)).map { oracle.rows[$0] }
      let isExcused =
        row.map { row in
          row.state == .failed || row.state == .presenting && agent.doubts.contains(row.number)
            || row.state == .delivered && (!row.isWithdrawn || row.notBefore > oracle.boot)
        } ?? oracle.purgedFailures.contains(Int(shown.entry))
      try compare("the permission of \(row?.name ?? "a foreign notification") to be visible", true, isExcused)
    }
  }
}
