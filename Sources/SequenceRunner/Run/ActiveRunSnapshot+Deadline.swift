import SequencePlatform

/// Runs that are to end at a clock time.
///
/// When a command starts the clock of a step, the step gets a length, and the time to spare after it is stored for the
/// steps that follow. Nothing else changes these, so all that time brings follows from the last command.
extension ActiveRunSnapshot {
  /// The deadline as a reading of the boot of another reading.
  ///
  /// In a boot in which no clock of the run has been running, it is at the same time of the wall clock.
  func deadline(inBootOf reading: ClockReading) -> ClockReading? {
    guard let deadline else { return nil }
    return deadline.bootID == reading.bootID ? deadline : reading.at(deadline.wall)
  }

  /// Fits the current step and those after it to the deadline; does nothing without one.
  ///
  /// - Parameters:
  ///   - reading: the start of the clock of the current step.
  ///   - before: the elapsed time of the step at that reading.
  mutating func fit(startingAt reading: ClockReading, elapsed before: Duration) {
    guard timeline.count != nil, let deadline = deadline(inBootOf: reading) else { return }
    self.deadline = deadline
    let index = log.count
    let timing = timeline.timing(at: index)
    let planned = planned
    let left = timing.endsByItself ? planned - before : max(.zero, planned - before)
    let spare = deadline.boot - reading.boot - left - timeline.planned(of: index + 1..<timeline.end)
    guard timing.endsByItself, current.extended == nil else {
      (current.length, current.spare) = (nil, SpareTime(spare, from: index + 1))
      return
    }
    let room = timeline.room(ofStepAt: index)
    let shares = timeline.shares(of: SpareTime(spare, from: index))
    let wanted = timeline.duration(of: index..<index + 1, sharing: shares)
    // Never below the elapsed time.
    let shortest = max(planned - room.less, before)
    let length = min(max(wanted, shortest), max(planned + room.more, shortest))
    (current.length, current.spare) = (length, SpareTime(spare - (length - planned), from: index + 1))
  }

  /// The planned length of the current step, or that by hand.
  private var planned: Duration {
    current.extended == nil ? timeline.planned(of: log.count..<log.count + 1) : target ?? .zero
  }

  /// Returns the time until the end of the run, if it is running from now on, and each step takes the time that it is
  /// planned or fitted to.
  ///
  /// - Parameter reading: any reading since the run was settled.
  package func plannedLeft(at reading: ClockReading) -> Duration {
    if let late = late(at: reading), let deadline = deadline(inBootOf: reading) {
      return deadline.boot - reading.boot + late
    }
    return max(.zero, planned - elapsed(at: reading))
      + timeline.planned(of: log.count + 1..<timeline.end)
  }

  /// Keeps the fitted length of the current step while its clock is stopped.
  mutating func keepLength() {
    guard deadline != nil, current.extended == nil, timeline.timing(at: log.count).endsByItself else {
      return
    }
    current.length = target
  }

  /// Stores the time between the end of the run and its deadline.
  mutating func keepSpareTime(endingAt reading: ClockReading) {
    guard let deadline = deadline(inBootOf: reading) else { return }
    current.spare = SpareTime(deadline.boot - reading.boot, from: timeline.end)
  }

  /// Returns the run as if a command started its clock at a reading, if it is paused or its step waits for the user.
  func fitted(at reading: ClockReading) -> ActiveRunSnapshot {
    guard deadline != nil, isPaused || !timeline.timing(at: log.count).endsByItself else { return self }
    var run = self
    let elapsed = elapsed(at: reading)
    run.current.clock = .running(since: reading, elapsedBefore: elapsed)
    run.fit(startingAt: reading, elapsed: elapsed)
    return run
  }

  /// The time from the deadline to the end of the run, if it is running from now on and each step takes the time that it
  /// is planned or fitted to; negative if the run ends earlier, and `nil` without a deadline.
  ///
  /// - Parameter reading: any reading since the run was settled.
  package func late(at reading: ClockReading) -> Duration? {
    fitted(at: reading).current.spare.map { .zero - timeline.rest(of: $0) }
  }
}

extension RunStatus {
  /// The time from the deadline of the run to its end, if it is running from now on and each step takes the time that it
  /// is planned or fitted to; negative if the run ends earlier, and `nil` without a deadline.
  ///
  /// It is constant while the run is on plan, and grows while it is paused or waits for the user.
  public var late: Duration? { run.flatMap { $0.deadline == nil ? nil : $0.late(at: reading) } }
}

extension EndedRun {
  /// The time from the deadline of the run to its end; negative if it ended earlier, and `nil` without a deadline.
  public var late: Duration? {
    snapshot.deadline == nil ? nil : snapshot.current.spare.map { .zero - $0.amount }
  }
}
