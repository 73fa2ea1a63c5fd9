package import Platform

/// Derivation of the past events of a run from the last reported position and the current state.
///
/// Events are derived rather than counted, so polling late or rarely gives the same result. Changes that
/// cancel out between two polls produce no event.
package struct RunNews: Sendable {
  /// The remaining times of a countdown that are events, longest first.
  private let remainingMarks: [Duration]

  /// - Parameter remainingMarks: the remaining times of a countdown that are events.
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
}
