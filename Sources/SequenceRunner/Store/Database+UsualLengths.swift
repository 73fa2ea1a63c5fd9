import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The usual lengths of cards that wait for the user.
///
/// A usual length is the median of the last steps of a card that the user completed, of an even number the lower one of
/// the middle. Steps whose length was chosen for their run don't count.
extension Database {
  private static let mostRuns = 20
  private static let mostSteps = 10
  private static let fewestSteps = 3

  /// Returns a timeline with the usual lengths of its cards; the same if no card waits for the user.
  ///
  /// - Complexity: O(log runs) for the runs of the sequence, of which at most 20 are decoded.
  func withUsualLengths(
    _ timeline: Timeline, source: RunSource
  ) throws(StoreError) -> Timeline {
    guard timeline.firstStop(from: 0) != nil else { return timeline }
    let chosen = timeline.estimates.filter { $0.value == .chosen }
    let waiting = timeline.definition.elements.flatMap(\.cards).filter {
      !$0.timing.endsByItself && chosen[$0.id] == nil
    }
    let lengths = try lastLengths(
      of: Set(waiting.map(\.id)), inRunsOf: source.historyID(of: timeline.definition))
    let usual = lengths.compactMapValues(Database.median).mapValues { Estimate.usual($0) }
    guard timeline.estimates != chosen || !usual.isEmpty else { return timeline }
    do throws(TimelineError) {
      return try Timeline(timeline.definition, estimates: chosen.merging(usual) { chosen, _ in chosen })
    } catch {
      // The usual lengths of all rounds exceed the longest sequence.
      return timeline
    }
  }

  /// Returns the lengths of the last completed steps of cards, the last first.
  private func lastLengths(
    of cards: Set<UUID>, inRunsOf sequence: UUID
  ) throws(StoreError) -> [UUID: [Duration]] {
    let runs = try rows(
      "SELECT run_id FROM history WHERE sequence_id = ? ORDER BY started_at DESC, ended_at DESC LIMIT ?",
      .text(sequence.uuidString), .integer(Int64(Database.mostRuns))
    ) { UUID(uuidString: $0.text(0)) }
    var lengths: [UUID: [Duration]] = [:]
    for id in runs where cards.contains(where: { lengths[$0, default: []].count < Database.mostSteps }) {
      guard let run = try id.flatMap({ id throws(StoreError) in try endedRun(id: id) })?.snapshot else {
        continue
      }
      run.log.forEachCompletedAlone { index, length in
        let card = run.timeline.card(at: index)
        guard cards.contains(card.id), !card.timing.endsByItself, run.timeline.estimates[card.id] != .chosen,
          lengths[card.id, default: []].count < Database.mostSteps
        else { return }
        lengths[card.id, default: []].append(min(length, SequenceLimits.longestDuration))
      }
    }
    return lengths
  }

  private static func median(_ lengths: [Duration]) -> Duration? {
    lengths.count < fewestSteps ? nil : lengths.sorted()[(lengths.count - 1) / 2]
  }
}

extension RunStore {
  /// Returns a timeline with the usual lengths of its cards that wait for the user, as a run that starts now has them.
  package func withUsualLengths(
    _ timeline: Timeline, source: RunSource = .file
  ) throws(StoreError) -> Timeline {
    guard base.isCurrent else { return timeline }
    return try repairing { () throws(StoreError) in
      try database.withUsualLengths(timeline, source: source)
    }
  }
}
