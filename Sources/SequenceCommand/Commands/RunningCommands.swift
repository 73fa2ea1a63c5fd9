import FoundationEssentials
import Glibc
import Platform
import SequenceClient
import SequenceRunner

/// `run`, `start` and `attach`.
enum RunningCommands {
  static let run = Command(
    "run", "start a sequence, and stay in the foreground until the run ends",
    argument: SequenceArguments.file,
    options: options,
    discussion: [
      "On a terminal it shows a live display: space pauses, n goes to the next step, s skips, b goes back, + and - "
        + "extend and shorten by 30 s, q leaves the run going; c counts the time for which the machine was away. Elsewhere "
        + "it prints a line for each event.",
      "Ctrl-C and SIGTERM pause the run; SIGHUP leaves it running.",
      "Exit status: 0 if the run finished, 3 if it was stopped before its end.",
    ] + SequenceArguments.discussion, perform: run)
  static let start = Command(
    "start", "start a sequence, print the id of the run, and return", argument: SequenceArguments.file,
    options: options, discussion: SequenceArguments.discussion, perform: start)
  static let attach = Command(
    "attach", "show the live display of the active run",
    discussion: [
      "It is that of sequence run, or its lines where there is no terminal, but Ctrl-C and SIGTERM leave the run going."
    ], perform: attach)

  private static let options = SequenceArguments.options + [replace, CueOption.option, Flag.json]
  private static let replace = Flag("replace", "stop the run that is active first")

  private static func start(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let choices = try choices(arguments)
    let source = try SequenceArguments.source(arguments, context)
    let status = try context.client(arguments).start(source.timeline, choices)
    let run = status.run?.runID.uuidString ?? ""
    let text = try arguments.has(.json) ? JSONText.encode(StatusDocument(status)) : run
    do {
      try context.print(text)
    } catch let error as SystemError where error.code != EPIPE {
      throw Failure(
        "the run \(run) was started, but standard output cannot be written: \(error.reason)",
        remedy: "see sequence status",
        .inputOutput)
    }
    return .done
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let choices = try choices(arguments)
    let source = try SequenceArguments.source(arguments, context)
    let follower = try RunFollower(starting: source.timeline, choices, try context.client(arguments))
    return try follow(follower, arguments, pausesOnInterrupt: true, context)
  }

  private static func attach(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let follower = try RunFollower(try context.client(arguments))
    return try follow(follower, arguments, pausesOnInterrupt: false, context)
  }

  private static func choices(_ arguments: ParsedArguments) throws(UsageError) -> RunChoices {
    RunChoices(cues: try arguments[CueOption.option], isReplacing: arguments.has(replace))
  }

  private static func follow(
    _ follower: RunFollower, _ arguments: ParsedArguments, pausesOnInterrupt: Bool, _ context: CommandContext
  ) throws -> ExitStatus {
    let canShow = context.hasTerminal && context.environment["TERM"] != "dumb" && !arguments.has(.json)
    guard canShow else {
      do {
        return try LineFollowing.follow(
          follower, asJSON: arguments.has(.json), pausesOnInterrupt: pausesOnInterrupt, context)
      } catch let error as SystemError where error.code == EPIPE {
        // That nobody reads on does not say that the run is over.
        return .unread
      }
    }
    return try LiveDisplay(follower, pausesOnInterrupt: pausesOnInterrupt, context).follow()
  }
}
