import NotificationLedger
import SequencePlanning
import SequenceRunner
import TestSupport

/// The due time of each notification of a run on the boot clock, by its text.
struct DueTimes {
  private let times: [String: Int64]

  /// - Parameter count: the number of notifications to read; `nil` for all.
  init(of tool: Tool, first count: Int? = nil) throws {
    let requests = try tool.store().ledger.entries(in: .everything)
    times = Dictionary(
      requests.prefix(count ?? requests.count).map {
        ("\($0.request.summary) \($0.request.body)", $0.due.boot.nanoseconds)
      },
      uniquingKeysWith: min)
  }

  var count: Int { times.count }
  var first: Int64? { times.values.min() }

  /// Returns the lateness of a notification; throws for an unplanned one, such as a summary of several steps.
  func lateness(of event: ServerEvent) throws -> Int64 {
    guard let due = times["\(event.summary ?? "") \(event.body ?? "")"] else {
      throw BenchmarkError("a notification was not planned: \(event)")
    }
    return event.at - due
  }
}
