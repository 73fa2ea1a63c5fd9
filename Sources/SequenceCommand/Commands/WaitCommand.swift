import FoundationEssentials
import Platform
import Presentation
import SequenceClient
import SequenceRunner

/// `wait`: until the run, or its current step, ends.
enum WaitCommand {
  static let command = Command(
    "wait", "wait until the run, or its current step, ends", options: [step, run],
    discussion: ["Exit status: 0 if the run finished, 3 if it was stopped before its end."], perform: perform)

  private static let step = Flag("step", "wait for the end of the current step")
  private static let run = Option<UUID>(
    "run", "ID", "wait for the run of this id, which may be over already", kind: .run
  ) { text throws(UsageError) in
    guard let id = UUID(uuidString: text) else {
      throw UsageError("\(quote(text)) is no id of a run", remedy: "start prints it")
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
      // Only now, since what happened before the waiter was there did not wake it.
      let status = try client.settle()
      guard let run = status.run, run.runID == id else { break }
      // A step that is begun anew, or that was left by going back, has not ended.
      if arguments.has(step), let index, run.log.count > index { return .done }
      try waiter.wait(until: status.nextChange)
    }
    guard let ended = try client.store.endedRun(id: id) else {
      throw Failure(
        "there is no run of the id \(id.uuidString)", remedy: "see sequence history --json", .nothingToActOn)
    }
    return ended.outcome == .finished ? .done : .stopped
  }
}
