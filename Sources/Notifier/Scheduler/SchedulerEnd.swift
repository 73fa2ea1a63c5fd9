import Synchronization

/// Whether a scheduler still delivers, and who waits for its end.
final class SchedulerEnd: Sendable {
  private struct State {
    var reason: String?
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// The reason why the scheduler has ended; `nil` before.
  var reason: String? { state.withLock(\.reason) }

  /// Notes that nothing more will be delivered; the first reason counts.
  func begin(because reason: String) { state.withLock { $0.reason = $0.reason ?? reason } }

  /// Resumes all waiting callers: the threads of the scheduler have released everything.
  func complete() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the end is complete.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}
