enum SequenceText {
  enum Shape: String, CaseIterable {
    /// One card after the other, each with its own id.
    case flat
    case rounds
  }

  /// Returns steps of an hour, preceded by steps of the given lengths in seconds.
  static func long(_ shape: Shape, steps: Int, after lengths: [Double] = []) -> String {
    let short = lengths.enumerated().map { index, length in
      "\n  - { title: Short \(index), countdown: \(length)s }"
    }.joined()
    let count = steps - lengths.count
    switch shape {
    case .rounds:
      return """
        title: Rounds
        cards:\(short)
          - rounds: \(count)
            cards: [{ title: Work, countdown: 1h }]

        """
    case .flat:
      // An alias takes five bytes; a file has room for only some 40,000 cards that are written out.
      let cards = String(repeating: "\n- *a", count: count - 1)
      let indented = cards.replacing("\n", with: "\n  ")
      return "title: Flat\ncards:\(short)\n  - &a { title: Work, countdown: 1h }\(indented)\n"
    }
  }

  /// Returns short steps of one length in rounds, after a longer step.
  static func short(steps: Int, seconds: Double, lead: Double) -> String {
    """
    title: Short
    cards:
      - { title: Get ready, countdown: \(lead)s }
      - rounds: \(steps - 1)
        cards: [{ title: Work, countdown: \(seconds)s }]

    """
  }
}
