import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceFiles

/// Edits of the text of a file, which leave everything else in it as it is.
@Suite(.timeLimit(.minutes(3)))
struct SequenceDocumentTests {
  private static let cards: [YAMLNode.Step] = [.key("cards")]

  private func document(_ text: String) throws -> SequenceDocument { try SequenceDocument(Array(text.utf8)) }

  private func text(_ document: SequenceDocument) -> String {
    String(decoding: document.bytes, as: UTF8.self)
  }

  private func card(_ title: String, _ countdown: String) -> YAMLNode {
    .mapping([.init("title", .scalar(title)), .init("countdown", .scalar(countdown))])
  }

  static let workout = """
    # My workout
    title: Workout   # of the morning

    cards:
      # First
      - { title: Warm up, countdown: 5m }   # slowly
        # not too fast

      - rounds: 3
        cards:
          - title: "Work: hard"
            countdown: 20s   # really

          # A break
          - { title: Rest, countdown: 10s }
      - title: Stretch
        note: |
          Left,
          right
        countUp: {}

    # The end
    onSuspend: ask
    """

  // MARK: - One edit each

  @Test func `a value is set where it is, with its comment`() throws {
    let document = try document(SequenceDocumentTests.workout)
    #expect(
      try text(document.setting("title", to: .scalar("Yoga: slow")))
        == SequenceDocumentTests.workout.replacing("title: Workout ", with: "title: \"Yoga: slow\" "))
    let work = SequenceDocumentTests.cards + [.index(1), .key("cards"), .index(0)]
    #expect(
      try text(document.setting("countdown", to: .scalar("45s"), at: work))
        == SequenceDocumentTests.workout.replacing("20s   #", with: "45s   #"))
    let rest = SequenceDocumentTests.cards + [.index(1), .key("cards"), .index(1)]
    #expect(
      try text(document.setting("rest", to: .scalar("true"), at: rest))
        == SequenceDocumentTests.workout.replacing("10s }", with: "10s, rest: true }"))
    #expect(
      try text(document.setting("title", to: nil, at: rest))
        == SequenceDocumentTests.workout.replacing("{ title: Rest, ", with: "{ "))
    #expect(
      try text(document.setting("note", to: nil, at: SequenceDocumentTests.cards + [.index(2)]))
        == SequenceDocumentTests.workout.replacing("    note: |\n      Left,\n      right\n", with: ""))
    #expect(
      try text(document.setting("advance", to: .scalar("manual"), at: work))
        == SequenceDocumentTests.workout.replacing(
          "really\n", with: "really\n        advance: manual\n"))
    #expect(try text(document.setting("onSuspend", to: nil)).hasSuffix("    countUp: {}\n"))
  }

  @Test func `elements are inserted, removed, duplicated and moved with their comments`() throws {
    let document = try document(SequenceDocumentTests.workout)
    let cards = SequenceDocumentTests.cards
    #expect(
      try text(document.inserting([card("Jump", "1m")], at: 0, in: cards))
        == SequenceDocumentTests.workout.replacing(
          "  # First\n", with: "  - { title: Jump, countdown: 1m }\n  # First\n"))
    let first = "  # First\n  - { title: Warm up, countdown: 5m }   # slowly\n    # not too fast\n"
    #expect(
      try text(document.removing(at: 0, in: cards))
        == SequenceDocumentTests.workout.replacing(first, with: ""))
    #expect(
      try text(document.duplicating(at: 0, in: cards))
        == SequenceDocumentTests.workout.replacing(first, with: first + first))
    let inner = cards + [.index(1), .key("cards")]
    let moved = try document.moving(at: 1, in: inner, to: 0, in: cards)
    #expect(
      text(moved)
        == SequenceDocumentTests.workout
        .replacing("      # A break\n      - { title: Rest, countdown: 10s }\n", with: "")
        .replacing("  # First\n", with: "  # A break\n  - { title: Rest, countdown: 10s }\n  # First\n"))
    // And back, behind the other one.
    let back = try moved.moving(at: 0, in: cards, to: 1, in: cards + [.index(2), .key("cards")])
    #expect(back.value == document.value)
    #expect(text(back).contains("20s   # really\n      # A break\n      - { title: Rest, countdown: 10s }\n"))
    #expect(back.rewriteCount == 0)
  }

  @Test func `cards that mean the same keep their own comments`() throws {
    let first = "  # First\n  - { title: A, countdown: 1m }   # one\n"
    let second = "  # Second\n  - { title: A, countdown: 1m }   # two\n"
    let document = try document("title: T\ncards:\n" + first + second)
    let cards = SequenceDocumentTests.cards
    #expect(try text(document.removing(at: 0, in: cards)) == "title: T\ncards:\n" + second)
    #expect(try text(document.removing(at: 1, in: cards)) == "title: T\ncards:\n" + first)
    #expect(
      try text(document.moving(at: 0, in: cards, to: 1, in: cards)) == "title: T\ncards:\n" + second + first)
    #expect(
      try text(document.duplicating(at: 1, in: cards)) == "title: T\ncards:\n" + first + second + second)
  }

  @Test func `cards are put into a group and taken out again`() throws {
    let document = try document(SequenceDocumentTests.workout)
    let cards = SequenceDocumentTests.cards
    let grouped = try document.grouping(0..<2, in: cards, rounds: 4)
    #expect(grouped.value["cards"]?.elements?.count == 2)
    #expect(text(grouped).contains("  - rounds: 4\n    cards:\n      # First\n      - { title: Warm up"))
    let again = try grouped.ungrouping(at: 0, in: cards)
    #expect(text(again) == SequenceDocumentTests.workout)
    let flat = try document.ungrouping(at: 1, in: cards)
    #expect(
      text(flat).contains(
        "\n  - title: \"Work: hard\"\n    countdown: 20s   # really\n\n  # A break\n  - { title: Rest"))
    #expect(grouped.rewriteCount + again.rewriteCount + flat.rewriteCount == 0)
  }

  @Test(arguments: ["|", ">-", "|2+", "|+"])
  func `the comment behind the mark of a text stays when the text is changed`(mark: String) throws {
    let document = try document(
      "title: T\ncards:\n  - title: A\n    note: \(mark)   # with a cue\n      Left,\n      right\n    countUp: {}\n"
    )
    let place = SequenceDocumentTests.cards + [.index(0)]
    let edited = try document.setting("note", to: .scalar("Both"), at: place)
    #expect(
      text(edited) == "title: T\ncards:\n  - title: A\n    note: Both   # with a cue\n    countUp: {}\n")
    #expect(edited.rewriteCount == 0)
  }

  @Test(arguments: ["\n# The end\nonLock: pause\n", "", "\n\n", "  # deeper\n"])
  func `a card that ends with a text with a plus is moved with all comments`(end: String) throws {
    let text =
      "title: T\ncards:\n  # One\n  - title: A\n    countUp: {}\n    note: |+\n      Left\n"
      + "  # Two\n  - { title: B, countdown: 1m }   # short\n"
    let document = try document(text + end)
    let cards = SequenceDocumentTests.cards
    let moved = try document.moving(at: 0, in: cards, to: 1, in: cards)
    #expect(moved.rewriteCount == 0)
    for comment in ["# One", "# Two", "# short"] { #expect(self.text(moved).contains(comment)) }
    #expect(try moved.moving(at: 1, in: cards, to: 0, in: cards).value == document.value)
  }

  @Test func `a list in brackets with a line for each card keeps all comments`() throws {
    let (one, two, three) = (
      "  # One\n  { title: A, countdown: 1m }, # first\n", "  { title: B,\n    countdown: 2m },   # second\n",
      "  # Three\n  { title: C, countdown: 3m }"
    )
    let (head, end) = ("title: T\ncards: [ # all\n", "   # third\n  ]\nonLock: pause\n")
    let document = try document(head + one + two + three + end)
    let cards = SequenceDocumentTests.cards
    for (edited, body) in [
      (try document.removing(at: 1, in: cards), one + three + end),
      (try document.removing(at: 2, in: cards), one + two + "  ]\nonLock: pause\n"),
      (try document.duplicating(at: 1, in: cards), one + two + two + three + end),
      (
        try document.inserting([card("D", "2m")], at: 3, in: cards),
        one + two + three + ",   # third\n  { title: D, countdown: 2m },\n  ]\nonLock: pause\n"
      ),
      (
        try document.inserting([card("D", "2m")], at: 0, in: cards),
        "  { title: D, countdown: 2m },\n" + one + two + three + end
      ),
      (
        try document.moving(at: 2, in: cards, to: 0, in: cards),
        three + ",   # third\n" + one + two + "  ]\nonLock: pause\n"
      ),
    ] {
      #expect(text(edited) == head + body && edited.rewriteCount == 0)
    }
    var empty = document
    for _ in 0..<3 { empty = try empty.removing(at: 0, in: cards) }
    #expect(empty.value["cards"] == .list([]) && text(empty).contains("# all"))
  }

  @Test func `a list that becomes empty, and one that was`() throws {
    let document = try document("title: A\ncards:\n  - { title: B, countdown: 1m }\nonLock: pause\n")
    let empty = try document.removing(at: 0, in: SequenceDocumentTests.cards)
    #expect(text(empty) == "title: A\ncards: []\nonLock: pause\n")
    let again = try empty.inserting([card("B", "1m")], at: 0, in: SequenceDocumentTests.cards)
    #expect(again == document)
  }

  @Test(arguments: ["", "# only a comment\n", "\n\n", "# without an end"])
  func `a text without a key gets its first one`(before: String) throws {
    let document = try document(before).setting("keepAwake", to: .scalar("screen"))
    #expect(text(document).hasPrefix(before))
    #expect(document.value == .mapping([.init("keepAwake", .scalar("screen"))]))
    #expect(try document.setting("keepAwake", to: nil).value == .mapping([]))
  }

  @Test func `line breaks and a missing one at the end stay`() throws {
    let text = "title: A\r\ncards:\r\n- { title: B, countdown: 1m }\r\n- { title: C, countdown: 1m }"
    let document = try document(text)
    let more = try document.inserting([card("D", "2m")], at: 2, in: SequenceDocumentTests.cards)
    #expect(self.text(more) == text + "\r\n- { title: D, countdown: 2m }")
    #expect(try more.removing(at: 2, in: SequenceDocumentTests.cards) == document)
    #expect(
      try self.text(
        document.moving(at: 1, in: SequenceDocumentTests.cards, to: 0, in: SequenceDocumentTests.cards))
        == "title: A\r\ncards:\r\n- { title: C, countdown: 1m }\r\n- { title: B, countdown: 1m }")
  }

  @Test func `a file is saved unless another program has written it`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(SequenceDocumentTests.workout, to: "workout.yaml")
    let read = try document(SequenceDocumentTests.workout)
    let edited = try read.setting("title", to: .scalar("Yoga"))
    #expect(try edited.save(at: path, insteadOf: read))
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == edited.bytes)
    #expect(try !read.save(at: path, insteadOf: read))
  }

  @Test func `what an edit would change elsewhere is refused`() throws {
    let document = try document(
      "title: A\ncards:\n  - &work { title: B, countdown: 1m }\n  - *work\n  - { title: C, countdown: 2m }\n")
    let cards = SequenceDocumentTests.cards
    #expect(throws: DocumentError.anchor) { try document.duplicating(at: 0, in: cards) }
    #expect(throws: DocumentError.self) { try document.removing(at: 0, in: cards) }
    #expect(throws: DocumentError.self) { try document.moving(at: 0, in: cards, to: 1, in: cards) }
    #expect(throws: DocumentError.self) {
      try document.setting("title", to: .scalar("D"), at: cards + [.index(1)])
    }
    #expect(throws: DocumentError.noSuchPlace) { try document.removing(at: 7, in: cards) }
    #expect(try text(document.removing(at: 1, in: cards)).contains("*work") == false)
  }

  @Test func `an anchor that is defined again means the last definition before an alias`() throws {
    let text =
      "title: A\ncards:\n  - &x { title: B, countdown: 1m }\n  - *x\n  - &x { title: C, countdown: 2m }\n  - *x\n"
    let document = try document(text)
    #expect(
      try self.text(document.setting("title", to: .scalar("D")))
        == text.replacing("title: A", with: "title: D"))
    let cards = SequenceDocumentTests.cards
    #expect(document.value.part(at: cards + [.index(3)])?.copy["title"]?.text == "C")
    #expect(document.value.part(at: cards + [.index(1)])?.copy["title"]?.text == "B")
    // The alias behind it would mean the other card.
    #expect(throws: DocumentError.self) { try document.removing(at: 2, in: cards) }
    #expect(throws: DocumentError.self) { try document.moving(at: 3, in: cards, to: 2, in: cards) }
    let less = try document.removing(at: 3, in: cards)
    #expect(try SequenceFile.parse(less.bytes).definition.elements.count == 3)
  }

  @Test func `a changed text keeps its quotes`() throws {
    let text =
      "title: 'Squats'\ncards:\n  - title: \"A\"   # a\n    note: b\n  - { title: 'C', note: \"D\", countdown: 1m }\n"
    let document = try document(text)
    let (first, second) = (
      SequenceDocumentTests.cards + [.index(0)], SequenceDocumentTests.cards + [.index(1)]
    )
    #expect(
      try self.text(document.setting("title", to: .scalar("it's: a \"B\"")))
        == text.replacing("'Squats'", with: "'it''s: a \"B\"'"))
    #expect(
      try self.text(document.setting("title", to: .scalar("tab\t")))
        == text.replacing("'Squats'", with: "\"tab\\t\""))
    #expect(
      try self.text(document.setting("title", to: .scalar("B"), at: first))
        == text.replacing("\"A\"", with: "\"B\""))
    #expect(
      try self.text(document.setting("note", to: .scalar("c"), at: first))
        == text.replacing("b\n", with: "c\n"))
    #expect(
      try self.text(document.setting("title", to: .scalar("E"), at: second))
        == text.replacing("'C'", with: "'E'"))
    #expect(
      try self.text(document.setting("note", to: .scalar("F"), at: second))
        == text.replacing("\"D\"", with: "\"F\""))
  }

  @Test func `the comments of the next key stay when the first key of a card is removed`() throws {
    let text = """
      title: A
      cards:
        - note: Keep your back straight   # not mine
          # physiotherapist: never above 60 kg
          title: Squats   # heavy

          # slowly
          countdown: 1m
        - id: 11111111-0000-0000-0000-000000000001
          # the second one
          title: Bench
          countdown: 1m
        - { note: a, # of the note
            # of the title
            title: B, # b, c
            # of the time
            countdown: 1m # d
          } # e

      """
    let document = try document(text)
    let cards = SequenceDocumentTests.cards
    #expect(
      try self.text(document.setting("note", to: nil, at: cards + [.index(0)]))
        == text.replacing("- note: Keep your back straight   # not mine\n    # physio", with: "- # physio"))
    let copy = try document.duplicating(at: 1, in: cards)
    #expect(
      self.text(copy).contains(
        "  - # the second one\n    title: Bench\n    countdown: 1m\n  - {"))
    let third = cards + [.index(2)]
    for (key, comments) in [
      ("note", ["of the title", "b, c", "of the time", "d", "e"]),
      ("title", ["of the note", "of the time", "d", "e"]),
      ("countdown", ["of the note", "of the title", "b, c", "e"]),
    ] {
      let edited = try document.setting(key, to: nil, at: third)
      for comment in comments { #expect(self.text(edited).contains("# " + comment), "\(key)") }
      #expect(edited.rewriteCount == 0)
    }
  }

  // MARK: - JSON

  /// The value of a JSON text; `nil` if it isn't JSON.
  private func json(_ document: SequenceDocument) throws -> NSDictionary? {
    try JSONSerialization.jsonObject(with: Data(document.bytes)) as? NSDictionary
  }

  @Test func `a JSON file stays one`() throws {
    let text = """
      {
        "title": "Squats \\ud83c\\udf55 \\ud83d\\ude80",
        "cards": [
          {"title": "🍕 A", "note": "5", "countdown": "90", "rest": true},
          {"rounds": 3, "cards": [{"title": "\\ud83c\\udf55", "countdown": "1m"}]}
        ]
      }

      """
    let document = try document(text)
    #expect(document.value["title"]?.text == "Squats 🍕 🚀")
    let (cards, card) = (
      SequenceDocumentTests.cards,
      YAMLNode.mapping([
        .init("title", .scalar("New \u{7F}")), .init("countdown", .scalar("40s")),
        .init("skipLast", .scalar("true")),
      ])
    )
    let renamed = try document.setting("title", to: .scalar("Lunges: \"a\""))
    #expect(
      self.text(renamed) == text.replacing(#"Squats \ud83c\udf55 \ud83d\ude80"#, with: #"Lunges: \"a\""#))
    #expect(renamed.rewriteCount == 0)
    let inner = cards + [.index(1), .key("cards"), .index(0)]
    for edit in [
      { try document.setting("onSuspend", to: .scalar("ask")) },
      { try document.setting("title", to: nil) },
      { try document.setting("countdown", to: nil, at: cards + [.index(0)]) },
      { try document.setting("rounds", to: .scalar("4"), at: cards + [.index(1)]) },
      { try document.setting("skipLast", to: .scalar("true"), at: inner) },
      { try document.setting("title", to: .scalar("5"), at: inner) },
      { try document.replacing("countdown", by: .init("countUp", .mapping([])), at: inner) },
      { try document.inserting([card], at: 1, in: cards) },
      { try document.removing(at: 0, in: cards) },
      { try document.duplicating(at: 1, in: cards) },
      { try document.moving(at: 0, in: cards, to: 1, in: cards) },
      { try document.grouping(0..<2, in: cards, rounds: 2) },
      { try document.ungrouping(at: 1, in: cards) },
    ] as [() throws -> SequenceDocument] {
      let edited = try edit()
      #expect(throws: Never.self, "\(self.text(edited))") { _ = try json(edited) }
    }
    let more = try document.inserting([card], at: 1, in: cards)
    #expect(
      self.text(more) == """
        {
          "title": "Squats \\ud83c\\udf55 \\ud83d\\ude80",
          "cards": [
            {
              "title": "🍕 A",
              "note": "5",
              "countdown": "90",
              "rest": true
            },
            {
              "title": "New \\u007f",
              "countdown": "40s",
              "skipLast": true
            },
            {
              "rounds": 3,
              "cards": [
                {
                  "title": "🍕",
                  "countdown": "1m"
                }
              ]
            }
          ]
        }

        """)
    let waiting = try document.setting("onSuspend", to: .scalar("ask"))
    #expect(self.text(waiting) == text.replacing("  ]\n}", with: "  ],\n  \"onSuspend\": \"ask\"\n}"))
    let short = try self.document(#"{"title": "A", "cards": [{"title": "B", "countdown": "1m"}]}"#)
    #expect(
      try self.text(short.inserting([card], at: 0, in: cards))
        == #"{"title": "A", "cards": [{"title": "New \u007f", "countdown": "40s", "skipLast": true}, {"title": "B", "countdown": "1m"}]}"#
    )
  }

  // MARK: - Comments and line breaks

  /// The text with an edit that changes nothing but what it is about.
  private func edited(
    _ text: String, _ edit: (SequenceDocument) throws -> SequenceDocument
  ) throws -> String {
    let edited = try edit(document(text))
    #expect(edited.rewriteCount == 0)
    return self.text(edited)
  }

  @Test func `an edit at the end of a text without a line break keeps the comments`() throws {
    let group =
      "title: A\ncards:\n  # a\n  - rounds: 2\n    cards:\n      - { title: B, countdown: 1m } # b\n"
    let card = "  # c\n  - { title: C, countdown: 1m } # d"
    let cards = SequenceDocumentTests.cards
    #expect(
      try edited(group + card) {
        try $0.moving(at: 1, in: cards, to: 1, in: cards + [.index(0), .key("cards")])
      }
        == group + "      # c\n      - { title: C, countdown: 1m } # d")
    #expect(try edited(group + card) { try $0.removing(at: 1, in: cards) } + "\n" == group)
    #expect(
      try edited("title: A\ncards:\n" + card) { try $0.removing(at: 0, in: cards) } == "title: A\ncards: []")
    #expect(
      try edited("title: A\ncards: # a\n" + card) { try $0.removing(at: 0, in: cards) }
        == "title: A\ncards: [] # a")
  }

  @Test(arguments: ["|+", ">+", "|2+", "|+ # kept"], ["\n", "\r\n"])
  func `the empty lines at the end of a text belong to it`(header: String, newline: String) throws {
    let note = "  - title: B\n    note: \(header)\n      two\n\n\n"
    let text = "title: A\ncards:\n" + note + "  # c\n  - title: C\n    countdown: 1m\n"
    func check(_ expected: String, _ edit: (SequenceDocument) throws -> SequenceDocument) throws {
      let result = try edited(text.replacing("\n", with: newline), edit)
      #expect(result == expected.replacing("\n", with: newline))
    }
    let cards = SequenceDocumentTests.cards
    try check(text.replacing(note, with: note + note)) { try $0.duplicating(at: 0, in: cards) }
    try check(text.replacing(note, with: "") + note) { try $0.moving(at: 0, in: cards, to: 1, in: cards) }
    try check(text.replacing(note, with: "")) { try $0.removing(at: 0, in: cards) }
    try check(text.replacing("    note: \(header)\n      two\n\n\n", with: "")) {
      try $0.setting("note", to: nil, at: cards + [.index(0)])
    }
  }

  @Test func `lines of spaces in a text move with it`() throws {
    let note = "  - title: B\n    note: |\n      one\n         \n\n      two\n"
    #expect(
      try edited("title: A\ncards:\n" + note) {
        try $0.grouping(0..<1, in: SequenceDocumentTests.cards, rounds: 2)
      } == """
        title: A
        cards:
          - rounds: 2
            cards:
              - title: B
                note: |
                  one
                     \("")

                  two

        """)
  }

  @Test func `the comments of the cards of a group stay when it is taken apart`() throws {
    let text = """
      title: A
      cards:
        # a
        - rounds: 2 # of the group
          cards:
            # b

            # c
            - title: B
              countdown: 1m # d
              # e
            # f
          # g
        # h
        - { cards: [{ title: C, countdown: 1m }], rounds: 3 }
        - cards:
          - title: D
            countdown: 1m
            # i
          # of the rounds
          rounds: 3
          # j

      """
    let cards = SequenceDocumentTests.cards
    #expect(
      try edited(text) { try $0.ungrouping(at: 0, in: cards) }
        == """
        title: A
        cards:
          # a
          # b

          # c
          - title: B
            countdown: 1m # d
            # e
          # f
          # g
          # h

        """ + text[(try #require(text.firstRange(of: "  - { cards"))).lowerBound...])
    #expect(
      try edited(text) { try $0.ungrouping(at: 2, in: cards) }.hasSuffix(
        "rounds: 3 }\n  - title: D\n    countdown: 1m\n    # i\n"))
  }

  @Test func `an element takes the place of an alias between its comments`() throws {
    let text = """
      title: A
      cards:
        # a
        - &b { title: B, countdown: 1m } # b
        # c
        - *b   # d
          # e
        - # f
          *b # g
        # h

      """
    let cards = SequenceDocumentTests.cards
    let group = YAMLNode.mapping([.init("rounds", .scalar("2")), .init("cards", .list([card("C", "1m")]))])
    #expect(
      try edited(text) { try $0.replacing(at: 1, in: cards, by: card("C", "1m")) }
        == text.replacing("*b   # d", with: "{ title: C, countdown: 1m }   # d"))
    #expect(
      try edited(text) { try $0.replacing(at: 1, in: cards, by: group) }
        == text.replacing(
          "- *b   # d\n", with: "- rounds: 2   # d\n    cards:\n      - title: C\n        countdown: 1m\n"))
    #expect(
      try edited(text) { try $0.replacing(at: 2, in: cards, by: group) }
        == text.replacing(
          "*b # g\n", with: "rounds: 2 # g\n    cards:\n      - title: C\n        countdown: 1m\n"))
  }

  @Test func `a part that gets a new text is counted`() throws {
    let cards = SequenceDocumentTests.cards
    let document = try document("{ title: A, # a\n  cards: [{ title: B, countdown: 1m }] } # b\n")
    let more = try document.inserting([card("C", "1m")], at: 0, in: cards)
    #expect(more.rewriteCount == 1)
    #expect(try more.removing(at: 0, in: cards).rewriteCount == 2)
    #expect(try more.moving(at: 0, in: cards, to: 1, in: cards).rewriteCount == 3)
    #expect(try document.setting("title", to: .scalar("D")).rewriteCount == 0)
    #expect(text(more).hasPrefix("{ title: A, # a\n  cards: [{") && text(more).hasSuffix("] } # b\n"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `an edit deep in groups that can't be done takes no time`() throws {
    let inner = "- rounds: 2\n  cards: [*b, { title: C, countdown: 1m }]"
    let deep = (0..<16).reduce(inner) { text, _ in
      "- rounds: 2\n  cards:\n" + text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    }
    let document = try document(
      "title: A\ncards:\n  - &b { title: B, countdown: 1m }\n"
        + deep.split(separator: "\n").map { "  " + $0 + "\n" }.joined())
    let path =
      [.key("cards"), .index(1)]
      + [[YAMLNode.Step]](repeating: [.key("cards"), .index(0)], count: 16).joined()
      + [.key("cards")]
    #expect(throws: DocumentError.notPossible) { try document.duplicating(at: 1, in: path) }
    #expect(throws: DocumentError.notPossible) { try document.inserting([card("D", "1m")], at: 0, in: path) }
    #expect(
      try text(document.setting("title", to: .scalar("D"), at: path + [.index(1)]))
        == text(document).replacing("title: C", with: "title: D"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a long line at the beginning is read once`() throws {
    let cards = String(repeating: "    - { title: B }\n", count: 10_000)
    let document = try document(
      "# " + String(repeating: "x", count: 800_000) + "\ntitle: A\ncards:\n  - rounds: 2\n    cards:\n"
        + cards)
    let flat = try document.ungrouping(at: 0, in: SequenceDocumentTests.cards)
    #expect(flat.value["cards"]?.elements?.count == 10_000)
  }

  @Test func `titles that look alike are compared by their bytes`() throws {
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    let document = try document("title: \(one)\n\(one): 1\n")
    #expect(try document.value != self.document("title: \(other)\n\(one): 1\n").value)
    #expect(try document.value != self.document("title: \(one)\n\(other): 1\n").value)
    let renamed = try document.setting("title", to: .scalar(other))
    #expect(renamed.value != document.value && renamed != document)
    #expect(Array(try #require(renamed.value["title"]?.text).utf8) == Array(other.utf8))
  }
}
