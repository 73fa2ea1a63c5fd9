import NotificationLedger
package import Notifier
package import Platform
package import SequenceConfiguration
package import SequenceRunner

/// Keeps the active run in step with the machine's going and coming back, and the machine from sleeping unused.
///
/// It decides in the thread that keeps time. Where no run asks for it, it asks nothing of anybody.
package final class SuspendMonitor {
  private let store: RunStore
  private let configuration: () -> Configuration
  private let events: Mailbox<SleepEvent>
  private let send: (SleepOrder) -> Void
  private let onFailure: (any Error) -> Void
  /// What was heard and is not done with, and when it was heard.
  private var heard: [(event: SleepEvent, at: ClockReading)] = []
  private var holds: [InhibitorRequest: Hold] = [:]
  private var isListening = false
  private var hasBegun = false
  /// Between the word that the machine goes and the word that it is back.
  private var isGoing = false
  private var failures: [InhibitorRequest: String] = [:]
  /// When what is held changes by itself, on the boot clock; `nil` if it doesn't.
  private(set) var nextWake: Duration?
  /// Whether idleness is held up while the present countdown runs; `nil` while none does.
  private var holdsIdleness: Bool?

  /// What became of the wish for an inhibitor.
  private enum Hold {
    case asked
    case held(any SleepInhibitor)
    /// It is not asked for again before something changes, of which something may hear.
    case refused((any SleepInhibitor)?)
  }

  /// - Parameters:
  ///   - send: asks something of logind or the desktop, and returns at once.
  ///   - onFailure: told why something cannot be held, once until the reason changes.
  package init(
    store: RunStore, configuration: @escaping () -> Configuration, events: Mailbox<SleepEvent>,
    send: @escaping (SleepOrder) -> Void, onFailure: @escaping (any Error) -> Void
  ) {
    self.store = store
    self.configuration = configuration
    self.events = events
    self.send = send
    self.onFailure = onFailure
  }

  /// What to wait on: readable once something was heard.
  package var descriptor: Int32 { events.descriptor }

  /// Takes what was heard, with the moment; it is done with by `tend()`.
  package func listen() throws(SystemError) {
    let reading = store.clock.now()
    heard += try events.takeAll().map { ($0, reading) }
  }

  /// Acts on what was heard, and sees to it that what the run needs is held.
  ///
  /// - Returns: the run after that.
  /// - Throws: `StoreError`; what was heard is acted on by the next call then.
  @discardableResult
  package func tend() throws -> RunStatus {
    if !hasBegun {
      // Whoever waited for the machine to come back is gone.
      try store.comeBack()
      hasBegun = true
    }
    while let first = heard.first {
      try act(on: first.event, at: first.at)
      heard.removeFirst()
    }
    let status = try store.settle()
    adjust(to: status)
    return status
  }

  private func act(on event: SleepEvent, at reading: ClockReading) throws {
    switch event {
    case .held(let hold, let inhibitor):
      holds[hold] = .held(inhibitor)
      failures[hold] = nil
    case .refused(let hold, let reason, let listener):
      holds[hold] = .refused(listener)
      if failures[hold] != reason { onFailure(SleepFailure(hold: hold, reason: reason)) }
      failures[hold] = reason
    case .going(let departure):
      try store.leave(departure == .sleep ? .sleep : .shutdown, at: reading)
      isGoing = true
      // Only now, that it is on the disk, may the machine go.
      holds[.login(.going)] = nil
    case .back:
      isGoing = false
      try store.comeBack()
      askAnew()
    // Who examines looks.
    case .looked: break
    case .otherLogind:
      // What the one before held is gone, and so is its word that the machine is back.
      for hold in LogindInhibitor.allCases { holds[.login(hold)] = nil }
      isGoing = false
      try store.comeBack()
    case .otherService(let service):
      // What the one before held is gone; what is on its way goes to the one that is there now.
      if case .asked = holds[.desktop(service)] { return }
      holds[.desktop(service)] = nil
    }
  }

  private func askAnew() {
    for case (let hold, .refused) in holds { holds[hold] = nil }
  }

  private func adjust(to status: RunStatus) {
    let wanted = wanted(status)
    // Where notifications were cleared, nothing else wakes the agent at that moment.
    nextWake = wanted.contains(.login(.idleness)) ? status.run?.countdownEnd(after: status.reading) : nil
    for hold in InhibitorRequest.allCases {
      if !wanted.contains(hold) {
        // What is on its way is let go once it has come.
        if case .asked = holds[hold] { continue }
        holds[hold] = nil
      } else if holds[hold] == nil {
        holds[hold] = .asked
        isListening = true
        send(.hold(hold))
      }
    }
    guard isListening, wanted.isEmpty, holds.isEmpty, status.run?.isAffectedBySuspend != true else { return }
    isListening = false
    isGoing = false
    send(.leave)
  }

  /// What has to be held for a run.
  private func wanted(_ status: RunStatus) -> Set<InhibitorRequest> {
    guard let run = status.run, !run.isPaused else {
      holdsIdleness = nil
      return []
    }
    var wanted: Set<InhibitorRequest> = []
    if run.suspendPolicy != .continue, !isGoing { wanted.insert(.login(.going)) }
    if run.countdownEnd(after: status.reading) != nil {
      let isWished = holdsIdleness ?? configuration().keepsAwake
      holdsIdleness = isWished
      if isWished {
        wanted.insert(.login(.idleness))
        wanted.formUnion(IdleService.allCases.map(InhibitorRequest.desktop))
      }
    } else {
      holdsIdleness = nil
    }
    return wanted
  }

  /// Whether no run needs idleness to be held off; within a transaction or outside of one.
  package func isAtRest() throws -> Bool {
    let reading = store.clock.now()
    guard let run = try store.settledRun(at: reading), !run.isPaused,
      run.countdownEnd(after: reading) != nil
    else { return true }
    return !(holdsIdleness ?? configuration().keepsAwake)
  }
}

/// Why it is not heard of when the machine sleeps, or why sleep is not held off.
struct SleepFailure: Error, CustomStringConvertible {
  let hold: InhibitorRequest
  let reason: String
  var description: String {
    switch hold {
    case .login(.going): "a run goes on while the machine sleeps, whatever it asks for: \(reason)"
    case .login(.idleness), .desktop: "not all that could holds off sleep while a countdown runs: \(reason)"
    }
  }
}
