import FoundationEssentials
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceTerminal

/// `history`: the runs that have ended.
enum HistoryCommand {
  static let command = Command(
    "history", "list past runs",
    options: [DateArgument.since, run, steps, csv, Flag.json],
    discussion: [
      "The newest run comes first. In CSV, a title that a spreadsheet could read as a formula starts with an apostrophe."
    ],
    examples: [
      .init("sequence history --steps", "list runs with planned and actual times of steps"),
      .init("sequence history --since 2026-11-01 --csv", "export the runs since a date"),
    ], perform: perform)

  private static let run = Option<String>(
    "run", "ID", "show one run with its steps (4 characters of ID are enough)", kind: .endedRun
  ) { text throws(UsageError) in
    guard text.count >= 4, text.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw UsageError(
        "\(quote(text)) is not a run ID", remedy: "write at least 4 of its characters, as in sequence history"
      )
    }
    return text
  }
  private static let steps = Flag("steps", "show planned and actual times of each step")
  private static let csv = Flag("csv", "print comma-separated values (with --steps: per step)")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if arguments.has(.json), arguments.has(csv) {
      throw UsageError("--json and --csv cannot be combined", remedy: "remove one of them")
    }
    if arguments.has(run), arguments.has(DateArgument.since) {
      throw UsageError("--run and --since cannot be combined", remedy: "remove one of them")
    }
    let client = try context.client(arguments)
    // Settled first, so that a run that has just ended is in the history.
    _ = try client.settle()
    let store = client.store
    let glyphs = DisplayStyle.detect(environment: context.environment).glyphs
    if arguments.has(.json) {
      try context.print(JSONText.encode(HistoryDocument(try pausedRuns(arguments, store))))
    } else if arguments.has(csv) {
      let records: [String]
      if arguments.has(steps) {
        let runs = try runs(arguments, store)
        records = HistoryCSV.records(stepsOf: runs)
        for run in runs {
          if let more = run.moreSteps {
            context.printError("sequence: run \(run.runID.uuidString.prefix(8)): \(more)")
          }
        }
      } else {
        records = HistoryCSV.records(try summaries(arguments, store))
      }
      // Each record ends with CR LF; `print` adds the line feed of the last one.
      try context.print(records.joined(separator: "\r\n") + "\r")
    } else if arguments.has(steps) || arguments.has(run) {
      try print(HistoryTable(glyphs).lines(stepsOf: try pausedRuns(arguments, store)), arguments, context)
    } else {
      try print(HistoryTable(glyphs).lines(try summaries(arguments, store)), arguments, context)
    }
    return .done
  }

  private static func print(
    _ lines: [String], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws {
    guard lines.isEmpty else { return try context.print(lines.joined(separator: "\n")) }
    context.printError(arguments.has(DateArgument.since) ? "no runs since then" : "no past runs yet")
  }

  private static func summaries(
    _ arguments: ParsedArguments, _ store: OpenRunStore
  ) throws -> [EndedRunSummary] {
    guard !arguments.has(run) else { return try runs(arguments, store).map(EndedRunSummary.init) }
    return try store.historySummaries(since: since(arguments, store))
  }

  private static func since(_ arguments: ParsedArguments, _ store: OpenRunStore) throws -> Moment {
    try arguments[DateArgument.since]?.moment(at: store.clock.now().wall) ?? Moment(microseconds: .min)
  }

  private static func pausedRuns(
    _ arguments: ParsedArguments, _ store: OpenRunStore
  ) throws -> [(run: EndedRun, pauses: [RunPause])] {
    try runs(arguments, store).map { ($0, try store.pauses(of: $0.runID)) }
  }

  private static func runs(_ arguments: ParsedArguments, _ store: OpenRunStore) throws -> [EndedRun] {
    guard let text = try arguments[run] else { return try store.history(since: since(arguments, store)) }
    let ids = try store.endedRunIDs(beginningWith: text)
    guard let id = ids.first, let run = try store.endedRun(id: id) else {
      throw Failure("no past run with the ID \(text)", remedy: "see sequence history", .nothingToActOn)
    }
    guard ids.count == 1 else {
      throw UsageError("\(ids.count) run IDs start with \(quote(text))", remedy: "write more characters")
    }
    return [run]
  }
}
