import FoundationEssentials
import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The page of a sequence as a value: its length, and its cards and groups as they are in the file.
struct SequencePlan: Equatable {
  /// A card, or the head of a group whose cards follow.
  struct Row: Equatable {
    var title: String
    /// The part of its length that one time doesn't say, and its rounds.
    var facts: String
    /// Its length, or that of its rounds; empty if no time says it.
    var time: String
    /// When it starts, from the start of the run; `nil` at the start, in groups, and after a step that waits for the
    /// user.
    var start: String?
    var depth: Int
    var isGroup: Bool
    var card: Card?
  }

  let length: String
  /// The number of steps, and of those that wait for the user.
  let steps: String
  private(set) var rows: [Row] = []
  /// The number of cards and groups that are not among the rows.
  private(set) var more = 0

  private let timeline: Timeline
  private let most: Int
  /// The first step that waits for the user.
  private let firstStop: Int

  init(_ timeline: Timeline, most: Int) {
    self.timeline = timeline
    self.most = most
    firstStop = timeline.firstStop(from: 0) ?? .max
    length = SequenceLength(timeline).timeText(LengthText.format).capitalizedFirst
    let elements = timeline.definition.elements
    let waiting = SequencePlan.count(elements, isLast: false) { !$0.timing.endsByItself }
    steps =
      StepText.count(timeline.listedCount)
      + (waiting == 0 ? "" : " · " + plural("1 waits for you", "{} wait for you", count: waiting))
    add(elements, from: 0, depth: 0, isRepeated: false, isLast: false)
  }

  static func == (first: SequencePlan, other: SequencePlan) -> Bool {
    first.length == other.length && first.steps == other.steps && first.rows == other.rows
      && first.more == other.more
  }

  /// - Parameters:
  ///   - isRepeated: whether the round isn't the only one.
  ///   - isLast: whether it is the last round, which leaves cards out.
  private mutating func add(
    _ elements: [SequenceElement], from first: Int, depth: Int, isRepeated: Bool, isLast: Bool
  ) {
    var index = first
    for element in elements {
      let count = SequencePlan.count([element], isLast: isLast) { _ in true }
      guard count > 0 else { continue }
      switch element {
      case .card(let card):
        let exception = isRepeated && card.skipsLastRound ? translated("not in the last round") : nil
        let usual = timeline.usualLength(of: card).map { translated("usually {}", LengthText.format($0)) }
        let (time, more) = SequencePlan.length(of: card)
        let facts = [more, usual, exception].compactMap { $0 }
        add(
          Row(
            title: TextSafety.sanitised(card.title), facts: facts.joined(separator: " · "), time: time,
            start: start(of: index, depth: depth), depth: depth, isGroup: false, card: card))
      case .group(let group) where group.rounds == .times(1):
        add(group.elements, from: index, depth: depth, isRepeated: false, isLast: true)
      case .group(let group):
        add(
          Row(
            title: SequencePlan.title(group.rounds), facts: "",
            time: length(of: index..<index + count, group.rounds), start: start(of: index, depth: depth),
            depth: depth, isGroup: true))
        add(
          group.elements, from: index, depth: depth + 1, isRepeated: group.rounds != .forever, isLast: false)
      }
      index += count
    }
  }

  private mutating func add(_ row: Row) {
    if rows.count < most { rows.append(row) } else { more += 1 }
  }

  private static func title(_ rounds: Rounds) -> String {
    switch rounds {
    case .times(let count): plural("1 round", "{} rounds", count: count)
    case .forever: translated("Repeats until you stop it")
    }
  }

  private func start(of index: Int, depth: Int) -> String? {
    guard depth == 0, index > 0, index <= firstStop else { return nil }
    return translated("starts at {}", ClockText.elapsed(timeline.duration(of: 0..<index)))
  }

