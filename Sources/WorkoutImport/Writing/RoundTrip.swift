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
      throw ImportError(
        "what it says is more than a sequence may have: \(error.message(inFile: "the sequence"))")
    }
    guard parsed.definition.title == draft.title, parsed.definition.elements.map(written) == draft.elements
    else { throw ImportError("its sequence is read otherwise than it was written; please report this") }
    return parsed
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
