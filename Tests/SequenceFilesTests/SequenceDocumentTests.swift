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
    #expect(throws: SequenceFileError.self) { try self.document("a: &x 1\nb: &x 2\nc: *x\n") }
  }

  // MARK: - Random edits

  /// Texts of all kinds.
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

/// A random edit.
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
      "j #k", "l:",
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
    case .set, .ungroup: return true
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
}
