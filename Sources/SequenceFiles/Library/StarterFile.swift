/// The content of a new sequence file.
package enum StarterFile {
  /// Returns a sequence with a title, and with comments about the file format.
  ///
  /// - Parameter title: one line without control characters; the ids follow from it, so they differ from file
  ///   to file.
  package static func text(title: String) -> String {
    """
    # A sequence: cards, one after the other. `sequence check` says what is wrong with it, and shows its steps;
    # `man 5 sequence` has all that can be written.
    title: \(YAMLValue.written(title, isEnclosed: false))
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
