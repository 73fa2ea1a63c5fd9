public import SequencePlatform
import SequenceStore

/// A suspend, or a lock of the screen, that a run was paused for.
public struct Suspend: Hashable, Sendable {
  /// The cause of the suspend.
  public let cause: Cause
  /// The reading that the step's clock was stopped at.
  public let since: ClockReading
  /// The first reading after the suspend; `nil` until then.
  public internal(set) var until: ClockReading?

  /// The cause of a suspend.
  @nonexhaustive
  public enum Cause: String, Hashable, Sendable, Encodable {
    /// The machine slept or hibernated.
    case sleep
    /// The machine was shut down or restarted regularly.
    case shutdown
    /// The screen was locked, whatever the machine did meanwhile.
    case lock
    /// The machine lost power; the run was paused at the last stored sign of life.
    case powerLoss = "power-loss"
  }

  /// The length of the suspend; `nil` until it is over.
  ///
  /// After a power loss this is the time since the last sign of life.
  public var length: Duration? { until.map { $0.elapsed(since: since) } }
}

extension Suspend: Encodable {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (cause, since, until) = (Cause?.none, ClockReading?.none, ClockReading?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "cause": cause = try json.known(Cause(rawValue: try json.string()), "cause")
      case "since": since = try json.reading()
      case "until": until = try json.reading()
      default: try json.skip()
      }
    }
    self.init(
      cause: try json.required(cause, "cause"), since: try json.required(since, "since"), until: until)
  }
}
