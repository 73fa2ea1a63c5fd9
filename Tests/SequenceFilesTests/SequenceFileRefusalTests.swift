import Foundation
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

struct SequenceFileRefusalTests {
  private static let cards = "title: T\ncards:\n"

  @Test(arguments: [
    ("title: T\ncards: \u{9B}", "f:2:8: this is not YAML: control characters are not allowed"),
    ("---", "f:1:4: a sequence must have keys and values, but this is nothing"),
    ("title: \"Do\\0it\"\ncards: []", "f:1:8: title contains the character U+0000; remove it"),
    (
      cards + "  - { title: A, note: \"a\\x00\", countdown: 1s }",
      "f:3:23: note contains the character U+0000; remove it"
    ),
    ("title: [", "f:1:9: this is not YAML: did not find expected node content"),
    ("title: T\ncards:\n\t- { title: A }\n", "f:3:1: tabs cannot indent; use spaces"),
    (
      cards + "  - { title: A, countdwon: 1s }",
      #"f:3:17: unknown key "countdwon" in a card; use title, id, note, countdown, perRound, atLeast, atMost, countUp, advance, skipLast, rest, sound, image, insist"#
    ),
    (
      cards + "  - { title: A, countdow: 1s }",
      #"f:3:17: unknown key "countdow" in a card; did you mean countdown?"#
    ),
    (
      cards + "  - { title: A, countdown: 1s, insist: 1m }",
      "f:3:40: insist works only on a countdown that waits for you; add advance: manual, or remove insist"
    ),
    (
      cards + "  - { title: A, countUp: {}, insist: 1m }",
      "f:3:38: insist works only on a countdown that waits for you; add advance: manual, or remove insist"
    ),
    (
      cards + "  - { title: A, countdown: 1s, advance: manual, insist: 9s }",
      "f:3:57: reminders must be at least 10s apart; use 10s or more"
    ),
    ("title: T\ntitle: U\n", #"f:2:1: the key "title" is already used in line 1; remove one of them"#),
    (
      cards
        + "  - { rounds: forever, cards: [{ title: A, countdown: 1s }] }\n  - { title: B, countdown: 1s }",
      "f:3:15: rounds: forever works only on the last element of the sequence; "
        + "move the group to the end and out of other groups, or use a number of rounds"
    ),
    (
      cards + "  - { rounds: 2, cards: [{ rounds: forever, cards: [{ title: A, countdown: 1s }] }] }",
      "f:3:36: rounds: forever works only on the last element of the sequence; "
        + "move the group to the end and out of other groups, or use a number of rounds"
    ),
    (
      cards + "  - { rounds: forever, cards: [{ title: A, countdown: 0.9s }] }",
      "f:3:3: a round that repeats forever lasts less than 1 s; use longer countdowns, or a card that waits for you"
    ),
    (cards + "  - { title: [A], countdown: 1s }", "f:3:14: title must be text, not a list"),
    (cards + "  title: A", "f:3:3: cards must be a list, not a mapping"),
    ("just text", #"f:1:1: a sequence must have keys and values, but this is "just text""#),
    (
      cards + "  - { title: A, countdown: !!int 1 }",
      #"f:3:28: the tag "tag:yaml.org,2002:int" is not supported; remove it"#
    ),
    (
      cards + "  - { title: A, countdown: 1s }\n---\ntitle: U\n",
      "f:4:1: a second document begins here; use one file per sequence"
    ),
    (
      cards + "  - { title: A, countdown: 2x }", #"f:3:28: "2x" is not a duration; write it like 2m or 1m30s"#
    ),
    (
      cards + "  - { title: A, countdown: 0s }",
      #"f:3:28: "0s" is zero; write a duration longer than zero"#
    ),
    (
      cards + "  - { title: A, countdown: -5s }",
      #"f:3:28: "-5s" is negative; write a duration longer than zero"#
    ),
    (
      cards + "  - { title: A, countdown: .inf }",
      #"f:3:28: ".inf" never ends; write at most 30d, or use a countUp"#
    ),
    (
      cards + "  - { title: A, countdown: 1000000h }",
      #"f:3:28: "1000000h" is too long; write at most 30d"#
    ),
    (
      cards + "  - { title: A, countdown: 1s, countUp: {} }",
      #"f:3:41: "A" has a countdown and a countUp; remove one of them"#
    ),
    (
      cards + "  - { title: A }",
      #"f:3:5: "A" has no timing; add countdown: 2m, or countUp: {}"#
    ),
    (
      cards + "  - { rounds: 0, cards: [{ title: A, countdown: 1s }] }",
      #"f:3:15: rounds must be a whole number from 1, or forever, not "0""#
    ),
    (
      cards + "  - { rounds: two, cards: [{ title: A, countdown: 1s }] }",
      #"f:3:15: rounds must be a whole number from 1, or forever, not "two""#
    ),
    (
      cards + "  - { rounds: 99999999999999999999, cards: [{ title: A, countdown: 1s }] }",
      "f:3:15: the sequence has more than 100000 steps; use fewer cards or rounds"
    ),
    (
      cards + "  - { rounds: 1000, cards: [{ rounds: 101, cards: [{ title: A, countdown: 1s }] }] }",
      "f:3:15: the sequence has more than 100000 steps; use fewer cards or rounds"
    ),
    (
      cards + "  - { rounds: 1, cards: [{ title: A, countdown: 1s, skipLast: true }] }",
      "f:3:3: no step is left, because all cards have skipLast and there is one round; give the group more rounds"
    ),
    (
      cards + "  - { title: A, countdown: 1s, skipLast: true }",
      "f:3:42: skipLast works only on a card inside a group; remove it"
    ),
    (
      cards + "  - { title: A, countUp: { every: 10m } }",
      "f:3:35: reminders need a goal; add one, such as goal: 5m"
    ),
    (
      cards + "  - { title: A, countdown: 1s, id: x }",
      #"f:3:36: "x" is not a UUID; use one that uuidgen prints, or remove id"#
    ),
    (cards + "  - { title: ' ', countdown: 1s }", "f:3:14: title is empty; write at least one character"),
    (
      cards + "  - *nothing",
      #"f:3:5: the alias "nothing" has no anchor; define it above with &nothing"#
    ),
    (
      cards + "  - { <<: 1, title: A }",
      "f:3:7: merge keys are not supported; use an alias, or repeat the block"
    ),
    ("title: T\ncards: []\n", "f:2:8: cards is empty; write at least one card"),
    ("title: T\n", "f:1:1: the key cards is missing in a sequence"),
    (
      cards + "  - { title: A, countdown: [20s, 30s] }",
      "f:3:28: a list of lengths works only in a group with a number of rounds; write a single countdown"
    ),
    (
      cards + "  - { title: A, countdown: 20s, perRound: 5s }",
      "f:3:43: perRound works only in a group with a number of rounds; write a single countdown"
    ),
    (
      cards + "  - { rounds: forever, cards: [{ title: A, countdown: 20s, perRound: 5s }] }",
      "f:3:70: perRound works only in a group with a number of rounds; write a single countdown"
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: [20s, 30s, 40s] }] }",
      #"f:3:49: "A" has 3 lengths, but is in 2 rounds; use 3 rounds, or one length for all"#
    ),
    (
      cards
        + "  - cards:\n    - { title: A, countdown: [20s, 30s], skipLast: true }\n    - { title: B, countdown: [1s, 2s] }",
      #"f:5:30: "B" has 2 lengths, but is in 3 rounds; use 2 rounds, or one length for all"#
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: [20s, 0.5s] }] }",
      #"f:3:55: "A" would last 0.5s in round 2; use 1s to 30d in each round"#
    ),
    (
      cards + "  - { rounds: 9, cards: [{ title: A, countdown: 20s, perRound: -5s }] }",
      #"f:3:64: "A" would last 0s in round 5; use 1s to 30d in each round"#
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: [20s, 2x] }] }",
      #"f:3:55: "2x" is not a duration; write it like 2m or 1m30s"#
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: [] }] }",
      "f:3:49: the list of lengths is empty; write a length for each round"
    ),
    (
      cards + "  - { cards: [{ title: A, countdown: [] }] }",
      "f:3:38: the list of lengths is empty; write a length for each round"
    ),
    (
      cards + "  - { rounds: 3, cards: [{ title: A, countdown: [1s, 2s, 3s], skipLast: true }] }",
      #"f:3:49: "A" has 3 lengths, but is in 2 rounds; use 4 rounds, or one length for all"#
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: [1s, 2s], perRound: 5s }] }",
      "f:3:69: a list of lengths has no perRound; remove one of them"
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countUp: {}, perRound: 5s }] }",
      "f:3:61: perRound works only on a countdown; remove it"
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: 20s, perRound: 5x }] }",
      #"f:3:64: "5x" is not a duration; write it like 2m or 1m30s"#
    ),
    (
      cards + "  - { rounds: 2, cards: [{ title: A, countdown: 20s, perRound: [5s] }] }",
      "f:3:64: perRound must be a duration with a sign, not a list; write it like +5s or -5s"
    ),
    (
      cards + "  - { title: A, countUp: {}, atLeast: 5s }",
      #"f:3:39: atLeast and atMost work only on a countdown that ends by itself, in a number of rounds, not on "A"; remove them"#
    ),
    (
      cards + "  - { rounds: forever, cards: [{ title: A, countdown: 20s, atMost: 30s }] }",
      #"f:3:68: atLeast and atMost work only on a countdown that ends by itself, in a number of rounds, not on "A"; remove them"#
    ),
    (
      cards + "  - { title: A, countdown: 20s, atLeast: 10s, atMost: 15s }",
      #"f:3:55: "A" lasts 20s, which is not from its atLeast to its atMost; change one of them"#
    ),
    (
      cards
        + "  - { rounds: 3, cards: [{ title: A, countdown: 20s, perRound: -5s, atLeast: 12s, atMost: 30s }] }",
      #"f:3:78: "A" lasts 10s in round 3, which is not from its atLeast to its atMost; change one of them"#
    ),
    (cards + "  - { cards: [{ title: A, countdown: 20s }] }", "f:3:5: the key rounds is missing in a group"),
    (
      cards + "  - { round: 2, cards: [{ title: A, countdown: 20s }] }",
      #"f:3:7: unknown key "round" in a group; did you mean rounds?"#
    ),
    ("", "f:1:1: the file is empty; write a title and cards"),
    ("# nothing\n", "f:1:1: the file is empty; write a title and cards"),
  ])
  func `each mistake has its own line`(text: String, message: String) {
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(text.utf8)) }
    #expect(error?.message(inFile: "f") == message)
    #expect(error?.isUnreadable == false)
  }

  private static let colon =
    #"indent keys that belong together alike, or put a text with ": " in it in quotes"#
  private static let brace =
    #"write a comma between keys, close the brace, or put a text with ": " in it in quotes"#

  /// Texts that people write, each with its place, libyaml's problem and the remedy.
  private static let unreadable: [(text: String, place: String, problem: String, remedy: String)] = [
    ("title: Work: hard", "1:12", "mapping values are not allowed in this context", colon),
    ("title: T\n  cards: []", "2:8", "mapping values are not allowed in this context", colon),
    ("title: T\ncards: [{ title: A: B, countdown: 5s }]", "2:19", "did not find expected ',' or '}'", brace),
    ("title: T\ncards: [{ title: A countdown: 5s }]", "2:29", "did not find expected ',' or '}'", brace),
    (
      "title: T\ncards: [{ title: A } { title: B }]", "2:22", "did not find expected ',' or ']'",
      "write a comma between entries, or close the bracket"
    ),
    (
      "title: T\ncards:\n  - title: A\n    countdown:5s\n", "5:1", "could not find expected ':'",
      "write a colon and a space after the key, or put the text in quotes"
    ),
    (
      "title: T\ncards:\n  - title: A\n   countdown: 5s", "4:4", "did not find expected '-' indicator",
      #"begin each entry of a list with "- ", and indent them alike"#
    ),
    (
      "title: T\ncards:\n  - title: 'Don't stop'", "3:17", "did not find expected key",
      "check the quotes, and indent keys that belong together alike"
    ),
    ("title: \"T\ncards: []\n", "3:1", "found unexpected end of stream", "close the quotes"),
    ("title: @home", "1:8", "found character that cannot start any token", "put the text in quotes"),
  ]

  @Test(arguments: unreadable.indices)
  func `frequent mistakes in YAML have a remedy`(index: Int) {
    let (text, place, problem, remedy) = SequenceFileRefusalTests.unreadable[index]
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(text.utf8)) }
    #expect(error?.message(inFile: "f") == "f:\(place): this is not YAML: \(problem); \(remedy)")
  }

  @Test(arguments: [
    ("titel: T\ncards: []\n", "f:1:1: "), ("title: \t[\n", "f:2:1: "), ("title: T\ncards: 7\n", "f:2:8: "),
    ("title: \u{1}\n", "f:1:8: control characters"), ("", "f:1:1: the file is empty"),
  ])
  func `a byte order mark takes no column`(text: String, message: String) {
    let errors = [text, "\u{FEFF}" + text].map { text in
      #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(text.utf8)) }
    }
    #expect(errors[1]?.message(inFile: "f").hasPrefix(message) == true, "\(errors)")
    #expect(errors[0] == errors[1])
  }

  @Test(arguments: [
    ([0x74, 0x3A, 0x00], "f:1:3: control characters are not allowed; check that this is a text file"),
    ([0x61, 0x0A, 0xC3, 0x28], "f:2:1: this is not UTF-8; save the file as UTF-8"),
    ([0xFF, 0xFE, 0x74, 0x00], "f:1:1: this is UTF-16; save the file as UTF-8"),
  ])
  func `files that are not text are refused`(bytes: [UInt8], message: String) {
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(bytes) }
    #expect(error?.message(inFile: "f") == message)
  }

  @Test(arguments: [
    (
      "title", "a" + String(repeating: "\u{301}", count: 2000),
      "f:3:14: title has 4001 bytes; use at most 4000"
    ),
    ("note", String(repeating: "a", count: 1001), "f:3:13: note has 1001 characters; use at most 1000"),
  ])
  func `a long text is refused by its characters and bytes`(key: String, text: String, message: String) {
    let rest = key == "note" ? ", title: A" : ""
    let file = SequenceFileRefusalTests.cards + "  - { \(key): \(text)\(rest), countdown: 1s }"
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(file.utf8)) }
    #expect(error?.message(inFile: "f") == message)
  }

  @Test func `aliases cannot multiply texts beyond 4 MiB, and rounds do not count`() throws {
    func file(_ aliases: Int) -> [UInt8] {
      let card = "{ title: A, note: \(String(repeating: "n", count: 999)), countdown: 1s }"
      let cards = Array(repeating: card, count: 100).joined(separator: ", ")
      let groups = Array(repeating: "  - { rounds: 20, cards: *a }\n", count: aliases).joined()
      return Array("title: T\ncards:\n  - { rounds: 20, cards: &a [\(cards)] }\n\(groups)".utf8)
    }
    #expect(try SequenceFile.parse(file(40)).timeline.count == 41 * 2000)
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(file(41)) }
    #expect(
      error?.message(inFile: "f")
        == "f:44:5: the titles and notes have more than 4 MiB in total; use fewer cards or shorter notes")
  }

  @Test func `groups may nest sixteen deep, not seventeen`() throws {
    func nested(_ depth: Int) -> String {
      "title: T\ncards: [" + String(repeating: "{ rounds: 1, cards: [", count: depth)
        + "{ title: A, countdown: 1s }"
        + String(repeating: "] }", count: depth) + "]"
    }
    #expect(try SequenceFile.parse(Array(nested(16).utf8)).timeline.count == 1)
    let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(nested(17).utf8)) }
    #expect(
      error?.message(inFile: "f").hasSuffix("groups are nested deeper than 16 levels; use fewer levels")
        == true)
  }

  @Test(arguments: ["", ", skipLast: true"], ["[", "{ a: "])
  func `neither alias bombs nor brackets take time`(skip: String, bracket: String) {
    var bomb =
      "title: T\ncards:\n  - { rounds: 1, cards: &a0 [{ title: A, countdown: 1s\(skip) }, { title: A, countdown: 1s\(skip) }] }\n"
    for level in 1...15 {
      bomb +=
        "  - { rounds: 1, cards: &a\(level) [\((0..<9).map { _ in "{ rounds: 1, cards: *a\(level - 1) }" }.joined(separator: ", "))] }\n"
    }
    let time = processorTime {
      let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(bomb.utf8)) }
      #expect(error?.message(inFile: "f").contains("more than 100000 steps") == true)
      let brackets = String(repeating: bracket, count: 100_000)
      #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(brackets.utf8)) }
    }
    #expect(time < .seconds(2))
  }

  @Test func `a directory, an empty file and a too large file are refused at once`() throws {
    let directory = try TemporaryDirectory()
    func message(_ path: String) -> String? {
      let error = #expect(throws: SequenceFileError.self) { try SequenceFile.read(path: path) }
      return error.map { "\($0.isUnreadable) \($0.message(inFile: "f"))" }
    }
    #expect(message(directory.path) == "true f: cannot be read: Is a directory")
    #expect(message(directory.path + "/none") == "true f: cannot be read: No such file or directory")
    let large = try directory.write("", to: "large")
    let file = try FileHandle(forWritingTo: URL(filePath: large))
    try file.truncate(atOffset: 100_000_000)
    #expect(message(large) == "false f: the file is larger than 1 MiB; shorten it")
    #expect(message("/dev/zero") == "false f: the file is larger than 1 MiB; shorten it")
  }
}
