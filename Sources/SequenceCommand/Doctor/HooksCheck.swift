import NotificationLedger
import SequenceRunner

/// Whether the programs of the hooks are there, and what went wrong with hooks in the last week.
struct HooksCheck {
  let context: CommandContext

  private static let week = Duration.seconds(7 * 24 * 60 * 60)

  /// - Parameter store: the store, looked at; `nil` if there is none that can be used.
  func finding(_ store: StoreInspection?) -> Finding {
    do {
      // Of a configuration that cannot be read its own check tells.
      let hooks = context.configuration(saying: false).hooks
      let since = context.clock.now().wall.advanced(by: .zero - HooksCheck.week)
      let failures =
        try store.flatMap { $0.isCurrent ? ToldLedger(database: $0.database) : nil }?.failures(since: since)
        ?? []
      let missing = hooks.map(\.program).filter {
        findProgram($0, in: context.environment["PATH"]) == nil
      }
      let details = Details(
        hooks: hooks.count, missing: missing, failures: failures.map(Details.Failure.init))
      if let program = missing.first {
        return Finding(
          .hooks, .wrong, "there is no program \(program) that may be run\(told(failures))",
          advice: "install it, or write its path in the configuration", details: details)
      }
      guard let last = failures.first else {
        let text = hooks.isEmpty ? "there are none" : "\(hooks.count), of which none failed in the last week"
        return Finding(.hooks, .ok, text, details: details)
      }
      return Finding(
        .hooks, .note, "in the last week\(told(failures)), the last at \(last.lastAt)", details: details)
    } catch {
      return Finding(.hooks, Failure(error))
    }
  }

  /// The last failures, each with its count.
  private func told(_ failures: [HookFailure]) -> String {
    let told = failures.prefix(3).map { failure in
      let times = failure.count == 1 ? "" : " \(failure.count) times"
      return
        "\(quote(failure.hook)) \(HooksCheck.what(failure.kind))\(times) (\(failure.event): \(failure.detail))"
    }
    guard !told.isEmpty else { return "" }
    let more = failures.count > told.count ? ", and \(failures.count - told.count) more" : ""
    return " " + told.joined(separator: ", ") + more
  }

  private static func what(_ kind: HookFailure.Kind) -> String {
    switch kind {
    case .notStarted: "could not be started"
    case .failed: "failed"
    case .timeOver: "was killed"
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
