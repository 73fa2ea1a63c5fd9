import SequenceRunner

/// An imported sequence before it is written.
struct WorkoutDraft {
  /// The title; one line.
  var title: String
  /// The comments for parts that a sequence cannot contain, one line each.
  var comments: [String] = []
  /// The cards and groups, in running order.
  var elements: [WorkoutElement] = []
  var report = ImportReport()
}

/// A card, or elements that are repeated.
indirect enum WorkoutElement: Equatable {
  case card(WorkoutCard)
  case group(rounds: Rounds, [WorkoutElement])
}

/// An imported card; equality compares the written form.
struct WorkoutCard: Equatable {
  var title: String
  /// The parts of the note.
  var notes: [String] = []
  var timing: Timing
  /// Whether the last round of its group leaves it out.
  var skipsLastRound = false

  /// The note as written; `nil` without parts.
  var note: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }

  static func == (left: WorkoutCard, right: WorkoutCard) -> Bool {
    left.title == right.title && left.note == right.note && left.timing == right.timing
      && left.skipsLastRound == right.skipsLastRound
  }
}
