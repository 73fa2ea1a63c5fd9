import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

/// The table of commands, compared with everything derived from it or written about it.
struct CommandTableTests {
  private static let expected: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: CommandTable.commands.map { command in
      (command.name, Set(command.allOptions.map(\.name)))
    })
  private static let names = Set(CommandTable.commands.map(\.name))
  private static let program: Set = ["help", "version"]

  /// Returns the matches of an expression's group in a text, in order.
  private func matches(_ pattern: String, _ text: String) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
      Range(match.range(at: 1), in: text).map { String(text[$0]) }
    }
  }

  @Test func `options and commands are unique and have lowercase summaries`() {
    for command in CommandTable.commands {
      let options = command.allOptions.map(\.name)
      #expect(Set(options).count == options.count, "\(command.name)")
      for (summary, most) in [(command.summary, 65)] + command.options.map({ ($0.summary, 60) }) {
        let text = summary.description
        #expect(!text.isEmpty && !text.hasSuffix(".") && text.count <= most, "\(text)")
      }
    }
  }

  @Test func `the help lists exactly the commands and their options`() throws {
    #expect(Set(try matches("^  ([a-z-]+)  ", HelpText.overview())) == CommandTableTests.names)
    for command in CommandTable.commands {
      let found = Set(try matches("^  --([a-z-]+)", HelpText.text(for: command)))
      #expect(found == CommandTableTests.expected[command.name], "\(command.name)")
    }
  }

  @Test func `the completion lists exactly the commands and their options`() throws {
    let sequence = try CommandLineRunner()
    func offered(_ words: String...) throws -> Set<String> {
      let lines = try sequence.run(["complete", "fish"] + words).text.split(separator: "\n").dropFirst()
      return Set(lines.map { String($0.prefix { $0 != "\t" }) })
    }
    #expect(try offered("") == CommandTableTests.names)
    #expect(try offered("-") == Set(CommandTableTests.program.map { "--" + $0 } + ["--state-dir"]))
    for name in CommandTableTests.names {
      #expect(
        try offered(name, "-") == Set(CommandTableTests.expected[name]?.map { "--" + $0 } ?? []), "\(name)")
    }
  }

  /// Returns the page of the commands, up to a heading.
  private func page(upTo heading: String) throws -> String {
    let text = try String(contentsOfFile: BuiltProducts.repository + "/docs/commands.md", encoding: .utf8)
    return String(text[..<(try #require(text.range(of: "\n## \(heading)\n")).lowerBound)])
  }

  @Test func `the page of the commands lists exactly the commands and their options`() throws {
    let rows = try page(upTo: "Exit status").split(separator: "\n").filter { $0.hasPrefix("| `") }
    var mentioned: Set<String> = []
    for row in rows {
      let cells = row.split(separator: "|", maxSplits: 1)
      mentioned.formUnion(try matches("`([a-z]+)", String(try #require(cells.first))))
    }
    let choices = CommandTable.commands.flatMap { command in
      guard case .choice(let words) = command.argument?.kind else { return [String]() }
      return words
    }
    #expect(CommandTableTests.names.subtracting(mentioned).isEmpty)
    #expect(mentioned.subtracting(CommandTableTests.names).subtracting(choices).isEmpty)
    let options = Set(rows.flatMap { (try? matches("--([a-z][a-z-]*)", String($0))) ?? [] })
    let known = CommandTableTests.expected.values.reduce(into: Set()) { $0.formUnion($1) }
    #expect(options.subtracting(known).isEmpty)
  }

  @Test func `the exit statuses of the page are those of the program`() throws {
    let text = try page(upTo: "Files and environment")
    let start = try #require(text.range(of: "| exit | meaning |\n| --- | --- |\n")).upperBound
    let rows = text[start...].split(separator: "\n", omittingEmptySubsequences: false).prefix {
      $0.hasPrefix("|")
    }
    let numbers = try rows.flatMap { row in
      try matches("([0-9]+)", String(try #require(row.split(separator: "|", maxSplits: 1).first)))
    }
    #expect(Set(numbers) == Set(ExitStatus.allCases.map { String($0.rawValue) }))
  }

  @Test func `the help of an option lists its choices`() {
    for option in CommandTable.commands.flatMap(\.allOptions) {
      guard case .choice(let words) = option.kind else { continue }
      for word in words.flatMap({ $0.split(separator: ",") }) {
        #expect("\(option.value ?? "") \(option.summary)".contains(word), "\(option.name)")
      }
    }
  }

  @Test(
    arguments: [
      (
        ["stats", "--by", "decade"],
        #"--by cannot be "decade"; use day, week, month, year, sequence, label or card"#
      ),
      (["agent", "dance"], #"unknown action "dance"; use run, status, install or uninstall"#),
      (["agent"], "agent needs run|status|install|uninstall; see sequence help agent"),
    ])
  func `choices are checked by the table`(words: [String], message: String) throws {
    let outcome = try CommandLineRunner().run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors == "sequence: \(message)")
  }

  @Test(
    arguments: [
      (["stat"], #"unknown command "stat"; did you mean stats, status or start?"#),
      (["pasue"], #"unknown command "pasue"; did you mean sequence pause?"#),
      (["5m"], #"unknown command "5m"; did you mean sequence timer 5m?"#),
      (["tea.yaml"], #"unknown command "tea.yaml"; did you mean sequence run tea.yaml?"#),
      (["dance"], #"unknown command "dance"; see sequence help"#),
      (["help", "strat"], #"unknown command "strat"; did you mean sequence help start?"#),
      (["status", "--jsn"], #"status has no option "--jsn"; did you mean --json?"#),
      (["run", "--round=2"], #"run has no option "--round"; did you mean --rounds?"#),
      (["status", "-x"], #"status has no option "-x"; see sequence help status"#),
      (["status", "--json=1"], #"--json takes no value; remove "=1""#),
      (["status", "-h=1"], #"--help takes no value; remove "=1""#),
    ])
  func `an unknown command or option gets a suggestion`(words: [String], message: String) throws {
    let outcome = try CommandLineRunner().run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors == "sequence: \(message)")
  }

  @Test func `options of every command may be before its name`() throws {
    let runner = try CommandLineRunner()
    #expect(try runner.run(["-h", "run"]) == runner.run(["run", "--help"]))
    _ = try runner.run(["--state-dir", runner.home.path + "/other", "start", "--card", "A 1h"])
    #expect(try runner.run(["status"]).text == "idle")
    let other = try runner.run(["--state-dir=\(runner.home.path)/other", "status", "--format", "{step}"])
    #expect(other.text == "A")
    #expect(try runner.run(["--state-dir", "/tmp"]).status == 64)
    #expect(try runner.run(["--json", "status"]).errors.contains(#"unknown option "--json""#))
  }

  @Test func `short options have their long form's output`() throws {
    let sequence = try CommandLineRunner()
    #expect(try sequence("-V") == sequence("--version"))
    #expect(try sequence("-V").text == "sequence \(SequenceProgram.version)")
    #expect(try sequence("-h") == sequence("--help"))
    #expect(try sequence("run", "-h") == sequence("help", "run"))
  }

  @Test func `each command has two examples or more, which are valid command lines`() throws {
    for command in CommandTable.commands {
      #expect(command.examples.count >= 2, "\(command.name)")
      #expect(command.examples.contains { $0.line.contains("sequence \(command.name)") }, "\(command.name)")
      for example in command.examples {
        let script = "sequence() { printf '%s\\n' \"$@\"; exit; }; \(example.line)"
        let words = try ChildProcess.run("/bin/bash", ["-c", script], environment: ["PATH": "/nonexistent"])
        var lines = words.text.split(separator: "\n").map(String.init)
        // In a process substitution or a pipeline the words of `sequence` go elsewhere.
        if lines.isEmpty || example.line.contains("|") || example.line.contains("<(") {
          lines = example.line.split(separator: " ").map { String($0.filter { $0 != ")" }) }
          lines = Array(lines.drop { !$0.hasSuffix("sequence") }.dropFirst().prefix { $0 != "|" })
        }
        let named = try CommandTable.command(named: try #require(lines.first))
        #expect(throws: Never.self, "\(example.line)") {
          try ParsedArguments(Array(lines.dropFirst()), of: named)
        }
        #expect(HelpText.text(for: command).contains(example.line))
      }
    }
  }

  @Test func `help, README, manual and packages describe the program in the same words`() throws {
    let paths = ["README.md", "debian/control", "share/metainfo/org.sequence_timer.sequence.metainfo.xml"]
    for path in paths {
      let text = try String(contentsOfFile: BuiltProducts.repository + "/" + path, encoding: .utf8)
      let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(plain.contains(HelpText.pitch.dropFirst(2)), "\(path)")
    }
    #expect(HelpText.overview(width: 100).hasPrefix(HelpText.pitch))
    for path in paths.dropFirst() + ["scripts/make-manual"] {
      let text = try String(contentsOfFile: BuiltProducts.repository + "/" + path, encoding: .utf8)
      #expect(text.lowercased().contains("timer that runs steps one after the other"), "\(path)")
    }
  }

  @Test(arguments: [30, 60, 80, 100])
  func `help is as wide as the terminal, except for what can be pasted`(width: Int) {
    let examples = CommandTable.commands.flatMap(\.examples).flatMap {
      ["  \($0.line)", "      \($0.effect)"]
    }
    let pasted = examples + CommandTable.commands.map { "Usage: \($0.usage) [OPTIONS]" }
    for command in CommandTable.commands {
      let text = HelpText.text(for: command, width: width)
      for line in text.split(separator: "\n").map(String.init) where !pasted.contains(line) {
        #expect(line.count <= max(width, 40), "\(line)")
      }
      let words = { (text: String) in text.split(whereSeparator: \.isWhitespace) }
      #expect(words(text) == words(HelpText.text(for: command, width: 1000)), "no word is lost")
    }
    #expect(HelpText.width(in: 200) == 100 && HelpText.width(in: 50) == 50)
  }

  @Test func `help works even if the rest of the line is invalid`() throws {
    let outcome = try CommandLineRunner().run(["run", "--rounds", "many", "a", "b", "--help"])
    #expect(outcome.status == 0)
    #expect(outcome.text == HelpText.text(for: RunningCommands.run))
  }
}
