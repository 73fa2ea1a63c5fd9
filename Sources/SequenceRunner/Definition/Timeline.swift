public import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The steps of a sequence in running order.
///
/// Rounds are not unrolled: a timeline takes the time and memory of its cards, however many steps it has. The step at a
/// given time is found by bisection in each group around it, and by division in an endless group. If a card has another
/// duration in each round, the time before a round is a closed sum, or a sum of as many numbers as the card has durations.
public struct Timeline: Sendable {
  /// The sequence that the steps belong to.
  public private(set) var definition: SequenceDefinition

  /// How long the user takes for cards that wait for them, by the ids of these cards.
  let estimates: [UUID: Estimate]

  private let cards: [Card]
  /// The steps before the endless group; all steps without one.
  let row: Row
  /// One round of the endless group.
  private let loop: Row?

  /// Counts and measures the steps of a sequence.
  ///
  /// - Throws: `TimelineError` if the sequence has no steps, exceeds a limit, has two cards with one id, or
  ///   has endless rounds that are not possible.
  /// - Complexity: O(cards and groups).
  public init(_ definition: SequenceDefinition) throws(TimelineError) {
    try self.init(definition, estimates: [:])
  }

  /// - Parameter estimates: how long the user takes for cards that wait for them, by the ids of these cards.
  package init(_ definition: SequenceDefinition, estimates: [UUID: Estimate]) throws(TimelineError) {
    let count = try Timeline.stepCount(definition.elements, depth: 0)
    guard count > 0 else { throw .noSteps }
    guard count <= SequenceLimits.mostSteps else { throw .tooManySteps }

    var builder = Builder(estimates)
    row = builder.row(definition.elements)
    builder.isEndless = true
    loop = definition.endlessGroup.map { builder.row($0.elements) }
    guard !builder.isUnusable else { throw .unusableTiming }
    if let mistake = builder.mistakeOfRounds { throw mistake }
    guard !builder.hasLongText, !SequenceLimits.isTooLong(definition.title) else { throw .textTooLong }
    guard builder.text + definition.title.utf8.count <= SequenceLimits.largestText else { throw .tooMuchText }
    guard definition.labels.count <= SequenceLimits.mostLabels else { throw .tooManyLabels }
    if let label = definition.labels.first(where: { !RunName.isValid($0) }) { throw .wrongLabel(label) }
    if let id = builder.repeatedID { throw .repeatedID(id) }
    // If one of them is too long, their sum may overflow.
    guard !builder.isTooLong,
      row.size.longest + (loop?.size.longest ?? 0) <= SequenceLimits.longestTotal.nanoseconds
    else { throw .tooLong }
    if let loop, !loop.hasStop, loop.size.time < SequenceLimits.shortestEndlessRound.nanoseconds {
      throw .endlessRoundTooShort
    }
    guard !definition.rings || loop == nil else { throw .endlessRing }
    self.definition = definition
    cards = builder.cards
    self.estimates = estimates
  }

  func identified(as id: UUID) -> Timeline {
    var timeline = self
    timeline.definition.id = id
    return timeline
  }

  /// The number of steps, at least one; `nil` for an endless sequence.
  public var count: Int? { loop == nil ? row.size.steps : nil }

  /// The index after the last step; the largest number for an endless sequence.
  package var end: Int { count ?? .max }

  package var firstEndlessRound: Range<Int>? {
    loop.map { row.size.steps..<row.size.steps + $0.size.steps }
  }

  /// Whether cards of the endless group have `skipsLastRound`, although it has no last round.
  package var ignoresSkipLast: Bool {
    definition.endlessGroup?.elements.contains(where: \.skipsLastRound) ?? false
  }

  /// The number of steps up to the end of the sequence or of the first endless round; each card is among them.
  package var listedCount: Int { firstEndlessRound?.upperBound ?? row.size.steps }

  func hasListedStep(_ index: Int) -> Bool { (0..<listedCount).contains(index) }

  /// Returns the outcome of a run that is stopped in a step.
  ///
  /// A run of an endless sequence can end no other way, so it is finished if as many steps of the endless rounds were
  /// done as one round has.
  ///
  /// - Parameter first: the first step of the run.
  package func outcome(ofStopInStepAt index: Int, startedAt first: Int = 0) -> RunOutcome {
    guard let round = firstEndlessRound else { return .stopped }
    return index >= max(first, round.lowerBound) + round.count ? .finished : .stopped
  }

