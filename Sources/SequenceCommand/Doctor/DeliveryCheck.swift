import NotificationLedger
import Platform
import SequenceFiles
import SequenceRunner

/// Which notifications of the last week were not shown though they should have been.
enum DeliveryCheck {
  private static let week = Duration.seconds(7 * 24 * 60 * 60)

  /// - Parameter store: the store, looked at; `nil` if there is none that can be used.
  static func finding(_ store: StoreReader?, at reading: ClockReading) -> Finding {
    guard let store, store.isCurrent else {
      return Finding(.notifications, .ok, "none are known, since there is no store that tells")
    }
    do {
      let ledger = Ledger(database: store.database)
      let since = reading.wall.advanced(by: .zero - week)
      let entries = try ledger.entries(in: .allSequences).filter {
        [.failed, .missed].contains($0.state) && $0.updatedAt >= since
      }
      guard let last = entries.max(by: { $0.updatedAt < $1.updatedAt }) else {
        return Finding(.notifications, .ok, "none failed and none was missed in the last week")
      }
      let failed = entries.count { $0.state == .failed }
      let text =
        "in the last week \(failed) failed and \(entries.count - failed) were missed, the last at "
        + "\(last.updatedAt): \(last.reason?.description ?? "without a reason")"
      return Finding(
        .notifications, .warning, text, advice: "sequence notifications list has them all",
        details: Details(
          failed: failed, missed: entries.count - failed, last: last.updatedAt.description,
          reason: last.reason?.description, reasonCode: last.reason?.code))
    } catch {
      return Finding(.notifications, Failure(error))
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
