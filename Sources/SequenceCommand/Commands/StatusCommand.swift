import FoundationEssentials
import Glibc
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// `status`: the state of the active run, once or on every change.
enum StatusCommand {
  static let command = Command(
    "status", "show the current step and the time left", argument: RunArgument.run,
    options: [Flag.json, follow, StatusForm.format, StatusForm.bar],
    discussion: [
      "Without RUN, the current run is shown, and without --format and --bar a line for each other run.",
      "Fields of a template: \(TemplateField.names).",
      "{step:20} pads to 20 columns, {step:.20} cuts at 20, {time:>7} right-aligns in 7 columns; {next?, then } inserts the "
        + "text only if the field is not empty; {{ and }} are braces.",
      "With --bar, --format sets the text of the bar. Without a run, the bar shows nothing.",
    ],
    examples: [
      .init("sequence status --format '{step} {time}'", "print the step and its clock"),
      .init("sequence status --bar waybar --follow", "feed a module of Waybar"),
    ], perform: perform)

  private static let follow = Flag("follow", "print a new line on every change")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let form = try StatusForm(arguments)
    do {
      return try print(form, arguments, context)
    } catch let error where error is StoreError || error is SystemError || error is ClockError {
      guard case .bar(let bar, _) = form else { throw error }
      // A bar doesn't show standard error, and Waybar hides the output of a command that failed.
      let failure = Failure(error)
      try context.print(bar.line(failure))
      context.say(failure)
      return .done
    }
  }

  private static func print(
    _ form: StatusForm, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let word = try arguments[RunArgument.run]
    let client: Client
    do {
      client = try context.client(arguments)
    } catch let error as StoreError {
      // A store that is missing and can't be created has no run. --follow would wait for one that can't come.
      guard error.isOfPlace, !arguments.has(follow), word == nil, try !context.directory(arguments).hasStore
      else {
        throw error
      }
      try context.print(try form.line(RunStatus(reading: context.clock.now(), runs: [])))
      return .done
    }
    /// The status of the run that the user names, which is looked for once.
    func named(_ status: RunStatus) throws -> UUID? {
      try word.map { try Client.run($0, among: status).runID }
    }
    guard arguments.has(follow) else {
      let all = try client.status()
      let status = try named(all).map(all.status(of:)) ?? all
      try context.print(try form.line(status))
      // A status bar asks too often to look for a notification server each time.
      if case .words = form {
        try client.showDue()
        tellOfChange(status.run, context)
      }
      return .done
    }
    let waiter = try StoreWaiter(client.store.base)
    let agent = try AgentWatch(client)
    let run = try named(client.store.peek())
    var changes = ChangeFilter(form)
    while true {
      // The watched agent writes what time has changed.
      let all = try client.store.peek()
      agent.followRuns(all)
      let status = run.map(all.status(of:)) ?? all
      if let line = try changes.line(status) { try context.print(line) }
      // Ends as soon as the reader closes the pipe, not only at the next change.
      let ready = try waiter.wait(
        until: [form.nextLook(after: status), agent.nextLook].compactMap { $0 }.min(), or: agent.descriptors,
        orGone: STDOUT_FILENO)
      if ready.contains(STDOUT_FILENO) { return .done }
      try agent.replaceIfEnded(ready)
    }
  }

  /// Says that the file of a run has another content now.
  private static func tellOfChange(_ run: ActiveRunSnapshot?, _ context: CommandContext) {
    guard let run else { return }
    do {
      guard let file = try SequenceLibrary(environment: context.environment)?.changedFile(of: run) else {
        return
      }
      context.say(Problem("\(file) was changed after the start; the run keeps its former content"))
    } catch {
      // The status itself is right.
      context.say(explained(error))
    }
  }
}

extension StoreError {
  /// Whether a store can't be created in its directory.
  fileprivate var isOfPlace: Bool {
    switch self {
    case .readOnly, .full: true
    default: false
    }
  }
}
