import Platform
import SequenceFiles
import SequenceRunner

/// The sequence that a command line gives, in a file, by name, or card by card, with what is chosen for today.
struct SequenceSource {
  let timeline: Timeline
  /// What its author should know of the file.
  let remarks: [ParsedSequence.Remark]
  /// What it is called in messages.
  let name: String

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

  init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
    guard let word = try arguments[SequenceSource.file] else {
      timeline = try SequenceSource.cards(arguments)
      remarks = []
      name = "--card"
      return
    }
    guard !arguments.has(SequenceSource.card) else {
      throw UsageError("a FILE and --card are two sequences", remedy: "leave one of them out")
    }
    guard !arguments.has(SequenceSource.title) else {
      throw UsageError("--title goes with --card", remedy: "write it into the file")
    }
    name = word == "-" ? "standard input" : try context.sequencePath(word)
    let parsed = try SequenceSource.read(word == "-" ? word : name, as: name)
    timeline = try SequenceSource.chosen(parsed.timeline, arguments)
    remarks = parsed.remarks
  }

  /// The sequence in a file.
  ///
  /// - Parameter name: what it is called in messages.
  static func read(_ path: String, as name: String) throws(Failure) -> ParsedSequence {
    do throws(SequenceFileError) {
      return try SequenceFile.read(path: path)
    } catch {
      let failure = Failure(
        error.problem(inFile: name), remedy: error.remedy, error.isUnreadable ? .inputOutput : .data)
      if error.isUnreadable { throw failure }
      if let format = importedFormat(ofFileAt: path) {
        throw Failure(
          "\(name) is no sequence file, but may be \(format)",
          remedy: "convert it with sequence import \(path)", .data)
      }
      throw failure
    }
  }

  /// The format that the end of a file's name stands for, if `sequence import` reads it.
  private static func importedFormat(ofFileAt path: String) -> String? {
    switch path.split(separator: ".").last?.lowercased() {
    case "zwo": "a Zwift workout"
    case "erg": "an ERG course"
    case "mrc": "an MRC course"
    case "toml": "a uair configuration"
    case "cook": "a Cooklang recipe"
    default: nil
    }
  }

  private static func cards(_ arguments: ParsedArguments) throws -> Timeline {
    let cards = try arguments.values(card)
    guard !cards.isEmpty else {
      let name = arguments.command.name
      throw UsageError("\(name) needs a FILE or --card", remedy: "see sequence help \(name)")
    }
    guard !arguments.has(without) else {
      throw UsageError("--without goes with a FILE", remedy: "leave the --card out that you do not want")
    }
    return try CardSpec.sequence(
      cards: cards, rounds: try arguments[rounds] ?? 1, title: try arguments[title])
  }

  /// The sequence of a file as it is to run today.
  private static func chosen(_ timeline: Timeline, _ arguments: ParsedArguments) throws -> Timeline {
    let rounds = try arguments[rounds]
    let without = try arguments.values(without)
    guard rounds != nil || !without.isEmpty else { return timeline }
    do {
      // The rounds first: whether they are meant clearly does not depend on what is left out.
      let repeated = try rounds.map { try SequenceSource.repeated(timeline.definition, $0) } ?? timeline
      return try without.isEmpty ? repeated : Timeline(repeated.definition.without(without))
    } catch let error as SequenceChoiceError {
      throw UsageError(error)
    } catch TimelineError.noSteps {
      throw UsageError(SequenceChoiceError.nothingLeft(sequence: timeline.definition.title))
    } catch let error as TimelineError {
      throw UsageError(error)
    }
  }

  private static func repeated(_ definition: SequenceDefinition, _ rounds: Int) throws -> Timeline {
    let repeated = try definition.with(rounds: rounds)
    do throws(TimelineError) {
      return try Timeline(repeated)
    } catch {
      guard error == .noSteps else { throw error }
      throw UsageError(
        "one round of \(quote(definition.title)) has no steps, because all its cards have skipLast",
        remedy: "choose 2 rounds or more")
    }
  }
}
