/// What `sequence complete` lists for the completions of the shells.
enum CandidateKind: String, CaseIterable, Sendable {
  /// The names of the library.
  case names
  /// The cards of the sequence that the command line names.
  case cards
  /// The active run, and the last ones that are over.
  case runs
  /// The last runs that are over.
  case endedRuns = "ended-runs"
  /// The ids of the active run's cards.
  case activeCards = "active-cards"
  /// The id of the active run's sequence.
  case activeSequence = "active-sequence"
}
