package import SequencePlatform
package import SequenceRunner

/// The totals of the history, by day, a longer period, sequence and label.
///
/// Active time counts on the day on which it passed: the intervals during which the clock of a run was running are
/// split where a day begins. A step counts on the day on which it ended, and a run of several days as a run of each.
package struct Statistics {
  package private(set) var total = Tally()
  package private(set) var days: [CivilDay: Tally] = [:]
  /// The weeks, months or years with runs, by their first days; empty for another grouping.
  package private(set) var periods: [CivilDay: Tally] = [:]
  /// The sequences with runs, by their ids.
  package private(set) var sequences: [String: SequenceTally] = [:]
  /// The labels of runs, with `nil` for runs without one; empty for another grouping.
  ///
  /// A run counts for each of its labels.
  package private(set) var labels: [String?: Tally] = [:]
  package private(set) var runsWithSeveralLabels = 0
  /// The times of cards; empty for another grouping.
  package private(set) var cards = CardTimes()
  private var activeDays: ActiveDays
  private var division: any DayDivision { activeDays.division }
  private let first: CivilDay?
  package let grouping: StatisticsGrouping

  /// What counts on a day.
  package typealias Part = (day: CivilDay, tally: Tally)

  package struct SequenceTally: Equatable {
    package var title: String
    package var lastStart: Moment
    package var tally = Tally()
  }

  /// - Parameter first: the first day that counts; `nil` for all.
  package init(
    _ division: any DayDivision, since first: CivilDay? = nil, by grouping: StatisticsGrouping = .day
  ) {
    self.grouping = grouping
    activeDays = ActiveDays(division)
    self.first = first
  }

  /// - Parameter label: a label of the runs; `nil` for all runs.
  package mutating func add(from store: RunStore, since: Moment, label: String? = nil) throws {
    try add(store.historySummaries(HistoryQuery(since: since, label: label)), from: store)
  }

  /// - Parameters:
  ///   - runs: runs of the store.
  ///   - body: called with each run that counts, and its parts by day.
  package mutating func add(
    _ runs: [EndedRunSummary], from store: RunStore,
    each body: (EndedRunSummary, [Part]) -> Void = { _, _ in }
  ) throws {
    if grouping == .card { for run in runs { try cards.add(run) { try store.endedRun(id: $0) } } }
    for run in runs {
      guard let all = try parts(of: run, from: store) else { continue }
      let parts = counted(all)
      add(parts, of: run)
      if !parts.isEmpty { body(run, parts) }
    }
  }

  /// Returns the parts of a run by day; `nil` if it was removed meanwhile.
  private mutating func parts(of run: EndedRunSummary, from store: RunStore) throws -> [Part]? {
    if let part = singlePart(of: run) { return [part] }
    return try store.wholeRun(run).map { parts(of: $0, activity: try store.activity(of: $0)) }
  }

  /// Returns whether the run was added; a run that may span several days has to be added with its steps.
  package mutating func add(_ run: EndedRunSummary) -> Bool {
    guard let part = singlePart(of: run) else { return false }
    add(counted([part]), of: run)
    return true
  }

  /// Returns the day of a run and all of it; `nil` for a run that may span several days.
  private mutating func singlePart(of run: EndedRunSummary) -> Part? {
    let (day, end) = activeDays.range(of: run.startedAt)
    guard run.startedAt <= run.endedAt, run.endedAt < end, run.active >= .zero,
      run.active <= end.duration(since: run.startedAt)
    else { return nil }
    var tally = Tally()
    tally.add(run.active, rest: run.rest)
    tally.add(completed: run.completed, skipped: run.skipped)
    return (day, tally)
  }

  /// - Complexity: O(commands, intervals and days of the run).
  package mutating func add(_ run: EndedRun, activity: [ActiveInterval]) {
    add(counted(parts(of: run, activity: activity)), of: EndedRunSummary(run))
  }

  private mutating func parts(of run: EndedRun, activity: [ActiveInterval]) -> [Part] {
    var ofRun: [CivilDay: Tally] = [:]
    for interval in activity {
      for part in activeDays.parts(of: interval.active, from: interval.start) {
        ofRun[part.day, default: Tally()].add(part.duration)
      }
    }
    for rest in rests(of: run, in: activity) {
      for part in activeDays.parts(of: rest.active, from: rest.start) {
        ofRun[part.day, default: Tally()].add(.zero, rest: part.duration)
      }
    }
    run.countSteps(untilEnd: { activeDays.range(of: $0).end }) { moment, completed, skipped in
      ofRun[activeDays.day(of: moment), default: Tally()].add(completed: completed, skipped: skipped)
    }
    if ofRun.isEmpty { ofRun[activeDays.day(of: run.snapshot.startedAt)] = Tally() }
    return ofRun.map { ($0, $1) }
  }

  /// Returns the intervals in which the clock of a rest was running: those of the run, as far as a rest was its step.
  ///
  /// - Complexity: O(steps + intervals).
  private func rests(of run: EndedRun, in activity: [ActiveInterval]) -> [ActiveInterval] {
    var (rests, left) = ([ActiveInterval](), activity[...])
    for record in run.records where run.snapshot.timeline.card(at: record.index).isRest {
      left = left.drop { $0.start.advanced(by: $0.active) <= record.startedAt }
      for interval in left.prefix(while: { $0.start < record.endedAt }) {
        let start = max(interval.start, record.startedAt)
        let end = min(interval.start.advanced(by: interval.active), record.endedAt)
        if start < end { rests.append(ActiveInterval(start: start, active: end.duration(since: start))) }
      }
    }
    return rests
  }

  private func counted(_ parts: [Part]) -> [Part] {
    guard let first, parts.contains(where: { $0.day < first }) else { return parts }
    return parts.filter { $0.day >= first }
  }

  private mutating func add(_ parts: [Part], of run: EndedRunSummary) {
    guard !parts.isEmpty else { return }
    let finished = run.outcome == .finished ? 1 : 0
    for part in parts { Statistics.add(part, finished: finished, to: &days) }
    if [.week, .month, .year].contains(grouping) {
      // A run counts once in each period.
      var ofPeriods: [CivilDay: Tally] = [:]
      for part in parts { ofPeriods[start(of: part.day), default: Tally()] += part.tally }
      for (start, tally) in ofPeriods { Statistics.add((start, tally), finished: finished, to: &periods) }
    }
    var sum = parts.reduce(into: Tally()) { $0 += $1.tally }
    sum.add(runs: 1, finished: finished)
    total += sum
    add(sum, of: run)
  }

  /// Adds a part of a run, which counts as a run there.
  private static func add(_ part: Part, finished: Int, to tallies: inout [CivilDay: Tally]) {
    var tally = part.tally
    tally.add(runs: 1, finished: finished)
    tallies[part.day, default: Tally()] += tally
  }

  private mutating func add(_ sum: Tally, of run: EndedRunSummary) {
    let (title, start) = (run.title, run.startedAt)
    var entry = sequences[run.sequenceID] ?? SequenceTally(title: title, lastStart: start)
    if start >= entry.lastStart { (entry.title, entry.lastStart) = (title, start) }
    entry.tally += sum
    sequences[run.sequenceID] = entry
    guard grouping == .label else { return }
    for label in run.countedLabels {
      labels[label, default: Tally()] += sum
    }
    if run.labels.count > 1 { runsWithSeveralLabels += 1 }
  }

  /// Returns the first day of the period of a day.
  private func start(of day: CivilDay) -> CivilDay {
    switch grouping {
    case .day, .sequence, .label, .card: day
    case .week: division.week(of: day)
    case .month: day.month
    case .year: CivilDay(year: day.date.year, month: 1, day: 1)
    }
  }

  /// Returns the first day of the period that is a number of periods after the one of a day.
  package func period(of day: CivilDay, after count: Int) -> CivilDay {
    let start = start(of: day)
    switch grouping {
    case .day, .sequence, .label, .card: return start + count
    case .week: return start + 7 * count
    case .month:
      let months = start.date.year * 12 + start.date.month - 1 + count
      let month = (months % 12 + 12) % 12
      return CivilDay(year: (months - month) / 12, month: month + 1, day: 1)
    case .year: return CivilDay(year: start.date.year + count, month: 1, day: 1)
    }
  }

  /// Returns the name of a period, such as `2026-W47`, `2026-11` or `2026`; `nil` for a week that isn't one of ISO 8601.
  package func name(of start: CivilDay) -> String? {
    switch grouping {
    case .day, .sequence, .label, .card: start.description
    case .week: division.firstWeekday == 0 ? start.week : nil
    case .month: String(start.description.prefix(7))
    case .year: String(start.description.prefix(4))
    }
  }

  package func streak(today: CivilDay) -> Streak {
    Streak(days.filter { $0.value.finished > 0 }.keys.sorted(), today: today)
  }
}

