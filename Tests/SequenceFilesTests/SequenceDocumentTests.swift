import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceFiles

/// Edits of the text of a file, which leave everything else in it as it is.
@Suite(.timeLimit(.minutes(3)))
struct SequenceDocumentTests {
  private static let cards: [YAMLValue.Step] = [.key("cards")]

  private func document(_ text: String) throws -> SequenceDocument { try SequenceDocument(Array(text.utf8)) }

  private func text(_ document: SequenceDocument) -> String {
    String(decoding: document.bytes, as: UTF8.self)
  }

  private func card(_ title: String, _ countdown: String) -> YAMLValue {
    .mapping([.init("title", .scalar(title)), .init("countdown", .scalar(countdown))])
  }

  private static let workout = """
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
      try text(document.inserting(card("Jump", "1m"), at: 0, in: cards))
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

  @Test func `a list that becomes empty, and one that was`() throws {
    let document = try document("title: A\ncards:\n  - { title: B, countdown: 1m }\nonLock: pause\n")
    let empty = try document.removing(at: 0, in: SequenceDocumentTests.cards)
    #expect(text(empty) == "title: A\ncards: []\nonLock: pause\n")
    let again = try empty.inserting(card("B", "1m"), at: 0, in: SequenceDocumentTests.cards)
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
    let more = try document.inserting(card("D", "2m"), at: 2, in: SequenceDocumentTests.cards)
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
    #expect(try edited.save(at: path, insteadOf: read) == .replaced)
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == edited.bytes)
    #expect(try read.save(at: path, insteadOf: read) == .changed([edited.bytes]))
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
    #expect(document.value.part(at: cards + [.index(3)])?.copy(in: document.value)?["title"]?.text == "C")
    #expect(document.value.part(at: cards + [.index(1)])?.copy(in: document.value)?["title"]?.text == "B")
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
      YAMLValue.mapping([
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
      { try document.inserting(card, at: 1, in: cards) },
      { try document.removing(at: 0, in: cards) },
      { try document.duplicating(at: 1, in: cards) },
      { try document.moving(at: 0, in: cards, to: 1, in: cards) },
      { try document.grouping(0..<2, in: cards, rounds: 2) },
      { try document.ungrouping(at: 1, in: cards) },
    ] as [() throws -> SequenceDocument] {
      let edited = try edit()
      #expect(throws: Never.self, "\(self.text(edited))") { _ = try json(edited) }
    }
    let more = try document.inserting(card, at: 1, in: cards)
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
      try self.text(short.inserting(card, at: 0, in: cards))
        == #"{"title": "A", "cards": [{"title": "New \u007f", "countdown": "40s", "skipLast": true}, {"title": "B", "countdown": "1m"}]}"#
    )
  }

  // MARK: - Random edits

  private static func corpus() throws -> [(name: String, text: String)] {
    var texts: [(String, String)] = [("workout", workout)]
    for folder in ["examples", "examples/configuration", "Sources/SequenceWindow/Starters"] {
      let path = BuiltProducts.repository + "/" + folder
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      where name.hasSuffix(".yaml") {
        texts.append((name, try String(contentsOfFile: path + "/" + name, encoding: .utf8)))
      }
    }
    let deep = (0..<16).reversed().reduce("- { title: Deep, countdown: 1s }") { text, _ in
      "- rounds: 2\n  cards:\n" + text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    }
    texts += [
      ("deep", "title: Deep\ncards:\n" + deep + "\n"),
      ("no indentation", "title: A\ncards:\n- title: B\n  countdown: 1m\n- title: C\n  countdown: 2m\n"),
      (
        "comments",
        """
        # a
        title: A # b
        # c
        cards: # d
          # e
          - # f
            # g
            title: B # h
            # i
            countdown: 1m # j
            # k
          # l

