import FoundationEssentials
import SequenceClient
import SequencePlanning
import SequencePlatform
import SequenceRunner

enum HistoryCommand {
  static let command = Command(
    "history", "list past runs, show one, or delete one", argument: selection,
    options: filters + [steps, csv, calendar, yes, Flag.json],
    discussion: [
      """
      The newest run comes first. RUN is at least \(Client.fewestCharactersOfID) characters of the ID of a \
      run, which is shown with its steps. delete RUN removes it from the history and from the statistics, \
      and asks before on a terminal.
      """,
      """
      --search finds words in titles, notes and remarks, in any letter case. --ics prints events for a \
      calendar (RFC 5545).
      """,
      "In CSV, a title that a spreadsheet could read as a formula starts with an apostrophe.",
    ],
    examples: [
      .init("sequence history --steps", "list runs with planned and actual times of steps"),
      .init("sequence history 8a4f", "show the run whose ID starts with 8A4F"),
      .init("sequence history delete 8a4f --yes", "delete it without a question"),
      .init("sequence history --since 2026-11-01 --csv", "export the runs since a date"),
      .init("sequence history --label client-a --since month", "list the runs with a label of this month"),
      .init("sequence history --sequence Yoga --ics", "print the runs of a sequence for a calendar"),
    ], perform: perform)

  static let delete = "delete"

  private struct Selection {
    let id: String
    let isDeleted: Bool
  }

  private static let selection = Argument<Selection>(
    "RUN|delete RUN", isOptional: true, kind: .endedRun,
    counted: { $0.first == delete ? min(2, $0.count) : 1 }
  ) { text throws(Failure) in
    let words = text.split(separator: " ")
    let isDeleted = words.first.map(String.init) == delete
    guard let id = words.last.map(String.init), words.count == (isDeleted ? 2 : 1), Client.isID(id)
    else {
      throw Failure(
        usage: isDeleted
          ? LocalizedText("history delete needs the ID of a run")
          : LocalizedText("\(quote(text)) is not a run ID"),
        remedy: "write at least \(Client.fewestCharactersOfID) of its characters, as in sequence history")
    }
    return Selection(id: id, isDeleted: isDeleted)
  }
  private static let yes = Flag("yes", "delete without a question")
  private static let steps = Flag("steps", "show planned and actual times of each step")
  private static let csv = Flag("csv", "print comma-separated values (with --steps: per step)")
  private static let calendar = Flag("ics", "print events for a calendar")

