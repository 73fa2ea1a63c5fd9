package import SequencePlatform

/// Other work in the delivery loop, which must never wait.
package protocol DeliveryDelegate: AnyObject {
  /// What else to wait on.
  var descriptors: [Int32] { get }
  /// When to look again, on the boot clock, if nothing happens before; `nil` for never.
  var nextWake: Duration? { get }

  /// Updates the program's own data, before notifications are decided on.
  func beginTurn() throws -> Turn

  /// Whether there is nothing left to wait for; within a transaction or outside of one.
  func hasNothingToWaitFor() throws -> Bool
}

/// A turn of the delivery loop: one reading for all of its decisions, and the data that the program has read at it.
package struct Turn {
  /// The reading of the clocks.
  package let reading: ClockReading
  /// Does the rest of the program's work with that data; receives the descriptors that were readable when the last wait
  /// ended.
  let finish: (_ ready: [Int32]) throws -> Void

  package init(reading: ClockReading, finish: @escaping (_ ready: [Int32]) throws -> Void = { _ in }) {
    self.reading = reading
    self.finish = finish
  }
}
