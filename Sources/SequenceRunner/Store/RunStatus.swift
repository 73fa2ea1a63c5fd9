public import Platform

/// The active run as it was at one moment: read once, to be used as a whole.
public struct RunStatus: Equatable, Sendable {
  /// The moment.
  public let reading: ClockReading
  /// The run, settled at the moment; `nil` if none is active.
  public let run: ActiveRunSnapshot?

  /// Where the run stands.
  public var position: RunPosition? { run?.position(at: reading) }

  /// A run that is settled at a reading.
  package init(reading: ClockReading, run: ActiveRunSnapshot?) {
    self.reading = reading
    self.run = run
  }
}

/// A command that was done.
public struct PerformedCommand: Equatable, Sendable {
  /// When it was done.
  public let reading: ClockReading
  /// The run that it was done to, settled at that moment.
  public let before: ActiveRunSnapshot
  /// The run that came of it.
  public let after: SettledRun

  /// The step that had ended by itself right before, if that was less than `moment` ago, and nothing was done since.
  ///
  /// A user who meant that step would otherwise wonder why the next one was acted on.
  public func endedJustBefore(within moment: Duration = .seconds(2)) -> StepRecord? {
    // A clock that has counted nothing before was not stopped yet: it has run since the step before ended.
    guard case .running(let start, .zero) = before.current.clock, before.current.extended == .zero,
      reading.elapsed(since: start) < moment, let last = before.log.last(in: before.timeline),
      last.endedAt == before.current.startedAt, last.outcome == .completed, last.actual == last.planned,
      before.timeline.card(at: last.index).timing.endsByItself
    else { return nil }
    return last
  }
}

/// Something that happened to the store and that its user should know.
public enum StoreNotice: Equatable, Sendable {
  /// A damaged store was moved to another name, and a new one begun with what could be read.
  case damagedStoreMoved(to: String, keptRun: Bool, keptHistory: Int)
}
