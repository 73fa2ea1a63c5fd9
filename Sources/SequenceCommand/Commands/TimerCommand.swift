import SequenceFiles

/// `timer`: a run of one countdown.
enum TimerCommand {
  static let command = Command(
    "timer", "start a timer and show the live display", argument: duration, rest: "TITLE",
    options: [until] + RunningCommands.timerOptions,
    discussion: [
      "The duration is the first or the last of the words: 5m Tea, or Tea 5 min. With --until, the words are the title, without a duration. Write 90s, 5 min, 1h 30m, 1.5 hours or "
        + "14:30 (14 minutes 30 seconds). A number needs a unit.",
      "A timer runs beside other runs. It is a run of one card, so pause, extend, status and all other commands work with it. q closes the live "
        + "display and leaves the timer running. The keys and the exit status are those of sequence run.",
    ],
    examples: [
      .init("sequence timer 5m Tea", "notify you in 5 minutes"),
      .init("sequence timer Green tea 2 min", "the same with the duration at the end"),
      .init("sequence timer --until 14:30 Meeting", "notify you at 14:30, today or tomorrow"),
    ], perform: perform)

  private static let duration = Argument<String>(
    "DURATION", isOptional: true, takesNegativeNumbers: true, parse: { $0 })

  private static let until = Option<TimeOfDay>(
    "until", "TIME", "end at this time, such as 14:30, instead of after DURATION"
  ) { text throws(Failure) in
    guard let time = TimeOfDay(text) else {
      throw Failure(usage: "--until must be a time of day such as 14:30, not \(quote(text))")
    }
    return time
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let timeline = try timeline(arguments, context)
    return try RunningCommands.run(timeline, .timer, arguments, context)
  }

  private static func timeline(_ arguments: ParsedArguments, _ context: CommandContext) throws -> Timeline {
    let words = try [arguments[duration]].compactMap { $0 } + arguments.rest
    let until = try arguments[until]
    guard until != nil || !words.isEmpty else {
      throw Failure(usage: "timer needs a duration", remedy: "write it like sequence timer 5m Tea")
    }
    let text = words.joined(separator: " ")
    let now = context.clock.now().wall
    do throws(Problem) {
      return if let until {
        try CardSpec.timer(until.next(after: now).duration(since: now), title: text)
      } else {
        try CardSpec.timer(text)
      }
    } catch {
      throw Failure(error, .usage)
    }
  }
}
