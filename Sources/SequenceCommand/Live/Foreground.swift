import NotificationLedger
import Platform
import SequencePlanning
import SequenceRunner
import Store

/// The claim of a live display to have the user's eye, which keeps its run's notifications off the screen.
///
/// It is a lock that any number of displays share and that the agent asks for before it shows something: it is
/// gone with the process, however that ends.
final class Foreground {
  private let store: RunStore
  private let lock: FileLock
  private(set) var isClaimed = false

  /// The claim, which is not made yet.
  init(_ store: RunStore) throws(SystemError) {
    self.store = store
    lock = try FileLock(path: store.directory.foregroundLockPath)
  }

  /// Says that the user looks at the display.
  func claim() throws(SystemError) {
    // Nobody takes it for himself alone; if somebody did, notifications would come, which does no harm.
    isClaimed = try lock.take(shared: true)
  }

  /// Says that the user looks elsewhere.
  func release() throws(SystemError) {
    try lock.release()
    isClaimed = false
  }

  /// Keeps from the screen what has become due while the user was looking.
  ///
  /// A display that ends with its run would otherwise be gone before the agent has asked whether it is there.
  func suppressDue(of run: ActiveRunSnapshot) throws {
    guard isClaimed else { return }
    try store.changeLedger { ledger in
      let reading = store.clock.now()
      for entry in try ledger.due(at: reading)
      where NotificationScope.sequence(run.sequence.id).contains(entry.request.identifier) {
        try ledger.suppress(entry, at: reading.wall, reason: .foreground)
      }
    }
  }
}
