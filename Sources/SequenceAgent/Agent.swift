import FoundationEssentials
import Glibc
import NotifierDelivery
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequenceNotifications
import SequencePlatform
import SequenceRunner
package import SequenceStore

/// The process that waits and delivers.
///
/// It is woken by the kernel alone, and holds no state of its own.
package struct Agent {
  private let directory: StateDirectory
  private let configurationPath: String?
  private let isAwaited: Bool
  private let onStart: () throws -> Void
  private let onFailure: (any Error) -> Void

  /// - Parameters:
  ///   - configuration: the path of the user's configuration, which is read again when it has changed.
  ///   - isAwaited: whether a command waits for the start, so that other commands can start the next agent. Any other
  ///     agent, such as that of a login, waits for a notification server as long as something due is still true.
  ///   - onStart: called after the first turn of the loop, or when the agent waits until it can begin; more than once.
  ///   - onFailure: receives a transient failure of the store (`StoreError`) or a mistake in the configuration, once
  ///     until another one occurs; and the notice about a damaged store that was moved aside.
  package init(
    directory: StateDirectory, configuration: String? = nil, isAwaited: Bool = true,
    onStart: @escaping () throws -> Void = {},
    onFailure: @escaping (any Error) -> Void = { _ in }
  ) {
    self.directory = directory
    configurationPath = configuration
    self.isAwaited = isAwaited
    self.onStart = onStart
    self.onFailure = onFailure
  }

  /// The application that notifications of Sequence name.
  static let application = NotifyingApplication(
    name: "Sequence", desktopEntry: "sequence", icon: "alarm-symbolic")

  package enum Ending: Equatable, Sendable {
    case nothingToDo
    case alreadyRunning
    /// The store was replaced by another one, which a new agent has to serve.
    case storeReplaced
    case signal(Int32)
  }

  /// Delivers until nothing is pending, nothing of it is on screen, or a signal asks it to end.
  ///
  /// It blocks SIGTERM, SIGINT and SIGHUP in the calling thread and must be called before other threads are started.
  package func run() throws -> Ending {
    guard FileKind(of: directory.path) != .nothing else { return .nothingToDo }
    try directory.requireOwned()
    // Without a store nothing is pending; a removed store is not created again.
    guard directory.hasStore else { return .nothingToDo }
    try DescriptorLimit.raise(toAtLeast: Agent.fewestDescriptors)
    var lock = try FileLock(path: directory.agentLockPath)
    guard try takePlace(lock) else { return .alreadyRunning }
    let signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP])
    var presence = try PresenceSocket(path: directory.agentSocketPath)
    ignorePortal()
    let clock = try SystemClock()
    let store: RunStore
    switch try openStore(clock, signals, presence) {
    case .success(let opened): store = opened
    case .failure(let signal): return .signal(signal.number)
    }
    store.base.makesRemovedAgain = false
    func reportNotices() {
      for notice in store.takeNotices() { onFailure(Agent.problem(notice)) }
    }
    defer { reportNotices() }
    let desktop = try DesktopThread(Agent.application, store.clock, in: directory, mayUseLoginBus: true)
    let sleep = try desktop.connectToSleep { SuspendMonitor.reason(for: $0) }
    let configuration = configurationReader()
    let configurationWatch = watchConfiguration()
    let suspendMonitor = SuspendMonitor(
      store: store, keepsAwake: { configuration().keepsAwake },
      keepsScreenOn: { configuration().keepsScreenOn }, events: sleep.events, send: sleep.send,
      onFailure: onFailure)
    let environment = HookEnvironment(.process, state: directory)
    let hooks = HookRunner(environment, clock: clock)
    let dispatcher = EventDispatcher(
      store: store, hooks: hooks, soundProgram: try installedProgram("sequence-sound"),
      configuration: configuration)
    // However the agent ends: no other process would end them in time.
    defer { dispatcher.endAll() }
    let panel = try Panel(
      store: store, configuration: configuration, environment, onFailure: onFailure)
    defer { panel.end() }
    let schedules = ScheduleDirector(store: store, configuration: configuration, onFailure: onFailure)
    let notifications = RunNotifications(
      store: store, styles: { configuration().styles }, rings: { configuration().cues.of($0).rings },
      startMissed: schedules.startMissed,
      onFailure: onFailure)
    let courier = notifications.courier(process: getpid(), waitsForServer: !isAwaited)
    let delegate = AgentDelegate(notifications, suspendMonitor, dispatcher, panel, schedules)
    let delivery = try DeliveryLoop(store.base, courier, desktop, delegate: delegate, onFailure: onFailure)
    let watched =
      [signals.descriptor, suspendMonitor.descriptor] + (configurationWatch.map { [$0.descriptor] } ?? [])
    // Why the place can't be kept, and when that is tried again, on the boot clock.
    var absence: (failure: SystemError, nextAttempt: Duration)?
    // Questions that can't be taken stay readable, so they aren't waited for.
    var takesQuestions = true
    var ready: [Int32] = []
    var hasStarted = false
    func start() throws {
      reportNotices()
      if !hasStarted { try onStart() }
      hasStarted = true
    }
    while true {
      let isDue = absence.map { $0.nextAttempt <= clock.now().boot } ?? true
      do throws(SystemError) {
        if takesQuestions || isDue {
          let asked = takesQuestions ? [] : [presence.descriptor]
          takesQuestions = false
          if let signal = try endingSignal(ready + asked, signals, presence) { return .signal(signal) }
          takesQuestions = true
        } else if ready.contains(signals.descriptor), let signal = try signals.next() {
          return .signal(signal)
        }
        if isDue {
          guard try keepPlace(&lock, &presence, store, hasFailed: absence != nil) else {
            return .alreadyRunning
          }
          absence = nil
        }
      } catch {
        // The former lock still keeps agents away that have opened it, and delivery goes on.
        if absence?.failure != error {
          onFailure(Agent.problem(ofPlace: error, answers: takesQuestions && presence.isInPlace))
        }
        absence = (error, clock.now().boot + DeliveryLoop.retryInterval)
      }
      switch try delivery.turn(
        or: watched + (takesQuestions ? [presence.descriptor] : []), until: absence?.nextAttempt,
        willWait: start, isDone: { try isDone(courier, delegate, store, lock) })
      {
      case .ready(let descriptors):
        ready = descriptors
        if ready.contains(suspendMonitor.descriptor) { try suspendMonitor.listen() }
        if let configurationWatch, ready.contains(configurationWatch.descriptor) {
          try configurationWatch.drain()
        }
      case .nothingToDo: return .nothingToDo
      case .storeReplaced: return .storeReplaced
      }
    }
  }

  /// Takes the lock, also from an agent that is ending; returns `false` if another agent serves the directory.
  private func takePlace(_ lock: borrowing FileLock) throws -> Bool {
    if try lock.take() { return true }
    if case .present = try PresenceSocket.ask(path: directory.agentSocketPath) { return false }
    try onStart()
    return try lock.takeOnceFree(within: Agent.endLimit)
  }

  /// How many descriptors the agent needs, with its hooks and the sounds.
  private static let fewestDescriptors = 64

  /// Takes the lock and listens on the socket again after their files were removed or replaced: commands would start
  /// another agent beside this one.
  ///
  /// - Parameter hasFailed: whether the last attempt failed, maybe with the lock file in place but not locked.
  /// - Returns: `false` if another agent was faster.
  private func keepPlace(
    _ lock: inout FileLock, _ presence: inout PresenceSocket, _ store: RunStore, hasFailed: Bool
  ) throws(SystemError) -> Bool {
    if lock.isInPlace, presence.isInPlace { return hasFailed ? try lock.take() : true }
    // If the whole directory is being removed, no file may be made in it.
    _ = poll(nil, 0, Agent.removalTime)
    guard store.isInPlace else { return true }
    try lock.follow()
    guard try lock.take() else { return false }
    if !presence.isInPlace { presence = try PresenceSocket(path: directory.agentSocketPath) }
    return true
  }

  /// How long the removal of the other files of a directory may take, in milliseconds.
  private static let removalTime: Int32 = 50

  /// How long another agent that doesn't answer may take to end.
  private static let endLimit = Duration.seconds(5)

  /// Answers those who ask whether the agent is there, unless a signal came that ends it.
  private func endingSignal(
    _ ready: [Int32], _ signals: borrowing SignalWatch, _ presence: PresenceSocket
  ) throws(SystemError) -> Int32? {
    var signal: Int32?
    if ready.contains(signals.descriptor) { signal = try signals.next() }
    if signal == nil, ready.contains(presence.descriptor) {
      try presence.answer { () throws(SystemError) in
        signal = try signals.next()
        return signal != nil
      }
    }
    return signal
  }

  /// Opens the store, as soon as it can be, unless a signal ends the waiting.
  private func openStore(
    _ clock: SystemClock, _ signals: borrowing SignalWatch, _ presence: PresenceSocket
  ) throws -> Result<RunStore, EndingSignal> {
    let timer = try DeadlineTimer()
    var reported: StoreError?
    while true {
      do throws(StoreError) {
        return .success(try CompleteStore.open(in: directory, clock: clock))
      } catch {
        guard error.mayPass else { throw error }
        if error != reported { onFailure(error) }
        reported = error
      }
      try onStart()
      try timer.arm(clock.now().boot + DeliveryLoop.retryInterval)
      let ready = try waitUntilReadable([timer.descriptor, signals.descriptor, presence.descriptor])
      if ready.contains(timer.descriptor) { try timer.acknowledge() }
      if let signal = try endingSignal(ready, signals, presence) {
        return .failure(EndingSignal(number: signal))
      }
    }
  }

  private struct EndingSignal: Error { let number: Int32 }

  /// Returns a function that reads the configuration; an invalid one is reported once, and the defaults apply.
  private func configurationReader() -> () -> Configuration {
    guard let path = configurationPath else { return { Configuration() } }
    let file = ConfigurationFile(path: path)
    var reported: SequenceFileError?
    return {
      do throws(SequenceFileError) {
        return try file.read()
      } catch {
        if error != reported { onFailure(error.problem(inFile: path)) }
        reported = error
        return Configuration()
      }
    }
  }

  /// Watches the configuration; without a watch, a change counts at the next event or command.
  private func watchConfiguration() -> ConfigurationWatch? {
    do {
      return try configurationPath.flatMap { try ConfigurationWatch(path: $0) }
    } catch {
      onFailure(error)
      return nil
    }
  }

  private static func problem(_ notice: StoreNotice) -> Problem {
    switch notice {
    case .damagedStoreMoved(let path, _, _, let lost, let incomplete):
      let names = lost.map(quoted) + (incomplete.contains("schedule") ? ["some schedules"] : [])
      return Problem(
        "the store was damaged and is now \(path)",
        remedy: names.isEmpty
          ? LocalizedText("a new one was begun")
          : LocalizedText("a new one was begun, without \(names.joined(separator: ", "))"))
    }
  }

  private static func problem(ofPlace error: SystemError, answers: Bool) -> Problem {
    Problem(
      answers
        ? LocalizedText("another agent may start: \(error.problem.text)")
        : LocalizedText("commands get no answer: \(error.problem.text)"))
  }

  /// Whether nothing is left to do; if so, releases the lock.
  ///
  /// The lock is released while no other process can write: a command that commits later finds it free, and starts
  /// another agent.
  private func isDone(
    _ courier: Courier, _ delegate: AgentDelegate, _ store: RunStore, _ lock: borrowing FileLock
  ) throws -> Bool {
    try store.database.writing({
      guard try courier.hasNothingToWaitFor(),
        try delegate.hasNothingToWaitFor(store.peek(in: store.database, at: store.clock.now()))
      else { return false }
      try lock.release()
      return true
    }) { $0 }
  }
}

