import SequenceRunner

package struct Tally: Equatable, Sendable {
  package init() {}

  package private(set) var runs = 0
  package private(set) var finished = 0
  package private(set) var completed = 0
  package private(set) var skipped = 0
  package private(set) var active = Duration.zero

  package mutating func add(runs: Int = 0, finished: Int = 0) {
    self.runs += runs
    self.finished += finished
  }

  package mutating func add(completed: Int, skipped: Int) {
    self.completed += completed
    self.skipped += skipped
  }

  /// Adds active time, clamped to the range of a duration.
  package mutating func add(_ time: Duration) {
    // A damaged history may have any numbers; two of the largest are still far from the limit of a duration.
    active = min(active + time, Tally.most)
  }

  package static func + (left: Tally, right: Tally) -> Tally {
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
