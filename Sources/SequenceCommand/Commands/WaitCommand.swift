import FoundationEssentials
import Platform
import Presentation
import SequenceRunner

/// `wait`: until the run, or its current step, ends.
enum WaitCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let store = try context.store(arguments)
    let first = try store.look()
    let id: UUID
    if let text = arguments.value("run") {
      guard let given = UUID(uuidString: text) else {
        throw UsageError("\(quote(text)) is no id of a run; start prints it")
      }
      id = given
    } else if let run = first.run {
      id = run.runID
    } else {
      throw RunError.noActiveRun
    }
    let waiter = try StoreWaiter(store)
    let index = first.run?.log.count
    while true {
      // Only now, since what happened before the waiter was there did not wake it.
      let look = try store.look()
      guard let run = look.run, run.runID == id else { break }
      // A step that is begun anew, or that was left by going back, has not ended.
      if arguments.has("step"), let index, run.log.count > index { return .done }
      try waiter.wait(until: look.nextChange)
    }
    guard let ended = try store.endedRun(id: id) else {
      throw Failure(
        "there is no run of the id \(id.uuidString); see sequence history --json", .nothingToActOn)
    }
    return ended.outcome == .finished ? .done : .stopped
  }
}
