package struct Streak: Equatable, Sendable {
  package let current: Int
  package let longest: Int
  /// The last day of the longest streak, of the latest one if several are equally long; `nil` if there is none.
  package let longestEnd: CivilDay?

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
