import FoundationEssentials
import Glibc
import SequenceRunner

/// `history`: the runs that are over.
enum HistoryCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    var since = Moment(microseconds: .min)
    if let text = arguments.value("since") { since = try moment(text) }
    let runs = try context.store(arguments).history(since: since)
    if arguments.has("json") {
      try context.print(JSONText.encode(HistoryDocument(runs)))
    } else {
      for run in runs { try context.print(line(run)) }
    }
    return .done
  }

  private static func line(_ run: EndedRun) -> String {
    let records = run.records
    let active = records.reduce(Duration.zero) { $0 + $1.actual }
    let completed = records.count { $0.outcome == .completed }
    return [
      localTime(run.snapshot.startedAt), run.outcome.rawValue,
      TextSafety.sanitised(run.snapshot.sequence.title),
      "\(completed) of \(run.snapshot.timeline.count) steps completed in \(ClockText.elapsed(active))",
    ].joined(separator: "  ")
  }

  /// A moment as the clock on the wall showed it.
  private static func localTime(_ moment: Moment) -> String {
    var seconds = time_t(moment.microseconds / 1_000_000)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return moment.description }
    let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(twoDigits)
    let time = unsafe twoDigits(Int(parts.tm_hour)) + ":" + twoDigits(Int(parts.tm_min))
    return date.joined(separator: "-") + " " + time
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The moment of a text: a local date, or ISO 8601 with a time and a zone.
  private static func moment(_ text: String) throws(UsageError) -> Moment {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, text.count == 10, let year = Int32(parts[0]), let month = Int32(parts[1]),
      let day = Int32(parts[2]), (1...12).contains(month), (1...31).contains(day)
    {
      var local = unsafe tm()
      unsafe (local.tm_year, local.tm_mon, local.tm_mday, local.tm_isdst) = (year - 1900, month - 1, day, -1)
      let seconds = unsafe mktime(&local)
      // The C library turns the 31st of April into the 1st of May; nobody means that.
      if unsafe local.tm_mday == day { return Moment(microseconds: Int64(seconds) * 1_000_000) }
    }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
      // A text that is of neither form is refused below.
      if let date = try? style.parse(text) { return Moment(date) }
    }
    throw UsageError("\(quote(text)) is no date; write it like 2026-11-21 or 2026-11-21T09:00:00Z")
  }
}
