package import Platform

/// Derivation of the events of a run from the last reported position and the current state.
///
/// Events are derived rather than counted, so polling late or rarely gives the same result. Changes that
/// cancel out between two polls produce no event.
package struct RunNews: Sendable {
  /// The remaining times of a countdown that cause a `left` event, longest first.
  private let remainingMarks: [Duration]

  /// - Parameter remainingMarks: the remaining times of a countdown that cause a `left` event.
  package init(remainingMarks: some Sequence<Duration> = []) {
    self.remainingMarks = remainingMarks.sorted(by: >)
  }

  /// Returns the events of an active run since a position, in order.
  ///
  /// - Parameters:
  ///   - cursor: the last reported position; ignored if it belongs to another run.
  ///   - run: the run, settled at the reading.
  /// - Complexity: O(entries of the log + steps passed × log of the remaining steps).
  package func events(
    after cursor: RunCursor?, until run: ActiveRunSnapshot, at reading: ClockReading
  ) -> [RunEvent] {
    let cursor = cursor?.runID == run.runID ? cursor : nil
    guard cursor?.place != .ended else { return [] }
    var telling = Telling(run, after: cursor, remainingMarks, at: reading)
    telling.tellStart()
    telling.tellSteps()
    telling.tellCurrentStep()
    return telling.events
  }

  /// Returns the events of a run from a position to its end, in order.
  ///
  /// - Parameters:
  ///   - cursor: the last reported position; ignored if it belongs to another run.
  ///   - reading: the time of detection.
  package func events(after cursor: RunCursor?, until ended: EndedRun, at reading: ClockReading) -> [RunEvent]
  {
    let cursor = cursor?.runID == ended.snapshot.runID ? cursor : nil
    guard cursor?.place != .ended else { return [] }
    var telling = Telling(ended.snapshot, after: cursor, remainingMarks, at: reading)
    telling.tellStart()
    telling.tellSteps()
    telling.tellEnd(ended)
    return telling.events
  }

  /// Returns the upcoming events of the current step with their times on the boot clock; the end of the step
  /// is last.
  package func coming(
    in run: ActiveRunSnapshot, at reading: ClockReading
  ) -> [(kind: RunEvent.Kind, at: Duration)] {
    guard !run.isPaused else { return [] }
    let elapsed = run.elapsed(at: reading)
    var marks = StepMark.marks(of: run.card, target: run.target, remainingMarks: remainingMarks)
    if run.card.timing.endsByItself, let target = run.target {
      marks.append(StepMark(kind: .stepEnd, offset: target))
    }
    return marks.filter { $0.offset > elapsed }.map { ($0.kind, reading.boot + $0.offset - elapsed) }
  }

  /// Returns the time of the next event that needs no user, on the boot clock; `nil` without one.
  ///
  /// - Parameter names: the events to consider; the end of a step always counts.
  package func nextEvent(
    in run: ActiveRunSnapshot, at reading: ClockReading, of names: Set<RunEvent.Name>
  ) -> Duration? {
    coming(in: run, at: reading).first { $0.kind == .stepEnd || names.contains($0.kind.name) }?.at
  }
}