  private static let title = Option<String>(
    "sequence", "TITLE", "only runs of this sequence (its title or id)")
  private static let outcome = Option<RunOutcome>(
    "outcome", "finished|stopped|lost", "only runs that ended like this")
  private static let search = Option<String>(
    "search", "WORDS", "only runs with these words (titles, notes, remarks)")
  private static let filters: [any OptionSpec] = [
    DateArgument.since, title, outcome, LabelOption.filter, search,
  ]

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let forms = [Flag.json, csv, calendar].filter { arguments.has($0) }
    if forms.count > 1 {
      throw Failure(
        usage: "--\(forms[0].name) and --\(forms[1].name) cannot be combined", remedy: "remove one of them")
    }
    if arguments.has(calendar), arguments.has(steps) {
      throw Failure(usage: "--ics and --steps cannot be combined", remedy: "remove one of them")
    }
    let selection = try arguments[selection]
    if selection != nil, let filter = filters.first(where: { arguments.has($0) }) {
      throw Failure(usage: "RUN and --\(filter.name) cannot be combined", remedy: "remove one of them")
    }
    let client = try context.client(arguments)
    // Settled first, so that a run that has just ended is in the history.
    _ = try client.settle()
    if let selection, selection.isDeleted {
      for flag in [steps, csv, calendar] where arguments.has(flag) {
        throw Failure(usage: "delete and --\(flag.name) cannot be combined", remedy: "remove one of them")
      }
      return try delete(try run(selection.id, client.store), arguments, client, context)
    }
    guard !arguments.has(yes) else {
      throw Failure(usage: "--yes works only with delete", remedy: "write sequence history delete RUN --yes")
    }
    let glyphs = DisplayStyle.detect(environment: context.environment).glyphs
    if arguments.has(csv), arguments.has(steps) {
      let runs = try runs(arguments, client)
      for run in runs {
        if let more = HistoryTable.moreSteps(of: run) {
          context.say(Problem("run \(run.runID.uuidString.prefix(8)): \(more)"))
        }
      }
      try context.print(HistoryCSV.text(stepsOf: runs))
    } else if arguments.has(.json) {
      try context.print(JSONText.encode(HistoryDocument(try pausedRuns(arguments, client))))
    } else if let form = forms.first.flatMap({ HistoryForm(rawValue: $0.name) }) {
      try context.print(form.text(try summaries(arguments, client), of: client.store))
    } else if arguments.has(steps) || selection != nil {
      try print(HistoryTable(glyphs).lines(stepsOf: try pausedRuns(arguments, client)), arguments, context)
    } else {
      var (table, isEmpty) = (HistoryTable(glyphs), true)
      try forEachPage(arguments, client) { runs in
        isEmpty = false
        try context.print(table.lines(ofPage: runs).joined(separator: "\n"))
      }
      if isEmpty { printNone(arguments, context) }
    }
    return .done
  }

  private static func print(
    _ lines: [String], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws {
    guard lines.isEmpty else { return try context.print(lines.joined(separator: "\n")) }
    printNone(arguments, context)
  }

  private static func printNone(_ arguments: ParsedArguments, _ context: CommandContext) {
    let used = filters.filter { arguments.has($0) }.map(\.name)
    context.printError(
      used.isEmpty
        ? translated("no past runs yet")
        : used == [DateArgument.since.name] ? translated("no runs since then") : translated("no such runs"))
  }

  private static func summaries(
    _ arguments: ParsedArguments, _ client: Client
  ) throws -> [EndedRunSummary] {
    guard try arguments[selection] == nil else {
      return try runs(arguments, client).map(EndedRunSummary.init)
    }
    var runs: [EndedRunSummary] = []
    try forEachPage(arguments, client) { runs += $0 }
    return runs
  }

  /// Calls a body with the runs that the filters mean, a page at a time, so that the first ones are printed at once.
  private static func forEachPage(
    _ arguments: ParsedArguments, _ client: Client, _ body: ([EndedRunSummary]) throws -> Void
  ) throws {
    let query = try HistoryQuery(
      since: since(arguments, client), label: arguments[LabelOption.filter])
    let filter = try RunFilter(arguments)
    var known: [String: String] = [:]
    try client.store.forEachPage(of: query) { page in
      guard let filter else { return try body(page) }
      let meant = page.filter(filter.isMeant)
      let texts = try client.store.cardTexts(of: meant.filter { !filter.isFound($0) }, &known)
      let found = meant.filter { filter.isFound($0, texts[$0.runID]) }
      if !found.isEmpty { try body(found) }
    }
  }

  /// The runs that the options mean, besides their time.
  private struct RunFilter {
    private let title: String?
    private let outcome: RunOutcome?
    private let words: [Substring]

    /// `nil` if all runs are meant.
    init?(_ arguments: ParsedArguments) throws {
      guard
        arguments.has(HistoryCommand.title) || arguments.has(HistoryCommand.outcome) || arguments.has(search)
      else {
        return nil
      }
      title = try arguments[HistoryCommand.title].map { TextSafety.unisolated($0).lowercased() }
      outcome = try arguments[HistoryCommand.outcome]
      words = try arguments[search]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
    }

    func isMeant(_ run: EndedRunSummary) -> Bool {
      if let title, run.title.lowercased() != title, run.sequenceID.lowercased() != title { return false }
      return outcome.map { run.outcome == $0 } ?? true
    }

    /// - Parameter cards: the texts of the cards of the run, which a search reads if the title isn't enough.
    func isFound(_ run: EndedRunSummary, _ cards: String? = nil) -> Bool {
      guard !words.isEmpty else { return true }
      let text = [run.title, run.remark, cards].compactMap(\.self).joined(separator: "\n").lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  private static func since(_ arguments: ParsedArguments, _ client: Client) throws -> Moment {
    guard let since = try arguments[DateArgument.since] else { return Moment(microseconds: .min) }
    return since.moment(at: client.context.clock.now().wall, LocalDays(client.configuration()))
  }

  private static func pausedRuns(
    _ arguments: ParsedArguments, _ client: Client
  ) throws -> [(run: EndedRun, pauses: [RunPause])] {
    try runs(arguments, client).map(client.store.withPauses)
  }

  private static func runs(_ arguments: ParsedArguments, _ client: Client) throws -> [EndedRun] {
    guard let selection = try arguments[selection] else {
      guard filters.contains(where: { $0.name != DateArgument.since.name && arguments.has($0) }) else {
        return try client.store.history(since: since(arguments, client))
      }
      // Only those that are meant are read whole.
      return try summaries(arguments, client).compactMap(client.store.wholeRun)
    }
    return [try run(selection.id, client.store)]
  }

  private static func run(_ text: String, _ store: RunStore) throws -> EndedRun {
    guard let id = try EndedRunArgument.id(beginningWith: text, in: store),
      let run = try store.endedRun(id: id)
    else {
      throw Failure("no past run with the ID \(text)", remedy: "see sequence history", .nothingToActOn)
    }
    return run
  }

  private static func delete(
    _ run: EndedRun, _ arguments: ParsedArguments, _ client: Client, _ context: CommandContext
  ) throws -> ExitStatus {
    let title = quote(run.snapshot.sequence.title)
    if !arguments.has(yes) {
      guard context.hasTerminal else {
        throw Failure(
          usage: "history delete asks only on a terminal", remedy: "add --yes to delete without a question")
      }
      context.printError(
        translated(
          "Delete the run of {title} that started {time}? [y/N]",
          ["title": title, "time": LocalDays.text(of: run.snapshot.startedAt)]))
      guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
        context.printError(translated("nothing was deleted"))
        return .nothingToActOn
      }
    }
    guard try client.store.deleteEndedRun(run.runID) != nil else {
      throw Failure("the run was deleted meanwhile", remedy: "see sequence history", .nothingToActOn)
    }
    client.ensureAgent()
    try context.print(
      arguments.has(.json)
        ? JSONText.encode(DeletedDocument(deleted: run.runID.uuidString))
        : translated("deleted the run of {}", title))
    return .done
  }
}

private struct DeletedDocument: Encodable {
  let schema = JSONText.schema
  let deleted: String
}

enum EndedRunArgument {
  /// Returns the id of the ended run that begins with a text; `nil` if there is none.
  ///
  /// - Throws: `Failure` if there are several; `StoreError`.
  static func id(beginningWith text: String, in store: RunStore) throws -> UUID? {
    let ids = try store.endedRunIDs(beginningWith: text)
    guard ids.count <= 1 else {
      throw Failure(usage: "\(ids.count) run IDs start with \(quote(text))", remedy: "write more characters")
    }
    return ids.first
  }
}

enum NoteCommand {
  static let command = Command(
    "note", "set the remark of a run, active or ended", argument: text, second: RunArgument.any,
    options: [Flag.json],
    discussion: [
      """
      TEXT replaces the former remark, and an empty TEXT removes it. sequence history RUN shows the remark, \
      and sequence history --search finds its words.
      """,
      """
      \(RunArgument.anyDiscussion) Without RUN, the command acts on the current run, or without active runs on the \
      last that ended.
      """,
    ],
    examples: [
      .init(#"sequence note "Legs were tired""#, "set the remark of the current run, or of the last"),
      .init(#"sequence note "New shoes" 8a4f"#, "set that of the run whose ID starts with 8A4F"),
      .init(#"sequence note """#, "remove the remark"),
    ], perform: perform)

  private static let text = Argument<String>("TEXT") { text throws(Failure) in
    guard !SequenceLimits.isTooLong(text) else {
      throw Failure(
        usage: "the remark is too long", remedy: "write at most \(SequenceLimits.titleLimits)")
    }
    return trimmed(text)
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let text = try arguments.required(text)
    let client = try context.client(arguments)
    // Settled by the client, so that the end of a run has an agent.
    let status = try client.settle()
    let remark = text.isEmpty ? nil : text
    let noted = try client.store.setRemark(remark, of: try run(arguments, status, client))
    guard let noted else {
      throw Failure("there is no run yet", remedy: "start one with sequence timer 5m Tea", .nothingToActOn)
    }
    let (run, name) =
      switch noted {
      case .active(let run): (run, run.name)
      case .ended(let ended): (ended.snapshot, quote(ended.snapshot.sequence.title))
      }
    if arguments.has(.json) {
      try context.print(JSONText.encode(RemarkDocument(run: run.runID.uuidString, remark: remark)))
    } else {
      try context.print(
        remark.map {
          translated("set the remark of {name}: {remark}", ["name": name, "remark": quote($0)])
        } ?? translated("removed the remark of {}", name))
    }
    return .done
  }

  private static func run(
    _ arguments: ParsedArguments, _ status: RunStatus, _ client: Client
  ) throws -> UUID? {
    guard let word = try arguments[RunArgument.any] else { return nil }
    do {
      return try RunArgument.id(word, status, client)
    } catch ClientError.unknownRun(word, _) {
      throw Failure(
        "no run is named \(quote(word))", remedy: "put a TEXT of several words in quotes", .nothingToActOn)
    }
  }
}

private struct RemarkDocument: Encodable {
  let schema = JSONText.schema
  let run: String
  let remark: String?
}
