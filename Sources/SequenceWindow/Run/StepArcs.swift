import SequencePlatform
import SequenceRunner

/// The steps of a run as parts of a circle, in proportion to their lengths.
///
/// They are all steps of the run or, if these are too many to be told apart, those of the outermost round around the
/// current step that has few enough.
struct StepArcs: Equatable {
  struct Arc: Equatable {
    /// Its beginning and end, as fractions of the circle.
    let start: Double
    let end: Double
    let isRest: Bool
    /// Whether it follows a step of another round.
    let beginsRound: Bool
  }

  let arcs: [Arc]
  /// The place of the current step among them.
  let current: Int

  private static let mostSteps = 30
  /// The part of the mean length that the shortest arcs are as long as, so that they can be seen.
  private static let shortest = 0.2

  /// - Returns: `nil` if the run has one step, or too many even in the innermost round.
  ///
  /// - Complexity: O(log steps).
  init?(_ run: ActiveRunSnapshot) {
    guard let range = StepArcs.steps(of: run), range.count > 1 else { return nil }
    let steps = range.map { run.step(at: $0) }
    let known = steps.map { step in
      let target = step.index == run.log.count ? run.target : step.timing.target
      return (target ?? run.timeline.usualLength(of: step.card))?.seconds
    }
    let lengths = known.compactMap { $0 }
    let mean = lengths.isEmpty ? 1 : max(1e-9, lengths.reduce(0, +) / Double(lengths.count))
    let shown = known.map { max($0 ?? mean, mean * StepArcs.shortest) }
    let whole = shown.reduce(0, +)
    var (arcs, before) = ([Arc](), 0.0)
    for (place, step) in steps.enumerated() {
      let start = before / whole
      before += shown[place]
      arcs.append(
        Arc(
          start: start, end: before / whole, isRest: step.card.isRest,
          beginsRound: place > 0 && step.rounds != steps[place - 1].rounds))
    }
    self.arcs = arcs
    current = run.log.count - range.lowerBound
  }

  private static func steps(of run: ActiveRunSnapshot) -> Range<Int>? {
    let (timeline, index) = (run.timeline, run.log.count)
    if let count = timeline.count, count - run.firstStep <= mostSteps { return run.firstStep..<count }
    let rounds = timeline.step(at: index).rounds
    for depth in rounds.indices where rounds[depth].of != 1 {
      /// Whether a step is in the round of the current one; the last step of a group isn't in the first round of the next.
      func isInRound(_ other: Int) -> Bool {
        (run.firstStep..<timeline.end).contains(other)
          && timeline.step(at: other).rounds.prefix(depth + 1) == rounds[...depth]
      }
      var (first, last) = (index, index)
      while last - first < mostSteps, isInRound(first - 1) { first -= 1 }
      while last - first < mostSteps, isInRound(last + 1) { last += 1 }
      if last - first < mostSteps { return first..<last + 1 }
    }
    return nil
  }
}