          # m
          - title: C # n
            countUp: # o
              # p
              goal: 1m # q
              # r
        # s
        onLock: pause # t
        # u
        """
      ),
      (
        "flow",
        "{ title: A, cards: [ { title: B, countdown: 1m }, { title: C, countdown: 2m, note: 'x, y' } ] }\n"
      ),
      (
        "flow in lines",
        "title: A\ncards: [\n  { title: B, countdown: 1m }, # b\n  { title: C,\n    countdown: 2m },\n]\n"
      ),
      (
        "JSON",
        "{\n  \"title\": \"A\",\n  \"cards\": [\n    {\"title\": \"B\", \"countdown\": \"1m\"}\n  ]\n}\n"
      ),
      (
        "folded",
        "title: >-\n  A\n  B\n\ncards:\n  - title: C\n    note: |+\n      one\n\n        two\n\n    countdown: 1m\n  - title: \"D\n      E\"\n    countdown: 1m\n"
      ),
      (
        "CRLF",
        "title: A\r\n# b\r\ncards:\r\n  # c\r\n  - title: D\r\n    countdown: 1m\r\n  - { title: E, countUp: {} }\r\n"
      ),
      ("marked", "\u{FEFF}title: A\ncards:\n  - title: B\n    countdown: 1m\n"),
      ("no end", "title: A\ncards:\n  - title: B\n    countdown: 1m"),
      (
        "wide",
        "title: Ü 🚲\ncards:\n  - { title: \"🚲: é\", countdown: 1m }   # ü\n  - title: 漢字\n    countdown: 1m\n"
      ),
      (
        "nulls",
        "title: A\nnote:\ncards:\n  -\n    title: B\n    countdown: 1m\n    note:\n  - title: C\n    countUp:\n"
      ),
      (
        "first keys",
        "title: A\ncards:\n  - note: B # b\n    # c\n    title: C # d\n    # e\n    countdown: 1m\n  - id: x\n\n    # f\n    title: D\n    countdown: 1m\n"
      ),
      (
        "flow with comments",
        "title: A\ncards:\n  - { title: B, # b\n      # c\n      note: D, # d\n      # e\n      countdown: 1m # f\n    } # g\n  - title: E\n    countdown: 1m\n"
      ),
      ("quotes", "title: 'A'\ncards:\n  - title: \"B\"\n    note: 'it''s'\n    countdown: 1m\n"),
      (
        "JSON escapes",
        "{\"title\": \"A \\ud83c\\udf55\", \"cards\": [{\"title\": \"\\ud83c\\udf55\", \"countdown\": \"1m\", \"rest\": true}]}"
      ),
      (
        "anchors",
        "title: A\ncards:\n  - &w { title: B, countdown: 1m }\n  - *w\n  - &w { title: C, countdown: 2m }\n  - *w\n"
      ),
      ("marks", "---\ntitle: A\ncards:\n  - title: B\n    countdown: 1m\n...\n"),
      ("nested lists", "a:\n  - - x\n    - y\n  - z: 1\n  - [p, q]\n"),
      (
        "alias",
        "title: A\ncards:\n  - &w { title: B, countdown: 1m }\n  - { title: C, countdown: 2m }\n  - *w\n"
      ),
    ]
    return texts
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `random edits mean what they should, and change nothing else`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int(ProcessInfo.processInfo.environment["DOCUMENT_EDITS"] ?? "") ?? 60
    var (edits, rewrites, refusals) = (0, 0, 0)
    for (name, text) in try SequenceDocumentTests.corpus() {
      let first = try document(text)
      var document = first
      for _ in 0..<count {
        // From time to time from the beginning, so that texts don't wear out.
        if Int.random(in: 0..<12, using: &random) == 0 { document = first }
        let edit = try #require(Edit(in: document, &random))
        edits += 1
        do throws(DocumentError) {
          let next = try edit.applied(to: document)
          rewrites += next.rewriteCount - document.rewriteCount
          if next.rewriteCount == document.rewriteCount {
            #expect(
              edit.isLocal(document, next), "\(name): \(edit)\n\(self.text(document))\n=>\n\(self.text(next))"
            )
          }
          if name.hasPrefix("JSON") {
            #expect(throws: Never.self, "\(edit)\n\(self.text(document))\n=>\n\(self.text(next))") {
              _ = try json(next)
            }
          }
          document = next
        } catch {
          refusals += 1
          let mayRefuse = document.value.hasAnchor || error == .noSuchPlace
          #expect(mayRefuse, "\(name): \(edit): \(error)\n\(self.text(document))")
          if !mayRefuse { return }
        }
      }
    }
    print("\(edits) edits, \(rewrites) wrote a part anew, \(refusals) were refused")
    #expect(rewrites * 8 < edits)
  }
}

private enum Edit {
  case set(String, YAMLValue?, [YAMLValue.Step])
  case insert(YAMLValue, Int, [YAMLValue.Step])
  case remove(Int, [YAMLValue.Step])
  case duplicate(Int, [YAMLValue.Step])
  case move(Int, [YAMLValue.Step], Int, [YAMLValue.Step])
  case group(Range<Int>, [YAMLValue.Step])
  case ungroup(Int, [YAMLValue.Step])

  init?(in document: SequenceDocument, _ random: inout SplitMix64) {
    var lists: [([YAMLValue.Step], [YAMLValue])] = []
    var mappings: [([YAMLValue.Step], [YAMLValue.Entry])] = []
    func walk(_ value: YAMLValue, _ path: [YAMLValue.Step]) {
      switch value {
      case .list(let elements):
        lists.append((path, elements))
        for (index, element) in elements.enumerated() { walk(element, path + [.index(index)]) }
      case .mapping(let entries):
        mappings.append((path, entries))
        for entry in entries { walk(entry.value, path + [.key(entry.key)]) }
      case .scalar, .alias, .anchored: break
      }
    }
    walk(document.value, [])
    let texts = [
      "Plank", "5m", "a: b", "# c", "it's \"x\"", "- d", "ü 🚲", "", " e ", "true", "two\nlines", "[f", "g, h",
      "~", "%i",
      "j #k", "l:", "m #️⃣ n", "o #\u{301}", "p: \u{301}q", "\u{301}r", "s:️⃣ t",
    ]
    func scalar() -> YAMLValue { .scalar(texts.randomElement(using: &random) ?? "") }
    func element() -> YAMLValue {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .mapping([.init("title", scalar())])
      case 1:
        .mapping([
          .init("rounds", .scalar("3")),
          .init("cards", .list([.mapping([.init("title", scalar()), .init("countdown", .scalar("1m"))])])),
        ])
      default:
        .mapping([.init("title", scalar()), .init("countdown", .scalar("30s")), .init("note", scalar())])
      }
    }
    let kind = Int.random(in: 0..<10, using: &random)
    guard kind > 3, let (path, elements) = lists.randomElement(using: &random) else {
      guard let (path, entries) = mappings.randomElement(using: &random) else { return nil }
      let old = entries.randomElement(using: &random)
      let key = kind == 0 ? "k\(Int.random(in: 0..<3, using: &random))" : old?.key ?? "title"
      let isScalar = if case .scalar? = old?.value { true } else { false }
      let isText = kind == 0 || isScalar
      self = .set(key, kind == 3 || !isText ? nil : scalar(), path)
      return
    }
    let index = elements.isEmpty ? 0 : Int.random(in: elements.indices, using: &random)
    switch kind {
    case _ where elements.isEmpty, 4:
      self = .insert(element(), Int.random(in: 0...elements.count, using: &random), path)
    case 5: self = .remove(index, path)
    case 6: self = .duplicate(index, path)
    case 7: self = .group(index..<(index + 1), path)
    case 8 where elements[index]["cards"]?.elements?.isEmpty == false: self = .ungroup(index, path)
    default:
      let target = lists.filter { !$0.0.starts(with: path + [.index(index)]) }.randomElement(using: &random)
      let count = (target?.1.count ?? 0) - (target?.0 == path ? 1 : 0)
      self = .move(index, path, Int.random(in: 0...max(0, count), using: &random), target?.0 ?? path)
    }
  }

  func applied(to document: SequenceDocument) throws(DocumentError) -> SequenceDocument {
    switch self {
    case .set(let key, let value, let path): try document.setting(key, to: value, at: path)
    case .insert(let element, let index, let path): try document.inserting(element, at: index, in: path)
    case .remove(let index, let path): try document.removing(at: index, in: path)
    case .duplicate(let index, let path): try document.duplicating(at: index, in: path)
    case .move(let index, let path, let newIndex, let newPath):
      try document.moving(at: index, in: path, to: newIndex, in: newPath)
    case .group(let range, let path): try document.grouping(range, in: path, rounds: 2)
    case .ungroup(let index, let path): try document.ungrouping(at: index, in: path)
    }
  }

  /// Whether nothing but a part in one place was changed: lines were only added or only removed, or those of an element
  /// were; no comment was lost but with what it belongs to.
  func isLocal(_ before: SequenceDocument, _ after: SequenceDocument) -> Bool {
    let (old, new) = (
      String(decoding: before.bytes, as: UTF8.self), String(decoding: after.bytes, as: UTF8.self)
    )
    func comments(_ text: String) -> Int {
      text.split(whereSeparator: \.isNewline).count { $0.contains("# ") }
    }
    func count(_ document: SequenceDocument, _ path: [YAMLValue.Step]) -> Int {
      document.value.part(at: path)?.elements?.count ?? 0
    }
    switch self {
    // An empty list is written in another way.
    case .insert(_, _, let path) where count(before, path) == 0: return true
    case .remove(_, let path) where count(after, path) == 0: return true
    case .insert, .duplicate: return comments(new) >= comments(old) && isExtended(old, new)
    case .remove: return isExtended(new, old)
    case .move, .group: return comments(new) == comments(old)
    case .set(let key, _, let path):
      return before.commentsOfOthers(than: key, path).isSubset(of: after.comments)
    case .ungroup: return true
    }
  }

  /// Whether a text is the other one with one more part.
  private func isExtended(_ short: String, _ long: String) -> Bool {
    let (short, long) = (Array(short.utf8), Array(long.utf8))
    let prefix = zip(short, long).prefix { $0 == $1 }.count
    let suffix = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
    return short.count <= long.count && prefix + suffix >= short.count
  }
}

extension SequenceDocument {
  fileprivate var comments: Set<String> { Set(placedComments.map(\.text)) }

  private var placedComments: [(place: Int, text: String)] {
    var scalars: [Range<Int>] = []
    func walk(_ node: TextNode) {
      switch node.content {
      case .scalar, .alias: scalars.append(node.range)
      case .list(let nodes): nodes.forEach(walk)
      case .mapping(let entries):
        for entry in entries {
          scalars.append(entry.keyRange)
          walk(entry.value)
        }
      }
    }
    if let root { walk(root) }
    var comments: [(Int, String)] = []
    var place = 0
    while place < text.count {
      if text[place] == UInt8(ascii: "#"), !scalars.contains(where: { $0.contains(place) }) {
        let comment = text[place...].prefix { $0 != 0x0A && $0 != 0x0D }
        comments.append((place, String(decoding: comment, as: UTF8.self)))
        place = comment.endIndex
      }
      place += 1
    }
    return comments
  }

  /// The comments but those of a key: right above it in its column, in its lines, and in its value.
  fileprivate func commentsOfOthers(than key: String, _ path: [YAMLValue.Step]) -> Set<String> {
    var node = root
    for step in path {
      switch step {
      case .key(let key): node = node?.entries.first { $0.key == key }?.value
      case .index(let index): node = node?.elements[index]
      }
    }
    guard let node, let entry = node.entries.first(where: { $0.key == key }) else { return comments }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    var line =
      lines.firstIndex {
        $0.startIndex <= entry.keyRange.lowerBound && entry.keyRange.lowerBound <= $0.endIndex
      } ?? 0
    let column = entry.keyRange.lowerBound - lines[line].startIndex
    var start = entry.keyRange.lowerBound
    if lines[line].prefix(while: { $0 == 0x20 }).count == column {
      while line > 0, lines[line - 1].prefix(while: { $0 == 0x20 }).count == column,
        lines[line - 1].dropFirst(column).first == UInt8(ascii: "#")
      {
        line -= 1
        start = lines[line].startIndex
      }
    }
    let end = max(entry.keyRange.upperBound, entry.value.range.upperBound)
    let lineEnd = text[end...].firstIndex(of: 0x0A) ?? text.count
    let own = start..<(node.isBlock ? lineEnd : end)
    return Set(placedComments.filter { !own.contains($0.place) }.map(\.text))
  }
}

/// The files of sequences that were not read from one.
@Suite struct SequenceDefinitionFileTests {
  @Test func `a written sequence means the same`() throws {
    let text = """
      title: "Tea: strong"
      onSuspend: pause
      onLock: ask
      cards:
        - { title: Boil, countUp: {}, note: "Two\\nlines" }
        - { title: Steep, countdown: 4m, advance: manual, insist: 1m, sound: none }
        - rounds: 3
          cards:
            - { title: Sip, countUp: { goal: 5m, reminders: 1, every: 15m }, sound: bell }
            - { title: Wait, countdown: 1m30s, skipLast: true }
            - { title: Rest, countdown: 10s, rest: false }
        - rounds: forever
          cards: [{ title: "- x", countdown: 2s }]

      """
    let parsed = try SequenceFile.parse(Array(text.utf8)).definition
    let written = try SequenceFile.parse(SequenceDocument(parsed).bytes).definition
    #expect(written == parsed)
  }

  @Test(arguments: [
    "Workout #️⃣ one", "a #\u{301}b", "a: \u{301}b", "a:\u{301} b", "a :️⃣ b", "\u{301}a", "#️⃣", "-\u{301} a",
    "a\u{301}",
    "\u{FE0F}", "\u{20E3}: ",
  ])
  func `a mark behind a sign of YAML hides nothing from the writer`(title: String) throws {
    let card = Card(id: UUID(), title: title, note: title, timing: .countdown(.seconds(5)))
    let sequence = SequenceDefinition(
      id: UUID(), title: title, elements: [.card(card)], onSuspend: nil, onLock: nil)
    let written = try SequenceFile.parse(SequenceDocument(sequence).bytes).definition
    #expect(written.title.unicodeScalars.elementsEqual(title.unicodeScalars))
    guard case .card(let card)? = written.elements.first else { throw TestSupportError("no card") }
    #expect(card.title == title && card.note == title)
  }
}
