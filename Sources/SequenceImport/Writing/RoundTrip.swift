import SequencePlatform
import SequenceFiles
import SequenceRunner

extension WorkoutImporter {
  /// Parses the written file, like any command would.
  ///
  /// - Throws: `ImportError` if it exceeds the limits of a sequence, or differs from the draft.
  static func check(_ file: String, against draft: WorkoutDraft) throws(ImportError) -> ParsedSequence {
    let parsed: ParsedSequence
    do throws(SequenceFileError) {
      parsed = try SequenceFile.parse(Array(file.utf8))
    } catch {
      throw ImportError("the converted sequence is invalid: \(error.message(inFile: "the sequence"))")
    }
    guard parsed.definition.title == draft.title, parsed.definition.elements.map(written) == draft.elements
    else {
      throw ImportError("the converted sequence differs from the file", remedy: "please report this")
    }
    return parsed
  }

  /// Throws if a title or note is too long; the error names the card.
  static func checkLengths(_ draft: WorkoutDraft) throws(ImportError) {
    try checkLength(of: draft.title, "the title")
    try checkLengths(draft.elements)
  }

  private static func checkLengths(_ elements: [WorkoutElement]) throws(ImportError) {
    for element in elements {
      switch element {
      case .card(let card):
        try checkLength(of: card.title, "the title \(quoted(card.title))")
        try checkLength(of: card.note ?? "", "the note of \(quoted(card.title))")
      case .group(_, let inner): try checkLengths(inner)
      }
    }
  }

  private static func checkLength(of text: String, _ what: String) throws(ImportError) {
    guard SequenceLimits.isTooLong(text) else { return }
    let (characters, bytes) = (text.count, text.utf8.count)
    throw characters > SequenceLimits.longestTitle
      ? ImportError(
        "\(what) would have \(characters) characters", remedy: "use at most \(SequenceLimits.longestTitle)")
      : ImportError("\(what) would have \(bytes) bytes", remedy: "use at most \(SequenceLimits.largestTitle)")
  }

  /// Converts an element back to its form in a draft, with the note as one part.
  private static func written(_ element: SequenceElement) -> WorkoutElement {
    switch element {
    case .card(let card):
      .card(
        WorkoutCard(
          title: card.title, notes: card.note.map { [$0] } ?? [], timing: card.timing,
          skipsLastRound: card.skipsLastRound))
    case .group(let group): .group(rounds: group.rounds, group.elements.map(written))
    }
  }
}
