/// A point in the time of a step at which something is to be told.
struct StepMark: Equatable {
  let kind: RunEvent.Kind
  /// The active time at which it is passed; with that elapsed it is.
  let offset: Duration

  /// The points in the time of a card, in their order.
  ///
  /// - Parameters:
  ///   - target: the duration or the goal, extensions included.
  ///   - lefts: what is left of a countdown when it is to be told; as much as it lasts is left at its start, which
  ///     is told already.
  static func marks(of card: Card, target: Duration?, remainingMarks: [Duration]) -> [StepMark] {
    guard let target else { return [] }
    switch card.timing {
    case .countUp: return [StepMark(kind: .goal, offset: target)]
    case .countdown(_, let advance):
      var marks = target > .zero ? [StepMark(kind: .half, offset: target / 2)] : []
      marks += remainingMarks.filter { $0 < target }.map { StepMark(kind: .left($0), offset: target - $0) }
      if advance == .manual { marks.append(StepMark(kind: .overtime, offset: target)) }
      return marks.sorted { $0.offset < $1.offset }
    }
  }

  /// Whether it was passed, and has not been told.
  ///
  /// Where the step has got another duration, what lies behind is not told in hindsight, but for its end.
  func isNews(at elapsed: Duration, of target: Duration?, after told: RunCursor.KnownStep?) -> Bool {
    guard offset <= elapsed else { return false }
    guard let told else { return true }
    guard told.target == target else { return kind == .goal || kind == .overtime }
    return told.elapsed < offset
  }
}
