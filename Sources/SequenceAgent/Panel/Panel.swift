import NotifierBus
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// Shows the current run to the desktop, and does what its keys ask for.
///
/// It decides in the thread that keeps time. There is no thread of its own until it is switched on, and a connection only
/// while it shows something.
final class Panel {
  private let store: OpenRunStore
  private let configuration: () -> Configuration
  /// Opens the window, which asks whether to stop the run if told so.
  private let open: (_ asksStop: Bool) throws -> Void
  private let onFailure: (any Error) -> Void
  private let events: MessageQueue<PanelEvent>
  private var thread: PanelThread?
  private var shown = PanelState.nothing
  /// The requests that had no effect yet, with the times on the boot clock when the agent heard of them.
  private var requested: [(request: PanelRequest, call: Int?, at: Duration)] = []
  private var failure: String?
  /// When what is shown changes, on the boot clock; `nil` without that.
  private(set) var nextWake: Duration?

  /// - Parameters:
  ///   - configuration: says what is switched on; asked at each turn, so that a change counts at once.
  ///   - open: opens the window, which asks whether to stop the run if told so.
  ///   - onFailure: receives the reason why nothing can be shown, once until the reason changes.
  init(
    store: OpenRunStore, configuration: @escaping () -> Configuration,
    open: @escaping (_ asksStop: Bool) throws -> Void, onFailure: @escaping (any Error) -> Void
  ) throws(SystemError) {
    self.store = store
    self.configuration = configuration
    self.open = open
    self.onFailure = onFailure
    events = try MessageQueue()
  }

  deinit { thread?.end() }

  /// The descriptor to wait on: readable once there are events.
  var descriptor: Int32 { events.descriptor }

  /// Does what users ask for.
  ///
  /// A key acts on the current run. If that has just ended it acts on none, as a command that names none.
  ///
  /// - Throws: `StoreError`; the next call carries out the rest, unless it is too late then.
  func act() throws {
    // Nothing comes without the thread.
    guard thread != nil else { return }
    let now = store.clock.now().boot
    for event in try events.takeAll() {
      switch event {
      case .requested(let request, let call): requested.append((request, call, now))
      case .connected: failure = nil
      case .failed(let reason):
        if failure != reason { onFailure(PanelFailure(reason: reason)) }
        // The next change of the run tries again.
        failure = reason
      }
    }
    while let first = requested.first {
      // The step may be another one by then.
      let isLate = now - first.at > Lateness.key
      let refusal = isLate ? "the store was busy, so nothing was changed" : try perform(first.request)
      requested.removeFirst()
      if let call = first.call { thread?.send(.answer(call: call, refusal: refusal)) }
    }
  }

  /// Does what a user asks for; returns the reason if it is refused.
  private func perform(_ request: PanelRequest) throws -> String? {
    do {
      switch request {
      case .key(let key): _ = try store.perform(key.command)
      // The step may be over: completing or skipping the next one would surprise.
      case .button(let button, let context):
        _ = try store.perform(button.command, on: context.runID, onStep: context.step)
      case .open: openWindow(asksStop: false)
      case .askStop: openWindow(asksStop: true)
      }
      return nil
    } catch RunError.alreadyRunning, RunError.alreadyPaused {
      // It is as the user wants it to be.
      return nil
    } catch let error as RunError {
      // A menu has no place for it, but shows the run as it is.
      return error.problem
    }
  }

  private func openWindow(asksStop: Bool) {
    do { try open(asksStop) } catch { onFailure(error) }
  }

  /// Shows the current run, if there is anything new.
  func show(_ status: RunStatus) throws(SystemError) {
    let configuration = configuration()
    let state = PanelState(
      player: configuration.hasMediaKeys ? PlayerState(status) : nil,
      icon: configuration.hasPanelIcon ? PanelIcon(status) : nil)
    nextWake = state.icon != nil ? status.nextMinute : state.player != nil ? status.nextChange : nil
    guard state != shown else { return }
    if thread == nil { thread = try PanelThread(events: events, clock: store.clock) }
    thread?.send(.show(state))
    shown = state
  }

  /// Whether there is no run to show; within a transaction or outside of one.
  func hasNothingToWaitFor() throws -> Bool {
    try !configuration().hasPanel || store.peek(in: store.database, at: store.clock.now()).runs.isEmpty
  }
}

/// The reason why the desktop doesn't show the run.
struct PanelFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { "the panel and media keys do not have the run: \(reason)" }
}

/// The reason why the window can't be opened from the panel.
struct WindowFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { "the window cannot be opened: \(reason)" }
}