  /// Returns the step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func step(at index: Int) -> Step {
    var rounds: [Step.Round] = []
    let card = descend(to: index) { rounds.append($0) }.card
    return Step(index: index, card: card, rounds: rounds)
  }

  /// Returns the card of the step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func card(at index: Int) -> Card { descend(to: index) { _ in }.card }

  /// Returns the timing of the step at an index below `count`.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  package func timing(at index: Int) -> Timing {
    let found = descend(to: index) { _ in }
    return found.card.timing(inRound: found.round)
  }

  /// Returns the total countdown time of the steps in a range; count-ups add nothing.
  ///
  /// The longest `Duration` of whole nanoseconds in 64 bits stands for all longer ones, which endless rounds can reach.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func duration(of steps: Range<Int>) -> Duration {
    duration(of: steps) { $0.time }
  }

  /// Returns the total countdown time of the rests in a range.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  package func rest(of steps: Range<Int>) -> Duration {
    duration(of: steps) { $0.rest }
  }

  /// Returns the planned time of the steps in a range: the countdowns, and the lengths that are planned for steps that
  /// wait for the user.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  package func planned(of steps: Range<Int>) -> Duration { duration(of: steps) { $0.planned } }

  private func duration(of steps: Range<Int>, _ value: (Size) -> Int64) -> Duration {
    .nanoseconds(Int64(clamping: sum(before: steps.upperBound, value) - sum(before: steps.lowerBound, value)))
  }

  /// Returns the index of the first step at or after `index` that only the user can end; `nil` without one.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  public func firstStop(from index: Int) -> Int? {
    if index < row.size.steps, let found = row.firstStop(from: index) { return found }
    guard let loop, loop.hasStop else { return nil }
    let (round, place) = max(0, index - row.size.steps).quotientAndRemainder(dividingBy: loop.size.steps)
    let start = row.size.steps + round * loop.size.steps
    if let found = loop.firstStop(from: place) { return start + found }
    return loop.firstStop(from: 0).map { start + loop.size.steps + $0 }
  }

  /// Whether it is known for each card that waits for the user how long the user takes.
  package var hasEstimates: Bool {
    !estimates.isEmpty && cards.allSatisfy { $0.timing.endsByItself || estimates[$0.id] != nil }
  }

  /// The usual length of a card that waits for the user; `nil` if it is not known.
  package func usualLength(of card: Card) -> Duration? {
    estimates[card.id]?.usual
  }

  /// - Complexity: O(1).
  package func hasCountUp(from index: Int) -> Bool {
    index < row.countUpsEnd || loop.map { $0.countUpsEnd > 0 } ?? false
  }

  /// Returns the index of the step that is current `time` after the start of the step at `first`.
  ///
  /// Stops at the first step that only the user can end. Returns `count` if all steps have ended. A step with
  /// no time left has ended.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  package func stepReached(from first: Int, after time: Duration) -> Int {
    guard first < end else { return first }
    let reached = self.time(before: first) + Int128(time.nanoseconds)
    // A round with a stop may be so short that the number of rounds in the time exceeds all numbers.
    if let stop = firstStop(from: first), reached >= self.time(before: stop) { return stop }
    return max(first, step(after: reached))
  }

  /// Returns the card of a step and its round of the innermost group, and the sums over the steps before it: those of
  /// the row, or in endless rounds those of the round, whose number is `pass`.
  ///
  /// - Parameter visit: receives the round of each group around the step, outermost first.
  func descend(
    to index: Int, visit: (Step.Round) -> Void
  ) -> (card: Card, round: Int, before: Size, pass: Int?) {
    guard let loop, index >= row.size.steps else {
      let (card, round, before) = descend(in: row, to: index, visit)
      return (card, round, before, nil)
    }
    let (pass, place) = (index - row.size.steps).quotientAndRemainder(dividingBy: loop.size.steps)
    visit(Step.Round(round: pass + 1, of: nil))
    let (card, round, before) = descend(in: loop, to: place, visit)
    return (card, round, before, pass)
  }

  private func descend(
    in first: Row, to index: Int, _ visit: (Step.Round) -> Void
  ) -> (card: Card, round: Int, before: Size) {
    var (row, round, offset, before) = (first, 0, index, Size())
    while true {
      let node = row.node { $0.start.steps + $0.size.steps > offset }
      before += row.start(of: node, inRound: round)
      offset = index - before.steps
      switch node.kind {
      case .card(let number): return (cards[number], round + 1, before)
      case .group(let group):
        round = min(offset / group.everyRound.size.steps, group.rounds - 1)
        visit(Step.Round(round: round + 1, of: group.rounds))
        before += group.start(ofRound: round)
        offset = index - before.steps
        row = group.row(ofRound: round)
      }
    }
  }

  /// Returns a sum over the steps before a step; over all of them for the index `count`.
  ///
  /// Endless rounds of long steps exceed 64 bits after 292 years, which a user can skip to.
  private func sum(before index: Int, _ value: (Size) -> Int64) -> Int128 {
    guard index < end else { return Int128(value(row.size)) }
    let found = descend(to: index) { _ in }
    guard let loop, let pass = found.pass else { return Int128(value(found.before)) }
    return Int128(value(row.size)) + Int128(pass) * Int128(value(loop.size)) + Int128(value(found.before))
  }

  /// Returns the countdown time before a step, in nanoseconds.
  private func time(before index: Int) -> Int128 { sum(before: index) { $0.time } }

  /// Returns the index of the first step that ends after a time, in nanoseconds; `end` without one.
  private func step(after time: Int128) -> Int {
    guard time >= row.size.time else { return step(in: row, after: Int64(time)) }
    guard let loop, loop.size.time > 0 else { return end }
    let (round, rest) = (time - Int128(row.size.time)).quotientAndRemainder(
      dividingBy: Int128(loop.size.time))
    return row.size.steps + Int(round) * loop.size.steps + step(in: loop, after: Int64(rest))
  }

  private func step(in first: Row, after time: Int64) -> Int {
    var (row, round, before) = (first, 0, Size())
    while true {
      let node = row.node(endingAfter: time - before.time, inRound: round)
      before += row.start(of: node, inRound: round)
      guard case .group(let group) = node.kind else { return before.steps }
      round = group.round(after: time - before.time)
      before += group.start(ofRound: round)
      row = group.row(ofRound: round)
    }
  }
}

