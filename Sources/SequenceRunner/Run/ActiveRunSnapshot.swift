public import FoundationEssentials
public import SequencePlatform

/// The complete state of an active run, as a value.
///
/// It does not change as time passes: the position of the run is derived from it and a `ClockReading`.
public struct ActiveRunSnapshot: Equatable, Sendable {
  /// The version of the stored form that this program writes.
  package static let currentSchema = 1

  /// The identity of the run.
  public let runID: UUID
  /// The name of the run, which no other active run has.
  public let name: String
  package let source: RunSource
  /// Whether the run is a timer, which is never in the way of another run.
  public var isTimer: Bool { source == .timer }
  /// The steps of the sequence as it was when the run started.
  public internal(set) var timeline: Timeline
  package internal(set) var options: RunOptions
  /// The start of the run, by the wall clock.
  public let startedAt: Moment
  /// The time at which the run is to end; `nil` without one.
  ///
  /// Its wall clock shows the time that was chosen. Within a boot only the boot clock counts, so a clock that is set moves
  /// nothing.
  public internal(set) var deadline: ClockReading?
  /// Whether another sequence stays the current run: a schedule has started this one, and no command has named it.
  package internal(set) var isYielding = false
  package internal(set) var log: StepLog
  /// The active time without a record: of restarted steps, and of steps whose record `back` removed.
  package internal(set) var unrecorded: Duration
  /// The step that was current when the snapshot was made; its index is `log.count`.
  package internal(set) var current: CurrentStep
  /// The words of the user about the run; `nil` for none.
  package internal(set) var remark: String?

  /// The index of the step that the run started at, from 0.
  ///
  /// The steps before it are not part of the run: they have no record, no event and no notification.
  public var firstStep: Int { log.first }
  /// The number of steps of the run; `nil` for an endless sequence.
  package var stepCount: Int? { timeline.count.map { $0 - log.first } }
  /// The sequence as it was when the run started.
  public var sequence: SequenceDefinition { timeline.definition }
  /// The labels of the run: those of its sequence when it started, then those of the run alone.
  package var labels: [String] {
    sequence.labels + options.labels.filter { !sequence.labels.contains($0) }
  }
  /// The card of the current step.
  public var card: Card { timeline.card(at: log.count) }

  package struct CurrentStep: Hashable, Sendable {
    package internal(set) var startedAt: Moment
    /// The time that the user added to its duration or goal; negative if the step was shortened, and `nil` if its
    /// length was never changed by hand.
    package internal(set) var extended: Duration?
    /// The length that the step got at the start of its clock, so that the run ends at its deadline; `nil` without one.
    package internal(set) var length: Duration?
    /// The time to spare that steps of a run with a deadline share: those after the step, or those after an earlier step
    /// at the last command.
    package internal(set) var spare: SpareTime?
    package internal(set) var clock: StepClock

    init(startedAt: Moment, spare: SpareTime? = nil, clock: StepClock) {
      self.startedAt = startedAt
      self.spare = spare
      self.clock = clock
    }

    func target(ofStepAt index: Int, in timeline: Timeline) -> Duration? {
      let timing = timeline.timing(at: index)
      guard let planned = timing.target else { return nil }
      if let extended { return planned + extended }
      if let length { return length }
      guard let spare, spare.first <= index, timing.endsByItself else { return planned }
      return timeline.duration(of: index..<index + 1, sharing: timeline.shares(of: spare))
    }
  }

  package enum StepClock: Hashable, Sendable {
    /// The clock is running: the elapsed time is `elapsedBefore` plus the time since the reading.
    case running(since: ClockReading, elapsedBefore: Duration)
    case paused(elapsed: Duration)
    /// The clock was stopped at this elapsed time for a suspend; the user has not decided yet whether the
    /// time counts.
    case suspended(elapsed: Duration, Suspend)
  }

  /// Creates a run at a step of a timeline.
  ///
  /// - Parameters:
  ///   - runID: the identity of the run.
  ///   - timeline: the steps of the sequence.
  ///   - name: the name of the run; `nil` for that of the title of the sequence.
  ///   - firstStep: the index of the step that the run starts at, from 0; the nearest step if there is none.
  ///   - deadline: the time of the wall clock at which the run is to end; `nil` without one, as endless rounds
  ///     always are.
  ///   - reading: the time of the start.
  public init(
    runID: UUID = UUID(), timeline: Timeline, name: String? = nil, firstStep: Int = 0,
    until deadline: Moment? = nil, at reading: ClockReading
  ) {
    self.init(
      runID: runID, timeline: timeline, options: .unspecified, source: .file, name: name,
      firstStep: firstStep, until: deadline, at: reading)
  }

