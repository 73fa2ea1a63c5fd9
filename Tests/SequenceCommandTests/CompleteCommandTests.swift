import Foundation
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

@Suite(.timeLimit(.minutes(1)))
struct CompleteCommandTests {
  private let sequence: CommandLineRunner

  init() throws {
    sequence = try CommandLineRunner()
    _ = try sequence.home.write(
      #"""
      title: Odd
      cards:
        - { title: "It's $HOME: `x`", countdown: 90s }
        - { title: "red\e[31m\nalert", countUp: {}, id: 11111111-2222-4333-8444-555555555555 }
        - rounds: 2
          cards:
            - { title: Work, countdown: 1s }
            - { title: Work, countdown: 2s }
      """#, to: ".local/share/sequence/odd titles.yml")
  }

  /// Returns the answer for a line with the cursor after its last word, without the line about files.
  private func lines(_ words: String..., files: String = "none") throws -> [String] {
    let outcome = try sequence.run(["complete", "fish"] + words)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let lines = outcome.text.split(separator: "\n").map(String.init)
    #expect(lines.first == files)
    return Array(lines.dropFirst())
  }

  @Test func `options follow a negative duration`() throws {
    #expect(try lines("extend", "-1m", "--").first == "--step\tdo nothing unless this is the current step")
    #expect(try lines("extend", "-1m", "") == lines("extend", "1m", ""))
  }

  @Test func `options may be before the command`() throws {
    #expect(try lines("--state-dir", "/tmp", "ext") == lines("ext"))
    #expect(try lines("--state-dir", "", files: "directories") == [])
    let others = try lines("extend", "-1m", "--").filter { !$0.hasPrefix("--state-dir") }
    #expect(try lines("--state-dir", "/tmp", "extend", "-1m", "--") == others)
  }

  @Test func `commands, options and choices are offered where they are valid`() throws {
    #expect(
      try Array(lines("").prefix(2))
        == ["timer", "run"].map { name in
          "\(name)\t\(CommandTable.commands.first { $0.name == name }?.summary ?? "")"
        })
    #expect(try lines("--v") == ["--version\tprint the version"])
    #expect(
      try lines("wait", "--") == [
        "--step\twait for the end of the current step",
        "--state-dir\tuse this state directory (default: ~/.local/state/sequence)", "--help\tshow this help",
      ])
    #expect(try lines("agent", "") == ["run", "status", "install", "uninstall"])
    #expect(try lines("agent", "install", "u") == [])
    #expect(try lines("agent", "--", "") == ["run", "status", "install", "uninstall"])
    #expect(try lines("stats", "--by", "") == ["day", "week", "month", "year", "sequence", "label", "card"])
    #expect(
      try lines("stats", "--by=")
        == ["day", "week", "month", "year", "sequence", "label", "card"].map { "--by=" + $0 })
    #expect(try lines("run", "--title", "") == [])
    #expect(try lines("help", "").count == CommandTable.commands.count)
    #expect(try lines("dance", "") == [])
  }

  @Test func `a given option is not offered again unless it is repeatable`() throws {
    let options = try lines("run", "--json", "--cues=none", "--card", "A 1s", "--").map {
      $0.prefix { $0 != "\t" }
    }
    #expect(
      options == [
        "--card", "--rounds", "--without", "--set", "--title", "--replace", "--name", "--label", "--ring",
        "--beside", "--from", "--paused", "--until", "--state-dir", "--help",
      ])
    #expect(try lines("run", "--title", "--json", "--").contains { $0.hasPrefix("--json") })
  }

  @Test func `files are left to the shell`() throws {
    #expect(try lines("import", "", files: "files") == [])
    #expect(try lines("import", "--output=x", files: "files") == [])
    #expect(try lines("run", "--state-dir", "", files: "directories") == [])
    #expect(try lines("run", "", files: "sequences") == ["odd titles\tsequence"])
    // A word with a slash is a path, and any file can match.
    #expect(try lines("run", "here/", files: "files") == [])
  }

  @Test
  func `cards of the named sequence are offered, each title once, and ids for multi-line titles`()
    throws
  {
    let all = [
      "It's $HOME: `x`\t1m30s", "11111111-2222-4333-8444-555555555555\tred[31m alert", "Work\t1s",
    ]
    #expect(try lines("run", "odd titles", "--without", "") == all)
    #expect(try lines("run", "--rounds", "2", "--json", "odd titles", "--without", "") == all)
    #expect(try lines("run", "odd titles", "--without", "Work", "--without", "") == Array(all.dropLast()))
    #expect(
      try lines("run", "odd titles", "--without=Work", "--without=")
        == all.dropLast().map { "--without=" + $0 })
    #expect(try lines("start", "odd titles", "--from", "") == all)
    #expect(
      try lines("start", "odd titles", "--without", "Work", "--from", "") == Array(all.dropLast()))
    #expect(try lines("run", "--without", "") == [])
    #expect(try lines("run", "-", "--without", "") == [])
  }

  @Test func `titles are offered with their lengths, unless they have none or are set`() throws {
    let all = ["It's $HOME: `x`=1m30s\t1m30s", "Work=1s\t1s"]
    #expect(try lines("run", "odd titles", "--set", "") == all)
    #expect(try lines("check", "odd titles", "--set", "work=5s", "--set", "") == [all[0]])
    #expect(try lines("start", "odd titles", "--set=") == all.map { "--set=" + $0 })
  }

  @Test func `the labels of the library, of active runs and of the history are offered`() throws {
    #expect(try lines("start", "--label", "") == [])
    _ = try sequence.home.write(
      "title: A\nlabels: [yoga, health]\ncards: [{ title: A, countdown: 5s }]\n",
      to: ".local/share/sequence/a.yaml")
    #expect(try sequence("start", "--card", "A 1h", "--label", "past").status == 0)
    #expect(try sequence("stop").status == 0)
    #expect(try sequence("start", "--card", "A 1h", "--label", "now", "--label", "health").status == 0)
    #expect(try lines("start", "--label", "") == ["health", "now", "past", "yoga"])
    #expect(
      try lines("start", "--label", "now", "--label=") == ["health", "past", "yoga"].map { "--label=" + $0 })
    #expect(try lines("history", "--label", "") == ["health", "now", "past", "yoga"])
  }

  @Test func `runs and cards of the store are offered, and a missing store is not created`() throws {
    #expect(try lines("wait", "") == [])
    #expect(try lines("notifications", "--card", "") == [])
    #expect(!FileManager.default.fileExists(atPath: sequence.state))
    let first = try sequence("start", "--card", "A 1h").text
    #expect(try sequence("stop").status == 0)
    #expect(try sequence("start", "odd titles").status == 0)
    let runs = try lines("wait", "")
    #expect(runs.count == 2)
    #expect(runs.first == "odd\tactive: Odd")
    #expect(try lines("history", "delete", "") == Array(runs.dropFirst()))
    #expect(try lines("stop", "").first == "odd\tactive: Odd")
    #expect(try lines("extend", "1m", "").first == "odd\tactive: Odd")
    #expect(runs.last?.hasPrefix("\(first)\tstopped 20") == true && runs.last?.hasSuffix(": A") == true)
    // The history contains only ended runs.
    #expect(try lines("history", "") == Array(runs.dropFirst()) + ["delete\tdelete a run"])
    let cards = try lines("notifications", "--card", "")
    #expect(
      cards.map { $0.drop { $0 != "\t" }.dropFirst() } == [
        "It's $HOME: `x`", "red[31m alert", "Work", "Work",
      ])
    #expect(try lines("notifications", "--sequence", "").map { $0.hasSuffix("\tOdd") } == [true])
    let elsewhere = sequence.home.path + "/elsewhere"
    #expect(try lines("wait", "--state-dir", elsewhere, "") == [])
    #expect(try lines("history", "--state-dir", elsewhere, "") == [])
    #expect(try lines("wait", "--state-dir=\(sequence.state)", "").count == 2)
  }

  @Test func `a list that cannot be read is an error, which the completions ignore`() throws {
    #expect(try sequence("complete").status == 64)
    #expect(try sequence("complete", "dances").status == 64)
    #expect(try sequence("complete", "fish", "run", "nothing", "--without", "").status == 74)
  }

  /// Returns the answer to bash for a line with the cursor at its end.
  private func bash(_ line: String, replacing word: String = "") throws -> [String] {
    let outcome = try sequence.run(["complete", "bash", line, word])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    return outcome.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `bash is told the file patterns and whether a word continues`() throws {
    #expect(try bash("sequence re", replacing: "re") == ["none", "re", "resume", "restart"])
    #expect(try bash("sequence import --output=$HOME/x", replacing: "$HOME/x") == ["files", "$HOME/x"])
    #expect(try bash("sequence wait 2>", replacing: "") == ["files", ""])
    #expect(try bash("sequence stats --by=d", replacing: "d") == ["none", "d", "day"])
    #expect(try bash("sequence stats --by=d", replacing: "--by=d") == ["none", "d", "--by=day"])
    #expect(
      try bash(#"sequence run "odd titles" --without 'It"#, replacing: "It").dropFirst(2)
        == [#"It'\''s $HOME: `x`"#])
  }

  @Test func `file names from bash are quoted so that a variable stays a variable`() throws {
    let outcome = try sequence.run(
      [
        "complete", "bash-files", "sequence run \"$HOME/s", "$HOME/s", "$HOME/s", "$HOME/s $x", "$HOME/sub",
        "$HOME/sub/",
      ])
    #expect(
      outcome.text == #"""
        $HOME/s \$x
        $HOME/sub/
        """#)
  }

  @Test(arguments: [
    ("sequence run a", ["sequence", "run"], "a"),
    ("sequence  'a b' \"c\\d\" e\\ f", ["sequence", "a b", "c\\d"], "e f"),
    ("sequence a=b:c ", ["sequence", "a=b:c"], ""), ("sequence 'a", ["sequence"], "a"),
    ("sequence '' ", ["sequence", ""], ""), ("sequence 2>&1 >x --js", ["sequence"], "--js"),
    ("sequence \"\u{301}a b", ["sequence"], "\u{301}a b"), ("sequence a\\", ["sequence"], "a"),
  ])
  func `a bash line is split like bash does`(line: String, words: [String], current: String) {
    let split = BashLine(line)
    #expect(split.words == words)
    #expect(split.current == current)
  }

  @Test(arguments: [
    ("a b$", "sequence ", "a\\ b\\$"), ("it's $x", "sequence '", #"it'\''s $x"#),
    (#"a "b" $c `d` \ !"#, "sequence \"", #"a \"b\" \$c \`d\` \\ "\!""#),
    ("früh/spät", "sequence ", "früh/spät"),
    ("a\"\u{301}", "sequence ", "a\\\"\u{301}"),
  ])
  func `a text is quoted for the open quote`(text: String, line: String, quoted: String) {
    #expect(Array(BashLine(line).quoted(text).unicodeScalars) == Array(quoted.unicodeScalars))
  }
}
