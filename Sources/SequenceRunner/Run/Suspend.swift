public import Platform
import Store

/// A time for which the machine was away, and for which a run was paused because of that.
public struct Suspend: Hashable, Sendable {
  /// Why the machine was away.
  public let cause: Cause
  /// When the step's clock was stopped.
  public let since: ClockReading
  /// When the machine was found to be back; `nil` until then.
  public internal(set) var until: ClockReading?

  /// Why the machine was away.
  public enum Cause: String, Hashable, Sendable, Encodable {
    /// It slept.
    case sleep
    /// It was switched off, or restarted, in good order.
    case shutdown
    /// It went off without a word; the run was stopped at the last sign of life that was stored.
    case powerLoss = "outage"

    /// The name in documents and templates.
    package var name: String { self == .powerLoss ? "power-loss" : rawValue }
  }

  /// How long the machine was away; `nil` until it is back.
  ///
  /// For an outage that is the time since its last sign of life.
  public var length: Duration? { until.map { $0.elapsed(since: since) } }
}

extension Suspend: Encodable {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (cause, since, until) = (Cause?.none, ClockReading?.none, ClockReading?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "cause": cause = try json.required(Cause(rawValue: try json.string()), "cause that is known")
      case "since": since = try ClockReading(from: &json)
      case "until": until = try ClockReading(from: &json)
      default: try json.skip()
      }
    }
    self.init(
      cause: try json.required(cause, "cause"), since: try json.required(since, "since"), until: until)
  }
}
