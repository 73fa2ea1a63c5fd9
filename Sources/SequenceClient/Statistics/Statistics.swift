import FoundationEssentials
package import SequencePlatform
package import SequenceRunner

/// The totals of the history, by day, week and sequence.
///
/// Active time counts on the day on which it passed: the intervals during which the clock of a run was running are
/// split at midnights. A step counts on the day on which it ended, and a run of several days as a run of each.
package struct Statistics {
  package private(set) var total = Tally()
  package private(set) var days: [CivilDay: Tally] = [:]
  /// The weeks with runs, by their Mondays.
  package private(set) var weeks: [CivilDay: Tally] = [:]
  /// The sequences with runs, by their ids.
  package private(set) var sequences: [String: SequenceTally] = [:]
  private var activeDays: ActiveDays
  private let first: CivilDay?

  package struct SequenceTally: Equatable {
    package var title: String
    package var lastStart: Moment
    package var tally = Tally()
  }

  /// - Parameter first: the first day that counts; `nil` for all.
  package init(_ division: any DayDivision, since first: CivilDay? = nil) {
    activeDays = ActiveDays(division)
    self.first = first
  }

  package mutating func add(from store: RunStore, since: Moment) throws {
    for run in try store.historySummaries(since: since) where !add(run) {
      if let id = UUID(uuidString: run.runID), let run = try store.endedRun(id: id) {
        add(run, activity: try store.activity(of: id))
      }
    }
  }

  /// Returns whether the run was added; a run that may span several days has to be added with its steps.
  package mutating func add(_ run: EndedRunSummary) -> Bool {
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

  /// - Complexity: O(commands, intervals and days of the run).
  package mutating func add(_ run: EndedRun, activity: [ActiveInterval]) {
    var ofRun: [CivilDay: Tally] = [:]
    for interval in activity {
      for part in activeDays.parts(of: interval.active, from: interval.start) {
        ofRun[part.day, default: Tally()].add(part.duration)
      }
    }
    run.countSteps(untilEnd: { activeDays.range(of: $0).end }) { moment, completed, skipped in
      ofRun[activeDays.day(of: moment), default: Tally()].add(completed: completed, skipped: skipped)
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

  /// Adds the parts of a run; each of them counts as a run.
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

  package func streak(today: CivilDay) -> Streak {
    Streak(days.filter { $0.value.finished > 0 }.keys.sorted(), today: today)
  }
}
