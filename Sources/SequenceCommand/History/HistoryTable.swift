import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

/// The history as text: a line for each run, with `--steps` a table of its steps.
struct HistoryTable {
  private let glyphs: DisplayStyle.Glyphs

  /// The maximum width of a title.
  private static let titleColumns = 40

  init(_ glyphs: DisplayStyle.Glyphs) {
    self.glyphs = glyphs
  }

  /// A heading and a line for each run; empty without runs.
  func lines(_ runs: [EndedRunSummary]) -> [String] {
    runs.isEmpty ? [] : table(of: runs).lines(ellipsis: glyphs.ellipsis)
  }

  /// A line, a table of steps and the pauses of each run.
  func lines(stepsOf runs: [(run: EndedRun, pauses: [RunPause])]) -> [String] {
    Array(
      runs.map { run, pauses in
        table(of: [EndedRunSummary(run)]).lines(hasTitles: false) + [""]
          + steps(of: run).lines(ellipsis: glyphs.ellipsis) + [run.moreSteps].compactMap { $0 }
          + (pauses.isEmpty ? [] : [""] + pauses.map(line))
      }.joined(separator: [""]))
  }

  private func line(_ pause: RunPause) -> String {
    let cause = pause.cause.map { " (\($0.rawValue))" } ?? ""
    return "paused \(LocalTime.text(of: pause.start)) for \(ClockText.elapsed(pause.duration))\(cause)"
  }

  private func table(of runs: [EndedRunSummary]) -> TextTable {
    var table = TextTable([
      .init(title: "run"), .init(title: "started"), .init(title: "outcome"),
      .init(title: "steps", alignment: .right), .init(title: "active", alignment: .right),
      .init(title: "sequence"),
    ])
    for run in runs {
      table.add([
        String(run.runID.prefix(8)), LocalDays.text(of: run.startedAt), run.outcome.rawValue,
        run.outcome == .lost ? "" : "\(run.completed)" + (run.steps.map { "/\($0)" } ?? ""),
        ClockText.elapsed(run.active),
        TextSafety.sanitised(run.title),
      ])
    }
    return table
  }

  /// The planned and the actual time of each listed step.
  private func steps(of run: EndedRun) -> TextTable {
    var table = TextTable([
      .init(title: "step", alignment: .right), .init(title: "title", most: HistoryTable.titleColumns),
      .init(title: "round"), .init(title: "started"), .init(title: "planned", alignment: .right),
      .init(title: "actual", alignment: .right), .init(title: "difference", alignment: .right),
      .init(title: "outcome"),
    ])
    for record in run.records {
      let step = run.snapshot.timeline.step(at: record.index)
      table.add([
        String(record.index + 1), TextSafety.sanitised(step.card.title),
        step.rounds.map { $0.text("/") }.joined(separator: " "),
        LocalTime.text(of: record.startedAt), record.planned.map { ClockText.elapsed($0) } ?? "",
        ClockText.elapsed(record.actual), record.planned.map { difference(record.actual - $0) } ?? "",
        record.outcome.rawValue,
      ])
    }
    return table
  }

  /// The difference between actual and planned time, rounded to a second.
  private func difference(_ duration: Duration) -> String {
    let rounded = Duration.seconds(Int64(duration.seconds.rounded()))
    guard rounded != .zero else { return "" }
    return rounded > .zero ? "+" + ClockText.elapsed(rounded) : "-" + ClockText.elapsed(.zero - rounded)
  }
}

extension EndedRun {
  /// A line about the steps that a list leaves out; `nil` if it has all.
  var moreSteps: String? {
    stepCount > SequenceLimits.mostSteps
      ? "and \(StepText.count(stepCount - SequenceLimits.mostSteps)) more" : nil
  }
}
