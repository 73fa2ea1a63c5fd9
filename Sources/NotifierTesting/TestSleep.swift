import NotifierDelivery
import SequencePlatform
import Synchronization

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
