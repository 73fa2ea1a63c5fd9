package import SequencePlatform
import SequenceStore

extension OpenRunStore {
  /// Pauses the active run because of a suspend, as of a moment, if its policy requires that.
  ///
  /// - Parameter moment: the time of the suspend signal. A later change of the run counts instead: events before it
  ///   have been read.
  /// - Returns: whether the run was paused.
  /// - Throws: `StoreError`.
  @discardableResult
  package func leave(_ cause: Suspend.Cause, at moment: ClockReading) throws(StoreError) -> Bool {
    try transaction { _ throws(StoreError) in
      let moment = try database.notBeforeLastEntry(moment)
      guard let before = try settle(at: moment), let after = before.leaving(cause, at: moment) else {
        return false
      }
      try write(.active(after), before: before, at: moment, cause: .left(cause))
      return true
    }
  }

  /// Records the end of the suspend that the active run is paused for.
  ///
  /// - Returns: whether there was such a suspend without a known end.
  /// - Throws: `StoreError`.
  @discardableResult
  package func comeBack() throws(StoreError) -> Bool {
    try transaction { reading throws(StoreError) in
      guard let before = try settle(at: reading), let after = before.returned(at: reading) else {
        return false
      }
      try write(.active(after), before: before, at: reading, cause: .returned)
      return true
    }
  }
}
