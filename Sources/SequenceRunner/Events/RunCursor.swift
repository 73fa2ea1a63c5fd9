package import FoundationEssentials
package import Platform

/// How much of what happened in a run has been told.
package struct RunCursor: Equatable, Sendable {
  /// The run that it is about.
  package let runID: UUID
  /// When that run started, by the wall clock.
  package let startedAt: Moment
  /// How far that has come.
  package let place: Place

  /// How far the telling has come in a run.
  package enum Place: Equatable, Sendable {
    /// The step of this index, and what comes after it, has not been told.
    case before(step: Int)
    /// A step has been told, up to what had elapsed of it.
    case within(KnownStep)
    /// The end of the run has been told.
    case ended
  }

  /// A step, as it was when it was last told of.
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

  /// The place of one who knows all that happened in a run, which is settled at the reading.
  package init(_ run: ActiveRunSnapshot, at reading: ClockReading) {
    runID = run.runID
    startedAt = run.startedAt
    place = .within(
      KnownStep(
        index: run.log.count, startedAt: run.current.startedAt, elapsed: run.elapsed(at: reading),
        target: run.target, isPaused: run.isPaused))
  }

  /// The place of one who knows that a run is over.
  package init(_ ended: EndedRun) {
    runID = ended.snapshot.runID
    startedAt = ended.snapshot.startedAt
    place = .ended
  }

  /// The first step of which not all has been told.
  var step: Int? {
    switch place {
    case .before(let step): step
    case .within(let told): told.index
    case .ended: nil
    }
  }

  /// What has been told of a step that started at a moment; `nil` if that is nothing.
  func told(ofStepAt index: Int, startedAt: Moment) -> KnownStep? {
    guard case .within(let told) = place, told.index == index else { return nil }
    // A paused step that has not begun yet gets another start when it does; that is no other step.
    return told.startedAt == startedAt || told.isPaused && told.elapsed == .zero ? told : nil
  }

  var isPaused: Bool {
    guard case .within(let told) = place else { return false }
    return told.isPaused
  }
}
