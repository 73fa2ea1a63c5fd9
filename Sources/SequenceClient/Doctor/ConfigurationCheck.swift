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
    return Finding(
      .configuration, .ok, isSet ? "\(path)" : LocalizedText("defaults apply (nothing is set in \(path))"))
  }
}

/// Checks that the programs of the hooks exist, that none acts on the run as a media player by mistake, and that no hook
/// failed in the last week.
struct HooksCheck {
  let doctor: Doctor

  func finding(_ store: RunStore?) -> Finding {
    do {
      // `ConfigurationCheck` reports a configuration that cannot be read.
      let hooks = doctor.configuration.hooks
      let failures = try doctor.failures(in: store).filter { !CuesCheck.isOfCue($0) }
      var missing: [String] = []
      for hook in hooks where !missing.contains(hook.program) {
        if findProgram(hook.program, in: doctor.environment["PATH"]) == nil { missing.append(hook.program) }
      }
      let details = Details(
        hooks: hooks.count, missing: missing, failures: failures.map(FailureDocument.init))
      var finding = Finding(.hooks, .ok, "", details: details)
      finding.items = HooksCheck.lines(failures)
      if !missing.isEmpty {
        (finding.state, finding.text) = (
          .error, LocalizedText("program not found: \(missing.joined(separator: ", "))")
        )
        finding.advice = "install it, or write its full path in config.yaml"
      } else if doctor.configuration.hasMediaKeys, let player = hooks.first(where: HooksCheck.mayMeanRun) {
        finding.state = .warning
        finding.text = "\(quote(player.name)) may act on the run, which is a media player, too"
        finding.advice = "write playerctl --ignore-player=sequence in config.yaml"
      } else if !failures.isEmpty {
        (finding.state, finding.text) = (.warning, LocalizedText("failed in the last week:"))
      } else {
        finding.text =
          hooks.isEmpty
          ? doctor.textForNone : LocalizedText("\(hooks.count) configured, no failures in the last week")
      }
      return finding
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

  /// A line for each of the last failures, newest first.
  static func lines(_ failures: [HookFailure]) -> [LocalizedText] {
    let lines = failures.prefix(mostLines).map { failure -> LocalizedText in
      // One process plays the sounds of a whole run, so the event of a failure isn't always known.
      let reason = failure.event.isEmpty ? failure.detail : "\(failure.event): \(failure.detail)"
      let name = TextWidth.truncated(failure.hook, to: nameColumns, ellipsis: "…")
      let last = LocalTime.text(of: failure.lastAt)
      let text = text(of: failure.kind, quote(name))
      return failure.count == 1
        ? LocalizedText("\(text), last on \(last) (\(reason))")
        : LocalizedText("\(text) \(failure.count) times, last on \(last) (\(reason))")
    }
    let more = failures.count - mostLines
    return lines + (more > 0 ? [LocalizedText("and \(more) more")] : [])
  }

  private static let mostLines = 10
  private static let nameColumns = 40

  private static func text(of kind: HookFailure.Kind, _ name: String) -> LocalizedText {
    switch kind {
    case .notStarted: LocalizedText("\(name) could not be started")
    case .failed: LocalizedText("\(name) failed")
    case .timeout: LocalizedText("\(name) was killed after its time limit")
    case .missed: LocalizedText("\(name) was missed")
    case .dropped: LocalizedText("\(name) was dropped")
    }
  }

  private struct Details: Encodable {
    let hooks: Int
    let missing: [String]
    let failures: [FailureDocument]
  }

  struct FailureDocument: Encodable {
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

struct CuesCheck {
  let doctor: Doctor
  let sound: String?

  func finding(_ store: RunStore?) -> Finding {
    if let sound { return played(sound) }
    do {
      let configuration = doctor.configuration
      let cues = configuration.cues
      let check = CueProblems(cues, doctor.environment)
      var errors = try check.ofPrograms()
      if cues.sound, errors.isEmpty, let problem = try trial.serverProblem() { errors.append(problem) }
      let sounds = cues.sound ? cues.soundNames : cues.sounds.values.filter { !$0.isEmpty }.sorted()
      let problems =
        errors + check.ofSounds(sounds) + CueProblems.ofNotifications(configuration, doctor.environment)
      let failures = try doctor.failures(in: store).filter(CuesCheck.isOfCue)
      let details = Details(
        problems: problems.map(\.description), failures: failures.map(HooksCheck.FailureDocument.init))
      var finding = Finding(.cues, errors.isEmpty ? .warning : .error, "", details: details)
      finding.items = HooksCheck.lines(failures)
      switch problems.count {
      case 0 where failures.isEmpty:
        finding.state = .ok
        finding.text =
          switch (cues.sound, cues.speech) {
          case (true, true): LocalizedText("sound and speech")
          case (true, false): LocalizedText("sound")
          case (false, true): LocalizedText("speech")
          case (false, false): doctor.textForNone
          }
      case 0:
        finding.text = "failed in the last week:"
        finding.advice = "to hear whether sounds can be played now, run sequence doctor --sound bell"
      case 1: (finding.text, finding.advice) = (problems[0].text, problems[0].remedy)
      default:
        finding.text = "\(problems.count) problems:"
        finding.items = problems.map(\.line) + finding.items
      }
      return finding
    } catch {
      return Finding(.cues, error)
    }
  }

  /// Whether a failure is one of the sound program, or of the program that speaks.
  static func isOfCue(_ failure: HookFailure) -> Bool {
    failure.hook == HookFailure.sounds || failure.hook.hasPrefix("spd-say --application-name sequence ")
  }

  private struct Details: Encodable {
    let problems: [String]
    let failures: [HooksCheck.FailureDocument]
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
