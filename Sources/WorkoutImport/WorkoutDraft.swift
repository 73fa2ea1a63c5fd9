import SequenceRunner

/// A sequence on its way from another format, before it is written.
struct WorkoutDraft {
  /// What is shown; one line.
  var title: String
  /// What has no place in a sequence and is kept as comments, each a line.
  var comments: [String] = []
  /// The cards and groups in their order.
  var elements: [WorkoutElement] = []
  var report = ImportReport()
}

/// A card, or cards that are repeated.
indirect enum WorkoutElement: Equatable {
  case card(WorkoutCard)
  case group(rounds: Int, [WorkoutElement])
}

/// One thing to do; two are equal if they are written alike.
struct WorkoutCard: Equatable {
  var title: String
  /// What to keep in mind while doing it, in parts.
  var notes: [String] = []
  var timing: Timing
  /// Whether it is left out in the last round of its group.
  var skipsLastRound = false

  /// The note as it is written; `nil` if there is none.
  var note: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }

  static func == (left: WorkoutCard, right: WorkoutCard) -> Bool {
    left.title == right.title && left.note == right.note && left.timing == right.timing
      && left.skipsLastRound == right.skipsLastRound
  }
}
