import SequencePlatform

/// The duration of a card, or the way it ends.
@nonexhaustive
public enum Timing: Hashable, Sendable {
  /// Lasts a fixed duration, at least a nanosecond, and then is complete or waits at zero.
  case countdown(Duration, advance: Advance = .automatic)
  /// Runs until the user completes it.
  case countUp(goal: Goal? = nil)

  /// The behavior of a countdown when its time is over.
  @nonexhaustive
  public enum Advance: String, Hashable, Sendable, Encodable {
    /// The step is complete, and the next step starts at that moment.
    case automatic
    /// The step stays at zero and counts overtime until the user completes it.
    case manual
  }

  /// Whether a step with this timing ends when its time is over, without the user.
  public var endsByItself: Bool {
    switch self {
    case .countdown(_, let advance): advance == .automatic
    case .countUp: false
    }
  }

  /// The duration of a countdown; `nil` for a count-up.
  public var duration: Duration? {
    switch self {
    case .countdown(let duration, _): duration
    case .countUp: nil
    }
  }

  /// The goal of a count-up; `nil` for a countdown or a count-up without a goal.
  public var goal: Goal? {
    switch self {
    case .countdown: nil
    case .countUp(let goal): goal
    }
  }

  /// The duration of a countdown or the goal of a count-up; `nil` without a goal.
  public var target: Duration? { duration ?? goal?.duration }

  var isUsable: Bool {
    switch self {
    case .countdown(let duration, _): Timing.isUsable(duration)
    case .countUp(nil): true
    case .countUp(let goal?):
      Timing.isUsable(goal.duration) && Timing.isUsable(goal.cadence)
        && (0...SequenceLimits.mostReminders).contains(goal.reminders)
    }
  }

  private static func isUsable(_ duration: Duration) -> Bool {
    duration >= SequenceLimits.shortestDuration && duration <= SequenceLimits.longestDuration
  }
}

/// The time that a count-up aims at, and the reminders after that.
public struct Goal: Hashable, Sendable {
  /// The active time to reach; above zero.
  public let duration: Duration
  /// The largest number of reminders, including the notification at the goal.
  public let reminders: Int
  /// The active time between two reminders; at least `minimumCadence`.
  public let cadence: Duration

  /// The number of reminders if none is given.
  public static let defaultReminders = 3
  /// The shortest time between two reminders; shorter cadences are raised to it.
  public static let minimumCadence = Duration.seconds(600)

  /// Creates a goal; raises a cadence shorter than `minimumCadence` to it.
  public init(
    duration: Duration, reminders: Int = defaultReminders, cadence: Duration = minimumCadence
  ) {
    self.duration = duration
    self.reminders = reminders
    self.cadence = max(cadence, Goal.minimumCadence)
  }
}

extension Goal: Encodable {
  private enum CodingKeys: String, CodingKey { case duration, reminders, cadence }

  /// Encodes durations as whole nanoseconds, so that they are decoded exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encode(reminders, forKey: .reminders)
    try container.encode(cadence.nanoseconds, forKey: .cadence)
  }
}

extension Timing: Encodable {
  private enum CodingKeys: String, CodingKey { case countdown, advance, countUp }
  private struct CountUp: Encodable { let goal: Goal? }

  /// Encodes durations as whole nanoseconds, so that they are decoded exactly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .countdown(let duration, let advance):
      try container.encode(duration.nanoseconds, forKey: .countdown)
      try container.encode(advance, forKey: .advance)
    case .countUp(let goal):
      try container.encode(CountUp(goal: goal), forKey: .countUp)
    }
  }
}