  package init(
    runID: UUID = UUID(), timeline: Timeline, options: RunOptions, source: RunSource = .file,
    name: String? = nil, firstStep: Int = 0, until deadline: Moment? = nil, at reading: ClockReading
  ) {
    self.runID = runID
    self.name = name ?? RunName.name(for: timeline.definition.title)
    self.source = source
    self.timeline = timeline
    self.options = options
    startedAt = reading.wall
    log = StepLog(from: min(max(0, firstStep), timeline.listedCount - 1))
    unrecorded = .zero
    current = CurrentStep(startedAt: reading.wall, clock: .running(since: reading, elapsedBefore: .zero))
    self.deadline = timeline.count == nil ? nil : deadline.map(reading.at)
    fit(startingAt: reading, elapsed: .zero)
  }

  /// Whether the run rings at its end, unless it is muted.
  package var rings: Bool { options.rings ?? sequence.rings }

  package var historyID: UUID { source.historyID(of: sequence) }

  /// Whether the current step's clock is stopped.
  public var isPaused: Bool {
    switch current.clock {
    case .running: false
    case .paused, .suspended: true
    }
  }

  /// Returns the time on the clock of the step that was current when the snapshot was made, whether or not that step has
  /// ended by itself since.
  package func elapsed(at reading: ClockReading) -> Duration {
    switch current.clock {
    case .running(let since, let before): before + reading.elapsed(since: since)
    case .paused(let elapsed), .suspended(let elapsed, _): elapsed
    }
  }

  /// The duration of the current countdown or the goal of the count-up, with extensions.
  public var target: Duration? { current.target(ofStepAt: log.count, in: timeline) }

  /// The records of the steps that have ended, in order; the first 100,000 of an endless sequence.
  ///
  /// Steps that time has ended since the run was read are not in them.
  ///
  /// - Complexity: O(steps).
  public var records: [StepRecord] { log.records(atMost: SequenceLimits.mostSteps, in: timeline) }

  /// The moment when the running step reaches its duration or goal, by the wall clock; `nil` if it is paused.
  public var targetReachedAt: Moment? {
    guard let chain, let target else { return nil }
    return chain.reading(inStepAt: chain.first, after: target).wall
  }

  /// Compares the stored properties.
  public static func == (left: ActiveRunSnapshot, right: ActiveRunSnapshot) -> Bool {
    left.runID == right.runID && left.name == right.name && left.source == right.source
      && left.startedAt == right.startedAt && left.log == right.log
      && left.current == right.current && left.unrecorded == right.unrecorded
      && left.deadline == right.deadline && left.isYielding == right.isYielding
      && left.sequence == right.sequence
      && left.timeline.estimates == right.timeline.estimates && left.options == right.options
      && left.remark == right.remark
  }
}

/// A run that has ended.
public struct EndedRun: Equatable, Sendable {
  /// The state of the run at its end; its log has every step that was begun.
  public let snapshot: ActiveRunSnapshot
  /// The end of the run, by the wall clock.
  public let endedAt: Moment
  /// The outcome of the run.
  public let outcome: RunOutcome

  /// The identity of the run.
  public var runID: UUID { snapshot.runID }

  /// The active time of the run, including restarted steps.
  ///
  /// - Complexity: O(entries of the log).
  public var active: Duration { snapshot.log.active(in: snapshot.timeline) + snapshot.unrecorded }

  /// The active time of the rests of the run, without those that were restarted.
  package var rest: Duration { snapshot.log.rest(in: snapshot.timeline) }

  /// Returns a timer of one minute with its title.
  package func minuteMore() throws(TimelineError) -> Timeline {
    let title = snapshot.sequence.title
    return try Timeline(SequenceDefinition(title) { Card(title, .countdown(.seconds(60))) })
  }

  /// The number of steps that were begun.
  public var stepCount: Int { snapshot.log.endedCount }

  /// Counts the steps that have ended in each period, like `StepLog.countSteps(in:untilEnd:_:)`.
  package func countSteps(
    untilEnd end: (Moment) -> Moment, _ body: (_ moment: Moment, _ completed: Int, _ skipped: Int) -> Void
  ) {
    snapshot.log.countSteps(in: snapshot.timeline, untilEnd: end, body)
  }

  /// The records of the steps that were begun, in order; the first 100,000 of an endless sequence.
  ///
  /// - Complexity: O(steps).
  public var records: [StepRecord] { snapshot.records }
}

