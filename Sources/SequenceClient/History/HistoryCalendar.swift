import SequencePlatform
import SequencePresentation
import SequenceRunner

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
