import Glibc
import NotificationLedger
import Platform
import SequencePlanning
import SequenceRunner

/// Follows one run until it is over: what is common to the live display and to the lines.
final class RunFollower {
  let store: RunStore
  let run: ActiveRunSnapshot
  private let waiter: StoreWaiter
  private let signals: SignalWatch
  private let agent: AgentWatch
  /// Reports of the agent that are older than this are of another time.
  private let reportsSince: Moment
  private var hasToldOfDesktop = false

  /// The signals that end or stop a program that is being looked at.
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]

  /// - Parameters:
  ///   - signals: what came of `RunFollower.signals` since before the run was started.
  ///   - agent: what keeps an agent there meanwhile.
  ///   - since: when the run was started or looked at: the report of an agent that ended before doesn't count.
  init(
    store: RunStore, run: ActiveRunSnapshot, signals: consuming SignalWatch, agent: AgentWatch, since: Moment
  ) throws {
    self.store = store
    self.run = run
    self.signals = signals
    self.agent = agent
    reportsSince = agent.hadAgent ? Moment(microseconds: .min) : since
    waiter = try StoreWaiter(store.base)
  }

  /// Where the run is now.
  enum Standing {
    case active(ActiveRunSnapshot, RunStatus)
    case over(EndedRun)
  }

  /// What there was to wait for.
  enum Wakening: Equatable {
    case signal(Int32)
    case input
    case other
  }

  func standing() throws -> Standing {
    let status = try store.settle()
    agent.note(status.run)
    if let run = status.run, run.runID == self.run.runID { return .active(run, status) }
    guard let ended = try store.endedRun(id: run.runID) else {
      throw Failure("the run is gone from the store", remedy: "see sequence history", .inputOutput)
    }
    return .over(ended)
  }

  /// Waits for a time on the boot clock, a change of the store, a signal, or for input.
  func wait(until deadline: Duration?, input: Int32? = nil) throws -> Wakening {
    let ready = try waiter.wait(
      until: [deadline, agent.nextLook].compactMap { $0 }.min(),
      or: [signals.descriptor] + (input.map { [$0] } ?? []) + agent.descriptors)
    try agent.tend(ready)
    if ready.contains(signals.descriptor), let signal = try signals.next() { return .signal(signal) }
    if let input, ready.contains(input) { return .input }
    return .other
  }

  /// Has an agent started if one is needed and none is there, since the run was changed here.
  func ensureAgent() throws { try agent.ensure() }

  /// What is to be said of the desktop, once.
  func desktopNotice() throws -> String? {
    guard !hasToldOfDesktop, let report = try store.readLedger({ try $0.agentReport() }),
      report.updatedAt >= reportsSince,
      case .unavailable(let reason) = report.desktop
    else { return nil }
    hasToldOfDesktop = true
    return "\(reason); the run goes on without notifications"
  }

  /// Does what a key asks for, to this run and to no other.
  func perform(_ command: RunCommand, onStep step: Int? = nil) throws {
    _ = try store.perform(command, onStep: step, ofRun: run.runID) { _, _ in }
  }

  /// Pauses the run because a signal ends this program.
  ///
  /// - Returns: what to say of it; `nil` if there was nothing to pause.
  func pause() throws -> String? {
    do {
      try perform(.pause)
    } catch RunError.alreadyPaused {
      // It is what was wanted.
    } catch RunError.noActiveRun, RunError.runPassed {
      return nil
    }
    return "the run is paused; go on with sequence resume, or end it with sequence stop"
  }
}
