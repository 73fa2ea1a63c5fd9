public import FoundationEssentials
public import NotifierDelivery
public import NotifierLedger
public import SequencePlatform
public import SequenceStore
import Synchronization
// One import of the library is enough.
@_exported public import Notifier

/// A desktop for tests: a screen that shows notifications, and a user who presses buttons, without a bus and without
/// waiting.
///
/// Its time is that of a ``/SequencePlatform/ManualClock``, which the stores of the test have as well. Any number of desktops
/// may exist in a process, each with any number of schedulers. All methods that change something return once the
/// schedulers have done everything that follows at the present time.
public final class TestDesktop: Sendable {
  /// The clock of the desktop, and of the stores whose notifications it shows.
  public let clock: ManualClock

  private struct State {
    var server: TestServer
    var connections: [Int: TestConnection] = [:]
    var hasStores = false
  }

  private let state: Mutex<State>
  private let name = UUID().uuidString

  /// A desktop with an empty screen, and a server that answers.
  ///
  /// - Parameters:
  ///   - clock: the clock that ``advance(by:)`` moves.
  ///   - capabilities: the features of the notification server, as named in the Desktop Notifications Specification
  ///     1.2. Without `actions`, notifications have no buttons.
  public init(clock: ManualClock = ManualClock(), capabilities: Set<String> = ["actions", "body"]) {
    self.clock = clock
    state = Mutex(State(server: TestServer(capabilities: capabilities)))
  }

  deinit {
    guard state.withLock(\.hasStores), case .success(let directories) = TestDirectories.ofProcess
    else { return }
    // A later process removes the directories of earlier ones.
    try? FileManager.default.removeItem(atPath: "\(directories.path)/\(name)")
  }

  /// Opens a store with the clock of the desktop, in a temporary directory that is removed with the desktop.
  ///
  /// - Parameter name: the name of the directory. Stores of the same name share their notifications, as those of
  ///   several processes of a program do.
  /// - Throws: `StoreError`; `SchedulerError.directoryOfRuns` if the directory has runs.
  public func openStore(_ name: String = "notifications") throws -> NotificationStore {
    try NotificationStore(directory(name), clock: clock)
  }

  /// Returns a temporary directory for a store, which is removed with the desktop.
  ///
  /// Open other stores in it with the clock of the desktop, such as `RunStore.withNotifications(in:clock:)`.
  ///
  /// - Parameter name: the name of the directory.
  /// - Throws: `StoreError`.
  public func directory(_ name: String) throws(StoreError) -> StateDirectory {
    state.withLock { $0.hasStores = true }
    let directories: TestDirectories
    do {
      directories = try TestDirectories.ofProcess.get()
    } catch {
      throw StoreError(error, path: TestDirectories.place)
    }
    return StateDirectory(path: "\(directories.path)/\(self.name)/\(name)", database: "\(name).db")
  }

  // MARK: - The screen

  /// The visible notifications, in the order in which they were shown.
  public var onScreen: [VisibleNotification] {
    state.withLock { $0.server.screen.map(\.notification) }
  }

  /// All notifications that have been shown, in order; a notification that was shown again is in it again.
  public var shown: [VisibleNotification] { state.withLock { $0.server.shown } }

  /// Whether do-not-disturb is on; `nil` while the server is stopped or hangs.
  var isDoNotDisturbOn: Bool? {
    state.withLock { $0.server.condition == .answering ? $0.server.isDoNotDisturbOn : nil }
  }

  /// Whether a program inhibits automatic suspend.
  public var isKeptAwake: Bool {
    state.withLock { $0.connections.values.contains { $0.sleep?.isInhibited == true } }
  }

  // MARK: - Connections

  func connect(
    _ application: NotifyingApplication, _ clock: any ClockSource
  ) throws(SystemError) -> TestConnection {
    let events = try MessageQueue<DesktopEvent>()
    return change { state in
      let number = state.server.connect(application)
      let connection = TestConnection(number, of: self, clock, events)
      state.connections[number] = connection
      return connection
    }
  }

