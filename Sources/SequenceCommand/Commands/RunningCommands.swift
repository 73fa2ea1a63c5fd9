import FoundationEssentials
import Glibc
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum RunningCommands {
  static let run = Command(
    "run", "start a sequence and show the live display", argument: SequenceArguments.file,
    options: SequenceArguments.options + startOptions,
    discussion: [
      """
      Keys of the live display: space pauses or continues, n completes the step, s skips it, b goes back, + \
      and - add and subtract 30 s, c counts the time the computer was asleep, off or locked, q closes the \
      display and leaves the run going, ? shows the keys. On Russian, Ukrainian and Greek layouts, the \
      letters of the same keys work. Without a terminal, run prints one line per event. With a sequence from \
      a pipe (FILE is -) the keys work, too. In the background of a shell it shows nothing until fg brings \
      it back.
      """,
      """
      If other runs are active, a line names them, and Tab shows the next one. The other keys then change \
      that run. The display ends with the run that it began with, and leaves a table of its steps in the \
      terminal.
      """,
      "Ctrl-C and SIGTERM pause that run and exit. Closing the terminal (SIGHUP) leaves the run going.",
      "Exit status: 0 if the run finished, 3 if it was stopped early.",
    ] + startDiscussion,
    examples: [
      .init("sequence run pomodoro.yaml", "run a file"),
      .init("sequence run tabata --rounds 4", "run a sequence of your library, 4 rounds"),
      .init(#"sequence run --card "Work 20s" --card "Rest 10s""#, "run cards without a file"),
    ], perform: run)
  static let start = Command(
    "start", "start a sequence in the background and print its run ID", argument: SequenceArguments.file,
    options: SequenceArguments.options + startOptions, discussion: startDiscussion,
    examples: [
      .init("sequence start pomodoro.yaml", "start a file"),
      .init("sequence start tabata --replace", "stop the current run and start another"),
      .init("sequence start tabata --from 5", "leave out the first 4 steps"),
      .init("sequence start roast --until 13:00", "end at 13:00, as far as its cards allow it"),
      .init("sequence start tabata --paused", "prepare it, and start its clock with sequence resume"),
    ], perform: start)
  static let attach = Command(
    "attach", "show the live display of a run", argument: RunArgument.run,
    discussion: [
      "It works like sequence run, but Ctrl-C and SIGTERM leave the run going.",
      """
      RUN is the name or the title of an active run, or at least \(Client.fewestCharactersOfID) characters \
      of its ID (see sequence status). Without RUN, the current run is shown.
      """,
    ],
    examples: [
      .init("sequence attach", "show the current run in this terminal"),
      .init("sequence attach tea", "show the run named tea"),
      .init("sequence attach | cat", "print one line per event"),
    ], perform: attach)

  private static let startDiscussion: [LocalizedText] =
    SequenceArguments.discussion + [
      """
      STEP is the number of a step, as sequence check shows it, or the title or ID of a card, which means its first \
      step. The steps before it are not part of the run, and not in the history.
      """,
      "With --paused, the clock of the first step starts at sequence resume or Space in the live display, and nothing is notified before.",
      """
      With --until, each card with atLeast or atMost gets a length with which the run ends at the next such time. \
      After a pause, next, skip, back or restart the lengths are fitted again. TIME is 14:30, 2pm, noon or midnight.
      """,
    ]
  static let startOptions: [any OptionSpec] =
    timerOptions + [beside, FromOption.option, paused, UntilOption.option]
  /// The options of a timer, which needs no option to run beside others.
  static let timerOptions: [any OptionSpec] = [
    replace, name, LabelOption.added, CueOption.option, ring, Flag.json,
  ]
  private static let replace = Flag("replace", "stop the active run first")
  private static let beside = Flag("beside", "let the active sequence continue beside this one")
  private static let paused = Flag("paused", "start with the clock stopped, until you resume the run")
  private static let ring = Flag("ring", "repeat the sound of the end until you react")
  private static let name = Option<String>("name", "NAME", "name the run, such as tea") {
    name throws(Failure) in
    guard RunName.isValid(name) else { throw Failure(RunError.invalidName(name).problem, .usage) }
    return name
  }

  private static func start(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let source = try SequenceArguments.source(arguments, context)
    var choices = try choices(arguments, source.timeline, source.source)
    choices.soundProblems = source.soundProblems
    choices.start.deadline = try UntilOption.moment(arguments, context)
    let status = try context.client(arguments).start(source.timeline, choices)
    let run = status.run?.runID.uuidString ?? ""
    let text = try arguments.has(.json) ? JSONText.encode(StatusDocument(status)) : run
    do {
      try context.print(text)
    } catch let error as SystemError where error.code != EPIPE {
      throw Failure(
        "run \(run) was started, but standard output cannot be written: \(error.reason)",
        remedy: "see sequence status", .inputOutput)
    }
    if context.showsErrors, !arguments.has(.json), let run = status.run {
      let advice =
        run.isPaused ? "; " + translated("to start its clock, run {}", "sequence resume \(run.name)") : ""
      context.printError(EventText.started(run, isPaused: run.isPaused) + advice)
    }
    return .done
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let source = try SequenceArguments.source(arguments, context)
    var context = context
    if try arguments[SequenceArguments.file] == "-" {
      context.hasTerminal = context.hasTerminal || StandardStreams.readKeyboard()
    }
    return try run(
      source.timeline, source.source, soundProblems: source.soundProblems,
      until: try UntilOption.moment(arguments, context), arguments, context)
  }

  static func run(
    _ timeline: Timeline, _ source: RunSource, soundProblems: [Problem] = [], notice: String? = nil,
    until deadline: Moment? = nil,
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    var choices = try choices(arguments, timeline, source)
    choices.soundProblems = soundProblems
    choices.start.deadline = deadline
    try requireOutput()
    let follower = try RunFollower(starting: timeline, choices, try context.client(arguments))
    return try follow(follower, arguments, pausesOnInterrupt: true, notice: notice, context)
  }

  private static func attach(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    try requireOutput()
    let follower = try RunFollower(try context.client(arguments), try arguments[RunArgument.run])
    return try follow(follower, arguments, pausesOnInterrupt: false, context)
  }

  private static func requireOutput() throws(Failure) {
    guard StandardStreams.hasOutput else {
      throw Failure(
        "standard output is closed, so nothing was changed",
        remedy: "redirect it to a file, or use sequence start", .inputOutput)
    }
  }

  private static func choices(
    _ arguments: ParsedArguments, _ timeline: Timeline, _ source: RunSource
  ) throws(Failure) -> RunChoices {
    if arguments.has(beside), arguments.has(replace) {
      throw Failure(usage: "--beside and --replace cannot be combined", remedy: "remove one of them")
    }
    let (cues, rings) = (try arguments[CueOption.option], arguments.has(ring))
    if rings, timeline.count == nil {
      throw Failure(
        usage: "--ring needs a run with an end, but its rounds are endless", remedy: "set --rounds")
    }
    if rings, cues?.sound == false {
      throw Failure(usage: "--ring needs sounds", remedy: "add sound to --cues, or remove --cues")
    }
    return RunChoices(
      cues: cues,
      RunStart(
        source: source, name: try arguments[name], beside: arguments.has(beside),
        replacing: arguments.has(replace), firstStep: try FromOption.step(arguments, in: timeline),
        paused: arguments.has(paused)), rings: rings ? true : nil, labels: try LabelOption.labels(arguments))
  }

  private static func follow(
    _ follower: RunFollower, _ arguments: ParsedArguments, pausesOnInterrupt: Bool, notice: String? = nil,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let canShow = context.hasTerminal && context.environment["TERM"] != "dumb" && !arguments.has(.json)
    guard canShow else {
      do {
        return try LineFollowing.follow(
          follower, asJSON: arguments.has(.json), pausesOnInterrupt: pausesOnInterrupt, context)
      } catch let error as SystemError where error.code == EPIPE {
        // A closed pipe doesn't mean that the run has ended.
        return .unread
      } catch let error as SystemError where error.call == "write" {
        throw Failure(
          "standard output cannot be written: \(error.reason), but the run continues",
          remedy: "see sequence status", .inputOutput)
      }
    }
    return try LiveDisplay(follower, pausesOnInterrupt: pausesOnInterrupt, notice: notice, context).follow()
  }
}

enum TimerCommand {
  static let command = Command(
    "timer", "start a timer and show the live display", argument: duration, rest: "TITLE",
    options: [until] + RunningCommands.timerOptions,
    discussion: [
      """
      The duration is the first or the last of the words: 5m Tea, or Tea 5 min. Write 90s, 5 min, 1h 30m, \
      1.5 hours, half an hour or 14:30 (14 minutes 30 seconds). A number needs a unit.
      """,
      """
      TIME is 14:30, 2pm, 7:30am, noon or midnight. With --until, the words are the title, without a \
      duration. Without it, a time such as 7pm or until 14:30 can take the place of the duration.
      """,
      """
      A timer runs beside other runs. It is a run of one card, so pause, extend, status and all other \
      commands work with it. q closes the live display and leaves the timer running. The keys and the exit \
      status are those of sequence run.
      """,
    ],
    examples: [
      .init("sequence timer 5m Tea", "notify you in 5 minutes"),
      .init("sequence timer Green tea 2 min", "the same with the duration at the end"),
      .init("sequence timer --until 14:30 Meeting", "notify you at 14:30, today or tomorrow"),
      .init("sequence timer 7pm Dinner", "notify you at 19:00"),
    ], perform: perform)

  private static let duration = Argument<String>(
    "DURATION", isOptional: true, takesNegativeNumbers: true, parse: { $0 })

  private static let until = Option<TimeOfDay>(
    "until", "TIME", "end at this time, such as 14:30, instead of after DURATION", parse: UntilOption.time)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let timeline = try timeline(arguments, context)
    return try RunningCommands.run(
      timeline, .timer, notice: try clockNotice(arguments), arguments, context)
  }

  /// Says how a duration is read that looks like a time of day, such as `19:30`.
  private static func clockNotice(_ arguments: ParsedArguments) throws(Failure) -> String? {
    guard try arguments[until] == nil,
      let text = arguments.words.first(where: { $0.contains(":") && TimeOfDay($0) != nil }),
      let time = TimeOfDay(text), time.hour >= earliestClock,
      case (_, .success(let duration))? = DurationText.find(in: [text[...]])
    else { return nil }
    return translated(
      "{text} is {duration}; for the time of day, run sequence timer until {text}",
      ["text": text, "duration": DurationText.format(duration)])
  }

  /// The first hour of a time that may be an appointment; `5:00` is more likely five minutes.
  private static let earliestClock = 6

  /// Returns the sequence of a timer.
  ///
  /// - Throws: `Failure`, of status `.usage`.
  static func timeline(_ arguments: ParsedArguments, _ context: CommandContext) throws -> Timeline {
    let words = try [arguments[duration]].compactMap { $0 } + arguments.rest
    let until = try arguments[until]
    guard until != nil || !words.isEmpty else {
      throw Failure(usage: "timer needs a duration", remedy: "write it like sequence timer 5m Tea")
    }
    let text = words.joined(separator: " ")
    let now = context.clock.now().wall
    do throws(Problem) {
      return if let until {
        try CardSpec.timer(LocalDays.duration(until: until, after: now), title: text)
      } else {
        try CardSpec.timer(text) { LocalDays.duration(until: $0, after: now) }
      }
    } catch {
      throw Failure(error, .usage)
    }
  }
}

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
