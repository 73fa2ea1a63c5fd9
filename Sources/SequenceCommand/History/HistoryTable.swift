import FoundationEssentials
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

struct HistoryTable {
  private let glyphs: DisplayStyle.Glyphs

  private static let titleColumns = 40

  init(_ glyphs: DisplayStyle.Glyphs) {
    self.glyphs = glyphs
  }

  func lines(_ runs: [EndedRunSummary]) -> [String] {
    runs.isEmpty ? [] : table(of: runs).lines(ellipsis: glyphs.ellipsis)
  }

  func lines(stepsOf runs: [(run: EndedRun, pauses: [RunPause])]) -> [String] {
    Array(
      runs.map { run, pauses in
        // With rests there are three times, which need titles.
        table(of: [EndedRunSummary(run)]).lines(hasTitles: run.rest > .zero)
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

  private func table(of runs: [EndedRunSummary]) -> TextTable {
    // Without rests, all active time is work.
    let hasRest = runs.contains { $0.rest > .zero }
    let numbers =
      [translated("steps")] + (hasRest ? [translated("work"), translated("rest")] : []) + [
        translated("active")
      ]
    var table = TextTable(
      [
        .init(title: translated("run")), .init(title: translated("started")),
        .init(title: translated("outcome")),
      ]
        + numbers.map { .init(title: $0, alignment: .right) } + [.init(title: translated("sequence"))])
    for run in runs {
      let steps = run.outcome == .lost ? "" : "\(run.completed)" + (run.steps.map { "/\($0)" } ?? "")
      let times = hasRest ? [run.active - run.rest, run.rest, run.active] : [run.active]
      table.add(
        [String(run.runID.prefix(8)), LocalDays.text(of: run.startedAt), StepText.name(run.outcome), steps]
          + times.map { ClockText.elapsed($0) } + [TextSafety.sanitised(run.title)])
    }
    return table
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

/// The history as CSV: a record for each run, or for each step.
enum HistoryCSV {
  static func records(_ runs: [EndedRunSummary]) -> [String] {
    records(runColumns + totalColumns + lastColumns, runs.map { run($0) + totals($0) + last($0) })
  }

  static func records(stepsOf runs: [EndedRun]) -> [String] {
    records(runColumns + stepColumns + lastColumns, runs.flatMap(steps))
  }

  private static func records(_ header: [String], _ records: [[CSVText.Field]]) -> [String] {
    ([header.map { .text($0) }] + records).map(CSVText.record)
  }

  private static let runColumns = ["run", "sequence", "title", "run_started", "run_ended", "run_outcome"]
  private static let totalColumns = [
    "steps", "completed", "skipped", "active", "rest", "date", "minutes", "work_minutes",
  ]
  private static let stepColumns = [
    "step", "card", "step_title", "rounds", "step_started", "step_ended", "planned", "actual", "step_outcome",
    "is_rest", "date", "minutes",
  ]
  /// They follow the others, whose places are a contract.
  private static let lastColumns = ["remark", "labels"]

  private static func run(_ run: EndedRunSummary) -> [CSVText.Field] {
    [
      .text(run.runID), .text(run.sequenceID), .foreign(run.title),
      .text(run.startedAt.description), .text(run.endedAt.description), .text(run.outcome.rawValue),
    ]
  }

  private static func last(_ run: EndedRunSummary) -> [CSVText.Field] {
    [run.remark.map { .foreign($0) } ?? .none, .text(run.labels.joined(separator: " "))]
  }

  private static func totals(_ run: EndedRunSummary) -> [CSVText.Field] {
    [
      run.steps.map { .number(Double($0)) } ?? .none, .number(Double(run.completed)),
      .number(Double(run.skipped)),
      .number(run.active.seconds), .number(run.rest.seconds), .date(run.startedAt), .minutes(run.active),
      .minutes(run.active - run.rest),
    ]
  }

  private static func steps(_ run: EndedRun) -> [[CSVText.Field]] {
    let summary = EndedRunSummary(run)
    let (head, last) = (HistoryCSV.run(summary), last(summary))
    return run.records.map { record in
      let step = run.snapshot.timeline.step(at: record.index)
      return head + [
        .number(Double(step.number)), .text(step.card.id.uuidString), .foreign(step.card.title),
        .text(step.rounds.map(\.description).joined(separator: "; ")),
        .text(record.startedAt.description), .text(record.endedAt.description),
        record.planned.map { .number($0.seconds) } ?? .none, .number(record.actual.seconds),
        .text(record.outcome.rawValue), .number(step.card.isRest ? 1 : 0), .date(record.startedAt),
        .minutes(record.actual),
      ] + last
    }
  }
}

/// Records of comma-separated values (RFC 4180): each ends with CR LF, and fields are quoted if needed.
enum CSVText {
  enum Field {
    /// A text of the program.
    case text(String)
    /// A text of the user, or from a file.
    case foreign(String)
    case number(Double)
    case none

    /// The local date, which a spreadsheet takes for one.
    static func date(_ moment: Moment) -> Field { .text(LocalDays.date(of: moment)) }

    static func minutes(_ duration: Duration) -> Field {
      .number((duration.seconds / 60 * 100).rounded() / 100)
    }
  }

  static func record(_ fields: [Field]) -> String { fields.map(text).joined(separator: ",") }

  private static func text(_ field: Field) -> String {
    switch field {
    case .text(let text): quoted(text)
    case .foreign(let text): quoted(harmless(text))
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .none: ""
    }
  }

  /// Puts an apostrophe before a text that a spreadsheet would read as a formula.
  ///
  /// Formulas begin with one of these characters, and may load or run something (OWASP, "CSV Injection").
  private static func harmless(_ text: String) -> String {
    let text = TextSafety.sanitised(text)
    // By scalars, because a sign with a combining accent still starts a formula.
    guard let first = text.unicodeScalars.first(where: { $0 != " " }),
      "=+-@＝＋－＠".unicodeScalars.contains(first)
    else { return text }
    return "'" + text
  }

  private static func quoted(_ text: String) -> String {
    // By scalars, because CR LF is one character in Swift.
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    // A quote with a combining accent is one character, too.
    var doubled = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { doubled += scalar == "\"" ? [scalar, scalar] : [scalar] }
    return "\"\(String(doubled))\""
  }
}
