import Platform
import SequenceClient
import SequenceRunner

/// The argument and the options that give a sequence: a file, a name or cards, with the choices for today.
enum SequenceArguments {
  static let file = Argument<String>("FILE|NAME", isOptional: true, kind: .sequence)
  static let options: [any OptionSpec] = [card, rounds, without, title]
  /// What is said of a sequence and of what is chosen for today.
  static let discussion = [
    "FILE is a path, or - for standard input. A word without a slash that does not end in .yaml or .yml, and is no "
      + "file in the working directory, is the NAME of a sequence in the library; see sequence list.",
    "--rounds with a FILE changes its one group that is in no other, and repeats all cards where there is none; where "
      + "there are several it is refused. --without leaves out every card of a title.",
  ]
  /// The option whose values the completion of `--without` doesn't offer again.
  static let without = Option<String>(
    "without", "CARD", "leave a card of a FILE out today, by its title or id", isRepeatable: true,
    kind: .card)
  private static let card = Option<String>(
    "card", "SPEC", "a card in place of a file, as in \"Work 20s\"", isRepeatable: true)
  private static let rounds = Option<Int>(
    "rounds", "N", "how often the cards are repeated, or the one group of a FILE"
  ) { text throws(UsageError) in
    guard let rounds = Int(text), (1...SequenceLimits.mostSteps).contains(rounds) else {
      throw UsageError(
        "\(quote(text)) is no number of rounds", remedy: "write one from 1 to \(SequenceLimits.mostSteps)")
    }
    return rounds
  }
  private static let title = Option<String>("title", "TITLE", "the title of the cards as a sequence") {
    title throws(UsageError) in
    guard title.contains(where: { !$0.isWhitespace }), title.count <= SequenceLimits.longestTitle else {
      throw UsageError("a title has 1 to \(SequenceLimits.longestTitle) characters")
    }
    return title
  }

  /// Reads the sequence that a command line gives.
  static func source(_ arguments: ParsedArguments, _ context: CommandContext) throws -> SequenceSource {
    let rounds = try arguments[rounds]
    let cards = try arguments.values(card)
    guard let word = try arguments[file] else {
      guard !cards.isEmpty else {
        let name = arguments.command.name
        throw UsageError("\(name) needs a FILE or --card", remedy: "see sequence help \(name)")
      }
      guard !arguments.has(without) else {
        throw UsageError("--without goes with a FILE", remedy: "leave the --card out that you do not want")
      }
      return try SequenceSource(cards: cards, rounds: rounds ?? 1, title: try arguments[title])
    }
    guard cards.isEmpty else {
      throw UsageError("a FILE and --card are two sequences", remedy: "leave one of them out")
    }
    guard !arguments.has(title) else {
      throw UsageError("--title goes with --card", remedy: "write it into the file")
    }
    return try SequenceSource(
      word, rounds: rounds, without: try arguments.values(without), context.clientContext)
  }
}
