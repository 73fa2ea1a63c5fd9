package import FoundationEssentials
import Glibc
import NotifierLedger
import SequencePlatform
import SequencePlanning
package import SequenceRunner

/// Follows one run until it is over, for a display that waits in a loop of its own.
package final class RunFollower {
  package let client: Client
  package let run: ActiveRunSnapshot
  private let waiter: StoreWaiter
  private let signals: SignalWatch
  private let agent: AgentWatch
  /// The earliest time of a current report of the agent.
  private let reportsSince: Moment
  private var hasReportedDesktop = false

  package static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]

  package convenience init(
    starting timeline: Timeline, _ choices: RunChoices, _ client: Client
  ) throws {
    // Signals are watched first, so that one during the start isn't lost.
    let signals = try SignalWatch(RunFollower.signals)
    let status = try client.begin(timeline, choices)
    try self.init(client, status, signals: signals)
  }

  /// - Parameter word: the name of the run, or the beginning of its id; `nil` for the current run.
  package convenience init(_ client: Client, _ word: String? = nil) throws {
    let signals = try SignalWatch(RunFollower.signals)
    let status = try client.store.settle()
    let run = try word.map { try client.run($0, among: status) }
    try self.init(client, run.map { status.status(of: $0.runID) } ?? status, signals: signals)
  }

  /// - Parameter signals: the signals since before the run was started.
  init(_ client: Client, _ status: RunStatus, signals: consuming SignalWatch) throws {
    guard let run = status.run else { throw RunError.noActiveRun }
    self.client = client
    self.run = run
    self.signals = signals
    agent = try AgentWatch(client)
    // The report of an agent that ended before the run doesn't count.
    reportsSince = agent.hadAgent ? Moment(microseconds: .min) : status.reading.wall
    waiter = try StoreWaiter(client.store.base)
  }

  package enum State {
    case active(ActiveRunSnapshot, RunStatus)
    case over(EndedRun)
  }

  package enum Event: Equatable {
    case signal(Int32)
    case input
    case other
  }

  private var store: RunStore { client.store }

  package func state() throws -> State {
    let status = try store.settle().status(of: run.runID)
    agent.followRuns(status)
    if let run = status.run { return .active(run, status) }
    guard let ended = try store.endedRun(id: run.runID), ended.outcome != .lost else {
      throw ClientError.runLost
    }
    return .over(ended)
  }

  /// Waits for a time on the boot clock, a change of the store, a signal, or input.
  package func wait(until deadline: Duration?, input: Int32? = nil) throws -> Event {
    let ready = try waiter.wait(
      until: [deadline, agent.nextCheck].compactMap { $0 }.min(),
      or: [signals.descriptor] + (input.map { [$0] } ?? []) + agent.descriptors)
    try agent.replaceIfEnded(ready)
    if ready.contains(signals.descriptor), let signal = try signals.next() { return .signal(signal) }
    if let input, ready.contains(input) { return .input }
    return .other
  }

  /// Returns a text about a desktop that can't show notifications, once.
  package func desktopNotice() throws -> String? {
    guard !hasReportedDesktop,
      let report = try store.readLedger({ ledger throws(StoreError) in try ledger.agentReport() }),
      report.updatedAt >= reportsSince,
      case .unavailable(let reason) = report.desktop
    else { return nil }
    hasReportedDesktop = true
    return translated("no notifications: {}", reason.sentence.translation)
  }

  /// Performs a command on the run that the user sees, and on no other.
  package func perform(_ command: RunCommand, on run: UUID, onStep step: Int) throws {
    _ = try store.perform(command, on: run, onStep: step)
    try agent.ensure()
  }

  /// Pauses the run because a signal ends this process; returns `false` if the run is over.
  package func pause() throws -> Bool {
    do {
      _ = try client.perform(.pause, on: run.runID)
    } catch RunError.alreadyPaused {
      // The run is paused, as wanted.
    } catch RunError.noActiveRun, RunError.runPassed {
      return false
    }
    return true
  }
}
