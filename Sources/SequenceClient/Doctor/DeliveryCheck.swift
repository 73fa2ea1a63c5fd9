import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceFiles
import SequenceRunner

/// Checks for notifications of the last week that failed or were missed.
enum DeliveryCheck {
  private static let week = Duration.seconds(7 * 24 * 60 * 60)

  /// - Parameter store: `nil` if there is no usable store.
  static func finding(_ store: RunStore?, at reading: ClockReading) -> Finding {
    guard let store, store.base.isCurrent else {
      return Finding(.notifications, .ok, "none yet")
    }
    do {
      let ledger = Ledger(database: store.database)
      let since = reading.wall.advanced(by: .zero - week)
      let all = try ledger.entries(in: .allSequences)
      let entries = all.filter { [.failed, .missed].contains($0.state) && $0.updated >= since }
      guard let last = entries.max(by: { $0.updated < $1.updated }) else {
        let waiting = all.count {
          $0.state == .pending && reading.elapsed(since: $0.due) > Lateness.notification
        }
        guard waiting > 0 else { return Finding(.notifications, .ok, "no failures in the last week") }
        return Finding(
          .notifications, .warning, "\(waiting) due, but not shown yet",
          advice: "to list them, run sequence notifications")
      }
      let failed = entries.count { $0.state == .failed }
      let text =
        "\(failed) failed and \(entries.count - failed) missed in the last week, the last on "
        + "\(LocalTime.text(of: last.updated)): \(last.reason?.sentence ?? "no reason")"
      return Finding(
        .notifications, .warning, text, advice: "to list them, run sequence notifications",
        details: Details(
          failed: failed, missed: entries.count - failed, last: last.updated.description,
          reason: last.reason?.sentence, reasonCode: last.reason?.code))
    } catch {
      return Finding(.notifications, error)
    }
  }

  private struct Details: Encodable {
    let failed: Int
    let missed: Int
    let last: String
    let reason: String?
    let reasonCode: String?
  }
}
