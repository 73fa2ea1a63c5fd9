import FoundationEssentials
import Platform
import SequenceRunner

/// What the runs of the history add up to, by day and by sequence.
///
/// A step's active time is taken as one piece from its start on: its pauses are not kept, only that they are no part
/// of it. The time of steps that were restarted is taken as one piece from the start of the run on. Its end is not looked at, since a clock that was set moves it. So the time of a run is split at midnights,
/// and a run across one is a run of both days.
struct Statistics {
  private(set) var total = Tally()
  private(set) var days: [CivilDay: Tally] = [:]
  /// The weeks with runs, each by its Monday.
  private(set) var weeks: [CivilDay: Tally] = [:]
  private(set) var sequences: [String: SequenceTally] = [:]
  private var activeDays: ActiveDays
  private let first: CivilDay?

  /// What the runs of one sequence add up to.
  struct SequenceTally: Equatable {
    /// The title that it had last.
    var title: String
    /// When the last of the runs started.
    var lastStart: Moment
    var tally = Tally()
  }

  /// - Parameter first: the first day that counts; `nil` for all.
  init(_ division: any DayDivision, since first: CivilDay? = nil) {
    activeDays = ActiveDays(division)
    self.first = first
  }

  /// Adds the runs of a history that did not end before a moment.
  mutating func add(from store: RunStore, since: Moment) throws {
    for run in try store.historySummaries(since: since) where !add(run) {
      if let id = UUID(uuidString: run.runID), let run = try store.endedRun(id: id) { add(run) }
    }
  }

  /// Adds a run of one day by its figures.
  ///
  /// - Returns: whether the figures were enough; a run that may be of several days has to be added with its steps.
  mutating func add(_ run: EndedRunSummary) -> Bool {
    let (start, end) = activeDays.range(of: run.startedAt)
    guard run.startedAt <= run.endedAt, run.endedAt < end, run.active >= .zero,
      run.active <= end.duration(since: run.startedAt)
    else { return false }
    var tally = Tally()
    tally.add(run.active)
    tally.add(completed: run.completed, skipped: run.skipped)
    add([start: tally], of: run)
    return true
  }

  /// Adds a run with its steps.
  ///
  /// - Complexity: O(steps and days of the run).
  mutating func add(_ run: EndedRun) {
    var ofRun: [CivilDay: Tally] = [:]
    for record in run.records {
      let parts = activeDays.parts(of: record.actual, from: record.startedAt)
      for part in parts { ofRun[part.day, default: Tally()].add(part.duration) }
      // A step counts on the day on which it was over.
      let day = parts.last?.day ?? activeDays.day(of: record.startedAt)
      ofRun[day, default: Tally()].add(
        completed: record.outcome == .completed ? 1 : 0, skipped: record.outcome == .skipped ? 1 : 0)
    }
    for part in activeDays.parts(of: run.snapshot.unrecorded, from: run.snapshot.startedAt) {
      ofRun[part.day, default: Tally()].add(part.duration)
    }
    if ofRun.isEmpty { ofRun[activeDays.day(of: run.snapshot.startedAt)] = Tally() }
    add(ofRun, of: EndedRunSummary(run))
  }

  private mutating func add(_ days: [CivilDay: Tally], of run: EndedRunSummary) {
    let ofRun = first.map { first in days.filter { $0.key >= first } } ?? days
    guard !ofRun.isEmpty else { return }
    let finished = run.outcome == .finished ? 1 : 0
    Statistics.add(ofRun, finished: finished, to: &self.days)
    let ofWeeks = Dictionary(ofRun.map { ($0.key.monday, $0.value) }) { $0 + $1 }
    Statistics.add(ofWeeks, finished: finished, to: &weeks)
    var sum = ofRun.values.reduce(Tally(), +)
    sum.add(runs: 1, finished: finished)
    total = total + sum
    add(sum, of: run)
  }

  /// Adds the parts of a run, which is a run of each of them.
  private static func add(_ parts: [CivilDay: Tally], finished: Int, to tallies: inout [CivilDay: Tally]) {
    for (start, part) in parts {
      var part = part
      part.add(runs: 1, finished: finished)
      tallies[start] = tallies[start, default: Tally()] + part
    }
  }

  private mutating func add(_ sum: Tally, of run: EndedRunSummary) {
    let (title, start) = (run.title, run.startedAt)
    var entry = sequences[run.sequenceID] ?? SequenceTally(title: title, lastStart: start)
    if start >= entry.lastStart { (entry.title, entry.lastStart) = (title, start) }
    entry.tally = entry.tally + sum
    sequences[run.sequenceID] = entry
  }

  /// The streaks of days with a run that was finished.
  func streak(today: CivilDay) -> Streak {
    Streak(days.filter { $0.value.finished > 0 }.keys.sorted(), today: today)
  }
}
