import FoundationEssentials
import SequencePlatform

package struct EndedRunSummary: Equatable, Sendable {
  /// The id of the run as stored; parsing the ids of a long history takes longer than reading it.
  package let runID: String
  /// The id that the runs of a sequence share; those of timers and of cards share one by their title.
  package let sequenceID: String
  package let title: String
  package let startedAt: Moment
  package let endedAt: Moment
  package let outcome: RunOutcome
  /// The number of steps of the run, from its first step to the end; `nil` for an endless sequence and a lost run.
  package let steps: Int?
  package let completed: Int
  package let skipped: Int
  /// The active time, including restarted steps.
  package let active: Duration
  /// The part of the active time that was rest.
  package let rest: Duration
  /// The words of the user about the run; `nil` for none.
  package let remark: String?
  package let labels: [String]
  /// The labels that the run counts for: `nil` if it has none.
  package var countedLabels: [String?] { labels.isEmpty ? [nil] : labels.map(Optional.init) }

  package init(
    runID: String, sequenceID: String, title: String, startedAt: Moment, endedAt: Moment, outcome: RunOutcome,
    steps: Int?, completed: Int, skipped: Int, active: Duration, rest: Duration, remark: String? = nil,
    labels: [String] = []
  ) {
    self.runID = runID
    self.sequenceID = sequenceID
    self.title = title
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.steps = steps
    self.completed = completed
    self.skipped = skipped
    self.active = active
    self.rest = rest
    self.remark = remark
    self.labels = labels
  }

  /// - Complexity: O(entries of its log).
  package init(_ run: EndedRun) {
    let (sequence, log) = (run.snapshot.sequence, run.snapshot.log)
    let completed = log.completedCount
    self.init(
      runID: run.runID.uuidString, sequenceID: run.snapshot.historyID.uuidString, title: sequence.title,
      startedAt: run.snapshot.startedAt, endedAt: run.endedAt, outcome: run.outcome,
      steps: run.outcome == .lost ? nil : run.snapshot.stepCount, completed: completed,
      skipped: log.endedCount - completed, active: run.active, rest: run.rest,
      remark: run.snapshot.remark, labels: run.snapshot.labels)
  }
}
