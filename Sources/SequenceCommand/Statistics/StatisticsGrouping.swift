import FoundationEssentials
import Platform

/// What the rows of statistics are of.
enum StatisticsGrouping: String, CaseIterable, Sendable {
  case day
  case week
  case sequence
}

extension Statistics {
  /// The sequences, those with the most active time first.
  var sequencesByTime: [(id: String, entry: SequenceTally)] {
    sequences.map { (id: $0.key, entry: $0.value) }.sorted {
      ($1.entry.tally.active, $0.id) < ($0.entry.tally.active, $1.id)
    }
  }

  /// The days or weeks of a period, in ascending order, with those that have no runs.
  ///
  /// - Parameters:
  ///   - first: where the period begins; with the first run, if that is later.
  ///   - last: where it ends; with the last run, if that is later.
  /// - Returns: each with its runs; `nil` for more than `longestGap` in a row that have none.
  static func rows(
    _ tallies: [CivilDay: Tally], every step: Int, from first: CivilDay?, to last: CivilDay
  ) -> [(start: CivilDay, tally: Tally)?] {
    var rows: [(start: CivilDay, tally: Tally)?] = []
    var next = first
    func fill(to end: CivilDay) {
      guard var day = next else { return }
      guard (end.number - day.number) / step <= longestGap else { return rows.append(nil) }
      while day < end {
        rows.append((day, Tally()))
        day = day + step
      }
    }
    for (start, tally) in tallies.sorted(by: { $0.key < $1.key }) where first.map({ start >= $0 }) ?? true {
      fill(to: start)
      rows.append((start, tally))
      next = start + step
    }
    fill(to: last + 1)
    return rows
  }

  /// The most days or weeks without runs that are told one by one.
  private static let longestGap = 60
}
