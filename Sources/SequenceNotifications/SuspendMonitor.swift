import FoundationEssentials
import NotifierLedger
package import NotifierBus
package import SequencePlatform
package import SequenceRunner

/// Pauses the active runs around a suspend and at a lock of the screen, inhibits automatic suspend, and keeps the screen on.
///
/// It decides in the thread that keeps time. Where no run asks for it, it asks nothing of anybody.
package final class SuspendMonitor {
  private let store: OpenRunStore
  private let keepsAwake: () -> Bool
  private let keepsScreenOn: () -> Bool
  private let events: MessageQueue<SleepEvent>
  private let send: (SleepOrder) -> Void
  private let onFailure: (any Error) -> Void
  /// The unhandled events, with their readings.
  private var heard: [(event: SleepEvent, at: ClockReading)] = []
  private var holds: [InhibitorRequest: Hold] = [:]
  private var isListening = false
  private var hasBegun = false
  /// Between the word that the machine goes and the word that it is back.
  private var isGoing = false
  private var failures: [InhibitorRequest: String] = [:]
  /// Whether the screen is locked; `nil` as long as that is not known.
  private var isLocked: Bool?
  private var isWatchingLock = false
  private var lockFailure: String?
  /// The next change of an inhibitor, on the boot clock; `nil` without one.
  package var nextWake: Duration? { [countdownEnd, displayedRuns?.nextLook].compactMap { $0 }.min() }
  /// The end of the first countdown that inhibits automatic suspend, on the boot clock.
  private var countdownEnd: Duration?
  /// The countdowns that idleness is held up for: their runs, and the numbers of steps before them.
  private var countdowns: [UUID: Int] = [:]
  /// The runs on displays; `nil` if no display keeps the screen on.
  private var displayedRuns: DisplayedRunsWatch?

  /// The state of an inhibitor.
  private enum Hold {
    case asked
    case held(any SleepInhibitor)
    /// It is not requested again before the next countdown, or before a service reports a change.
    case refused((any SleepInhibitor)?)
  }

  /// - Parameters:
  ///   - keepsAwake: whether automatic suspend is inhibited during a countdown; asked at each turn, so that a change
  ///     counts at once.
  ///   - keepsScreenOn: whether the screen is kept on while a display shows a run that isn't paused; asked at each turn.
  ///   - send: asks something of logind or the desktop, and returns at once.
  ///   - onFailure: receives the reason why an inhibitor cannot be taken, once until the reason changes.
  package init(
    store: OpenRunStore, keepsAwake: @escaping () -> Bool, keepsScreenOn: @escaping () -> Bool = { false },
    events: MessageQueue<SleepEvent>,
    send: @escaping (SleepOrder) -> Void, onFailure: @escaping (any Error) -> Void
  ) {
    self.store = store
    self.keepsAwake = keepsAwake
    self.keepsScreenOn = keepsScreenOn
    self.events = events
    self.send = send
    self.onFailure = onFailure
  }

  /// The descriptor to wait on: readable once there are events.
  package var descriptor: Int32 { events.descriptor }

  /// The descriptor of the displays, to wait on as well; `nil` if none keeps the screen on.
  package var displayDescriptor: Int32? { displayedRuns?.descriptor }

  /// Takes the news about displays; `update()` acts on them.
  package func look() throws(SystemError) { try displayedRuns?.listen(at: store.clock.now()) }

  /// Takes the events, with the present reading; `update()` acts on them.
  package func listen() throws(SystemError) {
    let reading = store.clock.now()
    heard += try events.takeAll().map { ($0, reading) }
  }

  /// Acts on the events, settles the runs, and takes the inhibitors that they need.
  ///
  /// - Returns: the runs after that.
  /// - Throws: `StoreError`; the next call acts on the events then.
  package func update() throws -> RunStatus {
    if !hasBegun {
      // The agent that waited for the machine to be back has ended.
      try store.comeBack(isUnlocked: false)
      hasBegun = true
    }
    while let first = heard.first {
      try act(on: first.event, at: first.at)
      heard.removeFirst()
    }
    let status = try store.settle()
    adjust(to: try wanted(status), status)
    return status
  }

  private func act(on event: SleepEvent, at reading: ClockReading) throws {
    switch event {
    case .held(let hold, let inhibitor):
      holds[hold] = .held(inhibitor)
      failures[hold] = nil
    case .refused(let hold, let reason, let listener):
      holds[hold] = .refused(listener)
      if failures[hold] != reason { onFailure(SleepFailure(hold: hold, reason: reason)) }
      failures[hold] = reason
    case .going(let departure):
      try store.leave(departure == .sleep ? .sleep : .shutdown, at: reading)
      isGoing = true
      // Only now, that it is on the disk, may the machine go.
      holds[.login(.going)] = nil
    case .back:
      isGoing = false
      try store.comeBack(isUnlocked: isLocked == false)
      askAnew()
    case .locked(let isLocked, let isChange, let failure):
      self.isLocked = isLocked
      if let failure, failure != lockFailure { onFailure(LockFailure(reason: failure)) }
      lockFailure = failure
      if !isLocked {
        if !isGoing { try store.comeBack() }
      } else if isChange {
        // A lock that began before this agent pauses nothing.
        try store.leave(.lock, at: reading)
      }
    case .otherSession: (isLocked, isWatchingLock) = (nil, false)
    // Who examines looks.
    case .examined: break
    case .otherLogind:
      // The inhibitors of the former logind are gone, and so is its signal that the machine is back.
      for hold in LogindInhibitor.allCases { holds[.login(hold)] = nil }
      isGoing = false
      (isLocked, isWatchingLock) = (nil, false)
      try store.comeBack(isUnlocked: false)
    case .otherService(let service):
      // The inhibitor of the former service is gone; a request on its way reaches the present one.
      if case .asked = holds[.desktop(service)] { return }
      holds[.desktop(service)] = nil
    }
  }

  private func askAnew() {
    for case (let hold, .refused) in holds { holds[hold] = nil }
  }

  private func adjust(to wanted: Set<InhibitorRequest>, _ status: RunStatus) {
    // Where notifications were cleared, nothing else wakes the agent at that moment.
    countdownEnd =
      wanted.contains(.login(.idleness))
      ? status.runs.compactMap { $0.countdownEnd(after: status.reading) }.min() : nil
    for hold in InhibitorRequest.allCases {
      if !wanted.contains(hold) {
        // An inhibitor on its way is released when it arrives.
        if case .asked = holds[hold] { continue }
        holds[hold] = nil
      } else if holds[hold] == nil {
        holds[hold] = .asked
        isListening = true
        send(.hold(hold))
      }
    }
    if !isWatchingLock,
      status.runs.contains(where: { $0.isLocked || !$0.isPaused && $0.lockPolicy != .continue })
    {
      (isWatchingLock, isListening) = (true, true)
      send(.watchLock)
    }
    guard isListening, wanted.isEmpty, holds.isEmpty, !status.runs.contains(where: \.isAffectedBySuspend)
    else {
      return
    }
    isListening = false
    isGoing = false
    (isLocked, isWatchingLock) = (nil, false)
    send(.leave)
  }

  /// The inhibitors of automatic suspend.
  private static let idleness: [InhibitorRequest] =
    [.login(.idleness)] + IdleService.system.map(InhibitorRequest.desktop)

  /// Returns the inhibitors that the runs need.
  private func wanted(_ status: RunStatus) throws -> Set<InhibitorRequest> {
    let running = status.runs.filter { !$0.isPaused }
    var wanted: Set<InhibitorRequest> = []
    if !isGoing, running.contains(where: { $0.suspendPolicy != .continue }) { wanted.insert(.login(.going)) }
    if try isShown(running, at: status.reading) {
      wanted.formUnion(SuspendMonitor.idleness + IdleService.screen.map(InhibitorRequest.desktop))
    }
    let counting = running.filter { $0.countdownEnd(after: status.reading) != nil }
    guard !counting.isEmpty, keepsAwake() else {
      countdowns = [:]
      return wanted
    }
    // A service that refused is asked again at the next countdown.
    if counting.contains(where: { countdowns[$0.runID] != $0.log.count }) {
      for hold in SuspendMonitor.idleness { if case .refused = holds[hold] { holds[hold] = nil } }
    }
    countdowns = Dictionary(counting.map { ($0.runID, $0.log.count) }) { $1 }
    return wanted.union(SuspendMonitor.idleness)
  }

  /// Whether a display shows one of the runs, if displays keep the screen on.
  private func isShown(_ runs: [ActiveRunSnapshot], at reading: ClockReading) throws(SystemError) -> Bool {
    guard !runs.isEmpty, keepsScreenOn() else {
      displayedRuns = nil
      return false
    }
    if displayedRuns == nil { displayedRuns = try DisplayedRunsWatch(in: store.directory) }
    return try displayedRuns?.contains(anyOf: runs.map(\.runID), at: reading) ?? false
  }

  /// Whether no run needs idleness to be held off; within a transaction or outside of one.
  package func hasNothingToWaitFor() throws -> Bool {
    let reading = store.clock.now()
    let running = try store.peek(in: store.database, at: reading).runs.filter { !$0.isPaused }
    if keepsAwake(), running.contains(where: { $0.countdownEnd(after: reading) != nil }) { return false }
    return try !isShown(running, at: reading)
  }
}

