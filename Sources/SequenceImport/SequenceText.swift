import SequencePlatform
import SequenceFiles
import SequenceRunner

/// The text of an imported sequence, in fewer keys than `SequenceDocument` would write.
///
/// Every text that another YAML parser could take for something else is in quotes.
enum SequenceText {
  /// Writes a sequence, and parses the result like any command would.
  static func checked(
    _ sequence: SequenceDefinition, _ comments: [String]
  ) throws(ImportError) -> String {
    try checkLength(of: sequence.title, LocalizedText("the title"))
    try checkLengths(of: sequence.elements)
    let text = file(sequence, comments)
    guard text.utf8.count <= SequenceLimits.largestFile else {
      throw ImportError("the converted sequence is larger than 1 MiB", remedy: "split the workout")
    }
    try check(text, against: sequence)
    return text
  }

  static func check(_ text: String, against sequence: SequenceDefinition) throws(ImportError) {
    do throws(SequenceFileError) {
      if try SequenceFile.parse(Array(text.utf8)).definition == sequence { return }
    } catch {
      throw ImportError("the converted sequence is invalid: \(error.message(inFile: "the sequence"))")
    }
    throw ImportError("the converted sequence differs from the file", remedy: "please report this")
  }

  private static func checkLengths(of elements: [SequenceElement]) throws(ImportError) {
    for element in elements {
      switch element {
      case .card(let card):
        try checkLength(of: card.title, LocalizedText("the title \(quoted(card.title))"))
        try checkLength(of: card.note ?? "", LocalizedText("the note of \(quoted(card.title))"))
      case .group(let group): try checkLengths(of: group.elements)
      }
    }
  }

  private static func checkLength(of text: String, _ what: LocalizedText) throws(ImportError) {
    guard SequenceLimits.isTooLong(text) else { return }
    let (characters, bytes) = (text.count, text.utf8.count)
    throw characters > SequenceLimits.longestTitle
      ? ImportError(
        "\(what) would have \(characters) characters", remedy: "use at most \(SequenceLimits.longestTitle)")
      : ImportError("\(what) would have \(bytes) bytes", remedy: "use at most \(SequenceLimits.largestTitle)")
  }

  private static func file(_ sequence: SequenceDefinition, _ comments: [String]) -> String {
    let lines =
      comments.map { "# \(comment($0))" } + ["title: \(scalar(sequence.title))", "cards:"]
      + lines(of: sequence.elements, at: "  ")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of elements: [SequenceElement], at indent: String) -> [String] {
    elements.flatMap { element in
      switch element {
      case .card(let card):
        (["- title: \(scalar(card.title))"] + values(of: card).map { "  " + $0 }).map { indent + $0 }
      case .group(let group):
        ["\(indent)- rounds: \(group.rounds.text)", "\(indent)  cards:"]
          + lines(of: group.elements, at: indent + "    ")
      }
    }
  }

  private static func values(of card: Card) -> [String] {
    var lines = card.note.map { ["note: \(scalar($0))"] } ?? []
    switch card.timing {
    case .countdown(let duration, let advance):
      lines.append("countdown: \(DurationText.format(duration))")
      if advance == .manual { lines.append("advance: manual") }
    // No other program's file has a goal.
    case .countUp: lines.append("countUp: {}")
    }
    return card.skipsLastRound ? lines + ["skipLast: true"] : lines
  }

  /// Returns a scalar that parses as the text: plain if that is safe, otherwise in double quotes.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      isWordy(text) && text.last != " "
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          || " _.%()/+-;'!".unicodeScalars.contains(scalar)
      }
    guard !isPlain else { return text }
    return "\"" + text.unicodeScalars.map(YAMLText.escaped).joined() + "\""
  }

  /// Returns whether a text can begin a plain scalar, and no YAML parser takes it for a number, boolean or
  /// null.
  private static func isWordy(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII else { return false }
    if first.isNumber { return text.contains(" ") }
    return first.isLetter
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
  }

  /// Returns a line without the characters that YAML does not allow; comments have no escapes.
  private static func comment(_ line: String) -> String {
    String(String.UnicodeScalarView(line.unicodeScalars.filter(YAMLText.isPrintable)))
  }
}