package enum StatisticsGrouping: String, CaseIterable, Sendable {
  case day, week, month, year, sequence, label, card
}

extension Statistics {
  package var sequencesByTime: [(id: String, entry: SequenceTally)] {
    sequences.map { (id: $0.key, entry: $0.value) }.sorted {
      ($1.entry.tally.active, $0.id) < ($0.entry.tally.active, $1.id)
    }
  }

  /// The labels, and at the end the runs without one.
  package var labelsByTime: [(label: String?, tally: Tally)] {
    labels.map { (label: $0.key, tally: $0.value) }.sorted {
      guard let label = $0.label, let other = $1.label else { return $0.label != nil }
      return ($1.tally.active, label) < ($0.tally.active, other)
    }
  }

  /// Lists the days or longer periods of a time in ascending order, including those without runs.
  ///
  /// - Parameters:
  ///   - first: a day of the first period; `nil` to begin with the first run.
  ///   - last: a day of the last period; a later run extends the list.
  /// - Returns: the rows; `nil` stands for more than `longestGap` rows without runs.
  package func rows(from first: CivilDay?, to last: CivilDay) -> [(start: CivilDay, tally: Tally)?] {
    var rows: [(start: CivilDay, tally: Tally)?] = []
    let first = first.map(start)
    var next = first
    func fill(to end: CivilDay) {
      guard var start = next, start < end else { return }
      var gap: [CivilDay] = []
      while start < end, gap.count <= Statistics.longestGap {
        gap.append(start)
        start = period(of: start, after: 1)
      }
      rows += gap.count > Statistics.longestGap ? [nil] : gap.map { ($0, Tally()) }
    }
    let tallies = grouping == .day ? days : periods
    for (start, tally) in tallies.sorted(by: { $0.key < $1.key }) where first.map({ start >= $0 }) ?? true {
      fill(to: start)
      rows.append((start, tally))
      next = period(of: start, after: 1)
    }
    fill(to: last + 1)
    return rows
  }

