package import FoundationEssentials
package import Platform

/// The position in a run up to which its events were derived.
package struct RunCursor: Equatable, Sendable {
  /// The identity of the run.
  package let runID: UUID
  /// The start of the run, by the wall clock.
  package let startedAt: Moment
  /// The position within the run.
  package let place: Place

  /// A position within a run.
  package enum Place: Equatable, Sendable {
    /// Nothing of the step with this index, or of later steps, was reported.
    case before(step: Int)
    /// A step was reported up to its elapsed time at that point.
    case within(KnownStep)
    /// The end of the run was reported.
    case ended
  }

  /// A step as it was when it was last reported.
  package struct KnownStep: Equatable, Sendable {
    package let index: Int
    package let startedAt: Moment
    package let elapsed: Duration
    package let target: Duration?
    package let isPaused: Bool

    package init(index: Int, startedAt: Moment, elapsed: Duration, target: Duration?, isPaused: Bool) {
      self.index = index
      self.startedAt = startedAt
      self.elapsed = elapsed
      self.target = target
      self.isPaused = isPaused
    }
  }

  package init(runID: UUID, startedAt: Moment, place: Place) {
    self.runID = runID
    self.startedAt = startedAt
    self.place = place
  }

  /// Creates the position after everything that has happened in a run; the run must be settled at the
  /// reading.
  package init(_ run: ActiveRunSnapshot, at reading: ClockReading) {
    runID = run.runID
    startedAt = run.startedAt
    place = .within(
      KnownStep(
        index: run.log.count, startedAt: run.current.startedAt, elapsed: run.elapsed(at: reading),
        target: run.target, isPaused: run.isPaused))
  }

  /// Creates the position at the end of a run.
  package init(_ ended: EndedRun) {
    runID = ended.snapshot.runID
    startedAt = ended.snapshot.startedAt
    place = .ended
  }

  /// The index of the first step that was not reported completely; `nil` after the end.
  var step: Int? {
    switch place {
    case .before(let step): step
    case .within(let told): told.index
    case .ended: nil
    }
  }

  /// Returns the last report of the step that started at a moment; `nil` if it was not reported.
  func told(ofStepAt index: Int, startedAt: Moment) -> KnownStep? {
    guard case .within(let told) = place, told.index == index else { return nil }
    // A paused step that has not begun gets a new start time when it begins; it is still the same step.
    return told.startedAt == startedAt || told.isPaused && told.elapsed == .zero ? told : nil
  }

  var isPaused: Bool {
    guard case .within(let told) = place else { return false }
    return told.isPaused
  }
}
