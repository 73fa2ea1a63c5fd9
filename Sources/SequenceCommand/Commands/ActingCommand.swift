import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

enum ActingCommand {
  static let commands = [
    acting(
      "pause", "pause the current step",
      examples: [
        .init("sequence pause", "stop the clock; sequence resume continues"),
        .init("sequence pause --step 3", "pause only if step 3 is the current step"),
        .init("sequence pause --all", "stop the clocks of all runs"),
      ], actsOnAll: true
    ) { _ in .pause },
    acting(
      "resume", "continue the current step", options: [counting],
      discussion: [
        """
        A run with onSuspend: pause or ask is paused when the computer is suspended or switched off. resume \
        continues where it was paused; resume --count-suspend counts the time in between.
        """
      ],
      examples: [
        .init("sequence resume", "continue where the run was paused"),
        .init("sequence resume --count-suspend", "count the time the computer was asleep"),
      ], actsOnAll: true
    ) { .resume(countingSuspend: $0.has(counting)) },
    acting(
      "toggle", "pause or continue",
      examples: [
        .init("sequence toggle", "for a key or a button of a status bar"),
        .init("sequence toggle --json", "print the new state"),
      ]
    ) { _ in .toggle },
    acting(
      "next", "complete the current step and start the next",
      examples: [
        .init("sequence next", "finish a step that waits for you"),
        .init("sequence next --step 3", "do nothing unless step 3 is the current step"),
      ]
    ) { _ in .next },
    acting(
      "skip", "skip the current step (recorded as skipped)",
      examples: [
        .init("sequence skip", "leave out the rest of this step"),
        .init("sequence skip --step 3", "do nothing unless step 3 is the current step"),
      ]
    ) { _ in .skip },
    acting(
      "back", "restart the previous step",
      examples: [
        .init("sequence back", "go back one step"),
        .init("sequence back --json", "print the new state"),
      ]
    ) { _ in .back },
    acting(
      "restart", "restart the current step",
      examples: [
        .init("sequence restart", "begin this step again"),
        .init("sequence restart --json", "print the new state"),
      ]
    ) { _ in .restart },
    acting(
      "extend", "add or subtract time: extend 30s, extend -1m", argument: amount,
      discussion: [
        "If the time of a manual card is over, or a goal is reached, the added time counts from now."
      ],
      examples: [
        .init("sequence extend 30s", "add 30 seconds to the current step"),
        .init("sequence extend -1m", "subtract a minute"),
        .init("sequence extend 1m tea", "add a minute to the run named tea"),
      ]
    ) { .extend(try $0.required(amount)) },
    acting(
      "stop", "end the run early",
      examples: [
        .init("sequence stop", "end the run; it is in the history as stopped"),
        .init("sequence stop tea", "end the run named tea"),
        .init("sequence stop --all", "end all runs"),
      ], actsOnAll: true
    ) { _ in .stop },
  ]

  private static let counting = Flag("count-suspend", "count the time the computer was asleep, off or locked")
  private static let step = Option<Int>(
    "step", "NUMBER", "do nothing unless this is the current step"
  ) { text throws(Failure) in
    guard let number = Int(text), number >= 1 else {
      throw Failure(usage: "--step must be a step number from 1, not \(quote(text))")
    }
    return number
  }
  private static let amount = Argument<Duration>(
    "±DURATION", takesNegativeNumbers: true, counted: DurationText.signedCount
  ) {
    text throws(Failure) in
    do throws(DurationTextError) {
      return try DurationText.parseTypedSigned(text)
    } catch {
      throw Failure(error.problem(with: "\(quote(text))"), .usage)
    }
  }

  private static let all = Flag("all", "act on all runs")

  private static func acting(
    _ name: String, _ summary: LocalizedText, argument: (any ArgumentSpec)? = nil,
    options: [any OptionSpec] = [],
    discussion: [LocalizedText] = [], examples: [Command.Example], actsOnAll: Bool = false,
    command: @escaping @Sendable (ParsedArguments) throws -> RunCommand
  ) -> Command {
    Command(
      name, summary, argument: argument ?? RunArgument.run, second: argument == nil ? nil : RunArgument.run,
      options: options + (actsOnAll ? [all] : []) + [step, Flag.json],
      discussion: discussion + [RunArgument.discussion], examples: examples
    ) { arguments, context in
      let command = try command(arguments)
      return arguments.has(all)
        ? try performOnAll(command, arguments, context) : try perform(command, arguments, context)
    }
  }

