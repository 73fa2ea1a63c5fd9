import Platform

/// The events of one run, while they are derived.
struct Telling {
  private let run: ActiveRunSnapshot
  private let cursor: RunCursor?
  private let remainingMarks: [Duration]
  private let reading: ClockReading
  /// Whether the run is paused, according to the events so far.
  private var isPaused: Bool
  private(set) var events: [RunEvent] = []

  init(
    _ run: ActiveRunSnapshot, after cursor: RunCursor?, _ remainingMarks: [Duration], at reading: ClockReading
  ) {
    self.run = run
    self.cursor = cursor
    self.remainingMarks = remainingMarks
    self.reading = reading
    isPaused = cursor?.isPaused ?? false
  }

  mutating func tellStart() {
    guard cursor == nil else { return }
    let first = run.timeline.card(at: 0).timing.target
    tell(.runStart, at: run.startedAt, step: 0, elapsed: .zero, target: first)
  }

  /// Appends the events of the steps that have ended.
  mutating func tellSteps() {
    let first = cursor == nil ? 0 : cursor?.step ?? run.log.count
    guard first < run.log.count else { return }
    for record in run.log.records(from: first, in: run.timeline) {
      let told = cursor?.told(ofStepAt: record.index, startedAt: record.startedAt)
      if told == nil {
        tell(
          .stepStart, at: record.startedAt, step: record.index, elapsed: .zero, target: record.planned)
      }
      let before = told?.elapsed ?? .zero
      if isPaused, record.actual > before {
        // The step has run since then, so the user must have resumed it before its end.
        isPaused = false
        let at = record.endedAt.advanced(by: before - record.actual)
        tell(.resumed, at: at, step: record.index, elapsed: before, target: record.planned)
      }
      let marks = StepMark.marks(
        of: run.timeline.card(at: record.index), target: record.planned, remainingMarks: remainingMarks)
      for mark in marks where mark.isNews(at: record.actual, of: record.planned, after: told) {
        let at = record.endedAt.advanced(by: mark.offset - record.actual)
        tell(mark.kind, at: at, step: record.index, elapsed: mark.offset, target: record.planned)
      }
      tell(
        .stepEnd, at: record.endedAt, step: record.index, elapsed: record.actual, target: record.planned)
    }
  }

  mutating func tellCurrentStep() {
    let (index, target, elapsed) = (run.log.count, run.target, run.elapsed(at: reading))
    let told = cursor?.told(ofStepAt: index, startedAt: run.current.startedAt)
    if told == nil {
      tell(.stepStart, at: run.current.startedAt, step: index, elapsed: .zero, target: target)
    } else if let before = told?.target, let target, before != target {
      tell(.extended(to: target), at: reading.wall, step: index, elapsed: elapsed, target: target)
    }
    if isPaused, case .running(let since, let before) = run.current.clock {
      tell(.resumed, at: since.wall, step: index, elapsed: before, target: target)
    }
    for mark in StepMark.marks(of: run.card, target: target, remainingMarks: remainingMarks)
    where mark.isNews(at: elapsed, of: target, after: told) {
      let late = elapsed - mark.offset
      events.append(
        RunEvent(
          kind: mark.kind, at: moment(of: mark.offset, elapsed), step: index, elapsed: mark.offset,
          target: target, late: late))
    }
    if run.isPaused, !isPaused {
      tell(
        .paused(run.suspend?.cause), at: run.suspend?.since.wall ?? reading.wall, step: index,
        elapsed: elapsed, target: target)
    }
  }

  mutating func tellEnd(_ ended: EndedRun) {
    let last = run.log.last(in: run.timeline)
    tell(
      .ended(ended.outcome), at: ended.endedAt, step: last?.index ?? 0, elapsed: last?.actual ?? .zero,
      target: last?.planned)
  }

  private mutating func tell(
    _ kind: RunEvent.Kind, at moment: Moment, step: Int, elapsed: Duration, target: Duration?
  ) {
    events.append(
      RunEvent(
        kind: kind, at: moment, step: step, elapsed: elapsed, target: target, late: lateness(of: moment)))
  }

  /// Returns the wall-clock time when the elapsed time of the current step was `offset`.
  private func moment(of offset: Duration, _ elapsed: Duration) -> Moment {
    switch run.current.clock {
    case .running(let since, let before): since.wall.advanced(by: offset - before)
    case .paused, .suspended: reading.wall.advanced(by: offset - elapsed)
    }
  }

  /// Returns the time between a moment and the reading.
  ///
  /// A moment in a chain of steps that ended by themselves is calculated from the anchor of the run's clock,
  /// even if the wall clock was set since. The moment of a user action was read from the wall clock at that
  /// time. Nothing records which of the two a moment is, so the smaller result is used. A result more than 1
  /// ms (a rounding error) in the future comes from a clock that was set back, and is ignored.
  private func lateness(of moment: Moment) -> Duration {
    var latenesses = [reading.wall.duration(since: moment)]
    if case .running(let since, _) = run.current.clock, since.bootID == reading.bootID {
      latenesses.append(reading.boot - since.boot + since.wall.duration(since: moment))
    }
    return max(.zero, latenesses.filter { $0 >= .milliseconds(-1) }.min() ?? .zero)
  }
}
