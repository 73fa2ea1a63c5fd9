import Foundation
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// The words and the exit status of every error that a person sees on the command line.
struct MessageTests {
  private static let id = "11111111-0000-0000-0000-000000000001"

  /// Command lines with a mistake, in the order in which they are run.
  private static let refused: [[String]] =
    [
      ["dance"], ["stat"], ["--nothing"], ["--version=1"], ["--state-dir"], ["--state-dir", "", "status"],
      ["status", "--nothing"], ["status", "--jsno"], ["status", "--json=1"], ["status", "--json", "--json"],
      ["status", "--format"], ["status", "a", "b"], ["doctor", "extra"], ["help", "dance"], ["complete"],
      ["status", "--json", "--format", "{step}"], ["status", "--json", "--bar", "tmux"],
      ["status", "--bar", "none"], ["status", "--format", "{"], ["status", "--format", "}"],
      ["status", "--format", "{stpe}"], ["status", "--format", "{ print $1 }"],
      ["status", "--format", "{step:x}"],
      ["completions", "ksh"], ["agent"], ["agent", "dance"], ["agent", "run", "--json"],
      ["doctor", "--sound", ""], ["window", "a.yaml", "--ask-stop"], ["stats", "--by", "decade"],
      ["stats", "--label", "none"], ["history", "--label", "none"],
      ["history", "--since", "2026-02-30"], ["history", "--json", "--csv"], ["history", "xyz"],
      ["history", "delete"], ["history", "1111", "--since", "7d"], ["history", "delete", "1111", "--csv"],
      ["history", "--yes"], ["history", "1111"], ["history", "delete", "1111", "--yes"],
      ["note"], ["note", "A", "B", "C"], ["note", "A"], ["note", "A", "B"], ["note", "A", "1111"],
      ["note", String(repeating: "a", count: 1001)],
      ["notifications", "clear"], ["notifications", "clear", "--all", "--card", id],
      ["notifications", "--card", "1"],
      ["import"], ["import", "a", "--json"], ["import", "a", "--force"], ["import", "a", "--format", "pdf"],
      ["import", "a", "--output", "\u{FFFD}"],
      ["edit"], ["edit", "-"], ["edit", "./none.yaml"], ["edit", "none"], ["new", "a/"], ["new", "-a"],
      ["new", "."], ["new", " a"], ["new", String(repeating: "a", count: 300)], ["new", "tabata"],
      ["new", "/proc/none/a.yaml"],
    ] + durations.map { ["extend", $0] } + cards.map { ["check", "--card", $0] }
    + timers.map { ["timer"] + $0 } + starts + runs

