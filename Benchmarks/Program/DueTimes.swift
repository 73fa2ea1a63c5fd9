import NotificationLedger
import SequencePlanning
import SequenceRunner
import TestSupport

/// When each notification of a run is due on the boot clock, by its text.
struct DueTimes {
  private let times: [String: Int64]

  /// - Parameter count: how many of the first; `nil` for all.
  init(of tool: Tool, first count: Int? = nil) throws {
    let requests = try tool.store().ledger.entries(in: .everything).map(\.request)
    times = Dictionary(
      requests.prefix(count ?? requests.count).map { ("\($0.summary) \($0.body)", $0.due.boot.nanoseconds) },
      uniquingKeysWith: min)
  }

  var count: Int { times.count }
  var first: Int64? { times.values.min() }

  /// How late one was shown; fails for what was not planned, as what stands for several that ran out together.
  func lateness(of event: ServerEvent) throws -> Int64 {
    guard let due = times["\(event.summary ?? "") \(event.body ?? "")"] else {
      throw BenchmarkError("a notification was not planned: \(event)")
    }
    return event.at - due
  }
}
