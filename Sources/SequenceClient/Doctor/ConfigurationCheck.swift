import Glibc
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum ConfigurationCheck {
  static func finding(_ environment: EnvironmentVariables) -> Finding {
    guard let path = Configuration.path(environment: environment) else {
      return Finding(.configuration, .warning, "cannot be found, because HOME is not set")
    }
    let (configuration, mistake) = Configuration.reading(environment)
    if let mistake { return Finding(.configuration, mistake) }
    let isSet = configuration != Configuration()
    if !isSet, FileKind(of: path) == .file, unsafe access(path, F_OK) != 0 {
      return Finding(
        .configuration, .warning, "defaults apply (\(path) is a link to a missing file)",
        advice: "create the file, or remove the link")
    }
    return Finding(.configuration, .ok, isSet ? path : "defaults apply (nothing is set in \(path))")
  }
}

/// Checks that the programs of the hooks exist, that none acts on the run as a media player by mistake, and that no hook
/// failed in the last week.
struct HooksCheck {
  let doctor: Doctor

  private static let week = Duration.seconds(7 * 24 * 60 * 60)

  /// - Parameter store: `nil` if there is no usable store.
  func finding(_ store: RunStore?) -> Finding {
    do {
      // `ConfigurationCheck` reports a configuration that cannot be read.
      let hooks = doctor.configuration.hooks
      let since = doctor.clock.now().wall.advanced(by: .zero - HooksCheck.week)
      let failures =
        try store.flatMap { $0.base.isCurrent ? HookFailureLog(database: $0.database) : nil }?.failures(
          since: since)
        ?? []
      var missing: [String] = []
      for hook in hooks where !missing.contains(hook.program) {
        if findProgram(hook.program, in: doctor.environment["PATH"]) == nil { missing.append(hook.program) }
      }
      let details = Details(
        hooks: hooks.count, missing: missing, failures: failures.map(Details.Failure.init))
      let recent = text(of: failures)
      guard missing.isEmpty else {
        let absent = "program not found: \(missing.joined(separator: ", "))"
        return Finding(
          .hooks, .error, HooksCheck.sentences(absent, recent),
          advice: "install it, or write its full path in config.yaml", details: details)
      }
      if doctor.configuration.hasMediaKeys, let player = hooks.first(where: HooksCheck.mayMeanRun) {
        let warning = "\(quote(player.name)) may act on the run, which is a media player, too"
        return Finding(
          .hooks, .warning, HooksCheck.sentences(warning, recent),
          advice: "write playerctl --ignore-player=sequence in config.yaml", details: details)
      }
      guard let recent else {
        let text =
          hooks.isEmpty ? doctor.textForNone : "\(hooks.count) configured, no failures in the last week"
        return Finding(.hooks, .ok, text, details: details)
      }
      return Finding(.hooks, .warning, recent, details: details)
    } catch {
      return Finding(.hooks, error)
    }
  }

  /// Whether a hook commands whichever media player was used last, which may be the run.
  private static func mayMeanRun(_ hook: Hook) -> Bool {
    let names = ["-p", "--player", "-i", "--ignore-player"]
    return pathParts(hook.program).last == "playerctl"
      && !hook.arguments.contains { argument in names.contains { argument.text.hasPrefix($0) } }
  }

  private static func sentences(_ first: String, _ second: String?) -> String {
    first + (second.map { ". " + $0.prefix(1).uppercased() + $0.dropFirst() } ?? "")
  }

  private func text(of failures: [HookFailure]) -> String? {
    guard let last = failures.first else { return nil }
    let shown = failures.prefix(3).map { failure in
      let times = failure.count == 1 ? "" : " \(failure.count) times"
      // One process plays the sounds of a whole run, so the event of a failure isn't always known.
      let reason = failure.event.isEmpty ? failure.detail : "\(failure.event): \(failure.detail)"
      return "\(quote(failure.hook)) \(HooksCheck.text(of: failure.kind))\(times) (\(reason))"
    }
    let more = failures.count > shown.count ? ", and \(failures.count - shown.count) more" : ""
    return
      "in the last week \(shown.joined(separator: ", "))\(more), the last on \(LocalTime.text(of: last.lastAt))"
  }

  private static func text(of kind: HookFailure.Kind) -> String {
    switch kind {
    case .notStarted: "could not be started"
    case .failed: "failed"
    case .timeout: "was killed after its time limit"
    case .missed: "was missed"
    case .dropped: "was dropped"
    }
  }

  private struct Details: Encodable {
    let hooks: Int
    let missing: [String]
    let failures: [Failure]

    struct Failure: Encodable {
      let hook: String
      let kind: String
      let count: Int
      let event: String
      let detail: String
      let first: String
      let last: String

      init(_ failure: HookFailure) {
        hook = failure.hook
        kind = failure.kind.rawValue
        count = failure.count
        event = failure.event
        detail = failure.detail
        first = failure.firstAt.description
        last = failure.lastAt.description
      }
    }
  }
}

struct CuesCheck {
  let doctor: Doctor
  let sound: String?

  func finding() -> Finding {
    let cues = doctor.configuration.cues
    if let sound { return played(sound) }
    guard cues.isWanted else { return Finding(.cues, .ok, doctor.textForNone) }
    do {
      if let missing = try cues.missingPrograms(doctor.environment).first {
        return Finding(.cues, missing)
      }
      if cues.sound, let failure = try trial.serverFailure() {
        return Finding(
          .cues, .error, "sounds cannot be played: \(failure)",
          advice: "start a sound server, or set sound: false in config.yaml")
      }
      let kinds = [cues.sound ? "sound" : nil, cues.speech ? "speech" : nil].compactMap { $0 }
      return Finding(.cues, .ok, kinds.joined(separator: " and "))
    } catch {
      return Finding(.cues, error)
    }
  }

  private var trial: CueTrial { CueTrial(environment: doctor.environment, clock: doctor.clock) }

  private func played(_ sound: String) -> Finding {
    do {
      guard let failure = try trial.play(sound, volume: doctor.configuration.cues.volume) else {
        return Finding(.cues, .ok, "\(quote(sound)) was played")
      }
      return Finding(.cues, failure)
    } catch {
      return Finding(.cues, error)
    }
  }
}
