import Foundation
import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceFiles
@testable import SequenceWindow

/// Edits of a sequence as the editor does them, without its widgets.
@Suite(.timeLimit(.minutes(3)))
struct EditedSequenceTests {
  private static let workout = """
    # My workout
    title: Workout
    labels: [health, client-a]   # kept
    cards:
      - { title: Warm up, countdown: 2m }
      - rounds: 4   # four
        cards:
          - title: Squats
            countdown: 0:40   # really
            note: Keep your back straight
          # A break
          - { title: Rest, countdown: 20s, skipLast: true }
      - title: Cool down
        countUp: { goal: 5m, reminders: 1 }

    """

  private func sequence(_ text: String = workout) throws -> EditedSequence {
    try EditedSequence(Array(text.utf8), in: "/")
  }

  private func text(_ sequence: EditedSequence) -> String {
    String(decoding: sequence.document.bytes, as: UTF8.self)
  }

  /// The titles of the rows, indented by their groups.
  private func outline(_ sequence: EditedSequence) -> [String] {
    sequence.rows.map { row in
      let title: String =
        switch row.content {
        case .card(let card): card.title
        case .group(let group): group.title
        case .end: "+"
        }
      return String(repeating: "  ", count: row.depth) + title
    }
  }

  private func place(_ row: Int, _ sequence: EditedSequence) -> EditorPlace { sequence.rows[row].place }

  @Test(arguments: [
    ("health, client-a", ["health", "client-a"]), (" a ,, b،c;a ", ["a", "b", "c"]),
    ("Client A", ["Client A"]),
    ("", []),
  ])
  func `labels have commas between them`(text: String, labels: [String]) {
    #expect(EditorText.labels(text) == labels)
  }

  @Test func `a wrong label is refused with the way to write it`() throws {
    let sequence = try sequence()
    func answer(_ labels: [String]) -> String? {
      do throws(EditorFailure) {
        _ = try sequence.applying(.setLabels(labels))
        return nil
      } catch {
        return error.text(nil)
      }
    }
    #expect(answer(["Client A"]) == "\"Client A\" cannot be a label. Write it like client-a.")
    #expect(answer((1...11).map { "l\($0)" })?.contains("more than 10 labels") == true)
    #expect(answer((1...10).map { "l\($0)" }) == nil)
  }

