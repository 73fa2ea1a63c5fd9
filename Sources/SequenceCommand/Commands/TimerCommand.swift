import SequenceFiles

/// `timer`: a run of one countdown.
enum TimerCommand {
  static let command = Command(
    "timer", "start a timer and show the live display", argument: duration, rest: "TITLE",
    options: RunningCommands.startOptions,
    discussion: [
      "The duration is the first or the last of the words: 5m Tea, or Tea 5 min. Write 90s, 5 min, 1h 30m, 1.5 hours or "
        + "14:30 (14 minutes 30 seconds). A number needs a unit.",
      "A timer is a run of one card, so pause, extend, status and all other commands work with it. q closes the live "
        + "display and leaves the timer running. The keys and the exit status are those of sequence run.",
    ],
    examples: [
      .init("sequence timer 5m Tea", "notify you in 5 minutes"),
      .init("sequence timer Green tea 2 min", "the same with the duration at the end"),
      .init("sequence start --card \"Tea 5m\"", "the same in the background"),
    ], perform: perform)

  private static let duration = Argument<String>("DURATION", takesNegativeNumbers: true, parse: { $0 })

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    guard let first = try arguments[duration] else {
      throw UsageError("timer needs a duration", remedy: "write it like sequence timer 5m Tea")
    }
    let timeline = try CardSpec.timer(([first] + arguments.rest).joined(separator: " "))
    return try RunningCommands.run(timeline, arguments, context)
  }
}
