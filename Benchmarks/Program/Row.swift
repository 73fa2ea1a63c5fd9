import SequenceRunner

/// A line of the table: a figure of Sequence, with the figure for comparison.
struct Row {
  let what: String
  let ours: Figure
  let other: Other?
  let goal: Goal?

  /// The figure for comparison, measured in the same run.
  struct Other {
    let name: String
    let figure: Figure
  }

  enum Goal {
    /// At most this multiple of the other figure.
    case ratio(Double)
    /// At most this value, whatever the other figure.
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

  /// The figure of Sequence divided by the other; `nil` if that is missing or zero.
  var ratio: Double? {
    guard let other, other.figure.value > 0 else { return nil }
    return ours.value / other.figure.value
  }

  /// Whether the goal is met; `nil` without a goal.
  ///
  /// A missing ratio misses its goal.
  var isMet: Bool? {
    switch goal {
    case nil: nil
    case .ratio(let most): ratio.map { $0 <= most } ?? false
    case .limit(let most): ours.value <= most.value
    }
  }
}
