import FoundationEssentials
import NotifierLedger
package import NotifierDelivery
package import SequencePlatform
package import SequenceRunner

/// Pauses the active runs around a suspend and at a lock of the screen, inhibits automatic suspend, and keeps the screen on.
///
/// It decides in the thread that keeps time. Where no run asks for it, it asks nothing of anybody.
package final class SuspendMonitor {
  private let store: RunStore
  private let keepsAwake: () -> Bool
  private let keepsScreenOn: () -> Bool
  private let events: MessageQueue<SleepEvent>
  private let send: (SleepOrder) -> Void
  private let onFailure: (any Error) -> Void
  /// The unhandled events, with their readings.
  private var received: [(event: SleepEvent, at: ClockReading)] = []
  private var inhibitions: [InhibitorRequest: Inhibition] = [:]
  private var isListening = false
  private var hasBegun = false
  /// Between the word that the machine goes and the word that it is back.
  private var isSuspending = false
  private var failures: [InhibitorRequest: String] = [:]
  /// Whether the screen is locked; `nil` as long as that is not known.
  private var isLocked: Bool?
  private var isWatchingLock = false
  private var lockFailure: String?
  /// Since when it can't be found out whether the screen is locked, on the boot clock; `nil` if it is known.
  private var lockUnknownSince: Duration?
  /// When services that refused or didn't answer are asked again, on the boot clock; `nil` if none has to be.
  private var nextAttempt: Duration?
  private var lastPause = Duration.zero
  /// When services that have come are asked, on the boot clock.
  private var arrivals: [IdleService: Duration] = [:]
  /// The inhibitor that is released after the hooks of the pause, and when at the latest, on the boot clock.
  private var delayedRelease: (inhibition: Inhibition, latest: Duration)?
  /// The next change of an inhibitor, on the boot clock; `nil` without one.
  package var nextWake: Duration? {
    [
      countdownEnd, displayedRuns?.nextCheck, nextDisplayCheck, nextAttempt, delayedRelease?.latest,
      arrivals.values.min(),
      isSuspending ? nil : lockUnknownSince.map { $0 + Lateness.notification },
    ].compactMap { $0 }.min()
  }
  /// The end of the first countdown that inhibits automatic suspend, on the boot clock.
  private var countdownEnd: Duration?
  /// The present steps: their runs, and the numbers of steps before them.
  private var steps: [UUID: Int] = [:]
  /// The runs on displays; `nil` if no display keeps the screen on.
  private var displayedRuns: DisplayedRunsWatch?
  /// When the displays are checked without a change of them, on the boot clock.
  private var nextDisplayCheck: Duration?
  private var screenFailure: SystemError?

  /// How long a step may be in overtime before it keeps the screen on no longer.
  private static let longestOvertime = Duration.seconds(600)
  private static let retryInterval = Duration.seconds(10)
  /// How long a service that has come is left in peace: it takes its name before it can be asked.
  private static let arrivalDelay = Duration.seconds(5)

  private enum Inhibition {
    case asked
    case held(any SleepInhibitor)
    /// It is not requested again before the next step or attempt, or before a service reports a change.
    case refused((any SleepInhibitor)?)
  }

  /// - Parameters:
  ///   - keepsAwake: whether automatic suspend is inhibited during a countdown; asked at each turn, so that a change
  ///     counts at once.
  ///   - keepsScreenOn: whether the screen is kept on while a display shows a run that isn't paused; asked at each turn.
  ///   - send: asks something of logind or the desktop, and returns at once.
  ///   - onFailure: receives the reason why an inhibitor cannot be taken, once until the reason changes.
  package init(
    store: RunStore, keepsAwake: @escaping () -> Bool, keepsScreenOn: @escaping () -> Bool = { false },
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

  package var descriptor: Int32 { events.descriptor }

  /// The descriptor of the displays, to wait on as well; `nil` if none keeps the screen on.
  package var displayDescriptor: Int32? { displayedRuns?.descriptor }

  /// Takes the news about displays; `update()` acts on them.
  package func followDisplays() { displayedRuns?.listen(at: store.clock.now()) }

  /// Takes the events, with the present reading; `update()` acts on them.
  package func listen() throws(SystemError) {
    let reading = store.clock.now()
    received += try events.takeAll().map { ($0, reading) }
  }

  /// Acts on the events, settles the runs, and takes the inhibitors that they need.
  ///
  /// - Throws: `StoreError`; the next call acts on the events then.
  package func update() throws -> RunStatus {
    if !hasBegun {
      // The agent that waited for the machine to be back has ended.
      try store.endSuspend(isUnlocked: false)
      hasBegun = true
    }
    while let first = received.first {
      try handle(first.event, at: first.at)
      received.removeFirst()
    }
    let now = store.clock.now().boot
    if let latest = delayedRelease?.latest, latest <= now { delayedRelease = nil }
    if let nextAttempt, nextAttempt <= now { askAnew() }
    // The inhibitor of the former service is gone.
    for (service, time) in arrivals where time <= now {
      // A request on its way reaches the present service.
      if case .asked = inhibitions[.desktop(service)] { continue }
      inhibitions[.desktop(service)] = nil
    }
    if let since = lockUnknownSince, !isSuspending, now - since >= Lateness.notification {
      // Better asked on a locked screen than never.
      try store.endSuspend()
      lockUnknownSince = nil
    }
    let status = try store.settle()
    adjust(to: try wanted(status), status)
    return status
  }

  private func handle(_ event: SleepEvent, at reading: ClockReading) throws {
    switch event {
    case .held(let request, let inhibitor):
      if request == .login(.delay), let latest = delayedRelease?.latest {
        // It was on its way when the machine was to go.
        delayedRelease = (.held(inhibitor), latest)
      } else {
        inhibitions[request] = .held(inhibitor)
      }
      failures[request] = nil
      answered()
    case .refused(let request, let reason, let isNotified, let listener):
      inhibitions[request] = .refused(listener)
      if failures[request] != reason {
        onFailure(
          Problem("\(SuspendMonitor.consequence(ofRefusing: request, isNotified: isNotified)): \(reason)"))
      }
      failures[request] = reason
      planAttempt(at: reading)
    case .suspending(let cause):
      try store.suspend(for: cause == .sleep ? .sleep : .shutdown, at: reading)
      isSuspending = true
      // Only now, that it is on the disk, may the machine go.
      delayedRelease = inhibitions.removeValue(forKey: .login(.delay)).map {
        ($0, reading.boot + Lateness.suspend)
      }
    case .back:
      (isSuspending, delayedRelease) = (false, nil)
      try store.endSuspend(isUnlocked: isLocked == false)
      // The time asleep doesn't count: the answer is on its way.
      lockUnknownSince = lockUnknownSince.map { _ in reading.boot }
      askAnew()
    case .locked(let isLocked, let isChange, let failure):
      if let failure {
        if failure != lockFailure {
          onFailure(Problem("a locked screen is not noticed, so the run continues: \(failure)"))
        }
        (self.isLocked, lockFailure) = (nil, failure)
        lockUnknownSince = lockUnknownSince ?? reading.boot
        return planAttempt(at: reading)
      }
      (self.isLocked, lockFailure, lockUnknownSince) = (isLocked, nil, nil)
      answered()
      if !isLocked {
        if !isSuspending { try store.endSuspend() }
      } else if isChange {
        // A lock that began before this agent pauses nothing.
        try store.suspend(for: .lock, at: reading)
      }
    case .otherSession: (isLocked, isWatchingLock) = (nil, false)
    // Who examines looks.
    case .examined: break
    case .otherLogind:
      // The inhibitors of the former logind are gone, and so is its signal that the machine is back.
      for inhibitor in LogindInhibitor.allCases { inhibitions[.login(inhibitor)] = nil }
      (isSuspending, delayedRelease) = (false, nil)
      (isLocked, isWatchingLock) = (nil, false)
      try store.endSuspend(isUnlocked: false)
    case .otherService(let service): arrivals[service] = reading.boot + SuspendMonitor.arrivalDelay
    }
  }

  /// Lets the machine go once the pause is stored, and its hooks have run.
  ///
  /// - Parameter isBusy: whether hooks are running; they are waited for only a moment.
  package func release(isBusy: Bool, at reading: ClockReading) {
    if let delayedRelease, !isBusy || delayedRelease.latest <= reading.boot { self.delayedRelease = nil }
  }

  /// Has everything asked again that was refused or not answered.
  private func askAnew() {
    nextAttempt = nil
    for case (let request, .refused) in inhibitions { inhibitions[request] = nil }
    if lockFailure != nil { isWatchingLock = false }
  }

  /// Plans the next attempt, because no signal reports that a service is no longer too busy; each is later than the one
  /// before.
  private func planAttempt(at reading: ClockReading) {
    guard nextAttempt == nil else { return }
    lastPause = min(max(lastPause * 2, SuspendMonitor.pauses.lowerBound), SuspendMonitor.pauses.upperBound)
    nextAttempt = reading.boot + lastPause
  }

  private static let pauses = Duration.seconds(5)...Duration.seconds(600)

  /// Ends the attempts if nothing is left to ask again.
  private func answered() {
    if failures.isEmpty, lockFailure == nil { (nextAttempt, lastPause) = (nil, .zero) }
  }

  private func adjust(to wanted: Set<InhibitorRequest>, _ status: RunStatus) {
    // Where notifications were cleared, nothing else wakes the agent at that moment.
    countdownEnd =
      wanted.contains(.login(.idleness))
      ? status.runs.compactMap { $0.countdownEnd(after: status.reading) }.min() : nil
    for request in InhibitorRequest.allCases {
      if !wanted.contains(request) {
        // An inhibitor on its way is released when it arrives.
        if case .asked = inhibitions[request] { continue }
        inhibitions[request] = nil
      } else if inhibitions[request] == nil {
        inhibitions[request] = .asked
        isListening = true
        send(.inhibit(request))
      }
    }
    // A request on its way reaches the present service.
    arrivals = arrivals.filter { service, _ in
      if case .asked? = inhibitions[.desktop(service)] {
        false
      } else {
        inhibitions[.desktop(service)] != nil
      }
    }
    if !isWatchingLock,
      status.runs.contains(where: { $0.isLocked || !$0.isPaused && $0.lockPolicy != .continue })
    {
      (isWatchingLock, isListening) = (true, true)
      send(.watchLock)
    }
    guard isListening, wanted.isEmpty, inhibitions.isEmpty,
      !status.runs.contains(where: \.isAffectedBySuspend)
    else {
      return
    }
    isListening = false
    isSuspending = false
    (isLocked, isWatchingLock, lockUnknownSince) = (nil, false, nil)
    (nextAttempt, lastPause) = (nil, .zero)
    send(.disconnect)
  }

  private static let idleness: [InhibitorRequest] =
    [.login(.idleness)] + IdleService.system.map(InhibitorRequest.desktop)

  private func wanted(_ status: RunStatus) throws -> Set<InhibitorRequest> {
    let running = status.runs.filter { !$0.isPaused }
    var wanted: Set<InhibitorRequest> = []
    if !isSuspending, running.contains(where: { $0.suspendPolicy != .continue }) {
      wanted.insert(.login(.delay))
    }
    if isShown(running, at: status.reading) {
      wanted.formUnion(SuspendMonitor.idleness + IdleService.screen.map(InhibitorRequest.desktop))
    }
    // A service that refused is asked again at the next step.
    if running.contains(where: { steps[$0.runID] != $0.log.count }) { askAnew() }
    steps = Dictionary(running.map { ($0.runID, $0.log.count) }) { $1 }
    guard running.contains(where: { $0.countdownEnd(after: status.reading) != nil }), keepsAwake() else {
      return wanted
    }
    return wanted.union(SuspendMonitor.idleness)
  }

  /// Whether a display shows one of the runs, if displays keep the screen on.
  ///
  /// A user who is away for a long overtime doesn't look at the screen.
  private func isShown(_ running: [ActiveRunSnapshot], at reading: ClockReading) -> Bool {
    var looks: [Duration] = []
    defer { nextDisplayCheck = looks.min() }
    guard !running.isEmpty, keepsScreenOn() else {
      displayedRuns = nil
      return false
    }
    let runs = running.filter { run in
      guard let position = run.position(at: reading), position.remaining == .zero else { return true }
      let left = SuspendMonitor.longestOvertime - position.overtime
      guard left > .zero else { return false }
      looks.append(reading.boot + left)
      return true
    }
    do throws(SystemError) {
      // Its next check would stay in the past.
      if displayedRuns?.isInPlace == false { displayedRuns = nil }
      let displayed =
        if let old = displayedRuns { old } else { try DisplayedRunsWatch(in: store.directory) }
      displayedRuns = displayed
      let isShown = try displayed.contains(anyOf: runs.map(\.runID), at: reading)
      screenFailure = nil
      return isShown
    } catch {
      if screenFailure != error {
        onFailure(Problem("displays do not keep the screen on: \(error.problem.text)"))
      }
      screenFailure = error
      looks.append(reading.boot + SuspendMonitor.retryInterval)
      return false
    }
  }

  /// Whether no run has to be paused when the machine is suspended, or needs idleness to be held off.
  package func hasNothingToWaitFor(_ status: RunStatus) -> Bool {
    guard !status.runs.contains(where: \.isAffectedBySuspend) else { return false }
    let running = status.runs.filter { !$0.isPaused }
    if keepsAwake(), running.contains(where: { $0.countdownEnd(after: status.reading) != nil }) {
      return false
    }
    return !isShown(running, at: status.reading)
  }

  /// The reason for a request, which `systemd-inhibit --list` or the desktop shows.
  package static func reason(for request: InhibitorRequest) -> String {
    switch request {
    case .login(.delay): "The run is paused before"
    case .login(.idleness), .desktop(.sessionManager), .desktop(.powerManagement): "A countdown runs"
    case .desktop(.sessionScreen), .desktop(.screenSaver): "A run is shown"
    }
  }

  /// - Parameter isNotified: whether a suspend is noticed all the same.
  private static func consequence(ofRefusing request: InhibitorRequest, isNotified: Bool) -> String {
    switch request {
    case .login(.delay) where isNotified: "suspend is not delayed, so the run may be paused too late"
    case .login(.delay): "suspend is not detected, so the run continues during it"
    case .desktop(.sessionScreen), .desktop(.screenSaver): "a service does not keep the screen on"
    case .login(.idleness), .desktop: "a service does not inhibit sleep during a countdown"
    }
  }
}
