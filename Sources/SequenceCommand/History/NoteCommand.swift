import FoundationEssentials
import SequenceClient
import SequencePlatform
import SequenceRunner

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
