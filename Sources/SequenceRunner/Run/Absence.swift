public import Platform
import Store

/// A time for which the machine was away, and for which a run was paused because of that.
public struct Absence: Hashable, Sendable {
  /// Why the machine was away.
  public let cause: Cause
  /// When the step's clock was stopped.
  public let since: Reading
  /// When the machine was found to be back; `nil` until then.
  public internal(set) var until: Reading?

  /// Why the machine was away.
  public enum Cause: String, Hashable, Sendable, Encodable {
    /// It slept.
    case sleep
    /// It was switched off, or restarted, in good order.
    case shutdown
    /// It went off without a word; the run was stopped at the last sign of life that was stored.
    case outage
  }

  /// How long the machine was away; `nil` until it is back.
  ///
  /// For an outage that is the time since its last sign of life.
  public var length: Duration? { until.map { $0.elapsed(since: since) } }
}

extension Absence: Encodable {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (cause, since, until) = (Cause?.none, Reading?.none, Reading?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "cause": cause = try json.required(Cause(rawValue: try json.string()), "cause that is known")
      case "since": since = try Reading(from: &json)
      case "until": until = try Reading(from: &json)
      default: try json.skip()
      }
    }
    self.init(
      cause: try json.required(cause, "cause"), since: try json.required(since, "since"), until: until)
  }
}