  private static let durations = ["2x", "1h30", "0,5h", "0s", "-0s", "31d", "0.0000000001s", "forever", ""]
  private static let cards = [
    "", "A", "A 2x", "A 5", "A 2w", "5m A 5m", "A 31d", "A 0s", "A\u{1}5s", "A 0,5h", "A 1h30",
    String(repeating: "a", count: 1001) + " 5s",
  ]
  private static let timers: [[String]] = [
    [], ["Tea"], ["5"], ["5m", "Tea", "5m"], ["0s"], ["--until", "25:00", "Tea"],
    ["--until", "14:30", "Tea", "5m"],
  ]
  private static let starts: [[String]] = [
    ["start"], ["start", "--card", "Work", "20s"], ["start", "a.yaml", "--card", "A 5s"],
    ["start", "--card", "A 5s", "--without", "A"], ["start", "tabata", "--title", "A"],
    ["start", "--card", "A 5s", "--title", " "], ["start", "--card", "A 5s", "--rounds", "0"],
    ["start", "--card", "A 5s", "--name", "a b"], ["start", "--card", "A 5s", "--cues", "loud"],
    ["start", "--card", "A 5s", "--ring", "--rounds", "forever"],
    ["start", "--card", "A 5s", "--ring", "--cues", "none"],
    ["start", "--card", "A 5s", "--beside", "--replace"], ["start", "--card", "A 5s", "--from", ""],
    ["start", "--card", "A 5s", "--from", "9"], ["start", "--card", "A 5s", "--from", "B"],
    ["start", "--card", "Work 5s", "--from", "Wrok"], ["start", "--card", "A 5s", "--rounds", "100001"],
    ["start", "tabatta"], ["start", "unknown"], ["start", "twice"], ["start", "/nonexistent"],
    ["start", "mistake"], ["start", "empty"], ["start", "notYAML"], ["start", "ride"], ["start", "/"],
    ["start", "tabata", "--without", "None"], ["start", "tabata", "--without", "Work", "--without", "Rest"],
    ["schedule", "tabata"], ["schedule", "tabata", "25:00"],
    ["schedule", "tabata", "7:00", "--until", "8:00"],
    ["schedule", "tabata", "7:00", "--on", "never"],
    ["schedule", "tabata", "--until", "8:00", "--rounds", "forever"],
    ["schedule", "-", "7:00"], ["schedule", "remove"], ["schedule", "remove", "9"],
    ["schedule", "list", "x"],
    ["schedule", "list", "--on", "daily"], ["schedule"],
    ["start", "tabata", "--label", "Client A"], ["history", "--label", "-"],
    ["start", "tabata"] + (1...11).flatMap { ["--label", "l\($0)"] },
    ["start", "tabata", "--until", "25:00"], ["check", "tabata", "--until", "soon"],
    ["start", "groups", "--rounds", "2"], ["start", "lastOnly", "--rounds", "1"],
  ]
  private static let runs: [[String]] =
    ["pause", "resume", "toggle", "next", "skip", "back", "restart", "stop", "wait"].map { [$0] } + [
      ["attach", "tea"], ["pause", "--all"], ["pause", "--all", "tea"], ["pause", "--step", "0"],
      ["extend", "5m", "--step", "x"], ["extend", "tea", "5m"], ["wait", id], ["wait", "tea"],
      ["start", "tabata"],
      // The run of it is active from here on.
      ["start", "tabata"], ["start", "--card", "A 5s"], ["start", "--card", "A 5s", "--name", "tabata"],
      ["resume"], ["resume", "--count-suspend"], ["pause"], ["pause"], ["pause", "tea"],
      ["resume", "--count-suspend"], ["extend", "30d"], ["next", "--step", "3"],
      ["start", "--card", "tea 5m", "--beside"], ["pause", "t"], ["pause", "--all"], ["pause", "--all"],
      ["pause", "tea"],
      ["resume", "--all"], ["resume", "--all"], ["pause", "none"], ["stop", "--all"],
      ["start", "--card", "Wait"], ["extend", "5m"], ["toggle"], ["toggle"], ["back"], ["restart"], ["skip"],
      ["start", "tabata"], ["extend", "5s"], ["extend", "-5s"], ["next"], ["back"], ["skip"], ["restart"],
      ["stop"], ["notifications", "clear", "--all"],
    ]

  /// Writes the library that the command lines name.
  private func writeLibrary(_ run: CommandLineRunner) throws {
    let group = "- { rounds: 2, cards: [{ title: Work, countdown: 20s }, { title: Rest, countdown: 10s }] }\n"
    let files = [
      "tabata.yaml": "title: Tabata\ncards:\n" + group,
      "twice.yaml": "cards: [{ title: A, countdown: 5s }]",
      "twice.yml": "cards: [{ title: A, countdown: 5s }]",
      "mistake.yaml": "title: A\ncards: [{ title: W, countdown: 2x }]", "empty.yaml": "title: A\ncards: []\n",
      "notYAML.yaml": "cards: [", "groups.yaml": "title: A\ncards:\n" + group + group,
      "lastOnly.yaml":
        "title: A\ncards:\n- rounds: 2\n  cards: [{ title: Long, countdown: 5s, skipLast: true }]\n",
      "ride.yaml": "<workout_file></workout_file>",
    ]
    for (name, text) in files { _ = try run.home.write(text, to: ".local/share/sequence/\(name)") }
  }

  /// The first line of an answer, without the time that has passed in the test.
  private static func answer(_ text: String) -> String {
    String(text.prefix { $0 != "\n" }.replacing(/\d+(:\d\d)+/, with: "TIME"))
  }

