import Synchronization

/// Whether a scheduler still delivers, and who waits for its end.
final class SchedulerEnd: Sendable {
  private struct State {
    var reason: String?
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Why nothing more is delivered; `nil` as long as it is.
  var reason: String? { state.withLock(\.reason) }

  /// Notes that nothing more will be delivered; the first reason counts.
  func begin(because reason: String) { state.withLock { $0.reason = $0.reason ?? reason } }

  /// Resumes everybody who waits: the threads of the scheduler have given back all that they had.
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
