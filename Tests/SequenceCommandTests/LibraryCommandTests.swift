import Foundation
import SequencePlatform
@testable import SequenceClient
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// `list`, `new`, `edit`, and sequences found by name.
@Suite(.timeLimit(.minutes(1)))
struct LibraryCommandTests {
  private let sequence: CommandLineRunner
  private var tabata: String { sequence.library + "/tabata.yaml" }

  init() throws { sequence = try CommandLineRunner() }

  private func put(_ text: String, _ name: String) throws -> String {
    return try sequence.home.write(text, to: ".local/share/sequence/" + name)
  }

  private let short = "title: Short\ncards: [{ title: A, countdown: 90s }]\n"

  @Test func `a new sequence is in the library, found by name and never overwritten`() throws {
    let path = sequence.library + "/mine.yaml"
    #expect(try sequence("new", "mine") == .init(status: 0, text: path))
    #expect(try sequence("check", "mine").text.hasPrefix("mine\n1      0:00  Get ready, 1m\n"))
    try "changed".write(toFile: path, atomically: true, encoding: .utf8)
    let again = try sequence("new", "mine")
    #expect(again.status == 74)
    #expect(again.errors == "sequence: \(path) already exists; edit it with sequence edit mine")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "changed")
    _ = try put(short, "other.yml")
    #expect(try sequence("new", "other").status == 74)
  }

  /// The steps of a sequence without their ids.
  private func content(of parsed: SequenceFile) -> [String] {
    (0..<parsed.timeline.listedCount).map { step in
      let card = parsed.timeline.card(at: step)
      return "\(card.title), \(card.timing), \(card.isRest), \(card.note ?? "")"
    }
  }

  @Test(arguments: Starter.allCases)
  func `a starter is created by its name, with an id of its own`(starter: Starter) throws {
    let path = "\(sequence.library)/\(starter.rawValue).yaml"
    #expect(try sequence("new", starter.rawValue) == .init(status: 0, text: path))
    let (parsed, text) = (
      try SequenceFile.read(path: path), try String(contentsOfFile: path, encoding: .utf8)
    )
    let cards = try content(of: SequenceFile.parse(starter.document().bytes))
    #expect(content(of: parsed) == cards)
    #expect(text.hasPrefix("# ") && text.contains("\nid: \(parsed.definition.id.uuidString.lowercased())\n"))
    #expect(try sequence("start", starter.rawValue).status == 0)
    #expect(try sequence("new", starter.rawValue).status == 74)
    // The file of a path gets the starter of its name, too.
    let other = "\(sequence.home.path)/\(starter.title).yml"
    #expect(try sequence("new", other).status == 0)
    let isStarter = try content(of: SequenceFile.read(path: other)) == cards
    #expect(isStarter == (Starter(named: starter.title) == starter))
  }