  @Test func `every message of the command line has the words of the list`() throws {
    let run = try CommandLineRunner()
    try writeLibrary(run)
    let lines = try MessageTests.refused.map { words in
      let outcome = try run.run(words)
      let answer = outcome.errors.isEmpty ? MessageTests.answer(outcome.text) : outcome.errors
      return "\(outcome.status) \(words.map(quote).joined(separator: " ")): \(answer)"
        .replacing(run.home.path, with: "HOME").replacing(/[0-9A-F]{8}-[-0-9A-F]{27}/, with: "ID")
    }
    let differences = try MessageList("commands").differences(of: lines)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  /// Installs the program with a catalog of longer texts in brackets.
  private func installPseudoLocale(in directory: String) throws {
    let install = """
      set -eu
      mkdir -p "$1/bin" "$1/share/locale/xx/LC_MESSAGES"
      cp "$2" "$1/bin/sequence"
      msgen --lang=xx "$3" | msgfilter --keep-header sed 's/.*/⟦& & ⟧/' \
        | msgfmt --output-file="$1/share/locale/xx/LC_MESSAGES/sequence-timer.mo" -
      """
    let template = BuiltProducts.repository + "/po/sequence-timer.pot"
    let made = try ChildProcess(
      "/bin/sh", ["-c", install, "sh", directory, BuiltProducts.path(of: "sequence"), template],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    try made.endInput()
    let outcome = try made.outcome(within: .seconds(60))
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `each message is in the user's language, and documents are in English`() throws {
    let run = try CommandLineRunner()
    try writeLibrary(run)
    let home = run.home.path
    try installPseudoLocale(in: home)
    func outcome(of words: [String], in language: String) throws -> ChildProcess.Output {
      let child = try ChildProcess(
        home + "/bin/sequence", words,
        environment: [
          "HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "LANGUAGE": language,
          "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ])
      try child.endInput()
      return try child.outcome(within: .seconds(20))
    }
    for words in MessageTests.refused {
      let outcome = try outcome(of: words, in: "xx")
      for line in (outcome.errors + outcome.text).split(separator: "\n") {
        var (depth, rest) = (0, "")
        for character in line {
          depth += character == "⟦" ? 1 : character == "⟧" ? -1 : 0
          if depth == 0, character != "⟧" { rest.append(character) }
        }
        // Titles, paths and the name of the program are as they are.
        let words = rest.replacing(/^sequence: |"[^"]*"|\/[^ ]*/, with: "")
        #expect(!words.contains(/[a-z]{2}/), "\(line)")
      }
    }
    _ = try outcome(of: ["start", "tabata", "--paused"], in: "xx")
    for command in [
      "status", "history", "stats", "check tabata", "list", "doctor", "notifications", "schedule list",
    ] {
      let words = command.split(separator: " ").map(String.init) + ["--json"]
      let texts = try ["xx", "C"].map {
        try outcome(of: words, in: $0).text.replacing(/\d\d:\d\d:\d\d/, with: "")
      }
      #expect(texts[0] == texts[1], "\(command)")
    }
  }

  /// Runs the program in a locale.
  private func check(_ words: [String], _ locale: [String: String]) throws -> ChildProcess.Output {
    let child = try ChildProcess(
      BuiltProducts.path(of: "sequence"), ["check"] + words,
      environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"].merging(locale) { $1 })
    try child.endInput()
    return try child.outcome(within: .seconds(20))
  }

  @Test func `a typed duration has the units of the user's language`() throws {
    try BuiltProducts.makeCatalogs()
    let german = ["LC_ALL": "C.UTF-8", "LANGUAGE": "de"]
    let tea = try check(["--card", "Tee 5 Minuten", "--card", "Kuchen 1 Std 10 Min"], german)
    #expect(tea.text.contains("1h15m") && tea.status == 0, "\(tea)")
    let english = try check(["--card", "Tee 5 Minuten"], ["LC_ALL": "C"])
    #expect(english.text.contains("Tee 5 Minuten"), "\(english)")
  }

  @Test func `clocks have 12 hours where the user's locale has them`() throws {
    let home = try TemporaryDirectory()
    let made = try ChildProcess(
      "/usr/bin/localedef", ["-i", "en_US", "-f", "UTF-8", home.path + "/en_US.UTF-8"],
      environment: ["PATH": "/usr/bin:/bin"])
    try made.endInput()
    try #require(try made.outcome(within: .seconds(60)).status == 0)
    let dinner = "{ title: Dinner, cards: [{ title: Dinner, countdown: 5m, atLeast: 1s, atMost: 30d }] }"
    let words = [try home.write(dinner, to: "dinner.yaml"), "--until", "19:00"]
    let american = try check(words, ["LOCPATH": home.path, "LC_ALL": "en_US.UTF-8"])
    #expect(american.text.contains("until 7:00 PM"), "\(american)")
    let other = try check(words, ["LOCPATH": home.path, "LC_ALL": "C.UTF-8"])
    #expect(other.text.contains("until 19:00"), "\(other)")
  }

  /// The errors that no command line brings about in a test.
  private static let errors: [any Error] = {
    var errors: [any Error] = []
    errors += [
      SystemError(call: "open /a", code: ENOENT), SystemError(call: "open /a", code: ELOOP),
      StoreError.inaccessible(path: "/a", reason: "no"), StoreError.noHome, StoreError.busy(path: "/a"),
      StoreError.full(path: "/a"), StoreError.readOnly(path: "/a"),
      StoreError.inputOutput(path: "/a", reason: "no"), StoreError.damaged(path: "/a", reason: "no"),
      StoreError.newer(path: "/a", reason: "it is new"), StoreError.foreign(path: "/a"),
      StoreError.replaced(path: "/a"), StoreError.unexpected(path: "/a", reason: "no"),
    ]
    errors +=
      [
        .noActiveRun, .runActive(title: "Tea"), .sequenceActive(title: "Tea"), .invalidName("a b"),
        .nameTaken("tea"), .tooManyRuns, .noSuchStep(3, count: 1), .noSuchStep(3, count: 2),
        .justEnded(title: "Tea"), .alreadyPaused, .alreadyRunning, .notSuspended,
        .nothingToExtend(title: "Tea"), .shortenedTooMuch(most: .zero), .shortenedTooMuch(most: .seconds(90)),
        .extendedTooMuch, .stepPassed(expected: 1, current: 2), .runPassed,
        .tooEarly(title: "Tea", longest: .seconds(6000), early: .seconds(2100)),
        .endlessUntil(title: "Tea", rounds: 7),
      ] as [RunError]
    errors +=
      [
        .noSteps, .tooManySteps, .tooLong, .tooDeep, .noRounds, .foreverNotLast, .endlessRoundTooShort,
        .endlessRing,
        .unusableTiming, .textTooLong, .tooMuchText, .repeatedID(UUID(uuidString: id) ?? UUID()),
        .boundsNotPossible(card: "A"), .outOfBounds(card: "A", round: 2, length: .seconds(5)),
        .tooManyLabels, .wrongLabel("Client A"),
      ] as [TimelineError]
    errors +=
      [.notADuration, .noUnit, .comma, .zero, .negative, .infinite, .tooLong, .tooFine] as [DurationTextError]
    errors +=
      [
        .noLibrary, .unknownSequence("tabatta", near: ["tabata", "tabula"]), .unknownSequence("x", near: []),
        .ambiguousSequence("a", files: ["a.yaml", "a.yml"]),
        .unusableFileName("-.yaml", problem: "it begins with a -"),
        .unusableName("a/b", problem: "it contains a slash"), .fileExists("/a.yaml", word: "a"),
        .unwritable("/a.yaml", SystemError(call: "write", code: EACCES), remedy: "choose another directory"),
        .importable(name: "a.zwo", path: "/a.zwo", format: "a Zwift workout"),
        .noStepsInOneRound(sequence: "Tabata"), .missingProgram("sequence-agent", places: ["/a", "/b"]),
        .missingStarter("tabata", places: ["/a", "/b"]),
        .agentCannotRun(.exit(1), message: nil), .agentCannotRun(.signal(11), message: nil),
        .agentCannotRun(.exit(1), message: "no bus; start one"),
        .agentCannotRun(.exit(127), message: "/usr/bin/sequence-agent: libfoo.so: missing"), .runLost,
        .runEnded(UUID(uuidString: id) ?? UUID(), .finished),
        .runEnded(UUID(uuidString: id) ?? UUID(), .stopped), .runEnded(UUID(uuidString: id) ?? UUID(), .lost),
        .unknownRun("x", active: []), .unknownRun("x", active: ["tea", "tabata"]),
        .ambiguousRun("1111", names: ["tea", "tabata"]),
      ] as [ClientError]
    errors +=
      [
        .severalGroups(rounds: [.times(3), .forever]),
        .noSuchCard("C", sequence: "A", cards: (1...22).map { "Card \($0)" }), .nothingLeft(sequence: "A"),
        .noSuchCard("Wrok", sequence: "A", cards: ["Work", "Rest"]), .noLength(card: "Work"),
        .setTwice(card: "Work"),
      ] as [SequenceChoiceError]
    errors += [
      SystemClock.unreadable("/a", "it is empty")
    ]
    errors +=
      [
        .noHome, .notInstalled(path: "/a"), .missing(path: "/a"), .foreign(path: "/a"), .tooLong(path: "/a"),
        .notOfSession(path: "/a"), .serviceManager("systemctl enable failed: no", .isInPlace(path: "/a")),
        .serviceManager("systemctl enable failed: no", .isLeft(path: "/a")),
      ] as [LoginStartError]
    return errors
  }()

  @Test func `every error has the words of the list`() throws {
    let terminal = try #require(throws: (any Error).self) {
      try Terminal(input: -1, output: -1, clock: ManualClock())
    }
    let failures = (MessageTests.errors + [terminal]).map { error in
      let failure = Failure(error)
      return "\(failure.status.rawValue) \(failure)"
    }
    let notices = [[], ["Tea"], (1...9).map { "Run \($0)" }].map { lost in
      explained(
        StoreNotice.damagedStoreMoved(
          to: "/a", keptRuns: 1, keptHistory: 2, lost: lost, incomplete: lost.isEmpty ? [] : ["schedule"])
      ).description
    }
    let done = MessageTests.errors.compactMap { $0 as? StoreError }.map { error in
      explained(error, isDone: true).description
    }
    let named = MessageTests.errors.compactMap { $0 as? RunError }.map { error in
      explained(error, of: "tea").description
    }
    let differences = try MessageList("errors").differences(of: failures + notices + done + named)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
