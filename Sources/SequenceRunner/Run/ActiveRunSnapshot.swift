public import FoundationEssentials
public import Platform

/// Everything there is to know about the active run, as a value.
///
/// Nothing in it changes while time goes by: where the run stands follows from it and a `ClockReading`.
public struct ActiveRunSnapshot: Equatable, Sendable {
  /// The version of the stored form that this program writes.
  public static let currentSchema = 1

  /// Names the run.
  public let runID: UUID
  /// The steps of the sequence as it was when the run started.
  public let timeline: Timeline
  /// The choices for this run.
  public internal(set) var options: RunOptions
  /// When the run started, by the wall clock.
  public let startedAt: Moment
  /// The steps that were over when the snapshot was made.
  public internal(set) var log: StepLog
  /// The active time that no record has: of steps that were restarted, and of records that `back` removed.
  public internal(set) var unrecorded: Duration
  /// The step that was current when the snapshot was made; its index is `log.count`.
  public internal(set) var current: CurrentStep

  /// The sequence as it was when the run started.
  public var sequence: SequenceDefinition { timeline.definition }
  /// The card of the current step.
  public var card: Card { timeline.card(at: log.count) }

  /// The step that is being done.
  public struct CurrentStep: Hashable, Sendable {
    /// When the step started, by the wall clock.
    public internal(set) var startedAt: Moment
    /// By how much the user lengthened its duration or goal; negative if it was shortened.
    public internal(set) var extended: Duration
    /// Whether its clock runs, and what the clock has counted.
    public internal(set) var clock: StepClock
  }

  /// The clock of the current step.
  public enum StepClock: Hashable, Sendable {
    /// It runs: elapsed is what had elapsed before, and the time since the reading.
    case running(since: ClockReading, elapsedBefore: Duration)
    /// It stands still at what has elapsed.
    case paused(elapsed: Duration)
    /// It stands still at what has elapsed, since the machine was away, and the user has not said yet what counts.
    case suspended(elapsed: Duration, Suspend)
  }

  /// A run that starts with the first step of a timeline.
  public init(
    runID: UUID = UUID(), timeline: Timeline, options: RunOptions = .unspecified, at reading: ClockReading
  ) {
    self.runID = runID
    self.timeline = timeline
    self.options = options
    startedAt = reading.wall
    log = StepLog()
    unrecorded = .zero
    current = CurrentStep(
      startedAt: reading.wall, extended: .zero, clock: .running(since: reading, elapsedBefore: .zero))
  }

  /// Whether the current step's clock stands still.
  public var isPaused: Bool {
    switch current.clock {
    case .running: false
    case .paused, .suspended: true
    }
  }

  /// The active time of the current step at a reading; meaningful once `settled(at:)`.
  public func elapsed(at reading: ClockReading) -> Duration {
    switch current.clock {
    case .running(let since, let before): before + reading.elapsed(since: since)
    case .paused(let elapsed), .suspended(let elapsed, _): elapsed
    }
  }

  /// The duration of the current countdown or the goal of the count-up, with what the user added.
  public var target: Duration? { card.timing.target.map { $0 + current.extended } }

  /// When the duration or the goal of the current step is or was reached, by the wall clock, if it runs.
  public var targetReachedAt: Moment? {
    guard case .running(let since, let before) = current.clock, let target else { return nil }
    return since.wall.advanced(by: target - before)
  }

  /// Two snapshots are equal if all that is stored of them is.
  public static func == (left: ActiveRunSnapshot, right: ActiveRunSnapshot) -> Bool {
    left.runID == right.runID && left.startedAt == right.startedAt && left.log == right.log
      && left.current == right.current && left.unrecorded == right.unrecorded
      && left.sequence == right.sequence && left.options == right.options
  }
}

/// A run that is over.
public struct EndedRun: Equatable, Sendable {
  /// What was known of the run when it ended; its log has every step that was begun.
  public let snapshot: ActiveRunSnapshot
  /// When the run ended, by the wall clock.
  public let endedAt: Moment
  /// How the run ended.
  public let outcome: RunOutcome

  /// The active time of the run, steps that were restarted included.
  ///
  /// - Complexity: O(entries of the log).
  public var active: Duration { snapshot.log.active(in: snapshot.timeline) + snapshot.unrecorded }

  /// What became of each step that was begun, in order.
  ///
  /// - Complexity: O(steps).
  public var records: [StepRecord] { snapshot.log.records(in: snapshot.timeline) }
}

/// How a run ended.
public enum RunOutcome: String, Hashable, Sendable, Encodable {
  /// Its last step was completed or skipped.
  case finished
  /// The user stopped it before.
  case stopped
}

/// A run that goes on, or one that is over.
public enum SettledRun: Equatable, Sendable {
  /// It goes on.
  case active(ActiveRunSnapshot)
  /// It is over.
  case ended(EndedRun)
}
