import FoundationEssentials
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

struct HistoryTable {
  private let glyphs: DisplayStyle.Glyphs
  /// The list of runs so far.
  private var list: (table: TextTable, hasRest: Bool)?

  private static let titleColumns = 40

  init(_ glyphs: DisplayStyle.Glyphs) {
    self.glyphs = glyphs
  }

  /// Returns the lines of the runs that follow in a list.
  ///
  /// The first page has titles, and so has the page on which a run with rests adds columns.
  mutating func lines(ofPage runs: [EndedRunSummary]) -> [String] {
    let hasRest = list?.hasRest ?? false || runs.contains { $0.rest > .zero }
    let hasTitles = hasRest != list?.hasRest
    var table = list.flatMap { hasTitles ? nil : $0.table } ?? HistoryTable.table(hasRest: hasRest)
    HistoryTable.add(runs, to: &table, hasRest: hasRest)
    let lines = table.page(hasTitles: hasTitles, ellipsis: glyphs.ellipsis)
    list = (table, hasRest)
    return lines
  }

  func lines(stepsOf runs: [(run: EndedRun, pauses: [RunPause])]) -> [String] {
    Array(
      runs.map { run, pauses in
        // With rests there are three times, which need titles.
        table(of: EndedRunSummary(run)).lines(hasTitles: run.rest > .zero)
          + (run.snapshot.labels.isEmpty
            ? [] : [translated("labels: {}", run.snapshot.labels.joined(separator: ", "))])
          + (run.snapshot.remark.map { [translated("remark: {}", TextSafety.sanitised($0))] } ?? []) + [""]
          + steps(of: run).lines(ellipsis: glyphs.ellipsis)
          + [HistoryTable.moreSteps(of: run)].compactMap { $0 }
          + (HistoryTable.deadline(of: run).map { ["", $0] } ?? [])
          + (pauses.isEmpty ? [] : [""] + pauses.map(line))
      }.joined(separator: [""]))
  }

  private func line(_ pause: RunPause) -> String {
    let parts: KeyValuePairs = [
      "time": LocalTime.text(of: pause.start), "length": ClockText.elapsed(pause.duration),
    ]
    return switch pause.cause {
    case nil: translated("paused {time} for {length}", parts)
    case .sleep: translated("paused {time} for {length} (sleep)", parts)
    case .shutdown: translated("paused {time} for {length} (shutdown)", parts)
    case .lock: translated("paused {time} for {length} (lock)", parts)
    case .powerLoss: translated("paused {time} for {length} (power loss)", parts)
    }
  }

  private func table(of run: EndedRunSummary) -> TextTable {
    // Without rests, all active time is work.
    let hasRest = run.rest > .zero
    var table = HistoryTable.table(hasRest: hasRest)
    HistoryTable.add([run], to: &table, hasRest: hasRest)
    return table
  }

  private static func table(hasRest: Bool) -> TextTable {
    let numbers =
      [translated("steps")] + (hasRest ? [translated("work"), translated("rest")] : []) + [
        translated("active")
      ]
    return TextTable(
      [
        .init(title: translated("run")), .init(title: translated("started")),
        .init(title: translated("outcome")),
      ]
        + numbers.map { .init(title: $0, alignment: .right) } + [.init(title: translated("sequence"))])
  }

  private static func add(_ runs: [EndedRunSummary], to table: inout TextTable, hasRest: Bool) {
    for run in runs {
      let steps = run.outcome == .lost ? "" : "\(run.completed)" + (run.steps.map { "/\($0)" } ?? "")
      let times = hasRest ? [run.active - run.rest, run.rest, run.active] : [run.active]
      table.add(
        [String(run.runID.prefix(8)), LocalDays.text(of: run.startedAt), StepText.name(run.outcome), steps]
          + times.map { ClockText.elapsed($0) } + [TextSafety.sanitised(run.title)])
    }
  }

  private func steps(of run: EndedRun) -> TextTable {
    var table = TextTable([
      .init(title: translated("step"), alignment: .right),
      .init(title: translated("title"), most: HistoryTable.titleColumns),
      .init(title: translated("round")), .init(title: translated("started")),
      .init(title: translated("planned"), alignment: .right),
      .init(title: translated("actual"), alignment: .right),
      .init(title: translated("difference"), alignment: .right), .init(title: translated("outcome")),
    ])
    for record in run.records {
      let step = run.snapshot.timeline.step(at: record.index)
      table.add([
        String(record.index + 1), TextSafety.sanitised(step.card.title),
        step.rounds.map { $0.text("/") }.joined(separator: " "),
        LocalTime.text(of: record.startedAt), record.planned.map { ClockText.elapsed($0) } ?? "",
        ClockText.elapsed(record.actual),
        record.planned.map { HistoryTable.difference(record.actual - $0) } ?? "",
        record.outcome == .completed ? translated("completed") : translated("skipped"),
      ])
    }
    return table
  }

  static func difference(_ duration: Duration) -> String {
    let rounded = Duration.seconds(Int64(duration.seconds.rounded()))
    guard rounded != .zero else { return "" }
    return rounded > .zero ? "+" + ClockText.elapsed(rounded) : "-" + ClockText.elapsed(.zero - rounded)
  }

  /// Returns how late a run ended, such as `4 min late`; `nil` below one minute, and for one that was stopped.
  static func lateness(of run: EndedRun) -> String? {
    run.outcome == .finished ? run.late.flatMap(EndText.lateness) : nil
  }

  /// Returns the time at which a run was to end, such as `to end 2026-11-21 13:00:00, 4 min late`; `nil` without one.
  private static func deadline(of run: EndedRun) -> String? {
    run.snapshot.deadline.map {
      translated("to end {}", LocalTime.text(of: $0.wall)) + (lateness(of: run).map { ", \($0)" } ?? "")
    }
  }

  /// Returns a line about the steps that a list leaves out; `nil` if it has all.
  static func moreSteps(of run: EndedRun) -> String? {
    run.stepCount > SequenceLimits.mostSteps
      ? plural("and 1 step more", "and {} steps more", count: run.stepCount - SequenceLimits.mostSteps) : nil
  }
}
