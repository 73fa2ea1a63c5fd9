package import FoundationEssentials
import SequencePlatform
import SequenceRunner

/// The planned and the actual times of cards, as medians of the steps that the user completed in the last runs of each
/// sequence.
package struct CardTimes {
  private var runs: [String: Int] = [:]
  private var times: [Key: Times] = [:]

  private static let mostRuns = 20

  private struct Key: Hashable {
    let sequence: String
    let card: UUID
  }

  private struct Times {
    /// The titles in the last run.
    let title: String
    let sequence: String
    var planned: [Duration] = []
    var actual: [Duration] = []
    var differences: [Duration] = []

    mutating func add(_ planned: Duration, _ actual: Duration) {
      self.planned.append(planned)
      self.actual.append(actual)
      differences.append(actual - planned)
    }
  }

  package struct Row: Equatable {
    package let cardID: UUID
    package let title: String
    package let sequenceID: String
    package let sequence: String
    package let steps: Int
    package let planned: Duration
    package let actual: Duration
    /// The median of the differences, which is not always the difference of the medians.
    package let difference: Duration
  }

  package init() {}

  /// Adds runs of the history, newest first, and reads those that count.
  mutating func add(_ summary: EndedRunSummary, read: (UUID) throws -> EndedRun?) rethrows {
    guard summary.outcome != .lost, runs[summary.sequenceID, default: 0] < CardTimes.mostRuns,
      let id = UUID(uuidString: summary.runID), let run = try read(id)
    else { return }
    runs[summary.sequenceID, default: 0] += 1
    add(run, summary.sequenceID)
  }

  private mutating func add(_ run: EndedRun, _ sequence: String) {
    let timeline = run.snapshot.timeline
    for record in run.records where record.outcome == .completed {
      // As the sequence plans it: an extension is more time than planned.
      guard let planned = timeline.timing(at: record.index).target else { continue }
      let card = timeline.card(at: record.index)
      let key = Key(sequence: sequence, card: card.id)
      times[key, default: Times(title: card.title, sequence: timeline.definition.title)].add(
        planned, record.actual)
    }
  }

  /// The cards whose steps take the most longer than planned first.
  package var rows: [Row] {
    times.map { key, times in
      Row(
        cardID: key.card, title: times.title, sequenceID: key.sequence, sequence: times.sequence,
        steps: times.actual.count, planned: CardTimes.median(times.planned),
        actual: CardTimes.median(times.actual), difference: CardTimes.median(times.differences))
    }.sorted {
      ($1.difference, $0.sequence, $0.title, $0.cardID.uuidString)
        < ($0.difference, $1.sequence, $1.title, $1.cardID.uuidString)
    }
  }

  /// The lower one of the middle, as for usual lengths.
  private static func median(_ times: [Duration]) -> Duration { times.sorted()[(times.count - 1) / 2] }
}
