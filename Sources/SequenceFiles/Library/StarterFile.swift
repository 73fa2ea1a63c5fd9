package import FoundationEssentials

/// The content of a new sequence file.
package enum StarterFile {
  /// Returns a sequence with a title, and with comments about the file format.
  ///
  /// - Parameters:
  ///   - title: one line without control characters.
  ///   - id: the id of the sequence, so that another file with this title is another sequence.
  /// - Throws: `DocumentError.notPossible` if the text wouldn't have this title; `SequenceFileError`.
  package static func text(title: String, id: UUID) throws -> String {
    let text = written(title, id)
    let parsed = try SequenceFile.parse(Array(text.utf8)).definition
    guard parsed.title == title, parsed.id == id else { throw DocumentError.notPossible }
    return text
  }

  private static func written(_ title: String, _ id: UUID) -> String {
    """
    # A sequence: cards, one after the other. `sequence check` says what is wrong with it, and shows its steps;
    # `man 5 sequence` has all that can be written.
    title: \(YAMLValue.written(title, isEnclosed: false))
    id: \(id.uuidString.lowercased())    # stays the same when you change the title
    cards:
      - title: Get ready
        countdown: 1m              # or 20s, 1m30s, 1:30, 90 (seconds)

      # A group is repeated: its cards may be groups again.
      - rounds: 3
        cards:
          - title: Work
            countdown: 45s
            note: What to keep in mind
          - title: Rest
            countdown: 15s
            rest: true             # shown as one, and hooks can tell it from work
            skipLast: true         # left out in the last round

      # A count-up runs until you go on (`sequence next`), and reminds you once its goal is reached.
      - title: Cool down
        countUp: { goal: 5m }      # {} for none

      # A countdown that waits for you when it is over:
      # - title: Coffee
      #   countdown: 4m
      #   advance: manual

    """
  }
}
