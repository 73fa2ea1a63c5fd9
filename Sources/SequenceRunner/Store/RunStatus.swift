public import FoundationEssentials
public import SequencePlatform

/// A consistent snapshot of the active runs and the clocks, read once.
public struct RunStatus: Equatable, Sendable {
  /// The reading of the clocks.
  public let reading: ClockReading
  /// The active runs, settled at the reading: the current one first, then in the order of their starts.
  ///
  /// The current run is the sequence that was started last, but not by a schedule that found another one active. A timer is
  /// current only if there is no other run, the oldest one first.
  public let runs: [ActiveRunSnapshot]
  /// The same runs in the order of their starts.
  package let runsByStart: [ActiveRunSnapshot]
  /// The run that the status is of: the current run, unless another one was asked for; `nil` if it isn't active.
  public let run: ActiveRunSnapshot?

  /// The time on the boot clock at which the step ends by itself, reaches its goal or goes into overtime; `nil` if the
  /// run waits for the user.
  ///
  /// Subtract `reading.boot` for the time from the reading.
  ///
  /// - Complexity: O(log steps).
  public var nextChange: Duration? {
    run?.agenda(after: reading).first(ofKinds: [.stepEnd, .goal, .overtime])?.at.boot
  }

  package init(reading: ClockReading, run: ActiveRunSnapshot?) {
    self.init(reading: reading, runs: run.map { [$0] } ?? [])
  }

  /// Creates the status of runs that are settled at a reading.
  ///
  /// - Parameter started: the runs in the order of their starts.
  package init(reading: ClockReading, runs started: [ActiveRunSnapshot]) {
    var runs = started
    if let current = RunStatus.current(of: started) { runs.insert(runs.remove(at: current), at: 0) }
    self.init(reading, runs, started, of: runs.first)
  }

  private init(
    _ reading: ClockReading, _ runs: [ActiveRunSnapshot], _ started: [ActiveRunSnapshot],
    of run: ActiveRunSnapshot?
  ) {
    self.reading = reading
    self.runs = runs
    runsByStart = started
    self.run = run
  }

  /// Returns the place of the current run among runs in the order of their starts; `nil` without runs.
  static func current(of runs: [ActiveRunSnapshot]) -> Int? {
    runs.lastIndex { !$0.isTimer && !$0.isYielding } ?? runs.firstIndex { !$0.isTimer } ?? runs.indices.first
  }

  package var statuses: [RunStatus] { runs.map { RunStatus(reading, runs, runsByStart, of: $0) } }

  /// Returns the status of another run at the same reading.
  public func status(of id: UUID) -> RunStatus {
    RunStatus(reading, runs, runsByStart, of: runs.first { $0.runID == id })
  }
}

/// A command that was applied.
package struct PerformedCommand: Equatable, Sendable {
  package let reading: ClockReading
  /// The run before the command, settled at that time.
  package let before: ActiveRunSnapshot
  package let after: SettledRun
  /// The status of the run after the command; without a run if the command has ended it.
  package let status: RunStatus

  /// Whether the step that the command was meant for ended at that moment, because no time of it was left.
  package var endedAtOnce: Bool {
    switch after {
    case .active(let run): run.log.count > before.log.count
    case .ended: true
    }
  }

  /// Returns the step that ended by itself less than `moment` before, if nothing was done since.
  ///
  /// A user who meant that step would otherwise wonder why the command acted on the next one.
  package func endedJustBefore(within moment: Duration = .seconds(2)) -> StepRecord? {
    // A running clock that starts from zero was never stopped, so it has run since the previous step ended.
    guard case .running(let start, .zero) = before.current.clock, before.current.extended == nil,
      reading.elapsed(since: start) < moment, let last = before.log.last(in: before.timeline),
      last.endedAt == before.current.startedAt, last.outcome == .completed, last.actual == last.planned,
      before.timeline.timing(at: last.index).endsByItself
    else { return nil }
    return last
  }
}

/// An incident of the store that the user should know about.
package enum StoreNotice: Equatable, Sendable {
  /// A damaged store was renamed, and a new one was created with the active and the ended runs that could be read.
  ///
  /// `lost` has the titles of the runs that the history keeps as ``RunOutcome/lost``, or the beginnings of their ids;
  /// `incomplete` has the tables that had rows that could not be read.
  case damagedStoreMoved(
    to: String, keptRuns: Int, keptHistory: Int, lost: [String] = [], incomplete: Set<String> = [])
}
