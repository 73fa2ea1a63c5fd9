import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

enum WaitCommand {
  static let command = Command(
    "wait", "wait until a run (or its current step) ends", argument: RunArgument.any, options: [step],
    discussion: [
      "\(RunArgument.anyDiscussion) Without RUN, the command waits for the current run.",
      "Exit status: 0 if the run finished, 3 if it was stopped early.",
    ],
    examples: [
      .init("sequence wait && notify-send Done", "run a command when the run has finished"),
      .init("sequence wait tea", "wait for the run named tea"),
      .init("sequence wait --step", "wait for the end of the current step"),
    ], perform: perform)

  private static let step = Flag("step", "wait for the end of the current step")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let client = try context.client(arguments)
    let first = try client.settle()
    guard
      let id = try arguments[RunArgument.any].map({ try RunArgument.id($0, first, client) })
        ?? first.run?.runID
    else {
      throw RunError.noActiveRun
    }
    let waiter = try StoreWaiter(client.store.base)
    let index = first.status(of: id).run?.log.count
    while true {
      // Settled after the waiter exists: earlier changes don't wake it.
      let status = try client.settle().status(of: id)
      guard let run = status.run else { break }
      // A step that was restarted, or left by `back`, has not ended.
      if arguments.has(step), let index, run.log.count > index { return .done }
      try waiter.wait(until: status.nextChange)
    }
    guard let ended = try client.store.endedRun(id: id), ended.outcome != .lost else {
      throw Failure(ClientError.runLost.problem, .nothingToActOn)
    }
    return ExitStatus(ended)
  }
}
