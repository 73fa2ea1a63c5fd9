/// A point in the time of a step that causes an event.
struct StepMark: Equatable {
  let kind: RunEvent.Kind
  /// The active time of the point; the point is passed as soon as this much has elapsed.
  let offset: Duration

  /// Returns the points in the time of a card, in order.
  ///
  /// - Parameters:
  ///   - target: the duration or the goal, with extensions.
  ///   - remainingMarks: the remaining times of a countdown that cause a `left` event. The full duration is
  ///     left out, because it coincides with the start of the step.
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

  /// Returns whether the point was passed and not reported.
  ///
  /// After a change of the duration, points that already lie behind are not reported, except the end.
  func isNews(at elapsed: Duration, of target: Duration?, after told: RunCursor.KnownStep?) -> Bool {
    guard offset <= elapsed else { return false }
    guard let told else { return true }
    guard told.target == target else { return kind == .goal || kind == .overtime }
    return told.elapsed < offset
  }
}
