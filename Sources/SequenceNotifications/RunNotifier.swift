import Glibc
public import NotifierLedger
import SequencePlatform
public import SequenceStore
// One import of the library is enough.
@_exported public import NotifierDelivery
@_exported public import SequencePlanning
@_exported public import SequenceRunner

/// Shows the notifications of runs from the process of your program, under its name, as long as it is held.
///
/// It also handles the buttons, and pauses and resumes runs whose policy asks for that around a suspend. Runs continue
/// without it, and the next notifier shows the latest notification. A process may have several notifiers and schedulers,
/// each with a directory of its own.
public final class RunNotifier: Sendable {
  /// The runs, whose changes plan the notifications.
  public let store: RunStore
  private let delivery: DeliveryThread

  /// Opens the store of a directory, and starts to show its notifications.
  ///
  /// - Parameters:
  ///   - directory: the directory of the store, which is created if it is missing; one notifier, scheduler or agent at
  ///     a time delivers from it.
  ///   - application: the name and the icon of the application.
  ///   - desktop: where the notifications are shown. Tests have a desktop of their own, of the module NotifierTesting.
  ///   - keepsAwake: whether automatic suspend is inhibited during a countdown.
  ///   - adapt: returns the request to show for a notification: its request with another text or style. It receives
  ///     the style that would be shown, and its result is shown unchanged. The keys of the actions must stay: `done`,
  ///     `pause`, `resume`, `count`, `skip`, `extend`, `stop`, `stop-ringing` and `minute`. Called in a thread of
  ///     the notifier. `nil` for the English texts.
  ///   - onFailure: receives the reason why the store is unusable, once until the reason changes, why suspend is not
  ///     detected, or why the notifier has ended; called in a thread of the notifier.
  /// - Throws: `SchedulerError.directoryInUse` if another process or object delivers from the directory,
  ///   `SchedulerError.directoryOfProgram` if a program has scheduled notifications in the directory; `StoreError`,
  ///   `SystemError`.
  public init(
    in directory: StateDirectory, application: NotifyingApplication, through desktop: Desktop = .session,
    keepsAwake: Bool = false,
    adapt: (@Sendable (RunNotification) -> NotificationRequest)? = nil,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let store = try RunStore.withNotifications(in: directory, clock: desktop.clock ?? SystemClock())
    self.store = store
    delivery = try DeliveryThread(
      in: store.directory, store.clock, application, through: desktop, onFailure: onFailure
    ) { connection, ending in
      try RunNotifier.deliver(
        from: store.reopened(), through: connection, until: ending, keepsAwake: keepsAwake, adapt: adapt,
        onFailure: onFailure)
    }
  }

  /// Whether notifications can be shown, as this notifier or another one of the directory has found out.
  ///
  /// - Throws: `StoreError`.
  public func desktop() throws(StoreError) -> DesktopState {
    try store.readLedger { ledger throws(StoreError) in try ledger.desktop() }
  }

  /// Ends the notifier, and waits until its threads have ended.
  ///
  /// Due notifications are shown first, and outdated ones closed, if a server does that within a second.
  /// Pending notifications stay in the store, visible ones on screen. A server that hangs delays the end by up to 25 s.
  public func shutdown() async { await delivery.shutdown() }

  /// Delivers until a descriptor is readable; returns whether another store has taken the place of this one.
  private static func deliver(
    from store: RunStore, through connection: any DesktopConnection, until ending: Int32,
    keepsAwake: Bool, adapt: ((RunNotification) -> NotificationRequest)?,
    onFailure: @escaping (any Error) -> Void
  ) throws -> Bool {
    let sleep = try connection.connectToSleep { SuspendMonitor.reason(for: $0) }
    defer { sleep.end() }
    let monitor = SuspendMonitor(
      store: store, keepsAwake: { keepsAwake }, events: sleep.events, send: sleep.send, onFailure: onFailure)
    let notifications = RunNotifications(store: store, adapt: adapt, onFailure: onFailure)
    let delivery = try DeliveryLoop(
      store.base, notifications.courier(process: getpid()), connection,
      delegate: NotifierDelegate(notifications, monitor), onFailure: onFailure)
    return try delivery.run(until: ending, or: [monitor.descriptor]) { ready in
      if ready.contains(monitor.descriptor) { try monitor.listen() }
    }
  }
}

/// The work of a notifier other than delivery: pausing runs around a suspend.
package struct NotifierDelegate: DeliveryDelegate {
  private let notifications: RunNotifications
  private let monitor: SuspendMonitor

  package init(_ notifications: RunNotifications, _ monitor: SuspendMonitor) {
    self.notifications = notifications
    self.monitor = monitor
  }

  package var nextWake: Duration? { monitor.nextWake }

  package func beginTurn() throws -> Turn {
    let status = try monitor.update()
    return Turn(
      reading: status.reading, presenter: notifications.presenter(status),
      finish: { _ in monitor.release(isBusy: false, at: status.reading) })
  }
}

/// A notification of a run that is about to be shown.
public struct RunNotification: Sendable {
  /// The notification with its English text.
  public let request: NotificationRequest
  /// The event that it is about; `nil` for a notification of another program.
  public var kind: RunEvent.Name? { event(of: request) }
  /// The run, as it is when the notification is prepared: up to 50 ms before its time.
  public let run: ActiveRunSnapshot
  /// The step that is current while the notification is visible; `nil` for the end of the run.
  public let step: Step?

  init(request: NotificationRequest, run: ActiveRunSnapshot, index: Int) {
    self.request = request
    self.run = run
    step =
      index < run.timeline.count ?? .max && event(of: request) != .runEnd ? run.timeline.step(at: index) : nil
  }
}
