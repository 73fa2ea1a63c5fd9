import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The text about a run that has ended, which the live display leaves in the terminal.
enum RunSummary {
  /// The most lines of steps; the last one is about those without a line.
  private static let mostLines = 20

  /// The outcome, the completed steps and the active time in one line.
  static func line(_ ended: EndedRun) -> String {
    let summary = EndedRunSummary(ended)
    let parts: KeyValuePairs = [
      "title": TextSafety.isolated(summary.title), "steps": StepText.completed(summary),
      "time": ClockText.elapsed(summary.active),
    ]
    let line =
      switch summary.outcome {
      case .finished: translated("{title} is finished: {steps} completed in {time}", parts)
      case .stopped: translated("{title} is stopped: {steps} completed in {time}", parts)
      case .lost: translated("{title} is lost: {steps} completed in {time}", parts)
      }
    return line + (HistoryTable.lateness(of: ended).map { ", \($0)" } ?? "")
  }

  /// Returns a table with planned and actual times of the steps and their totals; empty for a single step.
  static func table(_ ended: EndedRun, columns: Int, glyphs: DisplayStyle.Glyphs) -> [String] {
    let records = ended.records
    guard records.count > 1 else { return [] }
    let listed = records.count > mostLines ? mostLines - 1 : records.count
    var rows = records.prefix(listed).map { record in
      row(
        "\(record.index + 1)", TextSafety.sanitised(card(record, ended).title), Times([record]),
        record.outcome == .skipped ? translated("skipped") : "")
    }
    let total = Times(records, actual: ended.active, isComplete: ended.stepCount == records.count)
    if listed < records.count {
      let times = Times(records.dropFirst(listed), isComplete: ended.stepCount == records.count)
      rows.append(
        row(
          "", translated("{} more", String(ended.stepCount - listed)), times,
          translated("see {}", "sequence history \(ended.runID.uuidString.prefix(8))")))
    }
    let rests = records.filter { card($0, ended).isRest }
    if !rests.isEmpty, rests.count < records.count, ended.stepCount == records.count {
      // A step that was restarted counts as work until then, as in the statistics.
      let work = records.filter { !card($0, ended).isRest }
      rows.append(row("", translated("work"), Times(work, actual: ended.active - ended.rest)))
      rows.append(row("", translated("rest"), Times(rests)))
    }
    rows.append(row("", translated("total"), total))
    return lines(rows, columns: columns, ellipsis: glyphs.ellipsis)
  }

  private static func card(_ record: StepRecord, _ ended: EndedRun) -> Card {
    ended.snapshot.timeline.step(at: record.index).card
  }

  /// The planned and the actual time of some steps.
  private struct Times {
    /// `nil` if a step has none.
    let planned: Duration?
    let actual: Duration

    /// - Parameters:
    ///   - actual: the actual time, if it isn't the sum of the steps.
    ///   - isComplete: whether these are all steps.
    init(_ records: some Sequence<StepRecord>, actual: Duration? = nil, isComplete: Bool = true) {
      planned =
        isComplete
        ? records.reduce(.zero) { sum, record in
          sum.flatMap { sum in record.planned.map { sum + $0 } }
        } : nil
      self.actual = actual ?? records.reduce(.zero) { $0 + $1.actual }
    }
  }

  private static func row(_ step: String, _ title: String, _ times: Times, _ remark: String = "") -> [String]
  {
    [
      step, title, times.planned.map(ClockText.elapsed) ?? "", ClockText.elapsed(times.actual),
      times.planned.map { HistoryTable.difference(times.actual - $0) } ?? "", remark,
    ]
  }

  /// Returns the rows as lines with headings; titles give way first, then the remarks and all times but the actual ones.
  private static func lines(_ rows: [[String]], columns: Int, ellipsis: Character) -> [String] {
    var table = TextTable([
      .init(title: "", alignment: .right), .init(title: translated("step"), least: 5),
      .init(title: translated("plan"), alignment: .right, isOptional: true),
      .init(title: translated("actual"), alignment: .right),
      .init(title: "", alignment: .right, isOptional: true),
      .init(title: "", least: translated("skipped").count, isOptional: true),
    ])
    for row in rows { table.add(row) }
    return table.lines(in: columns, ellipsis: ellipsis)
      .map { TextWidth.truncated($0, to: columns, ellipsis: ellipsis) }
  }
}