  func take(_ order: DesktopOrder, of number: Int) {
    let reading = clock.now()
    change { $0.server.take(order, of: number, at: reading) }
  }

  func disconnect(_ number: Int) {
    let reading = clock.now()
    change { state in
      state.server.disconnect(number, at: reading)
      state.connections[number] = nil
    }
  }

  private func change<Result, Failure>(_ body: (inout State) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try state.withLock { state throws(Failure) in
      let result = try body(&state)
      for (number, event) in state.server.takeEvents() { state.connections[number]?.report(event) }
      return result
    }
  }

  /// Changes the server, and waits until the schedulers have reacted.
  private func changeServer<Failure>(_ body: (inout TestServer) throws(Failure) -> Void) async throws(Failure)
  {
    // Before it, everything that is due must be done.
    await finishDueWork()
    try change { state throws(Failure) in try body(&state.server) }
    await finishDueWork()
  }
}

// MARK: - Time

extension TestDesktop {
  /// Waits until the schedulers have done everything that is due, without moving the clock.
  ///
  /// Call it after a change of a store, for example: a request without a trigger is on the screen then.
  public func finishDueWork() async {
    let reading = clock.now()
    let connections = change { state in
      state.server.proceed(at: reading)
      return state.connections.sorted { $0.key < $1.key }.map(\.value)
    }
    for connection in connections { await connection.finishDueWork() }
  }

  /// Lets time pass, and returns when everything that is due until then has been decided and shown.
  ///
  /// - Parameter duration: how much time; not negative.
  /// - Complexity: O(notifications that become due); no real time passes.
  public func advance(by duration: Duration) async {
    let end = clock.now().boot + duration
    await finishDueWork()
    while let next = nextTime(), next < end {
      clock.advance(untilBoot: next)
      await finishDueWork()
    }
    clock.advance(untilBoot: end)
    await finishDueWork()
  }

  /// Lets time pass until the wall clock shows a date, as ``advance(by:)`` does; a date that has passed changes
  /// nothing.
  public func advance(to date: Date) async {
    await advance(by: max(.zero, Moment(date).duration(since: clock.now().wall)))
  }

  /// Lets time pass while the machine is suspended: what becomes due meanwhile is late.
  ///
  /// The suspend is announced before and after, as logind does.
  ///
  /// - Parameter duration: how long; not negative.
  public func suspend(for duration: Duration) async {
    await finishDueWork()
    announce { $0.suspend() }
    await finishDueWork()
    clock.advance(by: duration)
    announce { $0.resume() }
    await finishDueWork()
  }

  /// Locks the screen, or unlocks it.
  public func setScreenLocked(_ isLocked: Bool) async {
    announce { $0.lock(isLocked) }
    await finishDueWork()
  }

  private func announce(_ body: (TestSleep) -> Void) {
    state.withLock { $0.connections.values.compactMap(\.sleep) }.forEach(body)
  }

  /// Sets the wall clock of the machine.
  public func setClock(to date: Date) async {
    await finishDueWork()
    clock.setWall(by: Moment(date).duration(since: clock.now().wall))
    await finishDueWork()
  }

  /// Sets the time zone of the machine.
  public func setTimeZone(_ zone: TimeZone) async {
    await finishDueWork()
    clock.timeZone = zone.identifier
    await finishDueWork()
  }

  /// Reboots the machine, with an empty screen.
  ///
  /// All schedulers must have been shut down before.
  ///
  /// - Parameter duration: how long the machine is off.
  public func reboot(after duration: Duration) {
    change { state in
      precondition(!state.server.hasClients, "shut the schedulers down before the machine")
      state.server.reboot()
    }
    clock.reboot(after: duration)
  }

