package import FoundationEssentials
import NotifierLedger
package import SequencePlatform
import SequencePlanning
package import SequenceRunner
import SequenceStore

/// The claim of a display that the user is looking at a run, which suppresses the notifications of that run.
///
/// The claim is a lock that the displays of a run share and that the agent checks before it shows a notification. The lock is
/// released when the process ends, even if it is killed, and doesn't count while the process is stopped.
package final class Foreground {
  private let store: RunStore
  private var lock: FileLock
  private var displayedRuns: DisplayedRuns
  private var shown: UUID?
  package private(set) var claimed: UUID?

  package init(_ store: RunStore) throws(SystemError) {
    self.store = store
    lock = try FileLock(path: store.directory.foregroundLockPath)
    displayedRuns = try DisplayedRuns(in: store.directory)
  }

  /// Records the run that the display shows, whether or not the user looks at it: it may keep the screen on.
  package func show(_ run: UUID?) throws(SystemError) {
    guard shown != run || !displayedRuns.isInPlace else { return }
    try displayedRuns.show(run)
    shown = run
  }

  /// Claims a run, and no other any more: the user looks at it, which ends the reminders of a card that insists.
  package func claim(_ run: UUID) throws {
    guard claimed != run || !lock.isInPlace else { return }
    try lock.follow()
    try release()
    // No process takes the lock exclusively. If one did, notifications would be shown, which does no harm.
    claimed = try lock.share(DisplayedRuns.region(of: run)) ? run : nil
    let status = try store.peek().status(of: run)
    guard status.insists else { return }
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.endInsistence(of: status, reason: .foreground)
    }
  }

  package func release() throws(SystemError) {
    try lock.release()
    claimed = nil
  }

  /// Suppresses the notifications of a run that became due while the user was looking.
  ///
  /// A display that ends with its run may release the claim before the agent has checked it.
  package func suppressDue(of run: ActiveRunSnapshot) throws {
    guard claimed == run.runID else { return }
    try store.changeLedger { ledger throws(StoreError) in
      let reading = store.clock.now()
      for entry in try ledger.due(at: reading)
      where NotificationScope.sequence(run.sequence.id).contains(entry.request.identifier) {
        try ledger.suppress(entry, at: reading.wall, reason: .foreground)
      }
    }
  }
}
