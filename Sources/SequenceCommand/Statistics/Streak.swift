/// Days in a row, each with at least one run that was finished.
struct Streak: Equatable, Sendable {
  /// How many days the streak has that goes on; zero if none does.
  let current: Int
  /// How many days the longest one has.
  let longest: Int
  /// The last day of the longest one, the latest if there are several; `nil` without any.
  let longestEnd: CivilDay?

  /// The streaks of some days, in ascending order.
  ///
  /// A day is not lost before it is over: a streak that reaches until yesterday goes on.
  init(_ days: [CivilDay], today: CivilDay) {
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
