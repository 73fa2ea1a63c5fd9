import CSequenceLinux
import Glibc
import NotifierLedger
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequencePresentation
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
        listed(
          [SleepCheck.text(policy), keepingAwake(["logind"] + services), screen.text].compactMap { $0 }),
        advice: screen.advice)
    }
    guard policy != .continue || configuration.keepsAwake || screen.state != .ok else {
      return Finding(
        .sleep, .ok,
        "cannot be detected (\(failure)), but your settings don't need it")
    }
    return Finding(
      .sleep, .warning,
      listed(
        [
          LocalizedText(
            "cannot be detected, so runs continue while the computer sleeps: \(failure)"
          ),
          keepingAwake(services), screen.text,
        ].compactMap { $0 }),
      advice: "before you suspend the computer, run sequence pause")
  }

  private func keepingAwake(_ names: [String]) -> LocalizedText? {
    guard configuration.keepsAwake else { return nil }
    guard !names.isEmpty else { return LocalizedText("and nothing can prevent automatic suspend here") }
    return LocalizedText("and countdowns prevent automatic suspend through \(names.joined(separator: ", "))")
  }

  private func lock(_ failure: LocalizedText?) -> (
    state: Finding.State, text: LocalizedText?, advice: LocalizedText?
  )? {
    let policies = runs.map(\.lockPolicy) + [configuration.onLock ?? .continue]
    guard let failure, policies.contains(where: { $0 != .continue }) else { return nil }
    return (
      .warning,
      LocalizedText(
        "and a locked screen can't be noticed, so runs continue: \(failure)"),
      LocalizedText("before you lock the screen, run sequence pause")
    )
  }

  private func keepingScreenOn(_ names: [String]) -> (
    state: Finding.State, text: LocalizedText?, advice: LocalizedText?
  ) {
    guard configuration.keepsScreenOn else { return (.ok, nil, nil) }
    guard !names.isEmpty else {
      return (
        .warning, LocalizedText("and no service keeps the screen on for the live display"),
        LocalizedText("to keep the screen on, use sequence window, which can do that itself on Wayland")
      )
    }
    return (
      .ok,
      LocalizedText("and a display of a run keeps the screen on through \(names.joined(separator: ", "))"),
      nil
    )
  }

  private var configuration: Configuration { doctor.configuration }

  private static func text(_ policy: SuspendPolicy) -> LocalizedText {
    switch policy {
    case .continue: LocalizedText("logind reports suspend and shutdown; runs continue meanwhile")
    case .pause: LocalizedText("logind reports suspend and shutdown; runs are paused meanwhile")
    case .ask:
      LocalizedText(
        "logind reports suspend and shutdown; runs are paused meanwhile, and you are asked whether the time counts"
      )
    }
  }
}

/// Checks that the clocks can be read, and that the wall clock is not before the date of the program.
enum ClocksCheck {
  static func finding() -> Finding {
    do {
      let now = try SystemClock().now().wall
      let text = LocalTime.text(of: now, withZone: true)
      guard let made = programMadeAt(), now < made else { return Finding(.clocks, .ok, "\(text)") }
      return Finding(
        .clocks, .error, "\(text), which is before this program was built (\(LocalTime.text(of: made)))",
        advice: "set the clock, because a run needs it to continue after a reboot")
    } catch {
      return Finding(.clocks, error)
    }
  }

  private static func programMadeAt() -> Moment? {
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return nil }
    return Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }
}

/// Checks whether the session finds the installed command.
enum PathCheck {
  private static let place = "/libexec/sequence/sequence-agent"

  /// Returns a warning; `nil` if the command is found, or if it isn't installed.
  static func finding(_ environment: EnvironmentVariables, agent: String?) -> Finding? {
    guard let agent, agent.hasSuffix(place), findProgram("sequence", in: environment["PATH"]) == nil else {
      return nil
    }
    let directory = agent.dropLast(place.count) + "/bin"
    return Finding(
      .path, .warning, "\(directory) is not in PATH",
      advice: "log in again, or add this line to ~/.profile first: PATH=\"\(directory):$PATH\"")
  }
}
