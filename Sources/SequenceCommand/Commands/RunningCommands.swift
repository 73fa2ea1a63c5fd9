import FoundationEssentials
import Glibc
import Platform
import SequenceRunner

/// `run`, `start` and `attach`.
enum RunningCommands {
  static func start(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let cues = try CueOption.choice(arguments)
    let source = try SequenceSource(arguments, context)
    let store = try context.store(arguments)
    let options = context.runOptions(cues, for: source.timeline)
    let look = try store.start(source.timeline, options: options, replacing: arguments.has("replace"))
    CueOption.warnOfMissing(for: options, context)
    context.ensureAgent(store)
    let run = look.run?.runID.uuidString ?? ""
    let text = try arguments.has("json") ? JSONText.encode(StatusDocument(look)) : run
    do {
      try context.print(text)
    } catch let error as SystemError where error.code != EPIPE {
      throw Failure(
        "the run \(run) was started, but standard output cannot be written: \(error.reason); see sequence status",
        .inputOutput)
    }
    return .done
  }

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let cues = try CueOption.choice(arguments)
    let source = try SequenceSource(arguments, context)
    let store = try context.store(arguments)
    // A signal that comes while the run is being started is not lost.
    let signals = try SignalWatch(RunFollower.signals)
    let options = context.runOptions(cues, for: source.timeline)
    let look = try store.start(source.timeline, options: options, replacing: arguments.has("replace"))
    CueOption.warnOfMissing(for: options, context)
    let hadAgent = context.ensureAgent(store)
    guard let run = look.run else { return .done }
    let follower = try RunFollower(
      store: store, run: run, signals: signals, hadAgent: hadAgent, since: look.reading.wall)
    return try follow(follower, arguments, pausesOnInterrupt: true, context)
  }

  static func attach(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let store = try context.store(arguments)
    let signals = try SignalWatch(RunFollower.signals)
    let look = try store.look()
    guard let run = look.run else { throw RunError.noActiveRun }
    let hadAgent = context.ensureAgent(store)
    let follower = try RunFollower(
      store: store, run: run, signals: signals, hadAgent: hadAgent, since: look.reading.wall)
    return try follow(follower, arguments, pausesOnInterrupt: false, context)
  }

  private static func follow(
    _ follower: RunFollower, _ arguments: ParsedArguments, pausesOnInterrupt: Bool, _ context: CommandContext
  ) throws -> ExitStatus {
    let canShow = context.hasTerminal && context.environment["TERM"] != "dumb" && !arguments.has("json")
    guard canShow else {
      do {
        return try LineFollowing.follow(
          follower, asJSON: arguments.has("json"), pausesOnInterrupt: pausesOnInterrupt, context)
      } catch let error as SystemError where error.code == EPIPE {
        // That nobody reads on does not say that the run is over.
        return .unread
      }
    }
    return try LiveDisplay(follower, pausesOnInterrupt: pausesOnInterrupt, context).follow()
  }
}
