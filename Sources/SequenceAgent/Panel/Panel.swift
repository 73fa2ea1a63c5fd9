import NotifierDelivery
import SequenceClient
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
  private let store: RunStore
  private let configuration: () -> Configuration
  private let window: WindowStarter
  private let onFailure: (any Error) -> Void
  let events: MessageQueue<PanelEvent>
  private var worker: BusWorker<PanelOrder>?
  private var shown = PanelState.nothing
  /// The requests that had no effect yet, with the times of their arrival on the boot clock.
  private var requested: [(request: PanelRequest, number: Int, at: Duration)] = []
  private var failure: String?
  /// When what is shown changes, on the boot clock; `nil` without that.
  private var nextChange: Duration?
  /// When another turn is due to show the effect of a request or to carry out the next one, on the boot clock.
  private var nextTurn: Duration?

  /// How long after a failure to start the thread it is tried again.
  private static let retryInterval = Duration.seconds(10)

  /// - Parameters:
  ///   - configuration: asked at each turn, so that a change counts at once.
  ///   - onFailure: receives the reason why nothing can be shown, once until the reason changes, or why the window
  ///     isn't opened.
  init(
    store: RunStore, configuration: @escaping () -> Configuration, _ environment: HookEnvironment,
    onFailure: @escaping (any Error) -> Void
  ) throws(SystemError) {
    self.store = store
    self.configuration = configuration
    window = WindowStarter(environment, in: store.directory, onFailure: onFailure)
    self.onFailure = onFailure
    events = try MessageQueue()
  }

  deinit { worker?.end() }

  var descriptors: [Int32] { [events.descriptor] + window.descriptors }

  var nextWake: Duration? { [nextChange, nextTurn, window.nextWake].compactMap { $0 }.min() }

  /// Carries out the requests of users: one in each turn, so that notifications that are due come in between.
  ///
  /// A key acts on the current run. If that has just ended it acts on none, as a command that names none.
  ///
  /// - Throws: `StoreError`; the next call carries out the request, unless it is too late then.
  func performRequests(_ ready: [Int32]) throws {
    window.collect(ready, at: store.clock.now().boot)
    for event in try events.takeAll() {
      switch event {
      case .requested(let request, let number, let arrival): requested.append((request, number, arrival))
      case .connected: failure = nil
      // The next change of the run tries again.
      case .failed(let reason): fail(reason)
      }
    }
    nextTurn = nil
    guard let first = requested.first else { return }
    let refusal = try perform(first.request, notAfter: first.at + Lateness.key)
    requested.removeFirst()
    worker?.send(.finish(request: first.number, refusal: refusal))
    nextTurn = store.clock.now().boot
  }

  private func fail(_ reason: String) {
    if failure != reason { onFailure(Problem("the panel and media keys do not have the run: \(reason)")) }
    failure = reason
  }

  /// Does what a user asks for; returns the reason if it is refused.
  ///
  /// - Parameter deadline: the latest time to do it, on the boot clock: the step may be another one by then.
  private func perform(_ request: PanelRequest, notAfter deadline: Duration) throws -> String? {
    do {
      switch request {
      case .key(let key): _ = try store.perform(key.command, notAfter: deadline)
      // The step may be over: completing or skipping the next one would surprise.
      case .button(let button, let context):
        _ = try store.perform(
          button.command, on: context.runID, onStep: context.step, notAfter: deadline)
      case .open, .askStop:
        let now = store.clock.now().boot
        guard now <= deadline else { throw RunStore.late }
        window.open(asksStop: request == .askStop, at: now)
      }
      return nil
    } catch let late as Problem {
      return late.text.translation
    } catch RunError.alreadyRunning, RunError.alreadyPaused {
      // It is as the user wants it to be.
      return nil
    } catch let error as RunError {
      // A menu has no place for it, but shows the run as it is.
      return error.problem.text.translation
    }
  }

  func end() { window.end() }

  /// - Parameter next: the start of a schedule that comes next.
  func show(_ status: RunStatus, next: Schedule?) {
    let configuration = configuration()
    let state = PanelState(
      player: configuration.hasMediaKeys ? PlayerState(status) : nil,
      icon: configuration.hasPanelIcon
        ? PanelIcon(status, next: next?.announcement(now: status.reading.wall)) : nil)
    nextChange =
      state.icon != nil ? VisibleClocks.nextMinute(of: status) : state.player != nil ? status.nextChange : nil
    guard state != shown else { return }
    do throws(SystemError) {
      let worker = if let old = worker { old } else { try PanelServices.start(events, store.clock) }
      self.worker = worker
      worker.send(.show(state))
      shown = state
    } catch {
      fail("\(error.call): \(error.reason)")
      nextChange = status.reading.boot + Panel.retryInterval
    }
  }

  func hasNothingToWaitFor(_ status: RunStatus) -> Bool {
    guard requested.isEmpty, nextTurn == nil, window.nextWake == nil else { return false }
    return !configuration().hasPanel || status.runs.isEmpty
  }
}
