import SequencePresentation
import SequenceRunner

/// The line that a command prints when it is done.
///
/// All messages of the commands have one form, so that a person learns it once:
///
/// - A run is called by its name, such as `tea`, whether or not others are active: the name is what people type next.
/// - A title is in quotes, such as `"Green tea"`. It is that of a card, or of a sequence whose run has no name because it
///   is not started or over.
/// - What was done comes first, then a colon and the state: `paused tea: "Green tea" 2:10 left, step 1 of 1`.
/// - An error is a `Problem`: what is wrong, then a semicolon and a command or a value that helps.
///
/// `Tests/Corpus/messages` lists the messages.
enum ActionText {
  static func line(_ command: RunCommand, _ performed: PerformedCommand) -> String {
    let run = performed.before
    let title = quote(run.timeline.step(at: run.log.count).card.title)
    let state: String
    var isPaused = false
    switch performed.after {
    case .ended(let ended): state = ActionText.state(ended, after: command)
    case .active(let run):
      isPaused = run.isPaused
      // The status is that of the run after the command.
      state = RunView(performed.status)?.line ?? quote(run.card.title)
    }
    let done =
      switch command {
      case .pause: translated("paused {}", run.name)
      case .resume(countingSuspend: true): translated("resumed {} with the time counted", run.name)
      case .resume: translated("resumed {}", run.name)
      case .toggle: isPaused ? translated("paused {}", run.name) : translated("resumed {}", run.name)
      case .next: translated("completed {step} of {run}", ["step": title, "run": run.name])
      case .skip: translated("skipped {step} of {run}", ["step": title, "run": run.name])
      case .back, .restart: translated("restarted a step of {}", run.name)
      case .extend(let amount) where amount < .zero:
        translated(
          "shortened {run} by {time}", ["run": run.name, "time": DurationText.format(.zero - amount)])
      case .extend(let amount):
        translated("extended {run} by {time}", ["run": run.name, "time": DurationText.format(amount)])
      case .stop: translated("stopped {}", run.name)
      case .playSounds(true): translated("turned the sounds of {} on", run.name)
      case .playSounds(false): translated("turned the sounds of {} off", run.name)
      }
    var line = "\(done): \(state)"
    if isPaused, keepsPause(command) { line += "; " + translated("still paused") }
    if case .resume(countingSuspend: false) = command, performed.endedAtOnce {
      line += " " + translated("({} had no time left)", title)
    }
    if let ended = performed.endedJustBefore() {
      line += " " + translated("({} had just ended)", quote(run.timeline.card(at: ended.index).title))
    }
    return line
  }

  /// The steps and the active time of a run that is over, and that it is finished if the command doesn't say how it ended.
  private static func state(_ ended: EndedRun, after command: RunCommand) -> String {
    let steps = StepText.completed(EndedRunSummary(ended))
    let isStopped = command == .stop && ended.outcome == .stopped
    let sum = translated("{steps} in {time}", ["steps": steps, "time": ClockText.elapsed(ended.active)])
    return isStopped ? sum : "\(StepText.name(ended.outcome)), \(sum)"
  }

  /// Whether a paused run stays paused, which the user may not expect.
  private static func keepsPause(_ command: RunCommand) -> Bool {
    switch command {
    case .next, .skip, .back, .restart, .extend: true
    case .pause, .resume, .toggle, .stop, .playSounds: false
    }
  }
}
