import Platform

/// How long a card lasts, or how it ends.
public enum Timing: Hashable, Sendable {
  /// Lasts a fixed duration, longer than zero, and then is complete, or waits at zero.
  case countdown(Duration, advance: Advance)
  /// Runs until the user completes it.
  case countUp(goal: Goal?)

  /// What a countdown does when its time is over.
  public enum Advance: String, Hashable, Sendable, Encodable {
    /// It is complete, and the next step starts at that moment.
    case automatic
    /// It stays at zero and counts overtime until the user goes on.
    case manual
  }

  /// Whether a step of this timing ends when its time is over, without the user.
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

  /// The goal of a count-up that has one.
  public var goal: Goal? {
    switch self {
    case .countdown: nil
    case .countUp(let goal): goal
    }
  }

  /// The time after which the user should know: a countdown's end, or a count-up's goal.
  public var target: Duration? { duration ?? goal?.duration }

  /// Whether its times and numbers are within `SequenceLimits`.
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
    duration > .zero && duration <= SequenceLimits.longestDuration
  }
}

/// The time a count-up aims at, and the reminders that follow once it is reached.
public struct Goal: Hashable, Sendable {
  /// The active time to reach; longer than zero.
  public let duration: Duration
  /// How many reminders there are at most, the one at the goal included.
  public let reminders: Int
  /// The active time from one reminder to the next; at least `minimumCadence`.
  public let cadence: Duration

  /// How many reminders a goal has unless it says otherwise.
  public static let defaultReminders = 3
  /// The shortest time between two reminders; a shorter one is raised to it.
  public static let minimumCadence = Duration.seconds(600)

  /// A goal; a cadence shorter than `minimumCadence` is raised to it.
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

  /// Writes whole numbers, which come back exactly.
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

  /// Writes whole numbers, which come back exactly.
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