/// The outcome of a run.
@nonexhaustive
public enum RunOutcome: String, CaseIterable, Hashable, Sendable {
  /// The last step was completed or skipped.
  case finished
  /// The user stopped the run before its end.
  case stopped
  /// The snapshot of the run was damaged: only its start, its active time and perhaps its title are known, and none of
  /// its steps.
  case lost
}

/// A run that is active or has ended.
package enum SettledRun: Equatable, Sendable {
  case active(ActiveRunSnapshot)
  case ended(EndedRun)
}

extension ActiveRunSnapshot {
  /// Returns the run at a reading, with every step whose time is over in the log.
  ///
  /// Each of these steps ended exactly when its time was over, and the next step started at that moment.
  ///
  /// If the reading is from another boot than the start of the step's clock, the clock is anchored to the
  /// reading, but never before the last sign of life: a wall clock that was set back must not repeat events. If the
  /// run's policy is to be paused on suspend, the run is paused at the last sign of life instead.
  ///
  /// - Parameters:
  ///   - reading: the current reading of the clocks.
  ///   - sign: the latest reading, in the boot of the clock's start, that proves the machine was on; `nil` without
  ///     one, which leaves the start itself.
  /// - Complexity: O(log steps); O(entries of the log) more for the copy if anything changed.
  package func settled(at reading: ClockReading, lastSignOfLife sign: ClockReading? = nil) -> SettledRun {
    if let suspend, suspend.since.bootID != reading.bootID, let run = returned(at: reading) {
      return .active(run)
    }
    if let paused = pausedByPowerLoss(at: reading, lastSignOfLife: sign) { return paused }
    guard let sign, case .running(let since, _) = current.clock, since.bootID == sign.bootID,
      since.bootID != reading.bootID, sign.elapsed(since: since) > reading.elapsed(since: since)
    else { return continued(until: reading) }
    guard case .active(let run) = continued(until: sign) else { return continued(until: sign) }
    return .active(run.anchored(at: reading, elapsed: run.elapsed(at: sign)))
  }

  /// Returns the run at a reading, assuming that its clock ran until then.
  func continued(until reading: ClockReading) -> SettledRun {
    // A run whose steps have all ended has no current step, even if it was stored as active.
    if log.count == timeline.end, let last = log.last(in: timeline) {
      return .ended(EndedRun(snapshot: self, endedAt: last.endedAt, outcome: .finished))
    }
    guard let chain else { return .active(self) }
    let time = reading.elapsed(since: chain.since)
    let reached = chain.step(after: time)
    let elapsed = chain.elapsed(ofStepAt: reached, after: time)
    guard reached > chain.first, let target else { return .active(anchored(at: reading, elapsed: elapsed)) }

    var settled = self
    let end = chain.start(ofStepAt: chain.first + 1)
    settled.log.append(
      startedAt: current.startedAt, endedAt: max(current.startedAt, end.wall), planned: target,
      actual: target,
      outcome: .completed)
    settled.log.appendChain(
      of: reached - settled.log.count, startingAt: end.wall, sharing: current.spare)
    let start = chain.start(ofStepAt: reached)
    guard reached < timeline.end else {
      settled.current.spare = current.spare.map { SpareTime(timeline.rest(of: $0), from: reached) }
      return .ended(EndedRun(snapshot: settled, endedAt: start.wall, outcome: .finished))
    }
    settled.current = CurrentStep(
      startedAt: start.wall, spare: current.spare, clock: .running(since: start, elapsedBefore: .zero))
    return .active(settled.anchored(at: reading, elapsed: elapsed))
  }

  /// Returns the run with the current step's clock, and with it the deadline, anchored in the boot of a reading.
  ///
  /// The wall clock is needed once to bridge two boots. After the result is stored, it no longer has any
  /// influence.
  ///
  /// - Parameter elapsed: the elapsed time of the step at the reading.
  private func anchored(at reading: ClockReading, elapsed: Duration) -> ActiveRunSnapshot {
    guard case .running(let since, let before) = current.clock, since.bootID != reading.bootID else {
      return self
    }
    var anchored = self
    anchored.current.clock = .running(since: reading, elapsedBefore: elapsed)
    if let deadline, deadline.bootID == since.bootID {
      let left = deadline.boot - since.boot - (elapsed - before)
      anchored.deadline = ClockReading(
        wall: deadline.wall, boot: reading.boot + left, bootID: reading.bootID)
    }
    return anchored
  }
}
