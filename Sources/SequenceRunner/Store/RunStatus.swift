public import SequencePlatform

/// A consistent snapshot of the active run and the clocks, read once.
public struct RunStatus: Equatable, Sendable {
  /// The reading of the clocks.
  public let reading: ClockReading
  /// The run, settled at the reading; `nil` if none is active.
  public let run: ActiveRunSnapshot?

  /// The position of the run.
  public var position: RunPosition? { run?.position(at: reading) }

  /// The time on the boot clock at which the step ends by itself, reaches its goal or goes into overtime; `nil` if the
  /// run waits for the user.
  ///
  /// Subtract `reading.boot` for the time from the reading.
  ///
  /// - Complexity: O(log steps).
  public var nextChange: Duration? {
    run?.agenda(after: reading).first(ofKinds: [.stepEnd, .goal, .overtime])?.at.boot
  }

  /// Creates the status of a run that is settled at a reading.
  package init(reading: ClockReading, run: ActiveRunSnapshot?) {
    self.reading = reading
    self.run = run
  }
}

/// A command that was applied.
public struct PerformedCommand: Equatable, Sendable {
  /// The time of the command.
  public let reading: ClockReading
  /// The run before the command, settled at that time.
  public let before: ActiveRunSnapshot
  /// The run after the command.
  public let after: SettledRun

  /// Returns the step that ended by itself less than `moment` before, if nothing was done since.
  ///
  /// A user who meant that step would otherwise wonder why the command acted on the next one.
  public func endedJustBefore(within moment: Duration = .seconds(2)) -> StepRecord? {
    // A running clock that starts from zero was never stopped, so it has run since the previous step ended.
    guard case .running(let start, .zero) = before.current.clock, before.current.extended == .zero,
      reading.elapsed(since: start) < moment, let last = before.log.last(in: before.timeline),
      last.endedAt == before.current.startedAt, last.outcome == .completed, last.actual == last.planned,
      before.timeline.card(at: last.index).timing.endsByItself
    else { return nil }
    return last
  }
}

/// An incident of the store that the user should know about.
public enum StoreNotice: Equatable, Sendable {
  /// A damaged store was renamed, and a new one was created with the data that could be read.
  case damagedStoreMoved(to: String, keptRun: Bool, keptHistory: Int)
}
