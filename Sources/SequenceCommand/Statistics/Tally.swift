import SequenceRunner

/// What adds up for a day, a week, a sequence or all: runs, their steps and their active time.
struct Tally: Equatable, Sendable {
  private(set) var runs = 0
  private(set) var finished = 0
  private(set) var completed = 0
  private(set) var skipped = 0
  private(set) var active = Duration.zero

  mutating func add(runs: Int = 0, finished: Int = 0) {
    self.runs += runs
    self.finished += finished
  }

  mutating func add(completed: Int, skipped: Int) {
    self.completed += completed
    self.skipped += skipped
  }

  /// Adds active time; beyond what a duration holds it stays there.
  mutating func add(_ time: Duration) {
    // A damaged history may have any numbers: two of the largest are still far from the limit of a duration.
    active = min(active + time, Tally.most)
  }

  static func + (left: Tally, right: Tally) -> Tally {
    var sum = left
    sum.runs += right.runs
    sum.finished += right.finished
    sum.completed += right.completed
    sum.skipped += right.skipped
    sum.add(right.active)
    return sum
  }

  private static let most = Duration.nanoseconds(Int64.max)
}