  private static func perform(
    _ command: RunCommand, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let client = try context.client(arguments)
    let word = try arguments[RunArgument.run]
    let run: UUID?
    do {
      run = try word.map { try client.run($0, among: client.settle()).runID }
    } catch let error as ClientError {
      guard try silence(word, client, after: command, arguments, context) else { throw error }
      return .done
    }
    let performed: PerformedCommand
    do {
      performed = try client.perform(command, on: run, onStep: try arguments[step].map { $0 - 1 })
    } catch let refusal as RunError {
      if refusal == .noActiveRun, try silence(word, client, after: command, arguments, context) {
        return .done
      }
      let status: RunStatus
      // The refusal is the answer, also if the store can't be read again for its remedy.
      do { status = try client.settle() } catch { throw refusal }
      throw Failure(refusal, of: run, among: status)
    }
    if arguments.has(.json) {
      try context.print(JSONText.encode(StatusDocument(performed.status)))
    } else {
      try context.print(ActionText.line(command, performed))
    }
    return .done
  }

  /// Ends the ringing of a run that has ended, as any command on it does; returns whether that is all that was asked for.
  private static func silence(
    _ word: String?, _ client: Client, after command: RunCommand, _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> Bool {
    guard let run = try client.silence(word), command == .stop else { return false }
    try context.print(
      arguments.has(.json)
        ? JSONText.encode(StatusDocument(try client.settle())) : translated("{} no longer rings", run.name))
    return true
  }

  private static func performOnAll(
    _ command: RunCommand, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    for (word, isGiven) in [("RUN", try arguments[RunArgument.run] != nil), ("--step", arguments.has(step))]
    where isGiven {
      throw Failure(usage: "--all and \(word) cannot be combined", remedy: "remove one of them")
    }
    let client = try context.client(arguments)
    let runs = try client.settle().runs
    var refusal: RunError = .noActiveRun
    var lines: [String] = []
    for run in runs {
      do {
        let performed = try client.perform(command, on: run.runID)
        lines.append(ActionText.line(command, performed))
      } catch let error as RunError {
        // A run that is in the wanted state already, or has ended meanwhile.
        refusal = error
      }
    }
    guard !lines.isEmpty else {
      switch refusal {
      case .alreadyPaused where runs.count > 1:
        throw Failure(
          "all runs are paused", remedy: "to continue them, run sequence resume --all", .nothingToActOn)
      case .alreadyRunning where runs.count > 1:
        throw Failure("no run is paused", remedy: "to pause all, run sequence pause --all", .nothingToActOn)
      default: throw refusal
      }
    }
    try context.print(
      arguments.has(.json)
        ? JSONText.encode(StatusDocument(try client.settle())) : lines.joined(separator: "\n"))
    return .done
  }
}

extension Failure {
  fileprivate init(_ error: RunError, of id: UUID?, among status: RunStatus) {
    guard let run = id.map(status.status(of:)).map(\.run) ?? status.run else {
      self.init(error)
      return
    }
    self.init(explained(error, of: run.name, isAlone: status.runs.count == 1), .nothingToActOn)
  }
}

enum RunArgument {
  static let run = Argument<String>("RUN", isOptional: true, kind: .activeRun)
  static let discussion: LocalizedText =
    """
    RUN is the name or the title of an active run, or at least \(Client.fewestCharactersOfID) characters of its ID (see \
    sequence status). Without RUN, the command acts on the current run: the sequence that was started last, or the \
    oldest timer.
    """

  /// A run that is active or has ended.
  static let any = Argument<String>("RUN", isOptional: true, kind: .run)
  static let anyDiscussion: LocalizedText =
    """
    RUN is the name of an active run, or at least \(Client.fewestCharactersOfID) characters of the ID of a run, which may \
    have ended already.
    """

  /// Returns the id of the run that a word names: an active run, or else one that has ended.
  static func id(_ word: String, _ status: RunStatus, _ client: Client) throws -> UUID {
    do throws(ClientError) {
      return try Client.run(word, among: status).runID
    } catch {
      guard case .unknownRun = error, Client.isID(word) else { throw error }
      guard let id = try EndedRunArgument.id(beginningWith: word, in: client.store) else {
        throw Failure("no run with the ID \(word)", remedy: "see sequence history --json", .nothingToActOn)
      }
      return id
    }
  }
}
