package import NotifierLedger
package import SequencePlatform
import SequenceRunner
package import SequenceStore

extension Ledger {
  /// Returns the due time, on the boot clock, of the last notification of a scope that was certainly decided.
  ///
  /// It was shown or decided at that time or later, so the machine was on.
  ///
  /// - Parameter start: a reading; only notifications that were due after it in its boot count.
  package func lastDecided(in scope: NotificationScope, since start: ClockReading) throws(StoreError)
    -> Duration?
  {
    let bounds = scope.bounds
    let due = try database.rows(
      """
      SELECT max(due_boot) FROM notification
      WHERE (identifier = ? OR identifier >= ? AND identifier < ?) AND boot_id = ? AND due_boot > ?
        AND state IN ('delivered', 'removed', 'missed', 'suppressed', 'failed')
      """, .text(scope.prefix), .text(bounds.first), .text(bounds.end), .text(start.bootID),
      .integer(start.boot.nanoseconds)
    ) { $0.optionalInteger(0) }.first
    return (due ?? nil).map { .nanoseconds($0) }
  }
}
