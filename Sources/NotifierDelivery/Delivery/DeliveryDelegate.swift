/// Other work in the delivery loop, which must never wait.
package protocol DeliveryDelegate: AnyObject {
  /// What else to wait on.
  var descriptors: [Int32] { get }
  /// When to look again, on the boot clock, if nothing happens before; `nil` for never.
  var nextWake: Duration? { get }

  /// Does the work of a turn.
  ///
  /// - Parameter ready: the descriptors that were readable when the last wait ended.
  func finishTurn(_ ready: [Int32]) throws

  /// Whether there is nothing left to wait for; within a transaction or outside of one.
  func hasNothingToWaitFor() throws -> Bool
}
