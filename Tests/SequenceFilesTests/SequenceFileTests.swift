import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

struct SequenceFileTests {
  private func parse(_ text: String) throws -> SequenceFile { try SequenceFile.parse(Array(text.utf8)) }

  @Test func `every form of a card is parsed`() throws {
    let parsed = try parse(
      """
      title: on   # a word, not a truth
      cards:
        - { title: A, countdown: 1:30, note: All out }
        - rounds: 2
          cards:
            - { title: B, countdown: 2m, skipLast: true }
            - { title: C, countUp: {} }
        - { title: D, countUp: { goal: 5m, reminders: 1, every: 15m } }
        - { title: E, countdown: "4m", advance: manual, id: 11111111-2222-3333-4444-555555555555 }
        - { title: F, countUp: 25m }
      """)
    let cards = (0..<parsed.timeline.listedCount).map { parsed.timeline.card(at: $0) }
    #expect(parsed.definition.title == "on")
    #expect(cards.map(\.title) == ["A", "B", "C", "C", "D", "E", "F"])
    #expect(cards[0].timing == .countdown(.seconds(90), advance: .automatic))
    #expect(cards[0].note == "All out")
    #expect(cards[2].timing == .countUp(goal: nil))
    #expect(
      cards[4].timing == .countUp(goal: Goal(duration: .seconds(300), reminders: 1, cadence: .seconds(900))))
    #expect(cards[5].timing == .countdown(.seconds(240), advance: .manual))
    #expect(cards[6].timing == .countUp(goal: Goal(duration: .seconds(1500))))
    #expect(cards[5].id.uuidString == "11111111-2222-3333-4444-555555555555")
    #expect(parsed.remarks.isEmpty)
  }

  @Test func `a card has a length for each round, or a change of it`() throws {
    let parsed = try parse(
      """
      title: Ladder
      cards:
        - rounds: 2
          cards:
            - cards:
                - { title: Hang, countdown: &ladder [20s, 30, "0:40"] }
                - { title: Rest, countdown: 10s, perRound: -2s, skipLast: true }
                - { title: Swing, countdown: *ladder }
            - { title: Long, countdown: 1m, perRound: 5s }
      """)
    let steps = (0..<18).map { parsed.timeline.step(at: $0) }
    #expect(parsed.timeline.count == 18)
    #expect(
      steps.map { "\($0.card.title) \($0.timing.duration?.components.seconds ?? 0)" } == [
        "Hang 20", "Rest 10", "Swing 20", "Hang 30", "Rest 8", "Swing 30", "Hang 40", "Swing 40", "Long 60",
        "Hang 20", "Rest 10", "Swing 20", "Hang 30", "Rest 8", "Swing 30", "Hang 40", "Swing 40", "Long 65",
      ])
  }

  @Test func `lists of lengths cost no more than the steps they stand for`() throws {
    let lengths = Array(repeating: "1s", count: 100_000).joined(separator: ", ")
    let groups = Array(repeating: "  - { cards: [{ title: A, countdown: *long }] }\n", count: 10_000).joined()
    let text = "title: T\ncards:\n  - { cards: [{ title: A, countdown: &long [\(lengths)] }] }\n" + groups
    let error = #expect(throws: SequenceFileError.self) { try parse(text) }
    #expect(error?.problem.text == "the sequence has more than 100000 steps")
  }

  @Test func `the last group can repeat forever`() throws {
    let parsed = try parse(
      """
      title: T
      cards:
        - { title: A, countdown: 1s }
        - rounds: forever
          cards: [{ title: B, countdown: 1s }, { title: C, countdown: 1s, skipLast: true }]
      """)
    #expect(parsed.definition.elements.last == parsed.definition.endlessGroup.map { .group($0) })
    #expect(parsed.timeline.count == nil && parsed.timeline.listedCount == 3)
    #expect(parsed.timeline.ignoresSkipLast)
    let json = try parse(
      #"{"title": "T", "cards": [{"rounds": "forever", "cards": [{"title": "A", "countdown": 1}]}]}"#)
    #expect(json.timeline.count == nil)
  }

  @Test func `JSON is parsed too`() throws {
    #expect(try parse(#"{"title": "T", "cards": [{"title": "A", "countdown": 90}]}"#).timeline.count == 1)
  }

  @Test func `a JSON string without an end is a mistake at the end of the file`() throws {
    let error = #expect(throws: SequenceFileError.self) {
      try parse(#"{"title": "A \ud83c\udf55 \ud83c\udf55"# + "\n")
    }
    #expect(error?.position == FilePosition(line: 2, column: 1))
  }

  @Test(
    arguments: [
      (
        #"{"title": "\ud83c\udf55", "cards": [{"title": "\uD83C\uDF55 a\\ud83c", "countdown": 90}]}"#, "🍕",
        #"🍕 a\ud83c"#
      ),
      (#" [{"a": [1, true, null, -0.5e3]}, "\ud83d\ude00"]"#, nil, nil),
      (
        #"title: '\ud83c\udf55'\ncards: [{ title: \ud83c\udf55, countdown: 1s }]"#, #"\ud83c\udf55"#,
        #"\ud83c\udf55"#
      ),
      (
        #"{title: '"\ud83c\udf55"', cards: [{ title: a "\ud83c\udf55, countdown: 1s }]}"#, #""\ud83c\udf55""#,
        #"a "\ud83c\udf55"#
      ),
    ] as [(String, String?, String?)])
  func `a JSON surrogate pair is one character, and nothing else is changed`(
    text: String, title: String?, card: String?
  ) throws {
    let text = text.replacing(#"'\n"#, with: "'\n")
    guard let title, let card else {
      let error = #expect(throws: SequenceFileError.self) { try parse(text) }
      #expect(error?.message(inFile: "f").contains("not YAML") == false)
      return
    }
    let parsed = try parse(text)
    #expect(parsed.definition.title == title)
    #expect(parsed.timeline.card(at: 0).title == card)
  }

  @Test(arguments: [
    (
      #"{"title": "\ud83c\udf55\ud83c\udf55", "carts": []}"#,
      #"1:39: unknown key "carts" in a sequence; did you mean cards?"#
    ),
    (
      #"{"title": "\ud83c", "cards": []}"#,
      "1:14: this is not YAML: found invalid Unicode character escape code"
    ),
    (
      #"{"title": "\udf55\ud83c", "cards": []}"#,
      "1:14: this is not YAML: found invalid Unicode character escape code"
    ),
    (
      "{\"title\": \"\\ud83c\\udf55\r\n a\", \"carts\": []}",
      #"2:6: unknown key "carts" in a sequence; did you mean cards?"#
    ),
    (
      #"{"title": "\ud83c\udf55""#,
      "1:25: this is not YAML: did not find expected ',' or '}'; write a comma between keys, close the brace, or put a text with \": \" in it in quotes"
    ),
  ])
  func `a mistake after a surrogate pair keeps its position`(text: String, message: String) {
    let error = #expect(throws: SequenceFileError.self) { try parse(text) }
    #expect(error?.message(inFile: "f") == "f:" + message)
  }

  @Test(arguments: [
    "title: T\ncards:\n  - { title: A, countdown: 1s }\n",
    "title: T\r\ncards:\r\n- title: A\r\n  countdown: 1s",
    "---\ntitle: T\ncards: [{ title: A, countdown: 1s }]\n",
    "# first\n\ntitle: T\ncards: [{ title: A, countUp: {} }]",
    #"{"title": "T", "cards": [{"title": "A", "countdown": 90}]}"#,
  ])
  func `a byte order mark changes nothing`(text: String) throws {
    #expect(try parse("\u{FEFF}" + text) == parse(text))
  }

  @Test func `derived ids are the same in every version`() throws {
    let definition = try parse("title: Tabata\ncards:\n  - { title: Work, countdown: 20s }\n").definition
    #expect(definition.id.uuidString == "010CEE82-B3E9-8F9E-822F-2B52851EA068")
    guard case .card(let card)? = definition.elements.first else { throw TestSupportError("no card") }
    #expect(card.id.uuidString == "7EADCA05-883C-80B3-9AB4-6BD30158F583")
  }

  @Test func `an aliased block is repeated with ids of its own`() throws {
    let parsed = try parse(
      "title: T\ncards:\n  - &a { title: A, countdown: 1s }\n  - *a\n")
    #expect(parsed.timeline.card(at: 0).id != parsed.timeline.card(at: 1).id)
  }

  @Test func `a sequence says what a locked screen does`() throws {
    let parsed = try parse("title: T\nonLock: ask\ncards:\n  - { title: A, countdown: 5m }\n")
    #expect(parsed.timeline.definition.onLock == .ask)
    #expect(throws: SequenceFileError.self) {
      try parse("title: T\nonLock: yes\ncards:\n  - { title: A, countdown: 5m }\n")
    }
  }

  @Test func `a sequence has a color and an icon`() throws {
    func parsed(_ keys: String) throws -> SequenceDefinition {
      try parse("title: T\n\(keys)cards:\n  - { title: A, countdown: 5m }\n").definition
    }
    #expect(try parsed("").color == nil)
    #expect(try parsed("").icon == nil)
    for color in SequenceColor.allCases { #expect(try parsed("color: \(color.rawValue)\n").color == color) }
    for icon in ["🧘", "👩‍👩‍👧‍👦", "☀️", "★", "7", "é"] { #expect(try parsed("icon: \(icon)\n").icon == icon) }
  }

  @Test(arguments: [
    (
      "color: Red", "color must be blue, teal, green, yellow, orange, red, pink, purple or slate, not \"Red\""
    ),
    ("icon: ab", "icon must be one emoji or symbol, not \"ab\""),
    ("icon: ''", "icon must be one emoji or symbol, not nothing"),
    ("icon: ' '", "icon must be one emoji or symbol, not \" \""),
    (#"icon: "\u202e""#, "icon must be one emoji or symbol"),
    (#"icon: "\u0301""#, "icon must be one emoji or symbol"),
    (#"icon: "a\#(String(repeating: "\\u0301", count: 40))""#, "icon must be one emoji or symbol"),
    ("icon: [a]", "icon must be one emoji or symbol, not a list"),
  ])
  func `another color or icon is refused`(line: String, message: String) throws {
    let error = #expect(throws: SequenceFileError.self) {
      try parse("title: T\n\(line)\ncards:\n  - { title: A, countdown: 5m }\n")
    }
    #expect(error?.problem.text.description.hasPrefix(message) == true, "\(String(describing: error))")
    #expect(error?.position?.line == 2)
  }

  @Test func `a sequence rings at its end, unless it has none`() throws {
    func parsed(_ text: String) throws -> SequenceDefinition { try parse(text).definition }
    let cards = "cards:\n  - { title: A, countdown: 5m }\n"
    #expect(try !parsed("title: T\n" + cards).rings)
    #expect(try parsed("title: T\nring: true\n" + cards).rings)
    let error = #expect(throws: SequenceFileError.self) {
      try parse("title: T\nring: true\ncards: [{ rounds: forever, cards: [{ title: A, countdown: 5m }] }]\n")
    }
    #expect(error?.problem.text == "a sequence that repeats forever has no end to ring at")
    #expect(error?.position == FilePosition(line: 2, column: 7))
  }

  @Test func `a sequence has labels`() throws {
    func labels(_ line: String) throws -> [String] {
      try parse("title: T\n\(line)cards:\n  - { title: A, countdown: 5m }\n").definition.labels
    }
    #expect(try labels("") == [])
    #expect(try labels("labels: []\n") == [])
    #expect(try labels("labels: [health, client-a, 日本, 42]\n") == ["health", "client-a", "日本", "42"])
    let ten = (1...10).map { "l\($0)" }
    #expect(try labels("labels:\n\(ten.map { "  - \($0)\n" }.joined())") == ten)
  }

  @Test(arguments: [
    ("[a, Health]", 4, "\"Health\" cannot be a label; write it like health"),
    ("[client a]", 1, "\"client a\" cannot be a label; write it like client-a"),
    ("[\(String(repeating: "a", count: 25))]", 1, "cannot be a label"),
    ("[a-, b]", 1, "\"a-\" cannot be a label"), ("['']", 1, "\"\" cannot be a label"),
    ("[a, b, a]", 7, "\"a\" is in labels twice; remove one of them"), ("[a, [b]]", 4, "a label must be text"),
    ("health", 0, "labels must be a list, not \"health\"; write it like [health, client-a]"),
    ("[a, b, c, d, e, f, g, h, i, j, k]", 31, "the sequence has more than 10 labels; remove some of them"),
  ])
  func `a mistake in labels is found where it is`(labels: String, offset: Int, message: String) throws {
    let error = #expect(throws: SequenceFileError.self) {
      try parse("title: T\nlabels: \(labels)\ncards:\n  - { title: A, countdown: 5m }\n")
    }
    #expect(error?.problem.description.contains(message) == true, "\(String(describing: error))")
    #expect(error?.position?.line == 2 && error?.position?.column == 9 + offset)
  }

  @Test func `a card that waits can insist`() throws {
    let parsed = try parse(
      "title: T\ncards:\n  - { title: A, countdown: 5m, advance: manual, insist: 1m }\n")
    #expect(parsed.timeline.card(at: 0).insist == .seconds(60))
  }

  @Test func `a cadence below ten minutes is raised, with a remark`() throws {
    let parsed = try parse("title: T\ncards:\n  - { title: A, countUp: { goal: 5m, every: 1m } }\n")
    #expect(parsed.timeline.card(at: 0).timing.goal?.cadence == .seconds(600))
    #expect(parsed.remarks.map(\.position) == [FilePosition(line: 3, column: 45)])
  }

  @Test(
    arguments: try FileManager.default.contentsOfDirectory(atPath: BuiltProducts.repository + "/examples")
      .filter { $0.hasSuffix(".yaml") })
  func `every example is valid`(name: String) throws {
    let parsed = try SequenceFile.read(path: BuiltProducts.repository + "/examples/" + name)
    #expect(parsed.remarks.isEmpty)
  }

  @Test func `cards on the command line form a sequence`() throws {
    let timeline = try CardSpec.sequence(cards: ["Work hard 20s", "Rest 10s", "Go on"], rounds: 2)
    #expect(timeline.count == 6)
    #expect(timeline.card(at: 0).title == "Work hard")
    #expect(timeline.card(at: 2).timing == .countUp(goal: nil))
    #expect(timeline.definition.title == "Work hard, Rest, Go on")
  }

  @Test(arguments: [
    ("5m Tea", "Tea", 300), ("Tea 5 min", "Tea", 300), ("5 minutes Green tea", "Green tea", 300),
    ("Bread 1h 30m", "Bread", 5400), ("Bread 1 hour 30 min.", "Bread", 5400), ("90 s Plank", "Plank", 90),
    ("2 h 8 h reading", "8 h reading", 7200), ("5m Chapter 3", "Chapter 3", 300),
    ("3 eggs 6m", "3 eggs", 360),
    ("Tea - 5m", "Tea -", 300), ("s 10s", "s", 10), ("Read", "Read", nil),
    ("3x10 squats", "3x10 squats", nil), ("25m Day", "Day", 1500), ("30s Second", "Second", 30),
    ("10m Hours", "Hours", 600), ("5 min. minutes", "minutes", 300), ("10k Run", "10k Run", nil),
    ("5x Squats", "5x Squats", nil), ("2nd coffee", "2nd coffee", nil), ("10k Run 1h", "10k Run", 3600),
    ("5m 5x Squats", "5x Squats", 300), ("5m Call at 7pm", "Call at 7pm", 300), ("1h30 Tea", "Tea", 5400),
    ("Tea 1,5 h", "Tea", 5400), ("0,5h Tea", "Tea", 1800), ("2m30 Egg", "Egg", 150),
    ("Nap half an hour", "Nap", 1800),
    ("Tea five minutes", "Tea", 300), ("twenty-five minutes Focus", "Focus", 1500),
    ("25-min Focus", "Focus", 1500),
    ("An hour and a half Bread", "Bread", 5400), ("Wait a minute", "Wait a minute", nil),
    ("5m Wait a minute", "Wait a minute", 300), ("A second coffee", "A second coffee", nil),
    ("One day at a time", "One day at a time", nil), ("5m See you in 2 weeks", "See you in 2 weeks", 300),
    ("5m Ratio 1:5 mix", "Ratio 1:5 mix", 300), ("5m 1,000 steps", "1,000 steps", 300),
    ("Weeks 20m", "Weeks", 1200), ("Week 2 of 4 20m", "Week 2 of 4", 1200),
    ("forever", "forever", nil), ("Chapter #3", "Chapter #3", nil), ("5m Lesson ٣", "Lesson ٣", 300),
    ("5m Mix 1:1", "Mix 1:1", 300), ("16:9 video 5m", "16:9 video", 300),
    ("10m Level 10,000", "Level 10,000", 600), ("25m Sprint 2w", "Sprint 2w", 1500),
    ("5m Tune 10ms", "Tune 10ms", 300), ("2w Trip 5m", "2w Trip", 300),
    ("1,2 Buckle 5m", "1,2 Buckle", 300),
  ])
  func `a card begins or ends with its duration`(spec: String, title: String, seconds: Int?) throws {
    let card = try CardSpec.sequence(cards: [spec]).card(at: 0)
    #expect(card.title == title)
    #expect(
      card.timing == seconds.map { .countdown(.seconds($0), advance: .automatic) } ?? .countUp(goal: nil))
  }

  @Test func `a file takes durations as people write them, and a bare number as seconds`() throws {
    let timeline = try parse(
      "title: T\ncards: [{ title: A, countdown: 1 hour 30 min }, { title: B, countdown: 25 }]\n"
    ).timeline
    #expect(timeline.duration(of: 0..<1) == .seconds(5400) && timeline.duration(of: 1..<2) == .seconds(25))
  }

  @Test(arguments: [
    ("Work 20x", #""20x" is not a duration; write it like 2m or 1m30s"#),
    ("Work 0s", #""0s" is zero; write a duration longer than zero"#),
    ("Work -5s", #""-5s" is negative; write a duration longer than zero"#),
    ("20s", #""20s" has no title; write it like "Work 20s""#),
    (" ", #"a card is empty; write it like "Work 20s""#),
    ("Chapter 3", #""3" has no unit; write 3s or 3m"#),
    ("25 Chapters", #""25" has no unit; write 25s or 25m"#),
    ("Tea 1h 30", #""30" has no unit; write 30s or 30m"#),
    ("1h 30", #"the last number of "1h 30" has no unit; add it, as in 1h30m or 1m30s"#),
    ("1d12 Tea", #"the last number of "1d12" has no unit; add it, as in 1h30m or 1m30s"#),
    ("1h90 Tea", #"the last number of "1h90" has no unit; add it, as in 1h30m or 1m30s"#),
    ("1h m", #""1h m" is not a duration; write it like 2m or 1m30s"#),
    ("1:30 hours", #""1:30 hours" is not a duration; write it like 2m or 1m30s"#),
    ("1,500s Tea", #""1,500s" has a comma; write a point, as in 0.5h"#),
    ("Tea 1,5", #""1,5" has no unit; write 1.5h or 1.5m"#),
    ("1,2 5m", #""1,2" has no unit; write 1.2h or 1.2m"#),
    ("1h 1,5", #""1,5" has no unit; write 1.5h or 1.5m"#),
    ("5m 1,500", #""1,500" has a comma; write the number without it"#),
    ("5m 1:5", #""1:5" is not a duration; write it like 1:30, 1:00:05 or 1h30m"#),
    ("5m and a half", #""5m and a half" is not a duration; write it like 2m or 1m30s"#),
    ("two hours and ten", #""two hours and ten" is not a duration; write it like 2m or 1m30s"#),
    ("1:30h Nap", #""1:30h" is not a duration; write it like 1:30, 1:00:05 or 1h30m"#),
    ("5m 2w", #""w" is not a unit; write 14d"#), ("Trip 2w 5m", #""w" is not a unit; write 14d"#),
    ("500ms Flash", #""ms" is not a unit; write it in seconds, as in 0.5s"#),
    ("3mo Diet", #""mo" is not a unit; write it in days, at most 30d"#),
    ("٥m Tea", #""٥m" has digits other than 0 to 9; write 5m"#),
    ("5m Lesson ٣m", #""٣m" has digits other than 0 to 9; write 3m"#),
    ("٣ min Lesson", #""٣ min" has digits other than 0 to 9; write 3 min"#),
    ("1h ٣٠", #"the last number of "1h ٣٠" has no unit; add it, as in 1h30m or 1m30s"#),
    ("5M Tea", #""5M" is not a duration; write 5m"#),
    ("half an hour 5m", #""half an hour 5m" begins and ends with a duration; write one of them"#),
    ("999 and a half hours", #""999 and a half hours" is too long; write at most 30d"#),
    ("2 weeks Trip", #""weeks" is not a unit; write 14d"#),
    ("2weeks Trip", #""weeks" is not a unit; write 14d"#),
    ("Trip 1 w", #""w" is not a unit; write 7d"#),
    ("Trip 5 weeks", #""weeks" is not a unit; write it in days, at most 30d"#),
    ("1 Month Diet", #""Month" is not a unit; write it in days, at most 30d"#),
    ("1:30 h", #""1:30 h" is not a duration; write it like 2m or 1m30s"#),
    ("5m Tea 10m", #""5m Tea 10m" begins and ends with a duration; write one of them"#),
    ("0 min Tea", #""0 min" is zero; write a duration longer than zero"#),
    ("Tea 31 days", #""31 days" is too long; write at most 30d"#),
    ("1 h 5 m", #""1 h 5 m" has no title; write it like "Work 1 h 5 m""#),
  ])
  func `an invalid card is refused`(spec: String, text: String) {
    let error = #expect(throws: Problem.self) { try CardSpec.sequence(cards: [spec]) }
    #expect(error?.description == text)
  }

  @Test func `the texts of cards on the command line have limits`() throws {
    let accents = String(repeating: "\u{301}", count: 2000)
    for spec in [String(repeating: "x", count: 1001) + " 5s", "a\(accents) 5s"] {
      let error = #expect(throws: Problem.self) { try CardSpec.sequence(cards: [spec]) }
      #expect(error?.text.description.hasSuffix(" has more than 1000 characters or 4000 bytes") == true)
    }
    // The title that is made of those of the cards is cut.
    let accented = "a" + accents.dropLast(1200)
    let title = try CardSpec.sequence(cards: Array(repeating: accented, count: 6)).definition.title
    #expect(title.utf8.count <= 4000 && title.hasPrefix("\(accented), "))
    #expect(throws: Problem.self) { try CardSpec.sequence(cards: ["A 5s"], title: "a" + accents) }
  }

  @Test func `a sequence in code has the ids of the same file`() throws {
    let file = try SequenceFile.parse(
      Array(
        """
        title: Bread
        cards:
          - { title: Rest, countdown: 10m }
          - rounds: 3
            cards:
              - { title: Fold, countUp: {} }
              - { title: Rest, countdown: 30m, note: Covered, skipLast: true }
          - { title: Bake, countUp: { goal: 40m } }
        """.utf8))
    let isBaked = true
    let sequence = SequenceDefinition("Bread") {
      Card("Rest", .countdown(.seconds(600)))
      Group(3) {
        Card("Fold", .countUp())
        Card("Rest", .countdown(.seconds(1800)), note: "Covered", skipsLastRound: true)
      }
      if isBaked { Card("Bake", .countUp(goal: Goal(duration: .seconds(2400)))) }
    }
    #expect(sequence == file.timeline.definition)
  }

  @Test func `ids of their own stay in a sequence in code`() throws {
    let (id, card) = (UUID(), UUID())
    let sequence = SequenceDefinition("Own", id: id, onSuspend: .pause) {
      for number in 1...2 { Card("Card \(number)", .countdown(.seconds(1))) }
      Card(id: card, title: "Card 1", timing: .countUp())
    }
    let ids = sequence.elements.map { if case .card(let card) = $0 { card.id } else { id } }
    #expect(sequence.id == id && sequence.onSuspend == .pause)
    #expect(ids[2] == card && Set(ids).count == 3)
  }

  @Test func `a card has a sound, by name or by a path from the folder of its file`() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("RIFF....WAVE", to: "gong.oga")
    _ = try directory.write("RIFF....WAVE", to: "bells/b.wav")
    _ = try directory.write("ID3", to: "song.mp3")
    let path = try directory.write(
      """
      title: T
      cards:
        - { title: A, countdown: 1s, sound: bell }
        - { title: B, countdown: 1s, sound: none }
        - { title: C, countdown: 1s, sound: gong.oga }
        - { title: D, countdown: 1s, sound: ./bells/b.wav }
        - { title: E, countdown: 1s, sound: missing.oga }
        - { title: F, countdown: 1s, sound: bells/ }
        - { title: G, countdown: 1s }
        - { title: H, countdown: 1s, sound: ./song.mp3 }
      """, to: "sequence.yaml")
    let parsed = try SequenceFile.read(path: path)
    let sounds = (0..<8).map { parsed.timeline.card(at: $0).sound }
    #expect(
      sounds == [
        "bell", "", directory.path + "/gong.oga", directory.path + "/bells/b.wav", nil, nil, nil, nil,
      ])
    #expect(parsed.remarks.map(\.position.line) == [7, 8, 10])
    #expect(parsed.remarks.map(\.isOfSound) == [true, true, true])
    #expect(parsed.remarks[2].text.description.contains("is neither WAV nor Ogg Vorbis"))
    #expect(parsed.remarks[0].text.description.contains("cannot be read, so the usual sound is played"))
    #expect(parsed.remarks[1].text.description.contains("is not a regular file"))
    for sound in ["''", "[a]", "\"a\\nb\""] {
      #expect(throws: SequenceFileError.self) {
        try parse("title: T\ncards: [{ title: A, countdown: 1s, sound: \(sound) }]")
      }
    }
  }

  @Test func `a card has a picture, by a path from the folder of its file`() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("x", to: "plank.png")
    _ = try directory.write("x", to: "pictures/b")
    let hidden = try directory.write("x", to: "hidden.png")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: hidden)
    let path = try directory.write(
      """
      title: T
      cards:
        - { title: A, countdown: 1s, image: plank.png }
        - { title: B, countdown: 1s, image: ./pictures/b }
        - { title: C, countdown: 1s, image: \(directory.path)/plank.png }
        - { title: D, countdown: 1s, image: missing.png }
        - { title: E, countdown: 1s, image: pictures }
        - { title: F, countdown: 1s }
        - { title: G, countdown: 1s, image: /dev/null }
      """, to: "sequence.yaml")
    let parsed = try SequenceFile.read(path: path)
    let folder = directory.path
    #expect(
      (0..<7).map { parsed.timeline.card(at: $0).image }
        == [folder + "/plank.png", folder + "/pictures/b", folder + "/plank.png", nil, nil, nil, nil])
    #expect(parsed.remarks.map(\.position.line) == [6, 7, 9])
    #expect(
      parsed.remarks.map(\.text) == [
        "\"missing.png\" cannot be read, so the card has no picture",
        "\"pictures\" is not a regular file, so the card has no picture",
        "\"/dev/null\" is not a regular file, so the card has no picture",
      ])
    // A picture is not part of the identity of a card.
    #expect(
      parsed.timeline.card(at: 0).id
        == DerivedID.card(sequence: parsed.definition.id, place: [0], title: "A"))
  }

  @Test(arguments: [
    "''", "[a]", "\"a\\nb\"", String(repeating: "a", count: 4000),
  ])
  func `an image that cannot be a path is refused`(image: String) {
    let error = #expect(throws: SequenceFileError.self) {
      try parse("title: T\ncards: [{ title: A, countdown: 1s, image: \(image) }]")
    }
    #expect(error?.description.contains("image") == true)
  }
}
