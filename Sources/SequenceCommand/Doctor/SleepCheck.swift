import NotificationLedger
import SequenceClient
import SequenceConfiguration
import SequenceRunner

/// Whether it is heard of when the machine sleeps or is switched off, and through whom sleep is held off, where anybody
/// wants that.
struct SleepCheck {
  let context: CommandContext
  /// The active run; `nil` if there is none.
  let run: ActiveRunSnapshot?

  /// - Parameter examination: what was found; `nil` if nobody looked.
  func finding(_ examination: DesktopReport?) -> Finding {
    guard let examination, let login = examination.login else {
      return Finding(.sleep, .warning, "not examined, since sequence-agent did not do it")
    }
    let policy = run?.suspendPolicy ?? configuration.onSuspend ?? .continue
    let services = examination.idleServices ?? []
    guard let failure = login.failure else {
      return Finding(
        .sleep, .ok,
        "logind tells of it; while the machine is away, \(SleepCheck.text(policy))"
          + holdingOff(["logind"] + services))
    }
    guard policy != .continue || configuration.keepsAwake else {
      return Finding(.sleep, .ok, "it is not heard of (\(failure)), and nothing asks for it")
    }
    return Finding(
      .sleep, .warning,
      "it is not heard of, so a run goes on while the machine sleeps: \(failure)" + holdingOff(services),
      advice: "pause before you leave")
  }

  /// Through whom sleep is held off while a countdown runs, where that is wanted.
  private func holdingOff(_ names: [String]) -> String {
    guard configuration.keepsAwake else { return "" }
    let who = names.isEmpty ? "nobody" : names.joined(separator: " and ")
    return "; a countdown has \(who) hold off sleep"
  }

  /// The configuration; a mistake in it is reported by a check of its own.
  private var configuration: Configuration { context.clientContext.configuration }

  private static func text(_ policy: SuspendPolicy) -> String {
    switch policy {
    case .continue: "a run goes on"
    case .pause: "a run is paused"
    case .ask: "a run is paused, and you are asked whether the time counts"
    }
  }
}
