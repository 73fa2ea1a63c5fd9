package import NotificationLedger
package import Platform
import SequenceRunner
package import Store

extension Ledger {
  /// The time on the boot clock at which the last notification of a scope was due whose time is known to have come.
  ///
  /// What was shown, or decided on, was so at its time or later: the machine was on then.
  ///
  /// - Parameter start: only those that were due after it, in its boot.
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
