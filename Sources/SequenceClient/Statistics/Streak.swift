import SequencePlatform
package import SequenceRunner

package struct Streak: Equatable, Sendable {
  package let current: Int
  package let longest: Int
  /// The last day of the longest streak, of the latest one if several are equally long; `nil` if there is none.
  package let longestEnd: CivilDay?

  /// Returns the length of the current streak; reads one run of each day, and more only if that run doesn't count there.
  ///
  /// - Complexity: O(days of the streak · log(runs)), and O(runs) for a day without a finished run that started on it.
  package static func current(in store: RunStore, today: CivilDay, _ calendar: LocalDays) throws -> Int {
    var (length, last) = (0, today)
    while true {
      let days = (0..<daysAtOnce).map { last + -$0 }
      let starts = days.map(calendar.start(of:))
      let ends = [calendar.start(of: last + 1)] + starts
      let runs = try store.firstFinished(startedIn: zip(starts, ends).map { $0..<$1 })
      for (day, run) in zip(days, runs) {
        if try isActive(day, run, in: store, calendar) {
          length += 1
        } else if day < today {
          return length
        }
      }
      last = last + -daysAtOnce
    }
  }

  private static let daysAtOnce = 64

  /// Returns whether a finished run counts on a day.
  ///
  /// - Parameter run: the first one that started on it.
  private static func isActive(
    _ day: CivilDay, _ run: EndedRunSummary?, in store: RunStore, _ calendar: LocalDays
  ) throws -> Bool {
    var statistics = Statistics(calendar, since: day)
    func counts() -> Bool { (statistics.days[day]?.finished ?? 0) > 0 }
    if let run {
      try statistics.add([run], from: store)
      if counts() { return true }
    }
    // A run of the day before may reach into the day.
    try statistics.add(store.historySummaries(calendar.query(day..<day + 1)), from: store)
    return counts()
  }

  /// Finds the streaks of days in ascending order.
  ///
  /// A streak that ends yesterday is current, because today isn't over.
  package init(_ days: [CivilDay], today: CivilDay) {
    var (length, longest, longestEnd) = (0, 0, CivilDay?.none)
    var (current, last) = (0, CivilDay?.none)
    for day in days {
      length = last.map { $0 + 1 == day } ?? false ? length + 1 : 1
      if length >= longest { (longest, longestEnd) = (length, day) }
      if day == today || day + 1 == today { current = length }
      last = day
    }
    (self.current, self.longest, self.longestEnd) = (current, longest, longestEnd)
  }
}