/// The work in the loop of a program that has no other.
extension SuspendMonitor: DeliveryDelegate {
  package func beginTurn() throws -> Turn { Turn(reading: try update().reading) }
  package var descriptors: [Int32] { [descriptor] }
}

extension InhibitorRequest {
  /// The reason for it, which `systemd-inhibit --list` or the desktop shows.
  package var why: String {
    switch self {
    case .login(.going): "The run is paused before"
    case .login(.idleness), .desktop(.sessionManager), .desktop(.powerManagement): "A countdown runs"
    case .desktop(.sessionScreen), .desktop(.screenSaver): "A run is shown"
    }
  }
}

/// The reason why a lock of the screen is not noticed.
struct LockFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { "a locked screen is not noticed, so the run continues: \(reason)" }
}

/// The reason why suspend is not detected, or why sleep is not inhibited.
struct SleepFailure: Error, CustomStringConvertible {
  let hold: InhibitorRequest
  let reason: String
  var description: String {
    switch hold {
    case .login(.going): "suspend is not detected, so the run continues during it: \(reason)"
    case .desktop(.sessionScreen), .desktop(.screenSaver): "a service does not keep the screen on: \(reason)"
    case .login(.idleness), .desktop: "a service does not inhibit sleep during a countdown: \(reason)"
    }
  }
}
