import SequenceRunner

/// The sequence that a command line gives, in a file or card by card.
enum SequenceSource {
  static func timeline(_ arguments: ParsedArguments) throws -> ParsedSequence {
    let cards = arguments.values("card")
    guard let path = arguments.positional.first else {
      guard !cards.isEmpty else {
        throw UsageError(
          "\(arguments.command.rawValue) needs a FILE or --card; see sequence help \(arguments.command.rawValue)"
        )
      }
      let timeline = try CardSpec.sequence(
        cards: cards, rounds: try rounds(arguments) ?? 1, title: try title(arguments))
      return ParsedSequence(timeline: timeline, remarks: [])
    }
    guard cards.isEmpty else {
      throw UsageError("a FILE and --card are two sequences; leave one of them out")
    }
    for option in ["rounds", "title"] where arguments.has(option) {
      throw UsageError("--\(option) goes with --card; write it into the file")
    }
    do throws(SequenceFileError) {
      return try SequenceFile.read(path: path)
    } catch {
      let name = path == "-" ? "standard input" : path
      throw Failure(error.message(inFile: name), error.isUnreadable ? .inputOutput : .data)
    }
  }

  private static func rounds(_ arguments: ParsedArguments) throws(UsageError) -> Int? {
    guard let text = arguments.value("rounds") else { return nil }
    guard let rounds = Int(text), (1...SequenceLimits.mostSteps).contains(rounds) else {
      throw UsageError(
        "\(quote(text)) is no number of rounds; write one from 1 to \(SequenceLimits.mostSteps)")
    }
    return rounds
  }

  private static func title(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let title = arguments.value("title") else { return nil }
    guard title.contains(where: { !$0.isWhitespace }), title.count <= SequenceLimits.longestTitle else {
      throw UsageError("a title has 1 to \(SequenceLimits.longestTitle) characters")
    }
    return title
  }
}
