import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceFiles

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
            - { title: Wait, countdown: 1m30s, atLeast: 1m, atMost: 2m, skipLast: true }
            - { title: Rest, countdown: 10s, rest: false }
        - cards:
            - { title: Hang, countdown: [20s, 30s, 40s] }
            - { title: Swing, countdown: 1m, perRound: -5s, advance: manual }
            - { title: Breathe, countdown: [15s, 20s], skipLast: true }
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

  private static let exercises = """
    title: Exercises
    color: purple
    icon: ☕
    labels: [health, client-a]
    onLock: pause
    ring: true
    cards:
      - { title: Warm up, countdown: 5m, image: /a/warm.png }
      - rounds: 2
        cards:
          - { title: Squats, countUp: { goal: 30s }, sound: none }
          - { title: Rest, countdown: 10s, skipLast: true }

    """

  @Test func `the text of a sequence gives an equal one, with the ids that were given`() throws {
    let derived = try SequenceFile.parse(Array(Self.exercises.utf8)).definition
    let text = try SequenceFile.text(of: derived)
    #expect(!text.contains("id:"))
    #expect(try SequenceFile.parse(Array(text.utf8)).definition == derived)

    let (id, card) = (UUID(), UUID())
    let given = try SequenceFile.parse(
      Array(
        Self.exercises
          .replacing("color", with: "id: \(id.uuidString)\ncolor")
          .replacing("{ title: Rest", with: "{ id: \(card.uuidString), title: Rest").utf8)
    ).definition
    let written = try SequenceFile.text(of: given)
    #expect(
      written.hasPrefix(
        "title: Exercises\nid: \(id.uuidString.lowercased())\ncolor: purple\nicon: ☕\nlabels: [health, client-a]\nonLock: pause\nring: true\ncards:\n"
      ))
    #expect(written.components(separatedBy: "id:").count == 3)
    #expect(try SequenceFile.parse(Array(written.utf8)).definition == given)

    let code = SequenceDefinition("Bread") {
      Group(3) { Card("Proof", .countdown(.seconds(1800), advance: .manual)) }
      Card("Bake", .countUp(goal: Goal(duration: .seconds(2400))))
    }
    #expect(try SequenceFile.parse(Array(SequenceFile.text(of: code).utf8)).definition == code)
  }

  @Test func `a sequence that a file can't have is refused`() throws {
    func refusal(_ card: Card?) -> String? {
      let sequence = SequenceDefinition(
        id: UUID(), title: "A", elements: card.map { [.card($0)] } ?? [], onSuspend: nil, onLock: nil)
      return #expect(throws: SequenceFileError.self) { try SequenceFile.text(of: sequence) }?.description
    }
    func card(_ title: String = "B", image: String? = nil) -> Card {
      Card(id: UUID(), title: title, timing: .countdown(.seconds(5)), image: image)
    }
    #expect(
      refusal(card(image: "a.png"))
        == "a file can't have this sequence; use absolute paths of pictures and sounds")
    #expect(refusal(nil)?.contains("cards is empty") == true)
    #expect(refusal(card(" "))?.contains("title is empty") == true)
  }

  @Test func `other programs edit cards by their places`() throws {
    let text =
      "# Mine\n" + Self.exercises.replacing("cards:\n  - {", with: "cards:   # all\n  # first\n  - {")
    let document = try SequenceDocument(Array(text.utf8))
    func edited(_ edit: (SequenceDocument) throws -> SequenceDocument) throws -> String {
      String(decoding: try edit(document).bytes, as: UTF8.self)
    }
    #expect(
      try edited { try $0.setting("countdown", to: "15s", at: [1, 1]) }
        == text.replacing("countdown: 10s", with: "countdown: 15s"))
    #expect(
      try edited { try $0.setting("onLock", to: nil, at: [] as [Int]) }
        == text.replacing("onLock: pause\n", with: ""))
    let id = UUID()
    #expect(
      try edited {
        try $0.inserting(.card(Card("Jump", .countdown(.seconds(60)))), at: [1, 2])
          .inserting(.card(Card(id: id, title: "Stretch", timing: .countUp())), at: [2])
      } == text + "      - { title: Jump, countdown: 1m }\n"
        + "  - { title: Stretch, id: \(id.uuidString.lowercased()), countUp: {} }\n")
    #expect(
      try edited { try $0.removing(at: [0]) }
        == text.replacing("  # first\n  - { title: Warm up, countdown: 5m, image: /a/warm.png }\n", with: ""))
    #expect(
      try edited { try $0.moving(from: [0], to: [1, 2]) }.hasSuffix(
        "skipLast: true }\n      # first\n      - { title: Warm up, countdown: 5m, image: /a/warm.png }\n"))
    #expect(
      try edited {
        try $0.replacing(at: [0], by: .group(Group(3) { Card("Jump", .countdown(.seconds(60))) }))
      }.contains(
        "  # first\n  - rounds: 3\n    cards:\n      - title: Jump\n        countdown: 1m\n  - rounds: 2"))
    #expect(throws: DocumentError.noSuchPlace) { try document.removing(at: []) }
    #expect(throws: DocumentError.noSuchPlace) { try document.removing(at: [0, 0]) }
    #expect(throws: DocumentError.noSuchPlace) { try document.moving(from: [0], to: [5]) }
  }
}