  /// The time of a card, and what else is to say of its length.
  private static func length(of card: Card) -> (time: String, more: String?) {
    let text = StepText.length(card, LengthText.format)
    if case .lengths = card.laterRounds { return ("", text) }
    guard let duration = card.timing.duration else { return ("", text) }
    let time = LengthText.format(duration)
    guard text.hasPrefix(time) else { return ("", text) }
    let more = text.dropFirst(time.count).drop { ", ".contains($0) }
    return (time, more.isEmpty ? nil : String(more))
  }

  private func length(of steps: Range<Int>, _ rounds: Rounds) -> String {
    let time = LengthText.format(timeline.duration(of: steps))
    let endsByItself = timeline.firstStop(from: steps.lowerBound).map { !steps.contains($0) } ?? true
    switch (endsByItself, rounds == .forever) {
    case (true, false): return time
    case (false, false): return translated("at least {}", time)
    case (true, true): return translated("{} each", time)
    case (false, true): return translated("at least {} each", time)
    }
  }

  /// The number of steps of elements whose card meets a condition; of one round of an endless group.
  static func count(
    _ elements: [SequenceElement], isLast: Bool, where isCounted: (Card) -> Bool
  ) -> Int {
    elements.reduce(0) { sum, element in
      switch element {
      case .card(let card): sum + (isLast && card.skipsLastRound || !isCounted(card) ? 0 : 1)
      case .group(let group):
        switch group.rounds {
        case .forever: sum + count(group.elements, isLast: false, where: isCounted)
        case .times(let rounds):
          sum + (rounds - 1) * count(group.elements, isLast: false, where: isCounted)
            + count(group.elements, isLast: true, where: isCounted)
        }
      }
    }
  }
}

struct WorkoutPlan: Equatable {
  var title = translated("Workout")
  var exercises: [Exercise] = []
  var work = Duration.seconds(20)
  var rest = Duration.seconds(10)
  var rounds = 1
  /// The rest after the last exercise of a round; `nil` for the usual one.
  var restBetweenRounds: Duration?
  /// The time before the first exercise; zero for none.
  var getReady = Duration.seconds(10)
  /// A longer rest after an exercise, counted from 1, in the place of the usual one.
  var longerRest: (after: Int, length: Duration)?

  struct Exercise: Equatable {
    let title: String
    /// Its length; `nil` for that of the workout.
    var length: Duration?
  }

  static func == (first: WorkoutPlan, other: WorkoutPlan) -> Bool {
    first.sequence == other.sequence && first.exercises == other.exercises
  }

  /// The sequence of the workout; its cards have no ids of their own in the file.
  var sequence: SequenceDefinition {
    var elements: [SequenceElement] = []
    if getReady > .zero { elements.append(card(translated("Get ready"), getReady)) }
    let round = cards
    if rounds > 1 {
      elements.append(.group(Group(rounds: .times(rounds), elements: round)))
    } else {
      elements += round
    }
    return SequenceDefinition(id: UUID(), title: title, elements: elements, onSuspend: nil, onLock: nil)
  }

  /// One round: a rest follows each exercise, but the last one of the workout.
  private var cards: [SequenceElement] {
    exercises.enumerated().flatMap { index, exercise -> [SequenceElement] in
      let isLast = index == exercises.count - 1
      let effort = card(exercise.title, exercise.length ?? work)
      guard !isLast || rounds > 1 else { return [effort] }
      let longer = longerRest?.after == index + 1 ? longerRest?.length : nil
      let length = longer ?? (isLast ? restBetweenRounds : nil) ?? rest
      guard length > .zero else { return [effort] }
      let name = longer == nil ? translated("Rest") : translated("Long rest")
      return [effort, card(name, length, isRest: true, skipsLastRound: isLast)]
    }
  }

  private func card(
    _ title: String, _ length: Duration, isRest: Bool = false, skipsLastRound: Bool = false
  ) -> SequenceElement {
    .card(
      Card(
        id: UUID(), title: title, timing: .countdown(length), skipsLastRound: skipsLastRound, isRest: isRest))
  }
}
