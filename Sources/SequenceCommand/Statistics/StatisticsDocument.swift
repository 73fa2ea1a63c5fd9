import FoundationEssentials
import SequencePlatform
import SequenceClient
import SequenceRunner

/// The document of `stats --json`.
struct StatisticsDocument: Encodable {
  let schema = JSONText.schema
  /// The first day that counts; `nil` for all.
  let since: String?
  let total: TallyDocument
  let streak: StreakDocument
  var days: [DayDocument]?
  var weeks: [WeekDocument]?
  var sequences: [SequenceDocument]?

  struct TallyDocument: Encodable {
    let runs: Int
    let finished: Int
    let completed: Int
    let skipped: Int
    let active: Double

    init(_ tally: Tally) {
      (runs, finished) = (tally.runs, tally.finished)
      (completed, skipped, active) = (tally.completed, tally.skipped, tally.active.seconds)
    }
  }

  struct StreakDocument: Encodable {
    let current: Int
    let longest: Int
    let longestEnd: String?
  }

  struct DayDocument: Encodable {
    let day: String
    let total: TallyDocument
  }

  struct WeekDocument: Encodable {
    let week: String
    let monday: String
    let total: TallyDocument
  }

  struct SequenceDocument: Encodable {
    let sequence: StatusDocument.SequenceIdentity
    let lastStartedAt: String
    let total: TallyDocument
  }

  init(_ statistics: Statistics, by grouping: StatisticsGrouping, since: CivilDay?, today: CivilDay) {
    self.since = since?.description
    total = TallyDocument(statistics.total)
    let streak = statistics.streak(today: today)
    self.streak = StreakDocument(
      current: streak.current, longest: streak.longest, longestEnd: streak.longestEnd?.description)
    switch grouping {
    case .day:
      days = statistics.days.sorted { $0.key < $1.key }
        .map { DayDocument(day: $0.key.description, total: TallyDocument($0.value)) }
    case .week:
      weeks = statistics.weeks.sorted { $0.key < $1.key }
        .map {
          WeekDocument(week: $0.key.week, monday: $0.key.description, total: TallyDocument($0.value))
        }
    case .sequence:
      sequences = statistics.sequencesByTime.map {
        SequenceDocument(
          sequence: .init(id: $0.id, title: $0.entry.title),
          lastStartedAt: $0.entry.lastStart.description, total: TallyDocument($0.entry.tally))
      }
    }
  }
}
