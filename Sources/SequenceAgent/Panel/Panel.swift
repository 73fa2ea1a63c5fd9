import NotifierBus
import SequenceConfiguration
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// Shows the current run to the desktop, and does what its keys ask for.
///
/// It decides in the thread that keeps time. There is no thread of its own until it is switched on, and a connection only
/// while it shows something.
final class Panel {
  private let store: OpenRunStore
  private let isWanted: () -> Bool
  private let onFailure: (any Error) -> Void
  private let events: MessageQueue<PanelEvent>
  private var thread: PanelThread?
  private var shown: PlayerState?
  /// The pressed keys that had no effect yet, with the times on the boot clock when the agent heard of them.
  private var pressed: [(key: PanelKey, call: Int, at: Duration)] = []
  private var failure: String?
  /// When the shown step changes, on the boot clock; `nil` without one.
  private(set) var nextWake: Duration?

  /// - Parameters:
  ///   - isWanted: whether it is switched on; asked at each turn, so that a change counts at once.
  ///   - onFailure: receives the reason why nothing can be shown, once until the reason changes.
  init(
    store: OpenRunStore, isWanted: @escaping () -> Bool, onFailure: @escaping (any Error) -> Void
  ) throws(SystemError) {
    self.store = store
    self.isWanted = isWanted
    self.onFailure = onFailure
    events = try MessageQueue()
  }

  deinit { thread?.end() }

  /// The descriptor to wait on: readable once there are events.
  var descriptor: Int32 { events.descriptor }

  /// Performs the commands of the pressed keys.
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
      case .pressed(let key, let call): pressed.append((key, call, now))
      case .connected: failure = nil
      case .failed(let reason):
        if failure != reason { onFailure(PanelFailure(reason: reason)) }
        // The next change of the run tries again.
        failure = reason
      }
    }
    while let first = pressed.first {
      // The step may be another one by then.
      let isLate = now - first.at > Lateness.key
      let refusal = isLate ? "the store was busy, so nothing was changed" : try perform(first.key.command)
      pressed.removeFirst()
      thread?.send(.answer(call: first.call, refusal: refusal))
    }
  }

  /// Performs a command on the current run; returns the reason if it is refused.
  private func perform(_ command: RunCommand) throws -> String? {
    do {
      _ = try store.perform(command)
      return nil
    } catch RunError.alreadyRunning, RunError.alreadyPaused {
      // It is as the user wants it to be.
      return nil
    } catch let error as RunError {
      return error.problem
    }
  }

  /// Shows the current run, if there is anything new.
  func show(_ status: RunStatus) throws(SystemError) {
    let state = isWanted() ? PlayerState(status) : nil
    nextWake = state == nil ? nil : status.nextChange
    guard state != shown else { return }
    if thread == nil { thread = try PanelThread(events: events) }
    thread?.send(.player(state))
    shown = state
  }

  /// Whether there is no run to show; within a transaction or outside of one.
  func hasNothingToWaitFor() throws -> Bool {
    try !isWanted() || store.status(in: store.database, at: store.clock.now()).runs.isEmpty
  }
}

/// The reason why media keys don't work.
struct PanelFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { "media keys do not act on runs: \(reason)" }
}
