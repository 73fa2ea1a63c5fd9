import FoundationEssentials
import SequencePlatform

package enum StatisticsGrouping: String, CaseIterable, Sendable {
  case day
  case week
  case sequence
}

extension Statistics {
  package var sequencesByTime: [(id: String, entry: SequenceTally)] {
    sequences.map { (id: $0.key, entry: $0.value) }.sorted {
      ($1.entry.tally.active, $0.id) < ($0.entry.tally.active, $1.id)
    }
  }

  /// Lists the days or weeks of a period in ascending order, including those without runs.
  ///
  /// - Parameters:
  ///   - first: the first day of the period; `nil` to begin with the first run.
  ///   - last: the last day of the period; a later run extends it.
  /// - Returns: the rows; `nil` stands for more than `longestGap` rows without runs.
  package static func rows(
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

  /// The most days or weeks without runs that get a row each.
  private static let longestGap = 60
}