final class AgentDelegate: DeliveryDelegate {
  private let notifications: RunNotifications
  private let suspendMonitor: SuspendMonitor
  private let dispatcher: EventDispatcher
  private let panel: Panel
  private let schedules: ScheduleDirector

  init(
    _ notifications: RunNotifications, _ suspendMonitor: SuspendMonitor, _ dispatcher: EventDispatcher,
    _ panel: Panel, _ schedules: ScheduleDirector
  ) {
    self.notifications = notifications
    self.suspendMonitor = suspendMonitor
    self.dispatcher = dispatcher
    self.panel = panel
    self.schedules = schedules
  }

  var descriptors: [Int32] {
    dispatcher.descriptors + panel.descriptors + schedules.descriptors
      + (suspendMonitor.displayDescriptor.map { [$0] } ?? [])
  }

  var nextWake: Duration? {
    [suspendMonitor.nextWake, dispatcher.nextWake, panel.nextWake, schedules.nextWake].compactMap { $0 }.min()
  }

  func beginTurn() throws -> Turn {
    var status = try suspendMonitor.update()
    // Its runs and notifications are of this turn.
    if try schedules.startDue(at: status.reading) { status = try suspendMonitor.update() }
    return Turn(
      reading: status.reading, presenter: notifications.presenter(status),
      hasNothingToWaitFor: { [self, status] in try hasNothingToWaitFor(status) },
      finish: { [self, status] ready in try finish(ready, status) })
  }

  private func finish(_ ready: [Int32], _ status: RunStatus) throws {
    if let displays = suspendMonitor.displayDescriptor, ready.contains(displays) {
      suspendMonitor.followDisplays()
    }
    panel.show(status, next: schedules.next)
    try dispatcher.dispatch(ready, status)
    suspendMonitor.release(isBusy: dispatcher.isRunningHooks, at: status.reading)
    // Its changes are of the next turn, which is due at once.
    try panel.performRequests(ready)
  }

  /// Whether nothing is left to wait for but notifications; within a transaction or outside of one.
  func hasNothingToWaitFor(_ status: RunStatus) throws -> Bool {
    try suspendMonitor.hasNothingToWaitFor(status) && dispatcher.hasNothingToWaitFor(status)
      && panel.hasNothingToWaitFor(status) && schedules.hasNothingToWaitFor()
  }
}