/// What a run knows of the time that the user takes for a card that waits for them.
package enum Estimate: Hashable, Sendable {
  /// The median of earlier runs.
  case usual(Duration)
  /// The countdown or the goal, which was chosen for the run.
  case chosen

  var usual: Duration? { if case .usual(let length) = self { length } else { nil } }
}

/// The reason why a sequence cannot run.
@nonexhaustive
public enum TimelineError: ExplainedError, LocalizedError, Equatable {
  /// The sequence has no card, or every card is left out in the last round of a group with one round.
  case noSteps
  /// The sequence has more than 100,000 steps.
  case tooManySteps
  /// The countdowns together take longer than 36,500 days.
  case tooLong
  /// Groups nest deeper than 16 levels.
  case tooDeep
  /// A group has fewer than one round.
  case noRounds
  /// A group with endless rounds is followed by something, or is within another group.
  case foreverNotLast
  /// One of the endless rounds is shorter than 1 s, and no step of it waits for the
  /// user.
  case endlessRoundTooShort
  /// The sequence rings at its end, but its rounds are endless.
  case endlessRing
  /// A card has times or numbers out of range.
  ///
  /// Either a duration, goal or cadence is below 1 ns or above 30 days, or a goal has a negative number of reminders or
  /// more than 100, or a card insists more often than every 10 s or without a countdown that waits.
  case unusableTiming
  /// A card has durations for its later rounds, but is no countdown in a group with a number of rounds.
  case roundsNotPossible(card: String)
  /// A card has another number of durations than it has rounds; its group would need `fitting` rounds.
  case otherRounds(card: String, lengths: Int, rounds: Int, fitting: Int)
  /// A card whose duration differs between rounds is shorter than 1 s or longer than 30 days in a round.
  case roundOutOfRange(card: String, round: Int, length: Duration)
  /// A card has a shortest or longest duration, but does not end by itself or is in endless rounds.
  case boundsNotPossible(card: String)
  /// A card is shorter than its shortest duration or longer than its longest one; in a round if these differ.
  case outOfBounds(card: String, round: Int?, length: Duration)
  /// A title or a note has more than 1000 characters, or more than 4000 bytes of UTF-8.
  case textTooLong
  /// The titles and notes together have more than 4 MiB, with those of each card as often as it is in the tree.
  case tooMuchText
  /// The sequence has more than 10 labels.
  case tooManyLabels
  /// A label is not of lower-case letters and digits, with single hyphens between words, or is too long.
  case wrongLabel(String)
  /// Two cards have this id, so their notifications could not be distinguished.
  case repeatedID(UUID)

