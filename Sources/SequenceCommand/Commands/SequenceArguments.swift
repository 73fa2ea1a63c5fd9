import SequencePlatform
import SequenceClient
import SequenceFiles
import SequenceRunner

/// The argument and the options that give a sequence: a file, a name or cards, with the changes for this run.
enum SequenceArguments {
  static let file = Argument<String>("FILE|NAME", isOptional: true, kind: .sequence)
  static let options: [any OptionSpec] = [card, rounds, without, title]
  /// The paragraphs about FILE, NAME and the options above, for the help.
  static let discussion = [
    "FILE is a path, or - for standard input. NAME is a sequence of your library (see sequence list): a word without a "
      + "slash, without the ending .yaml or .yml, that isn't a file in the current directory.",
    "With a FILE, --rounds sets the rounds of its top-level group. A file without groups is repeated as a whole; with "
      + "several top-level groups, --rounds is an error. --rounds forever repeats until you stop the run; the group must be "
      + "the last element. --without leaves out all cards with that title.",
  ]
  /// The option whose values the completion of `--without` doesn't offer again.
  static let without = Option<String>(
    "without", "CARD", "leave out a card in this run, by title or ID", isRepeatable: true, kind: .card)
  private static let card = Option<String>(
    "card", "SPEC", "add a card, such as \"Work 20s\", instead of a FILE", isRepeatable: true)
  private static let rounds = Option<Rounds>(
    "rounds", "N", "repeat the cards N times, or forever"
  ) { text throws(Failure) in
    if text == Rounds.foreverText { return .forever }
    guard let rounds = Int(text), (1...SequenceLimits.mostSteps).contains(rounds) else {
      throw Failure(
        usage:
          "--rounds must be a whole number from 1 to \(SequenceLimits.mostSteps), or forever, not \(quote(text))"
      )
    }
    return .times(rounds)
  }
  private static let title = Option<String>("title", "TITLE", "title of a sequence given with --card") {
    title throws(Failure) in
    guard title.contains(where: { !$0.isWhitespace }), !SequenceLimits.isTooLong(title) else {
      throw Failure(
        usage: "--title must have at least 1 character, and at most \(SequenceLimits.titleLimits)")
    }
    return title
  }

  /// Reads the sequence of a command line.
  static func source(_ arguments: ParsedArguments, _ context: CommandContext) throws -> SequenceSource {
    let rounds = try arguments[rounds]
    let cards = try arguments.values(card)
    guard let word = try arguments[file] else {
      guard !cards.isEmpty else {
        let name = arguments.command.name
        throw Failure(usage: "\(name) needs a FILE or --card", remedy: "see sequence help \(name)")
      }
      guard !arguments.has(without) else {
        throw Failure(usage: "--without works only with a FILE", remedy: "remove the --card instead")
      }
      let title = try arguments[title]
      do throws(Problem) {
        return try SequenceSource(cards: cards, rounds: rounds ?? 1, title: title)
      } catch {
        throw Failure(error, .usage)
      }
    }
    guard cards.isEmpty else {
      if let card = cards.first(where: { !hasTime($0) && hasTime("\($0) \(word)") }) {
        throw Failure(
          usage: "\(quote(word)) is not part of a --card", remedy: "write --card \(quote("\(card) \(word)"))")
      }
      throw Failure(usage: "a FILE and --card cannot be combined", remedy: "remove one of them")
    }
    guard !arguments.has(title) else {
      throw Failure(usage: "--title works only with --card", remedy: "change the title in the file")
    }
    return try SequenceSource(
      word, rounds: rounds, without: try arguments.values(without), context.clientContext)
  }

  /// Whether the text of a card has a duration.
  private static func hasTime(_ card: String) -> Bool {
    // One with a mistake has none.
    guard let sequence = try? CardSpec.sequence(cards: [card]) else { return false }
    if case .countdown = sequence.card(at: 0).timing { return true }
    return false
  }
}
