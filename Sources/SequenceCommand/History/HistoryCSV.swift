import FoundationEssentials
import SequencePlatform
import SequenceRunner

/// The history as CSV: a record for each run, or for each step.
enum HistoryCSV {
  static func records(_ runs: [EndedRunSummary]) -> [String] {
    records(runColumns + totalColumns, runs.map { run($0) + totals($0) })
  }

  static func records(stepsOf runs: [EndedRun]) -> [String] {
    records(runColumns + stepColumns, runs.flatMap(steps))
  }

  private static func records(_ header: [String], _ records: [[CSVText.Field]]) -> [String] {
    ([header.map { .text($0) }] + records).map(CSVText.record)
  }

  private static let runColumns = ["run", "sequence", "title", "run_started", "run_ended", "run_outcome"]
  private static let totalColumns = ["steps", "completed", "skipped", "active"]
  private static let stepColumns = [
    "step", "card", "step_title", "rounds", "step_started", "step_ended", "planned", "actual", "step_outcome",
  ]

  private static func run(_ run: EndedRunSummary) -> [CSVText.Field] {
    [
      .text(run.runID), .text(run.sequenceID), .foreign(run.title),
      .text(run.startedAt.description), .text(run.endedAt.description), .text(run.outcome.rawValue),
    ]
  }

  private static func totals(_ run: EndedRunSummary) -> [CSVText.Field] {
    [
      run.steps.map { .number(Double($0)) } ?? .none, .number(Double(run.completed)),
      .number(Double(run.skipped)),
      .number(run.active.seconds),
    ]
  }

  private static func steps(_ run: EndedRun) -> [[CSVText.Field]] {
    let head = HistoryCSV.run(EndedRunSummary(run))
    return run.records.map { record in
      let step = run.snapshot.timeline.step(at: record.index)
      return head + [
        .number(Double(step.number)), .text(step.card.id.uuidString), .foreign(step.card.title),
        .text(step.rounds.map(\.description).joined(separator: "; ")),
        .text(record.startedAt.description), .text(record.endedAt.description),
        record.planned.map { .number($0.seconds) } ?? .none, .number(record.actual.seconds),
        .text(record.outcome.rawValue),
      ]
    }
  }
}
