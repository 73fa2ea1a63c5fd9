import Platform
import SequenceFiles
import SequenceRunner

/// `timer`: a run of one countdown.
enum TimerCommand {
  static let command = Command(
    "timer", "start a timer and show the live display", argument: duration, rest: "TITLE",
    options: RunningCommands.startOptions,
    discussion: [
      "A timer is a run of one card, so pause, extend, status and all other commands work with it. q closes the live "
        + "display and leaves the timer running. The keys and the exit status are those of sequence run."
    ],
    examples: [
      .init("sequence timer 5m Tea", "notify you in 5 minutes"),
      .init("sequence start --card \"Tea 5m\"", "the same in the background"),
    ], perform: perform)

  private static let duration = Argument<Duration>("DURATION") { text throws(UsageError) in
    do throws(DurationTextError) {
      return try DurationText.parse(text)
    } catch {
      throw UsageError(error.problem(with: quote(text)), remedy: error.remedy)
    }
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let duration = DurationText.format(try arguments.required(duration))
    if let word = arguments.rest.first, (try? DurationText.parse(word)) != nil {
      throw UsageError(
        "timer takes one duration, not also \(quote(word))", remedy: "write it as one word, such as 1h30m")
    }
    let timeline = try CardSpec.timer(duration, title: arguments.rest.joined(separator: " "))
    return try RunningCommands.run(timeline, arguments, context)
  }
}
