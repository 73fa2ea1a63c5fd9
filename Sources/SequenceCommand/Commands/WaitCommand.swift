import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

/// `wait`: waits until the run, or its current step, ends.
enum WaitCommand {
  static let command = Command(
    "wait", "wait until the run (or its current step) ends", options: [step, run],
    discussion: ["Exit status: 0 if the run finished, 3 if it was stopped early."],
    examples: [
      .init("sequence wait && notify-send Done", "run a command when the run has finished"),
      .init("sequence wait --step", "wait for the end of the current step"),
    ], perform: perform)

  private static let step = Flag("step", "wait for the end of the current step")
  private static let run = Option<UUID>(
    "run", "ID", "wait for this run; it may have ended already", kind: .run
  ) { text throws(UsageError) in
    guard let id = UUID(uuidString: text) else {
      throw UsageError("\(quote(text)) is not a run ID", remedy: "see sequence status --json")
    }
    return id
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let client = try context.client(arguments)
    let first = try client.settle()
    guard let id = try arguments[run] ?? first.run?.runID else { throw RunError.noActiveRun }
    let waiter = try StoreWaiter(client.store.base)
    let index = first.run?.log.count
    while true {
      // Settled after the waiter exists: earlier changes don't wake it.
      let status = try client.settle()
      guard let run = status.run, run.runID == id else { break }
      // A step that was restarted, or left by `back`, has not ended.
      if arguments.has(step), let index, run.log.count > index { return .done }
      try waiter.wait(until: status.nextChange)
    }
    guard let ended = try client.store.endedRun(id: id) else {
      throw Failure(
        "no run with the ID \(id.uuidString)", remedy: "see sequence history --json", .nothingToActOn)
    }
    return ended.outcome == .finished ? .done : .stopped
  }
}