  /// The next time at which something happens by itself, on the boot clock.
  private func nextTime() -> Duration? {
    let (server, connections) = state.withLock { ($0.server.nextTime, Array($0.connections.values)) }
    return (connections.map(\.wake) + [server, clock.nextDeadline]).compactMap { $0 }.min()
  }
}

// MARK: - The user

extension TestDesktop {
  /// Presses a button of a visible notification, and returns when the response is in the streams of the scheduler.
  ///
  /// The notification leaves the screen, unless it is resident. If the scheduler that showed it has ended, nobody gets
  /// the response, as on other desktops.
  ///
  /// - Parameters:
  ///   - key: the key of the action.
  ///   - identifier: the identifier of the notification.
  ///   - token: the activation token that a server would pass on, which lets a window come to the front.
  public func press(
    _ key: String, on identifier: NotificationIdentifier, activationToken token: String? = nil
  ) async throws(Problem) {
    try await changeServer { server throws(Problem) in
      try server.press(key, of: identifier, token: token)
    }
  }

  /// Clicks on a visible notification that has the action ``/NotifierLedger/NotificationAction/click``.
  public func click(_ identifier: NotificationIdentifier) async throws(Problem) {
    try await press(NotificationAction.click.key, on: identifier)
  }

  /// Closes a visible notification, as the user does.
  public func dismiss(_ identifier: NotificationIdentifier) async throws(Problem) {
    try await changeServer { server throws(Problem) in try server.close(identifier, .dismissed) }
  }

  /// Closes a visible notification, as the server does when it has been on the screen for long.
  ///
  /// A notification whose style has `expiry` `.after` expires by itself.
  public func expire(_ identifier: NotificationIdentifier) async throws(Problem) {
    try await changeServer { server throws(Problem) in try server.close(identifier, .expired) }
  }
}

// MARK: - Faults

extension TestDesktop {
  /// Ends the notification server, and with it all visible notifications.
  ///
  /// Nothing can be shown until ``startServer()``.
  public func stopServer() async { await changeServer { $0.stop() } }

  /// Starts a notification server after ``stopServer()``.
  public func startServer() async { await changeServer { $0.start() } }

  /// Replaces the notification server by a new one with an empty screen.
  public func restartServer() async {
    await changeServer {
      $0.stop()
      $0.start()
    }
  }

  /// Has the notification server hang: it answers no call and shows nothing until ``answer()``.
  public func hang() async { await changeServer { $0.hang() } }

  /// Has a server that hangs answer again, and carry out the calls that it didn't answer.
  public func answer() async {
    let reading = clock.now()
    await changeServer { $0.answer(at: reading) }
  }

  /// Turns do-not-disturb on or off.
  ///
  /// `Desktop.isDoNotDisturbOn()` reports it. Notifications are on the screen in spite of it.
  public func setDoNotDisturb(_ isOn: Bool) { change { $0.server.isDoNotDisturbOn = isOn } }

  /// Has the notification server refuse some notifications.
  ///
  /// A scheduler tries each notification several times, with a pause, before its entry has the state `failed`.
  ///
  /// - Parameter count: how many of the next calls it refuses.
  public func refuse(_ count: Int) async { await changeServer { $0.refuse(count) } }
}

extension Desktop {
  /// The desktop of a test, which takes the place of the session's.
  public static func test(_ desktop: TestDesktop) -> Desktop {
    Desktop(clock: desktop.clock, readDoNotDisturb: { desktop.isDoNotDisturbOn }) { application, clock, _ in
      try desktop.connect(application, clock)
    }
  }
}

extension ManualClock {
  /// Clocks of a machine that show a date until they are moved.
  ///
  /// - Parameters:
  ///   - date: the time on the wall clock.
  ///   - zone: the time zone of the machine.
  public convenience init(at date: Date, in zone: TimeZone = .gmt) {
    self.init(wall: Moment(date))
    timeZone = zone.identifier
  }

  /// The time on the wall clock.
  public var date: Date { now().wall.date }
}
