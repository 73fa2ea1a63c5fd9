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
      case .pause: "paused \(run.name)"
      case .resume(countingSuspend: true): "resumed \(run.name) with the time counted"
      case .resume: "resumed \(run.name)"
      case .toggle: "\(isPaused ? "paused" : "resumed") \(run.name)"
      case .next: "completed \(title) of \(run.name)"
      case .skip: "skipped \(title) of \(run.name)"
      case .back, .restart: "restarted a step of \(run.name)"
      case .extend(let amount) where amount < .zero:
        "shortened \(run.name) by \(DurationText.format(.zero - amount))"
      case .extend(let amount): "extended \(run.name) by \(DurationText.format(amount))"
      case .stop: "stopped \(run.name)"
      case .playSounds(let isOn): "turned the sounds of \(run.name) \(isOn ? "on" : "off")"
      }
    var line = "\(done): \(state)"
    if isPaused, keepsPause(command) { line += "; still paused" }
    if case .resume(countingSuspend: false) = command, performed.endedAtOnce {
      line += " (\(title) had no time left)"
    }
    if let ended = performed.endedJustBefore() {
      line += " (\(quote(run.timeline.card(at: ended.index).title)) had just ended)"
    }
    return line
  }

  /// The steps and the active time of a run that is over, and that it is finished if the command doesn't say how it ended.
  private static func state(_ ended: EndedRun, after command: RunCommand) -> String {
    let steps = StepText.completed(EndedRunSummary(ended))
    let isStopped = command == .stop && ended.outcome == .stopped
    return "\(isStopped ? "" : "\(ended.outcome.rawValue), ")\(steps) in \(ClockText.elapsed(ended.active))"
  }

  /// Whether a paused run stays paused, which the user may not expect.
  private static func keepsPause(_ command: RunCommand) -> Bool {
    switch command {
    case .next, .skip, .back, .restart, .extend: true
    case .pause, .resume, .toggle, .stop, .playSounds: false
    }
  }
}
