/// What is done in the loop of whoever delivers, beside delivering, without ever waiting.
package protocol DeliveryDelegate: AnyObject {
  /// What else to wait on.
  var descriptors: [Int32] { get }
  /// When to look again, on the boot clock, if nothing happens before; `nil` for never.
  var nextWake: Duration? { get }

  /// Does what there is to do.
  ///
  /// - Parameter ready: what was readable when the last waiting ended.
  func tend(_ ready: [Int32]) throws

  /// Whether there is nothing left to wait for; within a transaction or outside of one.
  func isAtRest() throws -> Bool
}
