import NotifierLedger
import SequencePlanning
import SequenceRunner
import TestSupport

/// The due time of each notification of a run on the boot clock, by its text.
struct DueTimes {
  private let times: [String: Int64]

  /// Reads the next notifications of the active run, also those that have no entry yet.
  init(of tool: Tool, first count: Int) throws {
    let status = try tool.store().settle()
    guard let run = status.run else { throw BenchmarkError("no run") }
    let requests = run.notificationRequests(at: status.reading, atMost: count)
    times = Dictionary(
      requests.compactMap { request in
        guard case .reading(let due) = request.trigger.rule else { return nil }
        return ("\(request.summary) \(request.body)", due.boot.nanoseconds)
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
