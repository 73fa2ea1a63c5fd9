import NotifierDelivery
import SequencePlatform
import Synchronization

/// The connection of a scheduler to a test desktop.
///
/// The desktop carries out orders in the thread of the scheduler. It can wait until the scheduler has nothing left to
/// do at the present time.
final class TestConnection: DesktopConnection {
  private struct State {
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Those of them since whose call a turn has begun.
    ///
    /// Another turn has to begin, because what happened just before the call may not have ended the wait before this
    /// one.
    var noticed: [CheckedContinuation<Void, Never>] = []
    /// Those since whose call two turns have begun.
    var seen: [CheckedContinuation<Void, Never>] = []
    var wake: Duration?
    var isOver = false
    var sleep: TestSleep?
  }

  private let number: Int
  private let desktop: TestDesktop
  /// The clock of the scheduler, which may be shifted against that of the desktop.
  private let clock: any ClockSource
  private let events: MessageQueue<DesktopEvent>
  private let state = Mutex(State())

  init(_ number: Int, of desktop: TestDesktop, _ clock: any ClockSource, _ events: MessageQueue<DesktopEvent>)
  {
    self.number = number
    self.desktop = desktop
    self.clock = clock
    self.events = events
  }

  /// When the scheduler continues by itself, on the boot clock of the desktop; `nil` for never.
  var wake: Duration? { state.withLock { $0.wake } }

  func report(_ event: DesktopEvent) { events.put(event) }

  /// Waits until the scheduler has nothing left to do at the present time, or has ended.
  func finishDueWork() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() } else { events.wake() }
    }
  }

  /// The logind of the program; `nil` if the program has not connected to it.
  var sleep: TestSleep? { state.withLock(\.sleep) }

  // MARK: - In the thread of the scheduler

  func connectToSleep(
    why: @escaping @Sendable (InhibitorRequest) -> String
  ) throws(SystemError) -> SleepConnection {
    let sleep = try TestSleep()
    state.withLock { $0.sleep = sleep }
    return SleepConnection(events: sleep.events, send: { sleep.send($0) }, end: {})
  }

  var descriptor: Int32 { events.descriptor }

  func takeEvents() throws(SystemError) -> [DesktopEvent] {
    // The descriptor first: a wait that begins after this makes it readable again.
    let taken = try events.takeAll()
    let mustTurnAgain = state.withLock { state in
      state.seen += state.noticed
      (state.noticed, state.waiting) = (state.waiting, [])
      return !state.noticed.isEmpty
    }
    if mustTurnAgain { events.wake() }
    return taken
  }

  /// No time: the desktop answers at once, if at all.
  var endingLimit: Duration { .zero }

  func send(_ order: DesktopOrder) {
    guard case .show(let entry, var content, let shown) = order else {
      return desktop.take(order, of: number)
    }
    content.due += shift
    content.latest = content.latest.map { $0 + shift }
    desktop.take(.show(entry: entry, content, as: shown), of: number)
  }

  /// How much later it is on the boot clock of the desktop than on that of the scheduler.
  private var shift: Duration { desktop.clock.now().boot - clock.now().boot }

  func rest(until wake: Duration?) {
    let wake = wake.map { $0 + shift }
    let now = desktop.clock.now().boot
    guard events.isEmpty, sleep?.events.isEmpty ?? true, wake.map({ $0 > now }) ?? true else { return }
    let seen = state.withLock { state in
      state.wake = wake
      defer { state.seen = [] }
      return state.seen
    }
    for continuation in seen { continuation.resume() }
  }

  func end() {
    desktop.disconnect(number)
    let all = state.withLock { state in
      defer { (state.waiting, state.noticed, state.seen) = ([], [], []) }
      (state.isOver, state.wake) = (true, nil)
      return state.waiting + state.noticed + state.seen
    }
    for continuation in all { continuation.resume() }
  }
}

final class TestSleep: Sendable {
  private struct State {
    var isListenedTo = false
    var isLocked = false
    var isSuspending = false
    weak var idleness: Inhibitor?
  }

  private final class Inhibitor: SleepInhibitor {}

  let events: MessageQueue<SleepEvent>
  private let state = Mutex(State())

  init() throws(SystemError) { events = try MessageQueue() }

  var isInhibited: Bool { state.withLock { $0.idleness != nil } }

  func send(_ order: SleepOrder) {
    switch order {
    case .inhibit(.login(let hold)):
      let inhibitor = Inhibitor()
      state.withLock { state in
        state.isListenedTo = true
        if hold == .idleness { state.idleness = inhibitor }
      }
      events.put(.held(.login(hold), inhibitor))
    case .inhibit(.desktop(let service)):
      events.put(.held(.desktop(service), Inhibitor()))
    case .disconnect: state.withLock { $0.isListenedTo = false }
    case .watchLock:
      let isLocked = state.withLock { state in
        state.isListenedTo = true
        return state.isLocked
      }
      events.put(.locked(isLocked, isChange: false, failure: nil))
    case .status: events.put(.examined(failure: nil, lockFailure: nil, services: []))
    case .release: break
    }
  }

  func suspend() {
    let isReceived = state.withLock { state in
      state.isSuspending = state.isListenedTo
      return state.isSuspending
    }
    if isReceived { events.put(.suspending(.sleep)) }
  }

  func lock(_ isLocked: Bool) {
    let isReceived = state.withLock { state in
      defer { state.isLocked = isLocked }
      return state.isListenedTo && state.isLocked != isLocked
    }
    if isReceived { events.put(.locked(isLocked, isChange: true, failure: nil)) }
  }

  /// Announces the end of the suspend to a program that listened at its beginning.
  func resume() {
    let isReceived = state.withLock { state in
      defer { state.isSuspending = false }
      return state.isSuspending
    }
    if isReceived { events.put(.back) }
  }
}
