import Platform
import Presentation
import SequenceRunner

/// The commands that act on the active run: pause, next, stop and the like.
enum ActingCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let command = try command(arguments)
    let step = try arguments.value("step").map { text throws(UsageError) in try index(text) }
    let store = try context.store(arguments)
    let performed = try store.perform(command, onStep: step)
    context.ensureAgent(store)
    if arguments.has("json") {
      try context.print(JSONText.encode(StatusDocument(performed.look)))
    } else {
      try context.print(ActionText.line(command, performed))
    }
    return .done
  }

  private static func command(_ arguments: ParsedArguments) throws(UsageError) -> RunCommand {
    switch arguments.command {
    case .pause: return .pause
    case .resume: return arguments.has("counting") ? .resumeCounting : .resume
    case .toggle: return .toggle
    case .next: return .next
    case .skip: return .skip
    case .back: return .back
    case .restart: return .restart
    case .stop: return .stop
    case .extend: return .extend(try amount(arguments.positional.first ?? ""))
    default: throw UsageError("\(arguments.command.rawValue) does not act on a run; see sequence help")
    }
  }

  private static func amount(_ text: String) throws(UsageError) -> Duration {
    do throws(DurationTextError) {
      return try DurationText.parseSigned(text)
    } catch {
      throw UsageError(error.message(for: quote(text)))
    }
  }

  private static func index(_ text: String) throws(UsageError) -> Int {
    guard let index = Int(text), index >= 0 else {
      throw UsageError("\(quote(text)) is no step; write its index, from 0")
    }
    return index
  }
}

extension PerformedCommand {
  /// The run after the command.
  var look: RunLook {
    switch after {
    case .active(let run): RunLook(reading: reading, run: run)
    case .ended: RunLook(reading: reading, run: nil)
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
        case .stop, .resumeCounting: ""
        default: "completed \(title); "
        }
      text = what + "the run is \(ended.outcome.rawValue)"
    case .active(let run):
      let now = StepText.line(run.position(at: performed.reading))
      switch command {
      case .pause: text = "paused: \(now)"
      case .resume: text = "resumed: \(now)"
      case .resumeCounting: text = "resumed, and the time counted: \(now)"
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
