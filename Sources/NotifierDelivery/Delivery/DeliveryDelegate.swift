package import SequencePlatform

/// Other work in the delivery loop, which must never wait.
package protocol DeliveryDelegate: AnyObject {
  /// What else to wait on.
  var descriptors: [Int32] { get }
  /// When to look again, on the boot clock, if nothing happens before; `nil` for never.
  var nextWake: Duration? { get }

  /// Updates the program's own data, before notifications are decided on.
  ///
  /// - Returns: the reading of that, which is the reading of the whole turn.
  func beginTurn() throws -> ClockReading

  /// Does the rest of the work of a turn.
  ///
  /// - Parameter ready: the descriptors that were readable when the last wait ended.
  func finishTurn(_ ready: [Int32]) throws

  /// Whether there is nothing left to wait for; within a transaction or outside of one.
  func hasNothingToWaitFor() throws -> Bool
}
