import NotifierLedger
import SequencePlanning
import SequenceConfiguration
import SequenceRunner

/// Checks whether suspend and shutdown can be detected, and which services can prevent automatic suspend or keep the
/// screen on.
struct SleepCheck {
  let doctor: Doctor
  let runs: [ActiveRunSnapshot]

  func finding(_ examination: DesktopReport?) -> Finding {
    guard let examination, let login = examination.login else {
      return Finding(.sleep, .warning, "not checked (no answer from sequence-agent)")
    }
    // A run that is paused on suspend matters more than one that continues.
    let policies = runs.map(\.suspendPolicy)
    let policy = policies.first { $0 != .continue } ?? policies.first ?? configuration.onSuspend ?? .continue
    let services = examination.idleServices ?? []
    let screen = lock(login.lockFailure) ?? keepingScreenOn(examination.screenServices ?? [])
    guard let failure = login.failure else {
      return Finding(
        .sleep, screen.state,
        "logind reports suspend and shutdown; \(SleepCheck.text(policy))"
          + keepingAwake(["logind"] + services) + screen.text, advice: screen.advice)
    }
    guard policy != .continue || configuration.keepsAwake || screen.state != .ok else {
      return Finding(.sleep, .ok, "cannot be detected (\(failure)), but your settings don't need it")
    }
    return Finding(
      .sleep, .warning,
      "cannot be detected, so runs continue while the computer sleeps: \(failure)" + keepingAwake(services)
        + screen.text,
      advice: "before you suspend the computer, run sequence pause")
  }

  private func keepingAwake(_ names: [String]) -> String {
    guard configuration.keepsAwake else { return "" }
    guard !names.isEmpty else { return ", and nothing can prevent automatic suspend here" }
    return ", and countdowns prevent automatic suspend through \(names.joined(separator: " and "))"
  }

  private func lock(_ failure: String?) -> (state: Finding.State, text: String, advice: String?)? {
    let policies = runs.map(\.lockPolicy) + [configuration.onLock ?? .continue]
    guard let failure, policies.contains(where: { $0 != .continue }) else { return nil }
    return (
      .warning, ", and a locked screen can't be noticed, so runs continue: \(failure)",
      "before you lock the screen, run sequence pause"
    )
  }

  private func keepingScreenOn(_ names: [String]) -> (state: Finding.State, text: String, advice: String?) {
    guard configuration.keepsScreenOn else { return (.ok, "", nil) }
    guard !names.isEmpty else {
      return (
        .warning, ", and no service keeps the screen on for the live display",
        "to keep the screen on, use sequence window, which can do that itself on Wayland"
      )
    }
    return (
      .ok, ", and a display of a run keeps the screen on through \(names.joined(separator: " and "))", nil
    )
  }

  private var configuration: Configuration { doctor.configuration }

  private static func text(_ policy: SuspendPolicy) -> String {
    switch policy {
    case .continue: "runs continue meanwhile"
    case .pause: "runs are paused meanwhile"
    case .ask: "runs are paused meanwhile, and you are asked whether the time counts"
    }
  }
}
