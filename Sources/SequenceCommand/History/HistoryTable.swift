import FoundationEssentials
import Platform
import Presentation
import SequenceRunner
import TerminalDisplay

/// The history for people: a line for each run, and if asked for a table of its steps.
struct HistoryTable {
  private let glyphs: DisplayStyle.Glyphs

  /// The most columns that a title takes.
  private static let titleColumns = 40

  init(_ glyphs: DisplayStyle.Glyphs) {
    self.glyphs = glyphs
  }

  func lines(_ runs: [EndedRun], hasSteps: Bool) -> [String] {
    guard hasSteps else { return table(of: runs).lines(ellipsis: glyphs.ellipsis) }
    return Array(
      runs.map { run in
        table(of: [run]).lines(hasTitles: false) + [""] + steps(of: run).lines(ellipsis: glyphs.ellipsis)
      }.joined(separator: [""]))
  }

  private func table(of runs: [EndedRun]) -> TextTable {
    var table = TextTable([
      .init(title: "run"), .init(title: "started"), .init(title: "outcome"),
      .init(title: "steps", alignment: .right), .init(title: "active", alignment: .right),
      .init(title: "sequence"),
    ])
    for run in runs {
      let records = run.records
      let completed = records.count { $0.outcome == .completed }
      table.add([
        String(run.snapshot.runID.uuidString.prefix(8)), LocalCalendar.text(of: run.snapshot.startedAt),
        run.outcome.rawValue, "\(completed)/\(run.snapshot.timeline.count)",
        ClockText.elapsed(records.active),
        TextSafety.sanitised(run.snapshot.sequence.title),
      ])
    }
    return table
  }

  /// What was planned and what it came to, step by step.
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
        step.rounds.map { "\($0.round)/\($0.of)" }.joined(separator: " "),
        LocalCalendar.text(of: record.startedAt), record.planned.map { ClockText.elapsed($0) } ?? "",
        ClockText.elapsed(record.actual), record.planned.map { difference(record.actual - $0) } ?? "",
        record.outcome.rawValue,
      ])
    }
    return table
  }

  /// How much longer or shorter it was, rounded to a second.
  private func difference(_ duration: Duration) -> String {
    let rounded = Duration.seconds(Int64(duration.seconds.rounded()))
    guard rounded != .zero else { return "" }
    return rounded > .zero ? "+" + ClockText.elapsed(rounded) : "-" + ClockText.elapsed(.zero - rounded)
  }
}

extension [StepRecord] {
  /// The active time of all together.
  var active: Duration { reduce(.zero) { $0 + $1.actual } }
}