  @Test func `the starters are listed`() throws {
    #expect(
      try sequence("new", "--list")
        == .init(
          status: 0,
          text: """
            tabata           8 rounds of 20 s of work and 10 s of rest
            pomodoro         4 times 25 minutes of focus with breaks
            morning-routine  Steps that wait for you
            recipe           Pasta, with a sauce that simmers
            """))
    #expect(
      try sequence("new", "tea", "--list")
        == .init(
          status: 64, errors: "sequence: a NAME and --list cannot be combined; remove one of them"))
    let offered = try sequence("complete", "fish", "new", "").text
    #expect(offered.hasPrefix("none\ntabata\t8 rounds of 20 s of work and 10 s of rest\npomodoro\t"))
    #expect(try sequence("complete", "fish", "new", "./").text == "directories")
    for starter in Starter.allCases { #expect(try sequence("help", "new").text.contains(starter.rawValue)) }
  }

  @Test(arguments: ["bin", "libexec/sequence"])
  func `an installed program finds the starters, or says where they are missing`(folder: String) throws {
    let place = try TemporaryDirectory()
    let program = try place.write("", to: "prefix/\(folder)/sequence")
    try FileManager.default.removeItem(atPath: program)
    try FileManager.default.copyItem(atPath: BuiltProducts.path(of: "sequence"), toPath: program)
    let environment = ["HOME": place.path, "PATH": "/usr/bin:/bin"]
    let missing = try ChildProcess.run(program, ["new", "recipe"], environment: environment)
    let path = "\(place.path)/prefix/share/sequence/starters/recipe.yaml"
    #expect(missing.status == 74)
    #expect(
      missing.errors.hasPrefix(#"sequence: the file of the starter "recipe" is missing (looked for "#)
        && missing.errors.contains(path) && missing.errors.hasSuffix("); reinstall sequence\n"),
      "\(missing)")
    #expect(try ChildProcess.run(program, ["list"], environment: environment).text == "")
    _ = try place.write("title: Soup\ncards: [{ title: Boil, countdown: 1m }]\n", to: "x.yaml")
    _ = try place.write(
      String(contentsOfFile: place.path + "/x.yaml", encoding: .utf8),
      to: "prefix/share/sequence/starters/recipe.yaml")
    #expect(try ChildProcess.run(program, ["new", "recipe"], environment: environment).status == 0)
    let made = try String(contentsOfFile: place.path + "/.local/share/sequence/recipe.yaml", encoding: .utf8)
    #expect(made.contains("title: Soup"))
  }

  @Test func `a mark behind a sign of YAML or a slash hides neither`() throws {
    for title in ["Workout #️⃣ x", "a: \u{301}b", "c #\u{301}d"] {
      #expect(try sequence("new", title).status == 0)
      #expect(try sequence("check", title).text.hasPrefix(title + "\n"))
    }
    let path = sequence.home.path + "/none/\u{301}a"
    #expect(try sequence("new", path).status == 74)
  }

  @Test func `a path creates a new file there, and no name prints the text`() throws {
    let path = sequence.home.path + "/mine.yaml"
    #expect(try sequence("new", path) == .init(status: 0, text: path))
    #expect(try sequence("check", path).text.hasPrefix("mine\n"))
    #expect(try sequence("new", path).status == 74)
    // Each text has an id of its own.
    let (first, second) = (try sequence("new").text, try sequence("new").text)
    let ids = try [first, second].map { try SequenceFile.parse(Array($0.utf8)).definition.id }
    let expected = try StarterFile.text(title: "My sequence", id: ids[0])
    #expect(first + "\n" == expected)
    #expect(ids[0] != ids[1])
    #expect(
      try sequence("new", "--", "-x")
        == .init(
          status: 64,
          errors: #"sequence: "-x" cannot be a name: it begins with a -; choose another name"#))
  }

  @Test func `files with one id are named`() throws {
    let first = try put(short, "first.yaml")
    _ = try put("title: Other\ncards: [{ title: A, countdown: 90s }]\n", "other.yaml")
    #expect(try sequence("list").errors == "")
    #expect(try sequence("check", first).errors == "")
    _ = try put(short, "second.yaml")
    let warning =
      "have the same ID, so they count as one sequence; give them different titles, or an id: each"
    #expect(try sequence("list").errors == "sequence: first, second \(warning)")
    #expect(try sequence("check", "second").errors == "sequence: second, first \(warning)")
    #expect(try sequence("check", "other").errors == "")
    // A link is the same file.
    try FileManager.default.createSymbolicLink(
      atPath: sequence.home.path + "/link.yaml", withDestinationPath: sequence.library + "/other.yaml")
    #expect(try sequence("check", sequence.home.path + "/link.yaml").errors == "")
  }

  @Test func `an invalid file is listed with its mistake and hides no other file`() throws {
    let broken = try put("title: B\ncards: [{ title: A, countdown: 2x }]\n", "broken.yml")
    _ = try put(short, "short.yaml")
    _ = try put("title: Open\ncards: [{ title: A, countdown: 1m }, { title: B, countUp: {} }]\n", "open.yaml")
    let mistake = "\(broken):2:32: \"2x\" is not a duration; write it like 2m or 1m30s"
    #expect(
      try sequence("list")
        == .init(
          status: 0,
          text: """
            broken  \(mistake)
            open    2 steps  at least 1m  Open
            short   1 step   1m30s        Short
            """))
    let json = try sequence("list", "--json").text
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let entries = try #require(object?["sequences"] as? [[String: Any]])
    #expect(entries.compactMap { $0["name"] as? String } == ["broken", "open", "short"])
    #expect(entries.map { $0["mistake"] as? String } == [mistake, nil, nil])
    #expect(entries.map { $0["duration"] as? Double } == [nil, nil, 90])
    #expect(entries.map { $0["steps"] as? Int } == [nil, 2, 1])
  }

  @Test(arguments: ["countdown: 4m, advance: manual", "countUp: {}"])
  func `cards after a card that waits for the user have no start in JSON either`(timing: String) throws {
    let path = try put(
      "title: T\ncards: [{ title: Coffee, \(timing) }, { title: Then, countdown: 1m }]\n", "t.yaml")
    #expect(try sequence("check", path).text.contains("\n2         ?  Then, 1m\n"))
    func document(_ words: String...) throws -> [String: Any] {
      let text = try sequence.run(words).text
      return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    let check = try document("check", path, "--json")
    let steps = try #require(check["steps"] as? [[String: Any]])
    #expect(steps.map { $0["start"] as? Double } == [0, nil])
    #expect(steps.last?["duration"] as? Double == 60)
    #expect(check["total"] as? [String: Int] == ["steps": 2])
    let entry = try #require((try document("list", "--json")["sequences"] as? [[String: Any]])?.first)
    #expect(entry["steps"] as? Int == 2 && entry["duration"] == nil)
  }

  @Test func `an empty library prints a hint to standard error`() throws {
    #expect(
      try sequence("list")
        == .init(
          status: 0, errors: "no sequences in \(sequence.library) yet; create one with sequence new pomodoro")
    )
  }

  @Test func `two files with one name are refused with both paths`() throws {
    let paths = try [put(short, "two.yaml"), put(short, "two.yml")]
    let outcome = try sequence("check", "two")
    #expect(outcome.status == 65)
    #expect(
      outcome.errors
        == "sequence: several files are named \"two\": \(paths[0]), \(paths[1]); rename one of them")
  }

  @Test func `a missing name gets the nearest names`() throws {
    _ = try put(short, "tabata.yaml")
    #expect(
      try sequence("run", "tabta")
        == .init(
          status: 74,
          errors: #"sequence: no file or sequence named "tabta"; "#
            + #"did you mean "tabata"?"#))
  }

  @Test func `a file with an invalid name is refused and listed with the reason`() throws {
    let path = try put(short, "-dash.yaml")
    #expect(
      try sequence("check", "--", "-dash")
        == .init(
          status: 65,
          errors: "sequence: this name cannot be used: it begins with a -; rename \(path)"))
    let listed = try sequence("list").text
    #expect(listed == "-dash  this name cannot be used: it begins with a -; rename \(path)")
    #expect(
      try sequence("check", "--", "-dish").errors.hasSuffix(
        "see sequence list"))
  }

  @Test(arguments: [("fru\u{308}h", "fr\u{FC}h"), ("fr\u{FC}h", "fru\u{308}h")])
  func `a name is found in any Unicode composition`(stored: String, typed: String) throws {
    let path = try put(short, stored + ".yaml")
    #expect(try sequence("check", typed).text.hasPrefix("Short\n"))
    #expect(Array(try find(typed, [:]).path.utf8) == Array(path.utf8))
    #expect(try sequence("new", typed).status == 74)
    #expect(try SequenceLibrary(path: sequence.library).entries().count == 1)
  }

  @Test func `a file whose name is not UTF-8 is listed without a name`() throws {
    _ = try put(short, "short.yaml")
    let path = Array((sequence.library + "/fr").utf8CString.dropLast()) + [CChar(bitPattern: 0xFC)]
    let file = creat(path + Array("h.yaml".utf8CString), 0o600)
    try #require(file >= 0 && close(file) == 0)
    let mistake = "this name cannot be used: it is not UTF-8; rename \(sequence.library)/fr\u{FFFD}h.yaml"
    #expect(
      try sequence("list")
        == .init(status: 0, text: "fr\u{FFFD}h   \(mistake)\nshort  1 step  1m30s  Short"))
    #expect(try sequence("check", "fr\u{FFFD}h") == .init(status: 65, errors: "sequence: \(mistake)"))
    #expect(
      try sequence("check", "frih").errors.hasSuffix("see sequence list"))
    #expect(try sequence("complete", "fish", "run", "").text == "sequences\nshort\tsequence")
  }

  /// Looks up a word, given the kinds of some paths.
  private func find(_ word: String, _ kinds: [String: FileKind]) throws -> SequenceLookup.Match {
    try SequenceLookup(library: SequenceLibrary(path: sequence.library)) { kinds[$0] ?? .nothing }.find(word)
  }

  @Test func `a local file precedes a name, a directory does not, and a path is only a path`() throws {
    _ = try put(short, "tabata.yaml")
    #expect(try find("tabata", [:]) == .init(path: tabata))
    #expect(try find("tabata", ["tabata": .file]) == .init(path: "tabata", hidden: tabata))
    #expect(try find("tabata", ["tabata": .special]) == .init(path: "tabata", hidden: tabata))
    #expect(try find("tabata", ["tabata": .directory]) == .init(path: tabata))
    #expect(try find("other", ["other": .file]) == .init(path: "other"))
    for path in ["./tabata", "tabata.yaml", "tabata.yml", "-"] {
      #expect(try find(path, [:]) == .init(path: path))
    }
    #expect(throws: ClientError.unknownSequence("other", near: [])) {
      try find("other", ["other": .directory])
    }
  }

  @Test func `an edited file is checked, and a mistake is reported with its line`() throws {
    let path = try put(short, "my own.yaml")
    let editor = ["VISUAL": "", "EDITOR": "sed -i 's/90s/2x/'"]
    #expect(
      try sequence("edit", "my own", environment: editor)
        == .init(
          status: 65,
          errors: "sequence: \(path):2:32: \"2x\" is not a duration; write it like 2m or 1m30s"))
    let visual = ["VISUAL": "sed -i s/2x/2m/", "EDITOR": "false"]
    #expect(
      try sequence("edit", "my own", environment: visual) == .init(status: 0, text: "Short: 1 step, 2m"))
  }

  @Test func `a place that can't be written to is refused with a remedy`() throws {
    let missing = try sequence("new", sequence.home.path + "/no/x.yaml")
    #expect(missing.status == 74)
    let remedy = #"create the directory "\#(sequence.home.path)/no" first"#
    #expect(
      missing.errors.hasSuffix("/no/x.yaml: cannot be written: No such file or directory; " + remedy),
      "\(missing)")
    _ = try sequence.home.write("", to: ".local")
    let library = try sequence("new", "tea")
    #expect(library.status == 74)
    #expect(
      library.errors.hasSuffix("; set XDG_DATA_HOME to a directory that you can write to"), "\(library)")
  }

  @Test func `a run of the former content of a file is mentioned by edit, list and status`() throws {
    let path = try put(short, "short.yaml")
    #expect(try sequence("start", "short").status == 0)
    #expect(try sequence("list").text == "short  1 step  1m30s  Short (running)")
    let unchanged = try sequence("edit", "short", environment: ["VISUAL": "true"])
    #expect(unchanged == .init(status: 0, text: "Short: 1 step, 1m30s"))
    #expect(try sequence("status").errors == "")
    let edited = try sequence("edit", "short", environment: ["VISUAL": "sed -i 's/90s/2m/'"])
    #expect(
      edited
        == .init(
          status: 0, text: "Short: 1 step, 2m",
          errors: "sequence: the active run keeps the former content; "
            + "to start again, add --replace to run or start"
        ))
    // The time of a file is as coarse as the ticks of the kernel.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path)
    #expect(try sequence("list").text == "short  1 step  2m  Short (running with its former content)")
    #expect(
      try sequence("status").errors
        == "sequence: \(path) was changed after the start; the run keeps its former content")
    #expect(try sequence("status", "--json").errors == "")
  }

  @Test func `a failing editor is reported, and a missing name is not edited`() throws {
    let path = try put(short, "short.yaml")
    let failed = try sequence("edit", "short", environment: ["VISUAL": "false"])
    #expect(failed.status == 74)
    #expect(
      failed.errors
        == "sequence: the editor failed with exit status 1, so \(path) was not checked; check it with sequence check short"
    )
    let killed = try sequence("edit", "short", environment: ["VISUAL": "kill -9 $$ #"])
    #expect(killed.errors.hasPrefix("sequence: the editor was killed by signal 9, "))
    let missing = try sequence("edit", "longer", environment: ["VISUAL": "touch"])
    #expect(missing.status == 74)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sequence.library) == ["short.yaml"])
  }

  @Test func `without a variable the system's editor is used`() {
    #expect(EditCommand.words(environment: ["EDITOR": "code --wait"])[2] == "code --wait \"$@\"")
    #expect(EditCommand.words(environment: ["VISUAL": "v", "EDITOR": "e"])[2] == "v \"$@\"")
    #expect(EditCommand.words(environment: [:])[2].contains("exec vi \"$@\""))
  }

  @Test func `rounds and left-out cards are part of the stored run`() throws {
    _ = try sequence("new", "tabata")
    #expect(try sequence("start", "tabata", "--rounds", "2", "--without", "Rest").status == 0)
    let store = try RunStore(
      in: StateDirectory(path: sequence.state), clock: SystemClock(), parts: [], observers: [])
    let run = try #require(try store.settle().run)
    let whole = try SequenceFile.read(path: tabata).definition
    #expect(run.sequence == (try whole.with(rounds: 2).without(["Rest"])))
    #expect(run.timeline.count == 4)
    #expect(try sequence("stop").status == 0)
  }

  @Test func `lengths for a run are part of the stored run, and check shows them`() throws {
    _ = try sequence("new", "tabata")
    let words = ["--set", "work = 1m", "--set", "Stretch=half a minute", "--rounds", "2"]
    let plan = try sequence.run(["check", "tabata"] + words)
    #expect(plan.text.contains("Work, 1m, round 1 of 2"))
    #expect(plan.text.contains("Stretch, goal 30s"))
    #expect(try sequence.run(["start", "tabata"] + words).status == 0)
    let store = try RunStore(
      in: StateDirectory(path: sequence.state), clock: SystemClock(), parts: [], observers: [])
    let run = try #require(try store.settle().run)
    #expect(run.timeline.step(at: 1).timing == .countdown(.seconds(60)))
    #expect(run.sequence.id == (try SequenceFile.read(path: tabata).definition.id))
    #expect(try sequence("stop").status == 0)
  }

  private static let refusals: [(words: [String], text: String)] = [
    (
      ["--without", "rest"],
      #"no card named "rest" in "x"; did you mean "Rest"?"#
    ),
    (
      ["--without", "Stretch"],
      #"no card named "Stretch" in "x"; use "Get ready", "Work", "Rest", "Cool down""#
    ),
    (["--set", "Wrok=1m"], #"no card named "Wrok" in "x"; did you mean "Work"?"#),
    (["--set", "Work"], #"--set needs a title and a duration, not "Work"; write it like --set Work=40s"#),
    (["--set", "=1m"], #"--set needs a title and a duration, not "=1m"; write it like --set Work=40s"#),
    (["--set", "a=b=2x"], #""2x" is not a duration; write it like 2m or 1m30s"#),
    (["--set", "Work=1m", "--set", "work=2m"], #"--set has two lengths for "Work"; remove one of them"#),
    (
      ["--without", "Get ready", "--without", "Work", "--without", "Rest", "--without", "Cool down"],
      #"no card of "x" would be left; leave out fewer cards"#
    ),
    (
      ["--rounds", "1", "--without", "Get ready", "--without", "Work", "--without", "Cool down"],
      #"one round of "x" has no steps, because all its cards have skipLast; choose 2 rounds or more"#
    ),
    (["--rounds", "0"], #"--rounds must be a whole number from 1 to 100000, or forever, not "0""#),
    (["--rounds", "60000"], "the sequence has more than 100000 steps; use fewer cards or rounds"),
    (["--title", "T"], "--title works only with --card; change the title in the file"),
  ]

  @Test(arguments: refusals)
  func `invalid choices are refused`(words: [String], text: String) throws {
    _ = try sequence("new", "x")
    for command in ["check", "start"] {
      #expect(try sequence.run([command, "x"] + words) == .init(status: 64, errors: "sequence: \(text)"))
    }
  }

  @Test func `one round whose cards are all left out is refused with a remedy`() throws {
    let cards = ["A", "B"].map { "{ title: \($0), countdown: 1s, skipLast: true }" }.joined(separator: ", ")
    _ = try put("title: T\ncards: [{ rounds: 3, cards: [\(cards)] }]\n", "t.yaml")
    let refusal = CommandLineRunner.Outcome(
      status: 64,
      errors:
        #"sequence: one round of "T" has no steps, because all its cards have skipLast; choose 2 rounds or more"#
    )
    #expect(try sequence("check", "t", "--rounds", "1") == refusal)
    #expect(try sequence("check", "t", "--rounds", "1", "--without", "A") == refusal)
    #expect(try sequence("check", "t", "--rounds", "2").status == 0)
  }

  @Test(arguments: [
    ("x.zwo", "a Zwift workout"), ("x.ERG", "an ERG course"), ("x.mrc", "an MRC course"),
    ("x.toml", "a uair configuration"),
    ("x.cook", "a Cooklang recipe"),
  ])
  func `another program's file is refused with the command that converts it`(name: String, what: String)
    throws
  {
    let path = try sequence.home.write("<workout_file>\n: [", to: name)
    for command in ["start", "check"] {
      #expect(
        try sequence(command, path)
          == .init(
            status: 65,
            errors:
              "sequence: \(path) is not a sequence file but may be \(what); convert it with sequence import \(path)"
          ))
    }
  }

  @Test
  func `ambiguous rounds are refused, and cards of --card cannot be left out`()
    throws
  {
    let group = "{ rounds: 3, cards: [{ title: A, countdown: 1s }] }"
    _ = try put("title: T\ncards: [\(group), \(group)]\n", "two.yaml")
    #expect(
      try sequence("check", "two", "--rounds", "2")
        == .init(
          status: 64,
          errors:
            "sequence: --rounds needs a sequence with one top-level group, but this one has 2 (rounds: 3, 3); "
            + "change the rounds in the file"))
    #expect(
      try sequence("check", "--card", "A 1s", "--without", "A")
        == .init(
          status: 64,
          errors: "sequence: --without works only with a FILE; remove the --card instead"))
  }
}
