package import Platform
import Store

extension RunStore {
  /// Pauses the active run as of a moment, if its policy asks for that, since the machine goes.
  ///
  /// - Parameter moment: when the machine was heard to go.
  /// - Returns: whether it was paused.
  /// - Throws: `StoreError`.
  @discardableResult
  package func leave(_ cause: Suspend.Cause, at moment: ClockReading) throws -> Bool {
    try repairing {
      try database.transaction {
        guard let before = try settle(at: moment), let after = before.leaving(cause, at: moment) else {
          return false
        }
        try write(.active(after), before: before, at: moment, cause: .left(cause))
        return true
      }
    }
  }

  /// Notes that the machine is back from the absence that the active run is paused for.
  ///
  /// - Returns: whether there was such an absence, whose end was not known.
  /// - Throws: `StoreError`.
  @discardableResult
  package func comeBack() throws -> Bool {
    try repairing {
      try database.transaction {
        let reading = clock.now()
        guard let before = try settle(at: reading), let after = before.returned(at: reading) else {
          return false
        }
        try write(.active(after), before: before, at: reading, cause: .returned)
        return true
      }
    }
  }
}
