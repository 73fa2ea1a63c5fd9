import SequenceStore

/// The choices for one run, stored with it.
public struct RunOptions: Hashable, Sendable {
  /// The effect of suspend on the run; `nil` to leave that to the sequence.
  public let suspendPolicy: SuspendPolicy?
  /// The effect of a locked screen on the run; `nil` to leave that to the sequence.
  public let lockPolicy: SuspendPolicy?
  /// Whether sounds are played; `nil` to leave that to the configuration.
  public internal(set) var sound: Bool?
  /// Whether titles are spoken; `nil` to leave that to the configuration.
  public let speech: Bool?

  /// The options without any choice: the sequence and the configuration decide.
  public static let unspecified = RunOptions(suspendPolicy: nil, sound: nil, speech: nil)

  /// Creates the choices for one run.
  public init(
    suspendPolicy: SuspendPolicy?, lockPolicy: SuspendPolicy? = nil, sound: Bool?, speech: Bool?
  ) {
    self.suspendPolicy = suspendPolicy
    self.lockPolicy = lockPolicy
    self.sound = sound
    self.speech = speech
  }
}

extension RunOptions: Encodable {
  private enum CodingKeys: String, CodingKey {
    case suspendPolicy = "onSuspend"
    case lockPolicy = "onLock"
    case sound, speech
  }

  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (policy, lockPolicy) = (SuspendPolicy?.none, SuspendPolicy?.none)
    var (sound, speech) = (Bool?.none, Bool?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "onSuspend":
        policy = try json.known(SuspendPolicy(rawValue: try json.string()), "policy")
      case "onLock": lockPolicy = try json.known(SuspendPolicy(rawValue: try json.string()), "policy")
      case "sound": sound = try json.boolean()
      case "speech": speech = try json.boolean()
      default: try json.skip()
      }
    }
    self.init(suspendPolicy: policy, lockPolicy: lockPolicy, sound: sound, speech: speech)
  }
}