  @Test func `a sequence has a row for each card, each group and each end`() throws {
    let sequence = try sequence()
    #expect(
      outline(sequence) == ["Warm up", "4 rounds", "  Squats", "  Rest", "  +", "Cool down", "+"])
    #expect(sequence.rows[1].group?.timeText == "3\u{A0}min 40\u{A0}s")
    #expect(sequence.rows[3].card?.facts == "not in the last round")
    #expect(sequence.rows[5].card?.facts == "counts up to a goal")
    #expect(sequence.rows[2].card?.time == "40\u{A0}s")
  }

  // MARK: - One edit each

  /// An edit of the workout, and the change of its text.
  struct Case: CustomTestStringConvertible {
    let edit: SequenceEdit
    let old: String
    let new: String

    var testDescription: String { "\(edit)" }

    init(_ edit: SequenceEdit, _ old: String, _ new: String) {
      (self.edit, self.old, self.new) = (edit, old, new)
    }
  }

  private static let top = EditorPlace.cards
  private static let inner = EditorPlace(list: top, index: 1).inner
  private static let squats = EditorPlace(list: inner, index: 0)
  private static let rest = EditorPlace(list: inner, index: 1)
  private static let warmUp = EditorPlace(list: top, index: 0)
  private static let coolDown = EditorPlace(list: top, index: 2)
  private static let group = EditorPlace(list: top, index: 1)
  private static let restLines = "      # A break\n      - { title: Rest, countdown: 20s, skipLast: true }\n"

  static let cases: [Case] = [
    Case(.set(squats, .title("Lunges: deep")), "title: Squats", "title: \"Lunges: deep\""),
    Case(.set(squats, .timing(.countdown(.seconds(45)))), "0:40   #", "45s   #"),
    // A length that is the same keeps its notation.
    Case(.set(squats, .timing(.countdown(.seconds(40)))), "", ""),
    Case(
      .set(squats, .timing(.countdown(.seconds(40), advance: .manual))), "back straight\n",
      "back straight\n        advance: manual\n"),
    Case(.set(squats, .timing(.countUp())), "countdown: 0:40   #", "countUp: {}   #"),
    Case(
      .set(squats, .timing(.countUp(goal: Goal(duration: .seconds(60))))), "countdown: 0:40   #",
      "countUp: { goal: 1m }   #"),
    Case(
      .set(coolDown, .timing(.countdown(.seconds(90)))), "countUp: { goal: 5m, reminders: 1 }",
      "countdown: 1m30s"),
    Case(.set(coolDown, .timing(.countUp())), "{ goal: 5m, reminders: 1 }", "{}"),
    Case(
      .set(coolDown, .timing(.countUp(goal: Goal(duration: .seconds(300), reminders: 3)))), "reminders: 1",
      "reminders: 3"),
    Case(
      .set(
        coolDown, .timing(.countUp(goal: Goal(duration: .seconds(300), reminders: 1, cadence: .seconds(900))))
      ),
      "reminders: 1", "reminders: 1, every: 15m"),
    Case(.set(squats, .note("")), "        note: Keep your back straight\n", ""),
    Case(.set(warmUp, .note("Slowly")), "countdown: 2m }", "countdown: 2m, note: Slowly }"),
    Case(.set(rest, .skipsLastRound(false)), "skipLast: true", "skipLast: false"),
    Case(
      .set(squats, .skipsLastRound(true)), "back straight\n", "back straight\n        skipLast: true\n"),
    Case(.set(warmUp, .isRest(true)), "countdown: 2m }", "countdown: 2m, rest: true }"),
    Case(
      .set(warmUp, .sound("sounds/bell.oga")), "countdown: 2m }", "countdown: 2m, sound: sounds/bell.oga }"),
    Case(
      .set(squats, .image("pictures/a b.png")), "back straight\n",
      "back straight\n        image: pictures/a b.png\n"),
    Case(.set(group, .rounds(8)), "rounds: 4   #", "rounds: 8   #"),
    Case(.setOption(.onSuspend, "ask"), "reminders: 1 }\n", "reminders: 1 }\nonSuspend: ask\n"),
    Case(.setOption(.onLock, "pause"), "reminders: 1 }\n", "reminders: 1 }\nonLock: pause\n"),
    Case(.setOption(.onLock, nil), "", ""),
    Case(.setOption(.color, "teal"), "reminders: 1 }\n", "reminders: 1 }\ncolor: teal\n"),
    Case(.setOption(.icon, "☕"), "reminders: 1 }\n", "reminders: 1 }\nicon: ☕\n"),
    Case(.setLabels(["health", "yoga"]), "[health, client-a]", "[health, yoga]"),
    Case(.setLabels([]), "labels: [health, client-a]   # kept\n", ""),
    Case(
      .addCard(EditorPlace(list: inner, index: 2)), restLines,
      restLines + "      - { title: New card, countdown: 20s, skipLast: true }\n"),
    Case(
      .addCard(warmUp), "  - { title: Warm up",
      "  - { title: New card, countdown: 30s }\n  - { title: Warm up"),
    Case(
      .addCards(["A", "B"], EditorPlace(list: top, index: 1)), "countdown: 2m }\n",
      "countdown: 2m }\n  - { title: A, countdown: 2m }\n  - { title: B, countdown: 2m }\n"),
    Case(
      .addCards(Array(repeating: "A", count: 3000), EditorPlace(list: top, index: 1)), "countdown: 2m }\n",
      "countdown: 2m }\n" + String(repeating: "  - { title: A, countdown: 2m }\n", count: 3000)),
    Case(
      .addGroup(EditorPlace(list: top, index: 1)), "countdown: 2m }\n",
      "countdown: 2m }\n  - rounds: 2\n    cards:\n      - title: New card\n        countdown: 2m\n"),
    Case(.duplicate([rest]), restLines, restLines + restLines),
    Case(.delete([rest]), restLines, ""),
    // Out of the group, it can't be left out of a last round.
    Case(
      .move([rest], to: warmUp), "  - { title: Warm up, countdown: 2m }\n",
      "  # A break\n  - { title: Rest, countdown: 20s }\n  - { title: Warm up, countdown: 2m }\n"),
    Case(
      .wrap([warmUp]), "  - { title: Warm up, countdown: 2m }\n",
      "  - rounds: 2\n    cards:\n      - { title: Warm up, countdown: 2m }\n"),
    Case(
      .addRests(nil, .seconds(15)), "countdown: 2m }\n",
      "countdown: 2m }\n  - { title: Rest, countdown: 15s, rest: true }\n"),
  ]

  @Test(arguments: cases)
  func `an edit changes its part of the text and nothing else`(_ edit: Case) throws {
    let before = EditedSequenceTests.workout
    var expected = edit.old.isEmpty ? before : before.replacing(edit.old, with: edit.new, maxReplacements: 1)
    if case .move = edit.edit {
      expected = expected.replacing(EditedSequenceTests.restLines, with: "", maxReplacements: 1)
    }
    if case .addRests = edit.edit {
      expected = expected.replacing(
        "  - title: Cool down", with: "  - { title: Rest, countdown: 15s, rest: true }\n  - title: Cool down")
    }
    #expect(text(try sequence().applying(edit.edit).sequence) == expected)
  }

  @Test func `a goal stays short until it has reminders of its own`() throws {
    let text = "title: A\ncards:\n  - { title: B, countUp: 5m }\n"
    let card = EditedSequenceTests.warmUp
    let longer = Goal(duration: .seconds(600))
    let edited = try sequence(text).applying(.set(card, .timing(.countUp(goal: longer)))).sequence
    #expect(self.text(edited) == text.replacing("5m", with: "10m"))
    let reminding = Goal(duration: .seconds(600), reminders: 1)
    let again = try edited.applying(.set(card, .timing(.countUp(goal: reminding)))).sequence
    #expect(self.text(again) == text.replacing("5m", with: "{ goal: 10m, reminders: 1 }"))
    let open = try edited.applying(.set(card, .timing(.countUp()))).sequence
    #expect(self.text(open) == text.replacing("5m", with: "{}"))
  }

  @Test func `a too short interval that is not edited keeps its text`() throws {
    let text = "title: A\ncards:\n  - { title: B, countUp: { goal: 5m, every: 30s } }\n"
    let goal = Goal(duration: .seconds(600))
    let edited = try sequence(text).applying(.set(EditedSequenceTests.warmUp, .timing(.countUp(goal: goal))))
    #expect(self.text(edited.sequence) == text.replacing("goal: 5m", with: "goal: 10m"))
  }

  @Test func `a new title keeps the id`() throws {
    let before = try sequence()
    let after = try before.applying(.rename("Circuit")).sequence
    #expect(after.parsed.definition.id == before.parsed.definition.id)
    #expect(after.title == "Circuit")
    // The id is written once.
    let again = try after.applying(.rename("Circuit 2")).sequence
    #expect(text(again) == text(after).replacing("title: Circuit", with: "title: Circuit 2"))
  }

  @Test func `the group goes with its last card`() throws {
    let before = try sequence()
    let one = try before.applying(.delete([EditedSequenceTests.rest])).sequence
    let none = try one.applying(.delete([EditedSequenceTests.squats])).sequence
    #expect(outline(none) == ["Warm up", "Cool down", "+"])
    let moved = try one.applying(
      .move([EditedSequenceTests.squats], to: EditorPlace(list: EditorPlace.cards, index: 3)))
    #expect(outline(moved.sequence) == ["Warm up", "Cool down", "Squats", "+"])
    #expect(moved.place == EditorPlace(list: EditorPlace.cards, index: 2))
  }

  @Test func `the last card stays`() throws {
    let one = try sequence("title: A\ncards: [{ title: B, countdown: 1m }]")
    #expect(throws: EditorFailure.lastCard) { try one.applying(.delete([EditedSequenceTests.warmUp])) }
  }

  @Test func `rests come between cards, and between rounds`() throws {
    let text = """
      title: A
      cards:
        - rounds: 3
          cards:
            - { title: B, countdown: 1m }
            - { title: C, countdown: 1m }
        - { title: D, countdown: 1m }

      """
    let all = try sequence(text).applying(.addRests(EditedSequenceTests.warmUp, .seconds(10))).sequence
    #expect(outline(all) == ["3 rounds", "  B", "  Rest", "  C", "  Rest", "  +", "D", "+"])
    #expect(all.rows[4].card?.skipsLastRound == true)
    // There is one everywhere now.
    #expect(
      try all.applying(.addRests(EditedSequenceTests.warmUp, .seconds(10))).sequence.document == all.document)
  }

  @Test func `a limit of the format refuses an edit`() throws {
    let sequence = try sequence(
      "title: A\ncards:\n  - rounds: forever\n    cards:\n      - { title: B, countdown: 1m }\n")
    let refusal = #expect(throws: EditorFailure.self) {
      try sequence.applying(.addCard(EditorPlace(list: EditorPlace.cards, index: 1)))
    }
    #expect(refusal?.text(nil).contains("forever") == true)
  }

  @Test func `a card that is repeated is changed for all, or made independent`() throws {
    let text = """
      title: A
      cards:
        - &work { title: Work, countdown: 1m }
        - { title: Rest, countdown: 10s }
        # Once more
        - *work   # heavy
          # slowly

      """
    let sequence = try sequence(text)
    #expect(sequence.rows[2].card?.isEditable == false)
    let place = EditorPlace(list: EditorPlace.cards, index: 2)
    let changed = try sequence.applying(.set(EditedSequenceTests.warmUp, .title("Run"))).sequence
    #expect(outline(changed) == ["Run", "Rest", "Run", "+"])
    #expect(throws: EditorFailure.isRepeated) { try sequence.applying(.delete([EditedSequenceTests.warmUp])) }
    let independent = try sequence.applying(.makeIndependent(place)).sequence
    #expect(independent.rows[2].card?.isEditable == true)
    #expect(self.text(independent) == text.replacing("*work ", with: "{ title: Work, countdown: 1m } "))
    #expect(
      outline(try independent.applying(.set(place, .title("Run"))).sequence) == ["Work", "Rest", "Run", "+"])
    let copy = try sequence.applying(.duplicate([EditedSequenceTests.warmUp])).sequence
    #expect(outline(copy) == ["Work", "Work", "Rest", "Work", "+"])
  }

  // MARK: - Moves

  @Test func `moving down reaches every place, and moving up leads back`() throws {
    var sequence = try sequence()
    let start = sequence
    var place = EditedSequenceTests.warmUp
    var outlines = [outline(sequence)]
    while let next = sequence.place(moving: [place], down: true) {
      let moved = try sequence.applying(.move([place], to: next))
      (sequence, place) = (moved.sequence, try #require(moved.place))
      outlines.append(outline(sequence))
    }
    #expect(
      outlines == [
        ["Warm up", "4 rounds", "  Squats", "  Rest", "  +", "Cool down", "+"],
        ["4 rounds", "  Warm up", "  Squats", "  Rest", "  +", "Cool down", "+"],
        ["4 rounds", "  Squats", "  Rest", "  Warm up", "  +", "Cool down", "+"],
        ["4 rounds", "  Squats", "  Rest", "  +", "Warm up", "Cool down", "+"],
        ["4 rounds", "  Squats", "  Rest", "  +", "Cool down", "Warm up", "+"],
      ])
    while let next = sequence.place(moving: [place], down: false) {
      let moved = try sequence.applying(.move([place], to: next))
      (sequence, place) = (moved.sequence, try #require(moved.place))
      outlines.removeLast()
      #expect(outline(sequence) == outlines.last)
    }
    #expect(outlines.count == 1)
    #expect(text(sequence) == text(start))
  }

  @Test func `an edit of several elements is one edit`() throws {
    let sequence = try sequence(
      "title: A\ncards:\n"
        + [("A", 40), ("Rest", 20), ("B", 40), ("Rest", 20), ("C", 40)].map {
          "  - { title: \($0), countdown: \($1)s }   # as it was\n"
        }.joined())
    func places(_ indices: Int...) -> [EditorPlace] {
      indices.map { EditorPlace(list: EditorPlace.cards, index: $0) }
    }
    let place = { (index: Int) in EditorPlace(list: EditorPlace.cards, index: index) }
    for (edit, rows, first) in [
      (SequenceEdit.wrap(places(0, 2)), ["2 rounds", "  A", "  B", "  +", "Rest", "Rest", "C", "+"], 0),
      (.wrap(places(1, 2, 3)), ["A", "2 rounds", "  Rest", "  B", "  Rest", "  +", "C", "+"], 1),
      (.duplicate(places(0, 1)), ["A", "Rest", "A", "Rest", "B", "Rest", "C", "+"], 2),
      (.delete(places(0, 2, 3)), ["Rest", "C", "+"], 0),
      (.move(places(0, 1), to: place(4)), ["B", "Rest", "A", "Rest", "C", "+"], 2),
      (.move(places(2, 4), to: place(0)), ["B", "C", "A", "Rest", "Rest", "+"], 0),
      (.move(places(0, 4), to: place(3)), ["Rest", "B", "A", "C", "Rest", "+"], 2),
    ] {
      let (changed, new) = try sequence.applying(edit)
      #expect(outline(changed) == rows && new == place(first), "\(edit)")
      #expect(
        text(changed).split(separator: "\n").count { $0.hasSuffix("# as it was") }
          >= rows.count { !$0.hasSuffix("+") && !$0.hasSuffix("rounds") }, "\(edit)")
    }
    #expect(sequence.cards(lasting: .seconds(40)) == places(0, 2, 4))
    let longer = try sequence.applying(.setLength(places(0, 2, 4), .seconds(45))).sequence
    #expect(text(longer) == text(sequence).replacing("40s", with: "45s"))
    #expect(throws: EditorFailure.lastCard) { try sequence.applying(.delete(places(0, 1, 2, 3, 4))) }
  }

  @Test func `a card moves with the rest below it, past a card with its rest`() throws {
    let sequence = try sequence(
      "title: A\ncards:\n"
        + ["A", "Rest", "B", "Rest", "C"].map { "  - { title: \($0), countdown: 40s }\n" }.joined())
    func places(_ indices: Int...) -> [EditorPlace] {
      indices.map { EditorPlace(list: EditorPlace.cards, index: $0) }
    }
    let place = { (index: Int) in EditorPlace(list: EditorPlace.cards, index: index) }
    #expect(sequence.withRest(place(0)) == places(0, 1))
    #expect(sequence.withRest(place(1)) == places(1) && sequence.withRest(place(4)) == places(4))
    #expect(sequence.place(moving: places(0, 1), down: true) == place(4))
    #expect(sequence.place(moving: places(2, 3), down: false) == place(0))
    #expect(sequence.place(moving: places(2, 3), down: true) == place(5))
    #expect(sequence.place(moving: places(4), down: true) == nil)
    #expect(sequence.place(moving: places(4), down: false) == place(2))
    // A rest alone gets to each place.
    #expect(sequence.place(moving: places(1), down: true) == place(3))
    #expect(sequence.place(moving: places(1), down: false) == place(0))
    for (index, isPossible) in [(0, false), (1, false), (2, false), (3, true), (5, true)] {
      #expect(sequence.canMove(places(0, 1), to: place(index)) == isPossible)
    }
    #expect(sequence.canMove(places(0, 2), to: place(1)))
  }

  @Test func `a group counts the cards of the groups in it`() throws {
    let sequence = try sequence(
      "title: A\ncards:\n  - rounds: 2\n    cards:\n      - { title: B, countUp: {} }\n"
        + "      - { rounds: 3, cards: [{ title: C, countUp: {} }, { title: D, countUp: {} }] }\n")
    #expect(sequence.rows.compactMap(\.group?.count) == [3, 2])
  }

  @Test func `a card is found at its place as a run has it`() throws {
    let sequence = try EditedSequence(
      SequenceDocument(
        Array(
          "title: A\ncards:\n  - rounds: 2\n    cards:\n      - { title: B, countUp: {}, sound: bell }\n".utf8
        )),
      in: "/")
    #expect(sequence.rows.map { sequence.card(at: $0.place)?.sound } == [nil, "bell", nil, nil])
    #expect(sequence.card(at: EditorPlace(list: EditorPlace.cards, index: 7)) == nil)
  }

  // MARK: - Many edits

  /// The files whose random edits must leave sequences.
  private static let files: [String] = {
    let names = ["demo", "tabata", "pomodoro-day", "morning-routine", "recipe", "ladder"]
    let examples = names.compactMap {
      try? String(contentsOfFile: BuiltProducts.repository + "examples/\($0).yaml", encoding: .utf8)
    }
    return examples + [
      workout, workout.replacing("\n", with: "\r\n"),
      "{\"title\": \"A\", \"cards\": [{\"title\": \"B\", \"countdown\": \"1m\"}, {\"rounds\": 2, \"cards\": [{\"title\": \"C\", \"countUp\": {}}]}]}",
      "title: A\ncards: [&a { title: B, countdown: 1m }, *a, { rounds: 2, cards: [*a] }]",
    ]
  }()

  @Test(arguments: files.indices)
  func `random edits leave a sequence that means what they say`(_ index: Int) throws {
    var random = SplitMix64(seed: UInt64(index + 1))
    var sequence = try sequence(EditedSequenceTests.files[index])
    var refused = 0
    for _ in 0..<300 {
      let edit = EditedSequenceTests.edit(of: sequence, &random)
      do throws(EditorFailure) {
        let (new, place) = try sequence.applying(edit)
        try EditedSequenceTests.check(edit, sequence, new, place)
        // What the rows match keeps its widgets.
        let matched = RowMatching.match(sequence.rows, new.rows).compactMap(\.self)
        #expect(Set(matched).count == matched.count)
        sequence = new
      } catch {
        refused += 1
      }
    }
    // Most edits of a file of aliases alone are impossible, and so is a change per round outside of rounds.
    #expect(refused < (EditedSequenceTests.files[index].contains("*a") ? 250 : 150))
  }

  private static let ladder = """
    title: Ladder
    cards:
      - cards:
          - { title: A, countdown: [20s, 30s, 40s] }
          - { title: B, countdown: 10s }
      - rounds: 2
        cards:
          - { title: C, countdown: [5s], skipLast: true }
          - { title: D, countdown: 9s, perRound: +1s }
      - rounds: forever
        cards:
          - { title: E, countdown: 1m }

    """

  /// The edits of lengths by round: where the card is then, its lengths, and the rounds of the first group.
  private static let ladderEdits: [(SequenceEdit, title: String, lengths: [Int], rounds: Int)] = {
    let groups = (0..<3).map { EditorPlace(list: EditorPlace.cards, index: $0) }
    func card(_ group: Int, _ index: Int) -> EditorPlace {
      EditorPlace(list: groups[group].inner, index: index)
    }
    return [
      (.delete([card(0, 0)]), "B", [10, 10, 10], 3),
      (.move([card(0, 0)], to: EditorPlace(list: EditorPlace.cards, index: 0)), "B", [10, 10, 10], 3),
      (.move([card(0, 0)], to: card(1, 0)), "A", [20, 30], 3),
      (.move([card(1, 1)], to: card(2, 0)), "D", [9], 3),
      (.wrap([card(0, 0)]), "A", [20, 30, 40], 3),
      (.set(groups[1], .rounds(1)), "D", [9], 3),
      (.set(groups[1], .rounds(4)), "C", [5, 5, 5], 3),
      (.addRests(groups[0], .seconds(7)), "Rest", [7, 7], 3),
    ]
  }()

  @Test(arguments: ladderEdits.indices)
  func `lengths by round fit the rounds around them after any edit`(index: Int) throws {
    let (edit, title, lengths, rounds) = EditedSequenceTests.ladderEdits[index]
    let sequence = try sequence(EditedSequenceTests.ladder)
    let changed = try sequence.applying(edit).sequence
    // That a sequence came of it means that all lists fit.
    #expect(changed.rows.first { $0.group != nil }?.group?.rounds == .times(rounds), "\(text(changed))")
    let timeline = changed.parsed.timeline
    let found = (0..<timeline.listedCount).map(timeline.step(at:)).filter { $0.card.title == title }
    #expect(
      Array(found.compactMap(\.timing.duration?.components.seconds).prefix(lengths.count).map(Int.init))
        == lengths, "\(text(changed))")
  }

  /// Compares the cards before and after an edit.
  private static func check(
    _ edit: SequenceEdit, _ old: EditedSequence, _ new: EditedSequence, _ place: EditorPlace?
  ) throws(EditorFailure) {
    let (before, after) = (old.rows.compactMap { $0.card?.title }, new.rows.compactMap { $0.card?.title })
    let there = place.flatMap { new.row(at: $0) }.map { new.rows[$0] }
    if case .setLabels = edit {
    } else {
      #expect(new.parsed.definition.labels == old.parsed.definition.labels)
    }
    switch edit {
    case .move(let places, _):
      // A card that leaves a block leaves the repetitions of that block, too.
      #expect(before.sorted() == after.sorted() || old.document.value.hasAnchor)
      let moved = places.first.flatMap { old.row(at: $0) }.map { old.rows[$0] }
      #expect(there?.card?.title == moved?.card?.title)
      #expect(there?.group?.rounds == moved?.group?.rounds)
    case .setLength(let places, let length):
      #expect(before == after && places.allSatisfy { new.card(at: $0)?.timing.duration == length })
    case .wrap(let places) where places.count > 1:
      #expect(before.sorted() == after.sorted() || old.document.value.hasAnchor)
    case .wrap, .ungroup, .rename, .makeIndependent,
      .set(_, .rounds), .set(_, .timing), .set(_, .perRound), .set(_, .note), .set(_, .insist),
      .set(_, .sound), .set(_, .image), .set(_, .atLeast), .set(_, .atMost):
      #expect(before == after)
    case .set(_, .lengths(let lengths)):
      #expect(before == after)
      if lengths.count == 1 { #expect(there?.card?.lengths == []) }
      if let found = there?.card?.lengths, !found.isEmpty { #expect(found.count == there?.card?.rounds) }
    case .addCard:
      // A card in a block that another one repeats is there twice.
      #expect(after.count == before.count + 1 || after.count > before.count && old.document.value.hasAnchor)
      #expect(there?.card?.title == "New card")
    case .set(_, .title(let title)): #expect(there?.card?.title == title)
    case .delete: #expect(after.count < before.count)
    case .duplicate: #expect(after.count > before.count)
    case .setOption(let option, let value):
      let definition = new.parsed.definition
      let written =
        switch option {
        case .onSuspend: definition.onSuspend?.rawValue
        case .onLock: definition.onLock?.rawValue
        case .ring: definition.rings ? "true" : nil
        case .color: definition.color?.rawValue
        case .icon: definition.icon
        }
      #expect(before == after && written == value)
    case .setLabels(let labels): #expect(before == after && new.parsed.definition.labels == labels)
    case .addGroup, .addCards, .addRests, .set(_, .skipsLastRound), .set(_, .isRest):
      #expect(after.count >= before.count)
    }
  }

  private static func edit(of sequence: EditedSequence, _ random: inout SplitMix64) -> SequenceEdit {
    let rows = sequence.rows
    let cards = rows.filter { $0.card != nil }.map(\.place)
    let groups = rows.filter { $0.group != nil }.map(\.place)
    let elements = rows.filter { !$0.isEnd }.map(\.place)
    let card = cards.randomElement(using: &random) ?? warmUp
    let element = elements.randomElement(using: &random) ?? warmUp
    let place = rows.randomElement(using: &random)?.place ?? warmUp
    let timings: [Timing] = [
      .countdown(.seconds(Int.random(in: 1...90, using: &random))), .countdown(.seconds(5), advance: .manual),
      .countUp(), .countUp(goal: Goal(duration: .seconds(60), reminders: 2)),
    ]
    let several = elements.filter { place in
      Int.random(in: 0..<3, using: &random) == 0
        && !elements.contains { place.list.starts(with: $0.path) && place != $0 }
    }
    // Deleting is as frequent as adding, so that the sequence keeps its size.
    switch Int.random(in: 0..<27, using: &random) {
    case 26:
      return .setLabels([[], ["a"], ["b", "true", "a-1"]].randomElement(using: &random) ?? [])
    case 22 where !several.isEmpty: return .wrap(several)
    case 23 where !several.isEmpty && !several.contains { place.list.starts(with: $0.path) }:
      return .move(several, to: place)
    case 24 where several.count < 4 && !several.isEmpty: return .duplicate(several)
    case 25:
      let countdowns = sequence.cards(lasting: sequence.rows.compactMap { $0.card?.length }.first ?? .zero)
      return .setLength(countdowns, .seconds(Int.random(in: 1...90, using: &random)))
    case 0: return .rename(["A", "B: C", "#"].randomElement(using: &random) ?? "A")
    case 1: return .addCard(place)
    case 2: return .addGroup(place)
    case 3: return .duplicate([element])
    case 4, 5, 6: return .delete([element])
    case 7, 8: return .move([element], to: place)
    case 9: return .wrap([element])
    case 10: return .ungroup(groups.randomElement(using: &random) ?? element)
    case 11: return .set(card, .title(["X", "Y, { }", "- z", "true"].randomElement(using: &random) ?? "X"))
    case 12: return .set(card, .timing(timings.randomElement(using: &random) ?? .countUp()))
    case 13: return .set(card, .note(["", "N", "One\nTwo: three"].randomElement(using: &random) ?? ""))
    case 14: return .set(card, .skipsLastRound(Bool.random(using: &random)))
    case 15: return .setOption(.onSuspend, [nil, "ask"].randomElement(using: &random) ?? nil)
    case 16: return .setOption(.onLock, [nil, "pause"].randomElement(using: &random) ?? nil)
    case 17:
      let changes: [Duration?] = [nil, .seconds(5), .seconds(-1)]
      return .set(card, .perRound(changes.randomElement(using: &random) ?? nil))
    case 18:
      let count = Int.random(in: 1...4, using: &random)
      return .set(card, .lengths((1...count).map { .seconds($0 * 10) }))
    case 19: return .setOption(.color, [nil, "pink"].randomElement(using: &random) ?? nil)
    case 20: return .setOption(.icon, [nil, "#", "👩‍👧"].randomElement(using: &random) ?? nil)
    default:
      return .set(
        groups.randomElement(using: &random) ?? element,
        .rounds(.times(Int.random(in: 1...9, using: &random))))
    }
  }
}
