import Foundation
import SequenceRunner
import Testing

struct ChoiceTests {
  private static let warmUp = Sequences.countdown("Warm up", 10)
  private static let work = Sequences.countdown("Work", 20)
  private static let rest = Sequences.card(
    "Rest", .countdown(.seconds(5), advance: .automatic), skipsLast: true)

  private static func group(_ rounds: Rounds, _ elements: SequenceElement...) -> SequenceElement {
    .group(Group(rounds: rounds, elements: elements))
  }

  private func definition(_ elements: SequenceElement...) -> SequenceDefinition {
    SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil)
  }

  /// Returns the titles of the steps, each with the numbers of its rounds.
  private func steps(_ definition: SequenceDefinition) throws -> [String] {
    let timeline = try Timeline(definition)
    return (0..<timeline.listedCount).map { index in
      let step = timeline.step(at: index)
      return ([step.card.title] + step.rounds.map { "\($0.round)/\($0.of.map(String.init) ?? "∞")" }).joined(
        separator: " ")
    }
  }

  @Test func `rounds apply to the only top-level group, and inner groups keep theirs`() throws {
    let inner = ChoiceTests.group(2, ChoiceTests.work)
    let sequence = definition(ChoiceTests.warmUp, ChoiceTests.group(5, inner, ChoiceTests.rest))
    #expect(
      try steps(sequence.with(rounds: 2)) == [
        "Warm up", "Work 1/2 1/2", "Work 1/2 2/2", "Rest 1/2", "Work 2/2 1/2", "Work 2/2 2/2",
      ])
  }

  @Test func `without a group all cards are repeated, and one round changes nothing`() throws {
    let sequence = definition(ChoiceTests.warmUp, ChoiceTests.work)
    #expect(
      try steps(sequence.with(rounds: 2)) == ["Warm up 1/2", "Work 1/2", "Warm up 2/2", "Work 2/2"])
    #expect(try sequence.with(rounds: 1) == sequence)
  }

  @Test func `rounds can be chosen to be endless, and endless ones can be counted`() throws {
    let sequence = definition(ChoiceTests.warmUp, ChoiceTests.group(5, ChoiceTests.work, ChoiceTests.rest))
    let endless = try sequence.with(rounds: .forever)
    #expect(try steps(endless) == ["Warm up", "Work 1/∞", "Rest 1/∞"])
    #expect(sequence.canRepeatForever && endless.canRepeatForever)
    #expect(try steps(endless.with(rounds: 2)) == ["Warm up", "Work 1/2", "Rest 1/2", "Work 2/2"])
    #expect(
      try steps(definition(ChoiceTests.warmUp).with(rounds: .forever)) == ["Warm up 1/∞"])
    let early = definition(ChoiceTests.group(5, ChoiceTests.work), ChoiceTests.rest)
    #expect(!early.canRepeatForever)
    #expect(throws: TimelineError.foreverNotLast) { try Timeline(early.with(rounds: .forever)) }
    #expect(try steps(endless.without(["Rest"])) == ["Warm up", "Work 1/∞"])
  }

  @Test func `several top-level groups are refused with their rounds`() {
    let sequence = definition(
      ChoiceTests.group(3, ChoiceTests.work), ChoiceTests.warmUp, ChoiceTests.group(8, ChoiceTests.work))
    #expect(throws: SequenceChoiceError.severalGroups(rounds: [3, 8])) { try sequence.with(rounds: 2) }
  }

  @Test func `cards are left out by title or id, and the others keep their ids`() throws {
    let sequence = definition(
      ChoiceTests.warmUp, ChoiceTests.group(3, ChoiceTests.work, ChoiceTests.rest),
      Sequences.countdown("Work", 20))
    let id = try #require(ChoiceTests.warmUp.cards.first).id
    let rest = try sequence.without(["Rest", id.uuidString.lowercased()])
    #expect(try steps(rest) == ["Work 1/3", "Work 2/3", "Work 3/3", "Work"])
    #expect(rest.id == sequence.id)
    #expect(Set(rest.elements.flatMap(\.cards)).isSubset(of: sequence.elements.flatMap(\.cards)))
  }

  @Test(arguments: [SuspendPolicy.continue, .pause, .ask])
  func `the policy for suspend survives each choice`(policy: SuspendPolicy) throws {
    let elements = [ChoiceTests.warmUp, ChoiceTests.group(3, ChoiceTests.work, ChoiceTests.rest)]
    let sequence = SequenceDefinition(
      id: UUID(), title: "Test", elements: elements, onSuspend: policy, onLock: nil)
    #expect(try sequence.with(rounds: 2).onSuspend == policy)
    #expect(try sequence.without(["Rest"]).onSuspend == policy)
  }

  @Test func `an empty group is removed with its rounds`() throws {
    let sequence = definition(
      ChoiceTests.warmUp, ChoiceTests.group(3, ChoiceTests.group(2, ChoiceTests.work)))
    #expect(try sequence.without(["Work"]).elements == [ChoiceTests.warmUp])
  }

  private static let plank = SequenceElement.card(
    Card("Plank", .countdown(.seconds(20)), laterRounds: .lengths([.seconds(30), .seconds(40)])))

  @Test func `a length is set for all cards with a title, in each round`() throws {
    let goal = Sequences.card("WORK", .countUp(goal: Goal(duration: .seconds(60), reminders: 1)))
    let sequence = definition(goal, ChoiceTests.group(3, ChoiceTests.plank, ChoiceTests.work))
    let (set, estimates) = try sequence.setting([("work", .seconds(15)), ("PLANK", .seconds(50))])
    let timeline = try Timeline(set)
    #expect(
      (0..<7).map { timeline.step(at: $0).timing.target }
        == [15, 50, 15, 50, 15, 50, 15].map { .seconds($0) })
    #expect(timeline.card(at: 0).timing.goal?.reminders == 1)
    #expect(set.id == sequence.id && estimates == [goal.cards[0].id: .chosen])
    #expect(set.elements.flatMap(\.cards).map(\.id) == sequence.elements.flatMap(\.cards).map(\.id))
    // A card with one length suits any number of rounds.
    #expect(try Timeline(set.with(rounds: 5)).count == 11)
    #expect(throws: TimelineError.otherRounds(card: "Plank", lengths: 3, rounds: 5, fitting: 3)) {
      try Timeline(sequence.with(rounds: 5))
    }
    #expect(throws: TimelineError.roundsNotPossible(card: "Plank")) {
      try Timeline(sequence.with(rounds: .forever))
    }
  }

  @Test func `spaces at the ends of a title don't matter`() throws {
    let sequence = definition(Sequences.card(" Work ", .countdown(.seconds(5))))
    for title in ["work", " Work ", "Work  "] {
      #expect(
        try Timeline(sequence.setting([(title, .seconds(9))]).sequence).timing(at: 0).duration == .seconds(9))
    }
  }

  @Test func `a length is refused for an unknown title, a stopwatch, or twice`() throws {
    let sequence = definition(ChoiceTests.warmUp, Sequences.card("Write", .countUp()))
    let error = #expect(throws: SequenceChoiceError.self) { try sequence.setting([("Warmup", .seconds(1))]) }
    #expect(error?.problem.remedy == #"did you mean "Warm up"?"#)
    #expect(throws: SequenceChoiceError.noLength(card: "Write")) {
      try sequence.setting([("write", .seconds(1))])
    }
    #expect(throws: SequenceChoiceError.setTwice(card: "Warm up")) {
      try sequence.setting([("Warm up", .seconds(1)), ("warm UP", .seconds(2))])
    }
  }

  @Test func `an unknown name and leaving out all cards are refused`() {
    let sequence = definition(ChoiceTests.warmUp, ChoiceTests.group(3, ChoiceTests.work))
    #expect(throws: SequenceChoiceError.nothingLeft(sequence: "Test")) {
      try sequence.without(["Work", "Warm up"])
    }
    for name in ["work", "", UUID().uuidString] {
      #expect(
        throws: SequenceChoiceError.noSuchCard(name, sequence: "Test", cards: ["Warm up", "Work"])
      ) { try sequence.without(["Work", name]) }
    }
  }
}