  /// The most periods without runs that get a row each.
  private static let longestGap = 60
}

package struct Tally: Equatable, Sendable {
  package init() {}

  package private(set) var runs = 0
  package private(set) var finished = 0
  package private(set) var completed = 0
  package private(set) var skipped = 0
  package private(set) var active = Duration.zero
  /// The part of the active time that was rest.
  package private(set) var rest = Duration.zero
  package var work: Duration { max(.zero, active - rest) }

  package mutating func add(runs: Int = 0, finished: Int = 0) {
    self.runs += runs
    self.finished += finished
  }

  package mutating func add(completed: Int, skipped: Int) {
    self.completed += completed
    self.skipped += skipped
  }

  /// Adds active time, clamped to the range of a duration.
  package mutating func add(_ time: Duration, rest: Duration = .zero) {
    // A damaged history may have any numbers; two of the largest are still far from the limit of a duration.
    active = min(active + time, Tally.most)
    self.rest = min(max(.zero, self.rest + rest), Tally.most)
  }

  package static func += (sum: inout Tally, other: Tally) {
    sum.runs += other.runs
    sum.finished += other.finished
    sum.completed += other.completed
    sum.skipped += other.skipped
    sum.add(other.active, rest: other.rest)
  }

  private static let most = Duration.nanoseconds(Int64.max)
}
