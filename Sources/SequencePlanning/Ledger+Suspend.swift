package import NotifierLedger
import SequencePlatform
import SequenceRunner
package import SequenceStore

extension Ledger {
  /// Returns the due time of the last notification of a boot, on its clock, that was certainly decided.
  ///
  /// It was shown or decided at that time or later, so the machine was on.
  package func lastDecided(inBoot bootID: String) throws(StoreError) -> Duration? {
    let due = try database.rows(
      """
      SELECT max(due_boot) FROM notification
      WHERE boot_id = ? AND state IN ('delivered', 'removed', 'missed', 'suppressed', 'failed')
      """, .text(bootID)
    ) { $0.optionalInteger(0) }.first
    return (due ?? nil).map { .nanoseconds($0) }
  }
}
