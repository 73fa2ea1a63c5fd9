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
      let start = self.reading(of: record.endedAt).advanced(by: .zero - record.actual)
      tellWithin(
        record.index, startingAt: start, until: record.actual, target: record.planned, after: told)
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
    let start = run.chain?.start(ofStepAt: index) ?? reading.advanced(by: .zero - elapsed)
    tellWithin(index, startingAt: start, until: elapsed, target: target, after: told)
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

  /// Appends the events that time brought to a step, without its end.
  ///
  /// - Parameter start: the reading at which the step had no active time, without earlier pauses.
  private mutating func tellWithin(
    _ index: Int, startingAt start: ClockReading, until elapsed: Duration, target: Duration?,
    after told: RunCursor.KnownStep?
  ) {
    let step = StepChain(
      timeline: run.timeline, first: index, target: target, since: start, before: .zero)
    for event in Agenda(step, marks: remainingMarks, isExtended: true) {
      guard event.kind != .stepEnd, event.elapsed <= elapsed else { break }
      if Telling.isNews(event, after: told) { events.append(event) }
    }
  }

  /// Returns whether an event within a step was not reported.
  ///
  /// After a change of the duration, events that already lie behind are not reported, except the end.
  private static func isNews(_ event: RunEvent, after told: RunCursor.KnownStep?) -> Bool {
    guard let told else { return true }
    guard told.target != event.target else { return told.elapsed < event.elapsed }
    return switch event.kind {
    case .goal, .reminder, .overtime: true
    case .runStart, .stepStart, .half, .last, .stepEnd, .ended, .paused, .resumed, .extended: false
    }
  }

  private mutating func tell(
    _ kind: RunEvent.Kind, at moment: Moment, step: Int, elapsed: Duration, target: Duration?
  ) {
    events.append(
      RunEvent(kind: kind, step: step, at: reading(of: moment), elapsed: elapsed, target: target))
  }

  /// Returns the reading of a moment, on the boot clock of the reading.
  private func reading(of moment: Moment) -> ClockReading {
    ClockReading(wall: moment, boot: reading.boot - lateness(of: moment), bootID: reading.bootID)
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
