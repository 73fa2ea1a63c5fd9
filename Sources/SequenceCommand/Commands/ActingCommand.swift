import Platform
import Presentation
import SequenceClient
import SequenceRunner

/// The commands that act on the active run: pause, next, stop and the like.
enum ActingCommand {
  static let commands = [
    acting("pause", "stop the clock of the current step") { _ in .pause },
    acting(
      "resume", "let the clock of the current step go on", options: [counting],
      discussion: [
        "A run whose onSuspend is pause or ask is paused when the machine goes to sleep or is switched off. resume "
          + "goes on where it was left; resume --count-suspend lets the time count."
      ]
    ) { .resume(countingSuspend: $0.has(counting)) },
    acting("toggle", "pause or resume") { _ in .toggle },
    acting("next", "complete the current step and go on") { _ in .next },
    acting("skip", "go on, with the step recorded as skipped") { _ in .skip },
    acting("back", "begin the previous step anew") { _ in .back },
    acting("restart", "begin the current step anew") { _ in .restart },
    acting(
      "extend", "lengthen or shorten the current step", argument: amount,
      discussion: ["Past the end of a manual card, or past a goal, what is added counts from now."]
    ) { .extend(try $0.required(amount)) },
    acting("stop", "end the run unfinished") { _ in .stop },
  ]

  private static let counting = Flag(
    "count-suspend", "as if it had gone on while the machine was away, which the run was paused for")
  private static let step = Option<Int>(
    "step", "NUMBER", "do nothing unless this is the current step"
  ) { text throws(UsageError) in
    guard let number = Int(text), number >= 1 else {
      throw UsageError("--step must be a step number from 1, not \(quote(text))")
    }
    return number
  }
  private static let amount = Argument<Duration>("±DURATION", takesNegativeNumbers: true) {
    text throws(UsageError) in
    do throws(DurationTextError) {
      return try DurationText.parseSigned(text)
    } catch {
      throw UsageError(error.problem(with: quote(text)), remedy: error.remedy)
    }
  }

  private static func acting(
    _ name: String, _ summary: String, argument: (any ArgumentSpec)? = nil, options: [any OptionSpec] = [],
    discussion: [String] = [], command: @escaping @Sendable (ParsedArguments) throws -> RunCommand
  ) -> Command {
    Command(
      name, summary, argument: argument, options: options + [step, Flag.json], discussion: discussion
    ) { arguments, context in
      try perform(try command(arguments), arguments, context)
    }
  }

  private static func perform(
    _ command: RunCommand, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let client = try context.client(arguments)
    let performed = try client.perform(command, onStep: try arguments[step].map { $0 - 1 })
    if arguments.has(.json) {
      try context.print(JSONText.encode(StatusDocument(performed.status)))
    } else {
      try context.print(ActionText.line(command, performed))
    }
    return .done
  }
}

extension PerformedCommand {
  /// The run after the command.
  var status: RunStatus {
    switch after {
    case .active(let run): RunStatus(reading: reading, run: run)
    case .ended: RunStatus(reading: reading, run: nil)
    }
  }
}

/// What a command says it did.
enum ActionText {
  static func line(_ command: RunCommand, _ performed: PerformedCommand) -> String {
    let old = performed.before.timeline.step(at: performed.before.log.count)
    let title = quote(old.card.title)
    var text: String
    switch performed.after {
    case .ended(let ended):
      let what =
        switch command {
        case .skip: "skipped \(title); "
        case .stop, .resume(countingSuspend: true): ""
        default: "completed \(title); "
        }
      text = what + "the run is \(ended.outcome.rawValue)"
    case .active(let run):
      let now = StepText.line(run.position(at: performed.reading))
      switch command {
      case .pause: text = "paused: \(now)"
      case .resume(countingSuspend: true): text = "resumed, and the time counted: \(now)"
      case .resume: text = "resumed: \(now)"
      case .toggle: text = (run.isPaused ? "paused: " : "resumed: ") + now
      case .next: text = "completed \(title); now \(now)"
      case .skip: text = "skipped \(title); now \(now)"
      case .back, .restart: text = "begun anew: \(now)"
      case .extend(let amount):
        text =
          "\(amount < .zero ? "shortened" : "extended") by \(DurationText.format(amount < .zero ? .zero - amount : amount)): \(now)"
      case .stop: text = now
      }
    }
    if let ended = performed.endedJustBefore() {
      text +=
        " (\(quote(performed.before.timeline.card(at: ended.index).title)) had ended by itself right before)"
    }
    return text
  }
}
