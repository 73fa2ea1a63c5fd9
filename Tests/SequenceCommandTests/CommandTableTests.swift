import Foundation
import TestSupport
import Testing

@testable import SequenceCommand

/// The table of commands, compared with everything derived from it or written about it.
struct CommandTableTests {
  /// The options of each command in a text.
  private typealias Options = [String: Set<String>]

  private static let expected: Options = Dictionary(
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

  /// Splits a text at the matches of an expression; the group is the name of a part.
  private func sections(_ pattern: String, _ text: String) throws -> [(name: String, text: String)] {
    let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
    let found = expression.matches(in: text, range: NSRange(text.startIndex..., in: text))
    return try found.enumerated().map { index, match in
      let name = try #require(Range(match.range(at: 1), in: text))
      let start = try #require(Range(match.range, in: text)).upperBound
      let next = index + 1 < found.count ? Range(found[index + 1].range, in: text)?.lowerBound : nil
      return (String(text[name]), String(text[start..<(next ?? text.endIndex)]))
    }
  }

  private func options(_ sections: [(name: String, text: String)], _ pattern: String) throws -> Options {
    var options: Options = [:]
    for section in sections {
      options[section.name, default: []].formUnion(try matches(pattern, section.text))
    }
    return options
  }

  @Test func `options and commands are unique and have lowercase summaries`() {
    for command in CommandTable.commands {
      let options = command.allOptions.map(\.name)
      #expect(Set(options).count == options.count, "\(command.name)")
      for summary in [command.summary] + command.options.map(\.summary) {
        #expect(!summary.isEmpty && !summary.hasSuffix("."), "\(summary)")
      }
    }
  }

  @Test func `the help lists exactly the commands and their options`() throws {
    #expect(Set(try matches("^  ([a-z-]+)  ", HelpText.overview)) == CommandTableTests.names)
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
    #expect(try offered("-") == Set(CommandTableTests.program.map { "--" + $0 }))
    for name in CommandTableTests.names {
      #expect(
        try offered(name, "-") == Set(CommandTableTests.expected[name]?.map { "--" + $0 } ?? []), "\(name)")
    }
  }

  @Test func `the manual lists exactly the commands and their options`() throws {
    let parts = try sections("^\\.SH ([A-Z ]+)$", CommandManual.page)
    let commands = try #require(parts.first { $0.name == "COMMANDS" }).text
    let own = try options(
      sections("^\\.SS sequence ([a-z]+)", commands), "^\\\\fB\\\\-\\\\-([a-z\\\\-]+)\\\\fR")
    let common = Set(CommandTable.common.map(\.name))
    let plain = own.mapValues { Set($0.map { $0.replacing("\\-", with: "-") }) }
    #expect(plain.mapValues { $0.union(common) } == CommandTableTests.expected)
    let general = try matches(
      "^\\\\fB\\\\-\\\\-([a-z\\\\-]+)\\\\fR", #require(parts.first { $0.name == "OPTIONS" }).text)
    let generalNames = Set(general.map { $0.replacing("\\-", with: "-") })
    #expect(generalNames == common.union(CommandTableTests.program))
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
      (["stats", "--by", "month"], #""month" is unknown; write day, week or sequence"#),
      (["agent", "dance"], #""dance" is unknown; write run, status, install or uninstall"#),
      (["agent"], "agent needs run|status|install|uninstall; see sequence help agent"),
    ])
  func `choices are checked by the table`(words: [String], message: String) throws {
    let outcome = try CommandLineRunner().run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors == "sequence: \(message)")
  }

  @Test func `help works even if the rest of the line is invalid`() throws {
    let outcome = try CommandLineRunner().run(["run", "--rounds", "many", "a", "b", "--help"])
    #expect(outcome.status == 0)
    #expect(outcome.text == HelpText.text(for: RunningCommands.run))
  }
}
