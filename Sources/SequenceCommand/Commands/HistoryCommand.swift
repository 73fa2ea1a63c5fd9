import FoundationEssentials
import Platform
import SequenceRunner
import TerminalDisplay

/// `history`: the runs that are over.
enum HistoryCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if arguments.has("json"), arguments.has("csv") {
      throw UsageError("--json and --csv are two forms of the same; leave one of them out")
    }
    if arguments.has("run"), arguments.has("since") {
      throw UsageError("--run names one run, whenever it was; leave --since out")
    }
    let store = try context.store(arguments)
    let runs = try runs(arguments, store)
    if arguments.has("json") {
      try context.print(JSONText.encode(HistoryDocument(runs)))
      return .done
    }
    let hasSteps = arguments.has("steps") || arguments.has("run") && !arguments.has("csv")
    if arguments.has("csv") {
      // Each record ends with CR LF; the line feed of the last one is that of any output.
      let records = HistoryCSV.records(runs, hasSteps: hasSteps)
      try context.print(records.joined(separator: "\r\n") + "\r")
    } else if !runs.isEmpty {
      let table = HistoryTable(DisplayStyle.detect(environment: context.environment).glyphs)
      try context.print(table.lines(runs, hasSteps: hasSteps).joined(separator: "\n"))
    }
    return .done
  }

  private static func runs(_ arguments: ParsedArguments, _ store: RunStore) throws -> [EndedRun] {
    guard let text = arguments.value("run") else {
      let since = try arguments.value("since").map { text throws(UsageError) in try DateArgument.moment(text)
      }
      return try store.history(since: since ?? Moment(microseconds: .min))
    }
    guard text.count >= 4, text.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw UsageError(
        "\(quote(text)) is no id of a run; write the first 4 characters or more, as history shows it")
    }
    let ids = try store.endedRunIDs(beginningWith: text)
    guard let id = ids.first, let run = try store.endedRun(id: id) else {
      throw Failure("there is no run of the id \(text) that is over; see sequence history", .nothingToActOn)
    }
    guard ids.count == 1 else {
      throw UsageError("the ids of \(ids.count) runs begin with \(quote(text)); write more of it")
    }
    return [run]
  }
}
