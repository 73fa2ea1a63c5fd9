package import Platform

/// Finds out what happened in a run from how much of it is known and what the run is now.
///
/// Nothing is counted: whoever looks late, or seldom, finds the same. What the user did and undid between two looks
/// leaves no trace.
package struct RunNews: Sendable {
  /// What is left of a countdown when that is to be told.
  private let remainingMarks: [Duration]

  /// - Parameter lefts: what is left of a countdown when that is to be told.
  package init(remainingMarks: some Sequence<Duration> = []) {
    self.remainingMarks = remainingMarks.sorted(by: >)
  }

  /// What happened in a run that goes on, in its order.
  ///
  /// - Parameters:
  ///   - cursor: what is known; of another run it is nothing.
  ///   - run: the run, settled at the reading.
  /// - Complexity: O(entries of the log + steps that were passed · log of what is left).
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

  /// What happened in a run until its end, in its order.
  ///
  /// - Parameters:
  ///   - cursor: what is known; of another run it is nothing.
  ///   - reading: when it is found out.
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

  /// What comes in the present step by itself, and when, on the boot clock; the end of it last.
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

  /// When the next thing happens by itself, on the boot clock; `nil` if nothing does.
  ///
  /// - Parameter names: what matters; the end of a step does in any case.
  package func nextEvent(
    in run: ActiveRunSnapshot, at reading: ClockReading, of names: Set<RunEvent.Name>
  ) -> Duration? {
    coming(in: run, at: reading).first { $0.kind == .stepEnd || names.contains($0.kind.name) }?.at
  }
}
