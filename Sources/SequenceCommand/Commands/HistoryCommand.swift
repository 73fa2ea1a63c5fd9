import FoundationEssentials
import Platform
import SequenceClient
import SequenceRunner
import TerminalDisplay

/// `history`: the runs that are over.
enum HistoryCommand {
  static let command = Command(
    "history", "show the runs that are over, newest first",
    options: [DateArgument.since, run, steps, csv, Flag.json],
    discussion: [
      "In CSV a title that a spreadsheet would take for a formula has an apostrophe before it."
    ], perform: perform)

  private static let run = Option<String>(
    "run", "ID", "one run with its steps; the first 4 characters do", kind: .endedRun
  ) { text throws(UsageError) in
    guard text.count >= 4, text.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw UsageError(
        "\(quote(text)) is no id of a run",
        remedy: "write the first 4 characters or more, as history shows it")
    }
    return text
  }
  private static let steps = Flag("steps", "what was planned of each step, and what it came to")
  private static let csv = Flag("csv", "print comma-separated values; --steps: of each step")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if arguments.has(.json), arguments.has(csv) {
      throw UsageError("--json and --csv are two forms of the same", remedy: "leave one of them out")
    }
    if arguments.has(run), arguments.has(DateArgument.since) {
      throw UsageError("--run names one run, whenever it was", remedy: "leave --since out")
    }
    let client = try context.client(arguments)
    // A run that is over since the last command belongs to the history.
    _ = try client.settle()
    let store = client.store
    let glyphs = DisplayStyle.detect(environment: context.environment).glyphs
    if arguments.has(.json) {
      try context.print(JSONText.encode(HistoryDocument(try runs(arguments, store))))
    } else if arguments.has(csv) {
      let records =
        arguments.has(steps)
        ? HistoryCSV.records(stepsOf: try runs(arguments, store))
        : HistoryCSV.records(try summaries(arguments, store))
      // Each record ends with CR LF; the line feed of the last one is that of any output.
      try context.print(records.joined(separator: "\r\n") + "\r")
    } else if arguments.has(steps) || arguments.has(run) {
      try print(HistoryTable(glyphs).lines(stepsOf: try runs(arguments, store)), context)
    } else {
      try print(HistoryTable(glyphs).lines(try summaries(arguments, store)), context)
    }
    return .done
  }

  private static func print(_ lines: [String], _ context: CommandContext) throws {
    if !lines.isEmpty { try context.print(lines.joined(separator: "\n")) }
  }

  private static func summaries(
    _ arguments: ParsedArguments, _ store: RunStore
  ) throws -> [EndedRunSummary] {
    guard !arguments.has(run) else { return try runs(arguments, store).map(EndedRunSummary.init) }
    return try store.historySummaries(since: since(arguments))
  }

  private static func since(_ arguments: ParsedArguments) throws -> Moment {
    try arguments[DateArgument.since] ?? Moment(microseconds: .min)
  }

  private static func runs(_ arguments: ParsedArguments, _ store: RunStore) throws -> [EndedRun] {
    guard let text = try arguments[run] else { return try store.history(since: since(arguments)) }
    let ids = try store.endedRunIDs(beginningWith: text)
    guard let id = ids.first, let run = try store.endedRun(id: id) else {
      throw Failure(
        "there is no run of the id \(text) that is over", remedy: "see sequence history", .nothingToActOn)
    }
    guard ids.count == 1 else {
      throw UsageError("the ids of \(ids.count) runs begin with \(quote(text))", remedy: "write more of it")
    }
    return [run]
  }
}
