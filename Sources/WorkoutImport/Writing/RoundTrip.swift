import Platform
import SequenceFiles
import SequenceRunner

extension WorkoutImporter {
  /// Reads what is to be written, as any command would.
  ///
  /// - Throws: `ImportError` if it is not within what a sequence may have, or is not what was meant.
  static func check(_ file: String, against draft: WorkoutDraft) throws(ImportError) -> ParsedSequence {
    let parsed: ParsedSequence
    do throws(SequenceFileError) {
      parsed = try SequenceFile.parse(Array(file.utf8))
    } catch {
      throw ImportError("its sequence would be refused: \(error.message(inFile: "the sequence"))")
    }
    guard parsed.definition.title == draft.title, parsed.definition.elements.map(written) == draft.elements
    else {
      throw ImportError("its sequence is read otherwise than it was written", remedy: "please report this")
    }
    return parsed
  }

  /// Refuses titles and notes that are longer than a sequence may have them, by the name of their card.
  static func checkLengths(_ draft: WorkoutDraft) throws(ImportError) {
    try checkLength(of: draft.title, "its title")
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
    // No character is less than a byte: most texts need not be counted.
    guard text.utf8.count > SequenceLimits.longestTitle, text.count > SequenceLimits.longestTitle else {
      return
    }
    throw ImportError(
      "\(what) would have \(text.count) characters", remedy: "it may have \(SequenceLimits.longestTitle)")
  }

  /// An element as a draft has it; its note is one part.
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