  /// The problem of the sequence as a whole, and the change that makes it valid.
  public var problem: Problem {
    switch self {
    case .noSteps: Problem("the sequence has no steps", remedy: "add at least one card")
    case .tooManySteps:
      Problem(
        "the sequence has more than \(SequenceLimits.mostSteps) steps", remedy: "use fewer cards or rounds")
    case .tooLong:
      Problem(
        "the countdowns are longer than 36500 days in total", remedy: "use fewer or shorter countdowns")
    case .tooDeep:
      Problem(
        "groups are nested deeper than \(SequenceLimits.deepestNesting) levels", remedy: "use fewer levels")
    case .noRounds: Problem("a group has no rounds", remedy: "set rounds to 1 or more")
    case .foreverNotLast:
      Problem(
        "rounds: forever works only on the last element of the sequence",
        remedy: "move the group to the end and out of other groups, or use a number of rounds")
    case .endlessRoundTooShort:
      Problem(
        "a round that repeats forever lasts less than 1 s",
        remedy: "use longer countdowns, or a card that waits for you")
    case .endlessRing:
      Problem(
        "a sequence that repeats forever has no end to ring at",
        remedy: "use a number of rounds, or don't ring")
    case .unusableTiming:
      Problem(
        """
        a card has a time below 1 ns or above 30d, more than \(SequenceLimits.mostReminders) reminders, or insists \
        without waiting or more often than every 10s
        """, remedy: "correct the times or the reminders")
    case .roundsNotPossible(let card):
      Problem(
        """
        a length for each round, or a change of it, works only on a countdown in a group with a number of rounds, \
        not on \(quoted(card))
        """, remedy: "give it one length")
    case .otherRounds(let card, let lengths, let rounds, let fitting):
      otherRounds(
        card, .plural("1 length", "{} lengths", count: lengths), rounds: rounds, fitting: fitting)
    case .roundOutOfRange(let card, let round, let length):
      Problem(
        "\(quoted(card)) would last \(DurationText.format(length)) in round \(round)",
        remedy: "use 1s to 30d in each round")
    case .boundsNotPossible(let card):
      Problem(
        """
        atLeast and atMost work only on a countdown that ends by itself, in a number of rounds, not on \(quoted(card))
        """, remedy: "remove them")
    case .outOfBounds(let card, let round, let length):
      Problem(
        round.map {
          LocalizedText(
            """
            \(quoted(card)) lasts \(DurationText.format(length)) in round \($0), which is not from its atLeast to its \
            atMost
            """)
        }
          ?? LocalizedText(
            "\(quoted(card)) lasts \(DurationText.format(length)), which is not from its atLeast to its atMost"
          ),
        remedy: "change one of them")
    case .textTooLong:
      Problem("a title or a note has more than \(SequenceLimits.titleLimits)", remedy: "shorten it")
    case .tooMuchText:
      Problem(
        "the titles and notes have more than 4 MiB in total", remedy: "use fewer cards or shorter notes")
    case .tooManyLabels:
      Problem("the sequence has more than \(SequenceLimits.mostLabels) labels", remedy: "remove some of them")
    case .wrongLabel(let label): RunName.problem(ofLabel: label)
    case .repeatedID(let id):
      Problem("two cards have the id \(id.uuidString)", remedy: "give each card an id of its own")
    }
  }

  private func otherRounds(_ card: String, _ lengths: LocalizedText, rounds: Int, fitting: Int) -> Problem {
    Problem(
      "\(quoted(card)) has \(lengths), but is in \(Rounds.times(rounds).words)",
      remedy: "use \(Rounds.times(fitting).words), or one length for all")
  }
}

/// One occurrence of a card in a run.
public struct Step: Hashable, Sendable {
  /// The position in the timeline, from 0.
  public let index: Int
  /// The number that people see, from 1.
  public var number: Int { index + 1 }
  /// The card of the step.
  public let card: Card
  /// The current round of each group around the card, outermost first; empty outside groups.
  public let rounds: [Round]
  /// The duration of the step in a run that is to end at a clock time; `nil` if it is that of the card.
  package internal(set) var fitted: Duration?
  /// The duration of the step, or the way it ends: the timing of the card in this round.
  public var timing: Timing {
    let timing = card.timing(inRound: rounds.last?.round ?? 1)
    guard let fitted, case .countdown(_, let advance) = timing else { return timing }
    return .countdown(fitted, advance: advance)
  }

  /// A round of a group.
  public struct Round: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// The number of the round, from 1.
    public let round: Int
    /// The number of rounds of the group; `nil` if they are endless.
    public let of: Int?

    /// Creates round `round` of `of`.
    public init(round: Int, of: Int?) {
      self.round = round
      self.of = of
    }

    /// The round and the number of rounds, such as `2 of 8`; only the round if they are endless.
    public var description: String { text(" of ") }

    package func text(_ separator: String) -> String { "\(round)" + (of.map { "\(separator)\($0)" } ?? "") }
  }
}
