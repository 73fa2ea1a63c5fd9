public import FoundationEssentials
import SequencePlatform

/// One thing to do: a title and a timing.
public struct Card: Hashable, Sendable {
  /// The identity of the card in notification identifiers; the same in every run.
  public let id: UUID
  /// The text that is shown; never empty.
  public let title: String
  /// Advice for the person who does the card; `nil` without a note.
  public let note: String?
  /// The duration of the card, or the way it ends; in a group that of the first round.
  public let timing: Timing
  /// How the duration of a countdown differs in the rounds after the first one; `nil` if all have the same.
  ///
  /// Only a card directly in a group with a number of rounds can have it. Each of its rounds lasts at least
  /// 1 s, and the rounds begin again with each pass of the group.
  public let laterRounds: LaterRounds?
  /// The shortest duration of a countdown in a run that is to end at a clock time; `nil` if it can't be shorter.
  ///
  /// Only a countdown that ends by itself can have it, and not in endless rounds. No round of the card is shorter.
  public let atLeast: Duration?
  /// The longest duration of a countdown in a run that is to end at a clock time, like `atLeast`; `nil` if it can't be
  /// longer.
  public let atMost: Duration?
  /// Whether the last round of the group leaves the card out, such as the rest after the last effort.
  public let skipsLastRound: Bool
  /// Whether the card is a rest, in which the user needs to know the next effort.
  public let isRest: Bool
  /// The sound at the start of the card, if a program plays sounds: a name of the sound theme or the absolute path of a
  /// file; empty for none, and `nil` for the usual one.
  public let sound: String?
  /// The absolute path of a picture of the card, which notifications about it show; `nil` for none.
  public let image: String?
  /// The interval of the reminders while a countdown waits for the user after its time; `nil` for none.
  ///
  /// There are at most 30 of them. Only a countdown that waits can have one.
  public let insist: Duration?

  /// Creates a card with all its properties.
  ///
  /// - Parameters:
  ///   - id: the identity of the card in notification identifiers.
  ///   - title: the text that is shown; never empty.
  ///   - note: advice for the person who does the card; `nil` without a note.
  ///   - timing: the duration of the card, or the way it ends; in a group that of the first round.
  ///   - laterRounds: how the duration differs in the rounds after the first one; `nil` if all have the same.
  ///   - atLeast: the shortest duration in a run that is to end at a clock time; `nil` if it can't be shorter.
  ///   - atMost: the longest duration in such a run; `nil` if it can't be longer.
  ///   - skipsLastRound: whether the last round of the group leaves the card out.
  ///   - isRest: whether the card is a rest; by default one that the last round leaves out is, and one whose title has
  ///     the English word *rest*, *break*, *pause*, *recover*, *recovery* or *breathe*.
  ///   - sound: the sound at the start of the card; empty for none, and `nil` for the usual one.
  ///   - image: the absolute path of a picture of the card; `nil` for none.
  ///   - insist: the interval of the reminders while a countdown waits for the user; `nil` for none.
  public init(
    id: UUID, title: String, note: String? = nil, timing: Timing, laterRounds: LaterRounds? = nil,
    atLeast: Duration? = nil, atMost: Duration? = nil, skipsLastRound: Bool = false, isRest: Bool? = nil,
    sound: String? = nil, image: String? = nil, insist: Duration? = nil
  ) {
    self.id = id
    self.title = title
    self.note = note
    self.timing = timing
    self.laterRounds = laterRounds
    self.atLeast = atLeast
    self.atMost = atMost
    self.skipsLastRound = skipsLastRound
    self.isRest = isRest ?? (skipsLastRound || Card.hasRestWord(title))
    self.sound = sound
    self.image = image
    self.insist = insist
  }

  var isUsable: Bool {
    guard let insist else { return timing.isUsable }
    guard case .countdown(_, .manual) = timing else { return false }
    return timing.isUsable && insist >= SequenceLimits.shortestInsistence
      && insist <= SequenceLimits.longestDuration
  }

  /// Returns the timing of the card in a round of the group around it, counted from 1.
  public func timing(inRound round: Int) -> Timing {
    guard round > 1, let laterRounds, case .countdown(let first, let advance) = timing else { return timing }
    return .countdown(laterRounds.duration(ofRound: round, after: first), advance: advance)
  }

  /// Returns the reason why the durations of the rounds are not possible; `nil` if they are.
  ///
  /// - Parameter rounds: those in which the card is a step; `nil` outside of groups and in endless rounds.
  package func mistakeOfRounds(in rounds: Int?) -> TimelineError? {
    guard let laterRounds else { return nil }
    guard let rounds, let first = timing.duration else { return .roundsNotPossible(card: title) }
    let last: Int
    switch laterRounds {
    case .lengths(let lengths):
      last = lengths.count + 1
      guard last == rounds else {
        return .otherRounds(
          card: title, lengths: last, rounds: rounds, fitting: last + (skipsLastRound ? 1 : 0))
      }
    case .adding(let time):
      guard abs(time.seconds) <= SequenceLimits.longestDuration.seconds else { return .unusableTiming }
      last = rounds
      // Between the first and the last round the durations only grow or only shrink.
      if [1, max(1, last)].allSatisfy({ isPossible(laterRounds.duration(ofRound: $0, after: first)) }) {
        return nil
      }
    }
    for round in 1...max(1, last) {
      let length = laterRounds.duration(ofRound: round, after: first)
      if !isPossible(length) { return .roundOutOfRange(card: title, round: round, length: length) }
    }
    return nil
  }

