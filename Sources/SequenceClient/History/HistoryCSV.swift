import FoundationEssentials
package import SequencePlatform
import SequencePresentation
package import SequenceRunner

/// The history as CSV: a record for each run, or for each step.
package enum HistoryCSV {
  static func text(_ runs: [EndedRunSummary]) -> String {
    text(runColumns + totalColumns + lastColumns, runs.map { run($0) + totals($0) + last($0) })
  }

  package static func text(stepsOf runs: [EndedRun]) -> String {
    text(runColumns + stepColumns + lastColumns, runs.flatMap(steps))
  }

  private static func text(_ header: [String], _ records: [[CSVText.Field]]) -> String {
    CSVText.text(([header.map { .text($0) }] + records).map(CSVText.record))
  }

  private static let runColumns = [
    "run", "sequence", "title", "run_started", "run_ended", "run_outcome",
  ]
  private static let totalColumns = [
    "steps", "completed", "skipped", "active", "rest", "date", "minutes", "work_minutes",
  ]
  private static let stepColumns = [
    "step", "card", "step_title", "rounds", "step_started", "step_ended", "planned", "actual",
    "step_outcome",
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
      .number(run.active.seconds), .number(run.rest.seconds), .date(run.startedAt),
      .minutes(run.active),
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
package enum CSVText {
  package enum Field {
    /// A text of the program.
    case text(String)
    /// A text of the user, or from a file.
    case foreign(String)
    case number(Double)
    case none

    /// The local date, which a spreadsheet takes for one.
    package static func date(_ moment: Moment) -> Field { .text(LocalDays.date(of: moment)) }

    package static func minutes(_ duration: Duration) -> Field {
      .number((duration.seconds / 60 * 100).rounded() / 100)
    }
  }

  /// Returns records as a text, without the line feed at the end.
  package static func text(_ records: [String]) -> String {
    records.joined(separator: "\r\n") + "\r"
  }

  package static func record(_ fields: [Field]) -> String {
    fields.map(text).joined(separator: ",")
  }

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
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    // A quote with a combining accent is one character, too.
    var doubled = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { doubled += scalar == "\"" ? [scalar, scalar] : [scalar] }
    return "\"\(String(doubled))\""
  }
}

/// The history as a calendar: an event for each run (RFC 5545).
///
/// An event keeps its UID, so that a calendar that imports the history again doesn't have it twice.
enum HistoryCalendar {
  /// Returns lines of at most 75 bytes, without the line feed at the end.
  static func text(_ runs: [EndedRunSummary]) -> String {
    let head = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sequence//History//EN", "CALSCALE:GREGORIAN",
    ]
    return CSVText.text((head + runs.flatMap(event) + ["END:VCALENDAR"]).flatMap(folded))
  }

  private static func event(_ run: EndedRunSummary) -> [String] {
    let (start, end) = (time(run.startedAt), time(run.endedAt))
    let facts = [
      run.outcome == .finished ? nil : StepText.name(run.outcome),
      run.outcome == .lost ? nil : StepText.completed(run),
      translated("{} active", ClockText.elapsed(run.active)),
    ]
    let description = escaped(facts.compactMap { $0 }.joined(separator: ", "))
    return [
      "BEGIN:VEVENT", "UID:\(run.runID.lowercased())@sequence", "DTSTAMP:\(end)", "DTSTART:\(start)",
    ]
      // An event ends after its start, or has no end.
      + (end > start ? ["DTEND:\(end)"] : []) + [
        "SUMMARY:\(escaped(run.title))",
        "DESCRIPTION:\(description)\(run.remark.map { "\\n" + escaped($0) } ?? "")",
      ] + (run.labels.isEmpty ? [] : ["CATEGORIES:\(run.labels.joined(separator: ","))"]) + [
        "TRANSP:TRANSPARENT", "END:VEVENT",
      ]
  }

  /// The time in UTC in whole seconds, such as `20261121T090000Z`.
  private static func time(_ moment: Moment) -> String {
    moment.description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
  }

  private static func escaped(_ text: String) -> String {
    String(
      TextSafety.sanitised(text).flatMap { character in
        ["\\", ";", ","].contains(character) ? ["\\", character] : [character]
      })
  }

  /// Divides a line that is longer than 75 bytes; those after the first begin with a space.
  private static func folded(_ line: String) -> [String] {
    var (lines, last, length) = ([String](), String.UnicodeScalarView(), 0)
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if length + size > mostBytes {
        lines.append(String(last))
        (last, length) = (String.UnicodeScalarView([" "]), 1)
      }
      last.append(scalar)
      length += size
    }
    return lines + [String(last)]
  }

  private static let mostBytes = 75
}
