import FoundationEssentials
import Glibc
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

enum StatusCommand {
  static let command = Command(
    "status", "show the current step and the time left", argument: RunArgument.run,
    options: [Flag.json, follow, StatusForm.format, StatusForm.bar],
    discussion: [
      "Without RUN, the current run is shown; without --format and --bar a table shows all runs, with a * at the current one.",
      "Fields of a template: \(TemplateField.names).",
      """
      {step:20} pads to 20 columns, {step:.20} cuts at 20, {time:>7} right-aligns in 7 columns; {next?, then \
      } inserts the text only if the field is not empty; {{ and }} are braces.
      """,
      "With --bar, --format sets the text of the bar. Without a run, or until a run named RUN is active, the bar shows nothing.",
    ],
    examples: [
      .init("sequence status --format '{step} {time}'", "print the step and its clock"),
      .init("sequence status --bar waybar --follow", "feed a module of Waybar"),
    ], perform: perform)

  private static let follow = Flag("follow", "print a new line on every change")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let form = try StatusForm(arguments, context.environment, columns: context.columns)
    do {
      return try print(form, arguments, context)
    } catch let error where error is StoreError || error is SystemError || error is Problem {
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
      guard isOfPlace(error), !arguments.has(follow), word == nil, try !context.directory(arguments).hasStore
      else {
        throw error
      }
      try context.print(try form.line(RunStatus(reading: context.clock.now(), runs: [])))
      return .done
    }
    guard arguments.has(follow) else {
      let all = try client.status()
      let status = try selection(word, form, all, client)(all)
      try context.print(try form.line(status, next: status.runs.isEmpty ? form.next(client) : nil))
      // A status bar asks too often to look for a notification server each time.
      switch form {
      case .words, .table:
        try client.showDue()
        tellOfChange(status.run, context)
      case .json, .template, .bar: break
      }
      return .done
    }
    let waiter = try StoreWaiter(client.store.base)
    let agent = try AgentWatch(client)
    let selection = try selection(word, form, client.store.peek(), client)
    var changes = ChangeFilter(form)
    while true {
      // The watched agent writes what time has changed.
      let all = try client.store.peek()
      agent.followRuns(all)
      let status = try selection(all)
      if let line = try changes.line(status) { try context.print(line) }
      // Ends as soon as the reader closes the pipe, not only at the next change.
      let ready = try waiter.wait(
        until: [form.nextLook(after: status), agent.nextCheck].compactMap { $0 }.min(), or: agent.descriptors,
        orGone: STDOUT_FILENO)
      if ready.contains(STDOUT_FILENO) { return .done }
      try agent.replaceIfEnded(ready)
    }
  }

  /// Returns a function that selects the run that the user names, among the runs of later statuses, too.
  ///
  /// It is looked for once, except for a bar: that waits for a run of this name, and for the next one after its end.
  private static func selection(
    _ word: String?, _ form: StatusForm, _ status: RunStatus, _ client: Client
  ) throws -> (RunStatus) throws -> RunStatus {
    guard let word else { return { $0 } }
    guard case .bar = form, RunName.isValid(word) else {
      let id = try client.run(word, among: status).runID
      return { $0.status(of: id) }
    }
    return { status in
      do throws(ClientError) {
        return status.status(of: try Client.run(word, among: status).runID)
      } catch {
        guard case .unknownRun = error else { throw error }
        return RunStatus(reading: status.reading, runs: [])
      }
    }
  }

  /// Says that the file of a run has another content now.
  private static func tellOfChange(_ run: ActiveRunSnapshot?, _ context: CommandContext) {
    guard let run else { return }
    do {
      guard let library = SequenceLibrary(environment: context.environment),
        let file = try ListedSequence.changedFile(of: run, in: library)
      else { return }
      context.say(Problem("\(file) was changed after the start; the run keeps its former content"))
    } catch {
      // The status itself is right.
      context.say(explained(error))
    }
  }

  /// Whether a store can't be created in its directory.
  private static func isOfPlace(_ error: StoreError) -> Bool {
    switch error {
    case .readOnly, .full: true
    default: false
    }
  }
}
