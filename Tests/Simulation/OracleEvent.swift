/// An event of a run, as an observer sees it who never looks away.
struct OracleEvent: Equatable, CustomStringConvertible {
  let kind: Kind
  let step: Int
  /// The active time of the step, in nanoseconds, because half of a countdown may be half a tick.
  let elapsed: Int
  /// The duration or goal of the step with extensions, in nanoseconds.
  let target: Int?
  let at: OracleMoment
  /// The entry of the journal that it follows from; events of one moment are in this order.
  var entry = 0

  var description: String {
    "\(kind) of step \(step) after \(elapsed) of \(target.map(String.init) ?? "no") ns at \(at.wall) µs, \(at.boot) ns of boot \(at.boots)"
  }

  enum Kind: Equatable {
    case runStart, stepStart, half, overtime, goal, runEnd, resume, extend, `return`, stop
    case stepEnd(isCompleted: Bool)
    /// This many nanoseconds of a countdown are left.
    case remaining(Int)
    case reminder(Int)
    /// The cause is that of a suspend; `nil` if the user paused the run.
    case pause(OracleSuspend.Cause?)
  }

  /// The remaining times of a countdown that are events, in nanoseconds.
  static let marks = [1, 2, 3, 10].map { $0 * 1_000_000_000 }
  /// The shortest time between two reminders, in nanoseconds.
  static let shortestCadence = 600_000_000_000
}

extension OracleRun {
  /// An event that time brings to the current step, apart from its end.
  struct Point: Equatable {
    let kind: OracleEvent.Kind
    let elapsed: Int
  }

  /// The length of a tick in nanoseconds.
  var tickLength: Int { quantum * 1000 }

  mutating func append(_ kind: OracleEvent.Kind, at moment: OracleMoment) {
    events.append(
      OracleEvent(
        kind: kind, step: index, elapsed: ran, target: target, at: moment,
        entry: entry))
  }

  /// Appends the event of a changed duration or goal, and that it is reached, if that is so and the step goes on.
  mutating func noteExtension(at moment: OracleMoment) {
    append(.extend, at: moment)
    guard ran == target, !step.endsByItself else { return }
    append(step.isCountUp ? .goal : .overtime, at: moment)
  }

  mutating func notePoints() {
    while let next = points.first, next.elapsed <= ran {
      points.removeFirst()
      events.append(event(next))
    }
  }

  func event(_ point: Point) -> OracleEvent {
    OracleEvent(
      kind: point.kind, step: index, elapsed: point.elapsed, target: target,
      at: clock.later(by: point.elapsed - ranBefore), entry: entry)
  }

  var end: OracleEvent? {
    guard isRunning, step.endsByItself, let target else { return nil }
    return event(Point(kind: .stepEnd(isCompleted: true), elapsed: target))
  }

  /// Returns the points of the current step after its elapsed time, in order.
  func pointsAhead() -> [Point] {
    guard let target else { return [] }
    var points: [Point] = []
    switch step.kind {
    case .automatic, .manual:
      // Half of a countdown comes before a mark at the same time.
      if target > 0 { points.append(Point(kind: .half, elapsed: target / 2)) }
      for mark in OracleEvent.marks where mark < target {
        points.append(Point(kind: .remaining(mark), elapsed: target - mark))
      }
      if !step.endsByItself { points.append(Point(kind: .overtime, elapsed: target)) }
      if case .manual(_, let insist?) = step.kind, ranBefore < target {
        points += (1...30).map { Point(kind: .reminder($0), elapsed: target + $0 * insist * tickLength) }
      }
    case .open: break
    case .goal(_, let reminders, let cadence):
      points.append(Point(kind: .goal, elapsed: target))
      let cadence = max(cadence * tickLength, OracleEvent.shortestCadence)
      for number in stride(from: 2, through: reminders, by: 1) {
        points.append(Point(kind: .reminder(number), elapsed: target + (number - 1) * cadence))
      }
    }
    return points.enumerated().sorted { ($0.element.elapsed, $0.offset) < ($1.element.elapsed, $1.offset) }
      .map(\.element).filter { $0.elapsed > ran }
  }
}
