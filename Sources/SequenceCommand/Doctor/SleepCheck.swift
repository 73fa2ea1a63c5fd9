import NotificationLedger
import SequenceRunner

/// Whether it is heard of when the machine sleeps or is switched off, and whether anybody wants to know.
struct SleepCheck {
  let context: CommandContext
  /// The active run; `nil` if there is none.
  let run: ActiveRunSnapshot?

  /// - Parameter login: what was found of logind; `nil` if it was not looked for.
  func finding(_ login: DesktopExamination.Login?) -> Finding {
    guard let login else {
      return Finding(.sleep, .note, "not examined, since sequence-agent did not do it")
    }
    let policy = run?.awayPolicy ?? configuration.away ?? .continue
    guard let failure = login.failure else {
      return Finding(.sleep, .ok, "logind tells of it; while the machine is away, \(SleepCheck.text(policy))")
    }
    guard policy != .continue || configuration.holdsOffSleep else {
      return Finding(.sleep, .ok, "it is not heard of (\(failure)), and nothing asks for it")
    }
    return Finding(
      .sleep, .note, "it is not heard of, so a run goes on while the machine sleeps: \(failure)",
      advice: "pause before you leave")
  }

  /// What cannot be read sets nothing; the check of the configuration tells.
  private var configuration: Configuration {
    guard let path = Configuration.path(environment: context.environment),
      let read = try? Configuration.read(path: path)
    else { return Configuration() }
    return read
  }

  private static func text(_ policy: AwayPolicy) -> String {
    switch policy {
    case .continue: "a run goes on"
    case .pause: "a run is paused"
    case .ask: "a run is paused, and you are asked whether the time counts"
    }
  }
}
