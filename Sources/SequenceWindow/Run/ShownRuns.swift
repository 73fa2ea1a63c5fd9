import FoundationEssentials
import SequenceRunner

/// The runs as the window shows them: one on the page, all in the strip.
struct ShownRuns {
  /// The run on the page; `nil` if none is active.
  private(set) var run: ActiveRunSnapshot?
  /// The active runs in the order of their starts.
  private(set) var active: [ActiveRunSnapshot] = []
  /// The runs that have finished unseen, in the order in which that was found.
  private(set) var unseen: [EndedRun] = []

  /// How many runs that have finished unseen are kept.
  private static let mostUnseen = 20

  /// Whether there is more to show than the run on the page.
  var isStripNeeded: Bool { active.count > 1 || !unseen.isEmpty }

  /// Takes over a reading of the runs.
  ///
  /// A run stays on the page until it ends; the current run follows it. A run that finishes while another one is on the
  /// page, or while nobody looks, stays in the strip. One that somebody has stopped doesn't.
  ///
  /// - Parameters:
  ///   - isSeen: whether the user looked at the page since the reading before.
  ///   - end: the end of a run; `nil` if it isn't in the history.
  /// - Returns: the end of the run that was on the page.
  mutating func update(
    _ status: RunStatus, isSeen: Bool, end: (ActiveRunSnapshot) throws -> EndedRun?
  ) rethrows -> EndedRun? {
    var onPage: EndedRun?
    var finished: [EndedRun] = []
    for old in active where !status.runs.contains(where: { $0.runID == old.runID }) {
      let ended = try end(old)
      if old.runID == run?.runID { onPage = ended }
      guard let ended, ended.outcome == .finished else { continue }
      // The page without a run shows the end of the last one.
      let isShown = old.runID == run?.runID && (isSeen || status.runs.isEmpty)
      if !isShown { finished.append(ended) }
    }
    unseen = (unseen + finished).suffix(ShownRuns.mostUnseen)
    active = status.runsByStart
    run = status.runs.first { $0.runID == run?.runID } ?? status.runs.first
    return onPage
  }

  /// Shows an active run on the page.
  mutating func choose(_ id: UUID) {
    if let chosen = active.first(where: { $0.runID == id }) { run = chosen }
  }

  /// Shows the run after the one on the page, in the order of their starts.
  mutating func chooseNext() {
    guard let place = active.firstIndex(where: { $0.runID == run?.runID }) else { return }
    run = active[(place + 1) % active.count]
  }

  /// Takes a finished run out of the strip, and returns it.
  mutating func see(_ id: UUID) -> EndedRun? {
    unseen.firstIndex { $0.runID == id }.map { unseen.remove(at: $0) }
  }
}
