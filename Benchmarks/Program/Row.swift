import SequenceRunner

/// A line of the table: something of ours, beside what it is compared with.
struct Row {
  let what: String
  let ours: Figure
  let other: Other?
  let goal: Goal?

  /// What ours is compared with, measured in the same run.
  struct Other {
    let name: String
    let figure: Figure
  }

  /// What has to hold for ours.
  enum Goal {
    /// It is at most so many times the other.
    case ratio(Double)
    /// It is at most so much, whatever the other is.
    case limit(Figure)
  }

  init(_ what: String, _ ours: Figure, beside name: String, _ other: Figure, goal: Goal? = nil) {
    self.what = what
    self.ours = ours
    self.other = Other(name: name, figure: other)
    self.goal = goal
  }

  init(_ what: String, _ ours: Figure, goal: Goal? = nil) {
    self.what = what
    self.ours = ours
    other = nil
    self.goal = goal
  }

  /// Ours in terms of the other; `nil` where there is none, or it is nothing.
  var ratio: Double? {
    guard let other, other.figure.value > 0 else { return nil }
    return ours.value / other.figure.value
  }

  /// Whether the goal is met; `nil` without one.
  ///
  /// A ratio that cannot be had misses its goal.
  var isMet: Bool? {
    switch goal {
    case nil: nil
    case .ratio(let most): ratio.map { $0 <= most } ?? false
    case .limit(let most): ours.value <= most.value
    }
  }
}
