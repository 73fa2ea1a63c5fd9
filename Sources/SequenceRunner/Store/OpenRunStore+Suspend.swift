package import SequencePlatform
import SequenceStore

extension OpenRunStore {
  /// Pauses the active runs whose policy requires that because of a suspend, all as of one moment.
  ///
  /// - Parameter moment: the time of the suspend signal. A later change of a run counts instead: events before it have
  ///   been read.
  /// - Returns: whether a run was paused.
  @discardableResult
  package func leave(_ cause: Suspend.Cause, at moment: ClockReading) throws(StoreError) -> Bool {
    try transaction { _ throws(StoreError) in
      let moment = try database.notBeforeLastEntry(moment)
      var hasPaused = false
      let status = try settle(at: moment)
      for before in status.runsByStart {
        guard let after = status.status(of: before.runID).leaving(cause) else { continue }
        try write(.active(after), before: before, at: moment, cause: .left(cause))
        hasPaused = true
      }
      return hasPaused
    }
  }

  /// Records the end of the suspend that active runs are paused for.
  ///
  /// - Parameter isUnlocked: whether the screen is not locked, which ends a lock as well.
  /// - Returns: whether there was such a suspend without a known end.
  @discardableResult
  package func comeBack(isUnlocked: Bool = true) throws(StoreError) -> Bool {
    try transaction { reading throws(StoreError) in
      var hasReturned = false
      for before in try settle(at: reading).runsByStart {
        guard isUnlocked || !before.isLocked, let after = before.returned(at: reading) else { continue }
        try write(.active(after), before: before, at: reading, cause: .returned)
        hasReturned = true
      }
      return hasReturned
    }
  }
}
