package import SequenceRunner

extension Card {
  /// Whether the card is a rest, in which the user needs to know the next effort.
  ///
  /// Files don't say so: a card that is left out in the last round is one, and so is a card with the title of one.
  package var isRest: Bool {
    if skipsLastRound { return true }
    let words = title.lowercased().split { !$0.isLetter }
    return words.contains { Card.restWords.contains(String($0)) }
  }

  private static let restWords: Set = ["rest", "break", "pause", "recover", "recovery", "breathe"]
}