  /// Returns the reason why a shortest or longest duration is not possible; `nil` if both are.
  ///
  /// - Parameters:
  ///   - rounds: those in which the card is a step; `nil` outside of groups.
  ///   - isEndless: whether a group around the card repeats forever.
  package func mistakeOfBounds(in rounds: Int?, isEndless: Bool) -> TimelineError? {
    guard atLeast != nil || atMost != nil else { return nil }
    guard case .countdown(let first, .automatic) = timing, !isEndless else {
      return .boundsNotPossible(card: title)
    }
    let limits = SequenceLimits.shortestDuration...SequenceLimits.longestDuration
    guard [atLeast, atMost].allSatisfy({ $0.map(limits.contains) ?? true }) else { return .unusableTiming }
    let last = laterRounds == nil ? 1 : max(1, rounds ?? 1)
    func length(_ round: Int) -> Duration { laterRounds?.duration(ofRound: round, after: first) ?? first }
    func isWithin(_ round: Int) -> Bool {
      let length = length(round)
      return length >= atLeast ?? length && length <= atMost ?? length
    }
    // Between the first and the last round the durations only grow or only shrink, except in a list.
    if case .adding? = laterRounds, isWithin(1), isWithin(last) { return nil }
    return (1...last).first { !isWithin($0) }.map {
      .outOfBounds(card: title, round: laterRounds == nil ? nil : $0, length: length($0))
    }
  }

  private func isPossible(_ length: Duration) -> Bool {
    length >= SequenceLimits.shortestRound && length <= SequenceLimits.longestDuration
  }

  private static func hasRestWord(_ title: String) -> Bool {
    title.lowercased().split { !$0.isLetter }.contains { restWords.contains(String($0)) }
  }

  private static let restWords = ["rest", "break", "pause", "recover", "recovery", "breathe"]
}

/// The durations of a countdown in the rounds after the first one.
@nonexhaustive
public enum LaterRounds: Hashable, Sendable {
  /// A duration for each of these rounds.
  case lengths([Duration])
  /// The time that each of these rounds adds to the one before it; negative to shorten the card.
  case adding(Duration)

  /// - Parameter round: a round that the card has, counted from 1.
  package func duration(ofRound round: Int, after first: Duration) -> Duration {
    guard round > 1 else { return first }
    return switch self {
    case .lengths(let lengths): round - 2 < lengths.count ? lengths[round - 2] : lengths.last ?? first
    case .adding(let time): first + time * (round - 1)
    }
  }
}

/// Cards or groups that are repeated for a number of rounds.
public struct Group: Hashable, Sendable {
  /// How often the elements are repeated.
  public let rounds: Rounds
  /// The cards and groups of one round; never empty.
  public let elements: [SequenceElement]

  /// Creates a group of elements that are repeated.
  public init(rounds: Rounds, elements: [SequenceElement]) {
    self.rounds = rounds
    self.elements = elements
  }
}

/// How often the elements of a group are repeated.
public enum Rounds: Hashable, Sendable {
  /// A number of rounds; at least 1.
  case times(Int)
  /// Until the user stops the run; only for a group that is the last element of a sequence.
  case forever
}

extension Rounds: ExpressibleByIntegerLiteral {
  /// Creates a number of rounds.
  public init(integerLiteral value: Int) { self = .times(value) }
}

extension Rounds {
  /// The value that stands for endless rounds in files, options and stored snapshots.
  package static let foreverText = "forever"

  package var text: String {
    switch self {
    case .times(let count): String(count)
    case .forever: Rounds.foreverText
    }
  }

  /// The number with its noun, such as `2 rounds`.
  var words: LocalizedText {
    switch self {
    case .times(let count): .plural("1 round", "{} rounds", count: count)
    case .forever: LocalizedText("forever")
    }
  }
}

/// A card, or a group of cards.
public enum SequenceElement: Hashable, Sendable {
  /// A card that runs once.
  case card(Card)
  /// Elements that are repeated.
  case group(Group)

  var skipsLastRound: Bool {
    if case .card(let card) = self { card.skipsLastRound } else { false }
  }
}

/// The duration of a card, or the way it ends.
@nonexhaustive
public enum Timing: Hashable, Sendable {
  /// Lasts a fixed duration, at least a nanosecond, and then is complete or waits at zero.
  case countdown(Duration, advance: Advance = .automatic)
  /// Runs until the user completes it.
  case countUp(goal: Goal? = nil)

  /// The behavior of a countdown when its time is over.
  @nonexhaustive
  public enum Advance: String, Hashable, Sendable {
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
