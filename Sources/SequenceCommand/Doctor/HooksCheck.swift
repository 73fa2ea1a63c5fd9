import NotificationLedger
import Platform
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

/// Whether the programs of the hooks are there, and what went wrong with hooks in the last week.
struct HooksCheck {
  let context: CommandContext

  private static let week = Duration.seconds(7 * 24 * 60 * 60)

  /// - Parameter store: the store, looked at; `nil` if there is none that can be used.
  func finding(_ store: StoreReader?) -> Finding {
    do {
      // Of a configuration that cannot be read its own check tells.
      let hooks = context.clientContext.configuration.hooks
      let since = context.clock.now().wall.advanced(by: .zero - HooksCheck.week)
      let failures =
        try store.flatMap { $0.isCurrent ? HookFailureLog(database: $0.database) : nil }?.failures(
          since: since)
        ?? []
      var missing: [String] = []
      for hook in hooks where !missing.contains(hook.program) {
        if findProgram(hook.program, in: context.environment["PATH"]) == nil { missing.append(hook.program) }
      }
      let details = Details(
        hooks: hooks.count, missing: missing, failures: failures.map(Details.Failure.init))
      let told = told(failures)
      guard missing.isEmpty else {
        return Finding(
          .hooks, .error, [absent(missing), told].compactMap { $0 }.joined(separator: "; "),
          advice: "install what is missing, or write its path in the configuration", details: details)
      }
      guard let told else {
        let text = hooks.isEmpty ? "there are none" : "\(hooks.count), of which none failed in the last week"
        return Finding(.hooks, .ok, text, details: details)
      }
      return Finding(.hooks, .warning, told, details: details)
    } catch {
      return Finding(.hooks, Failure(error))
    }
  }

  /// The programs that are not there; there is one at least.
  private func absent(_ programs: [String]) -> String {
    guard programs.count > 1, let last = programs.last else {
      return "there is no program \(programs.joined()) that may be run"
    }
    return "there are no programs \(programs.dropLast().joined(separator: ", ")) and \(last) that may be run"
  }

  /// The last failures, each with its count; `nil` if there are none.
  private func told(_ failures: [HookFailure]) -> String? {
    guard let last = failures.first else { return nil }
    let told = failures.prefix(3).map { failure in
      let times = failure.count == 1 ? "" : " \(failure.count) times"
      // Sounds are played through a whole run: it is not always known at what they failed.
      let reason = failure.event.isEmpty ? failure.detail : "\(failure.event): \(failure.detail)"
      return "\(quote(failure.hook)) \(HooksCheck.what(failure.kind))\(times) (\(reason))"
    }
    let more = failures.count > told.count ? ", and \(failures.count - told.count) more" : ""
    return "in the last week \(told.joined(separator: ", "))\(more), the last at \(last.lastAt)"
  }

  private static func what(_ kind: HookFailure.Kind) -> String {
    switch kind {
    case .notStarted: "could not be started"
    case .failed: "failed"
    case .timeout: "was killed"
    case .missed: "was missed"
    case .dropped: "was left out"
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
