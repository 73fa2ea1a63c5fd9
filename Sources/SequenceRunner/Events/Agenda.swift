package import SequencePlatform

/// The events that time brings to a run, in order, up to the next point that only the user can pass.
///
/// The events are derived while they are read, so a reader that stops early pays only for what it has read. They
/// don't depend on when or how often the agenda is read.
package struct Agenda: Sequence, Sendable {
  private let chain: StepChain?
  /// The time from the start of the clock to the position of the reader; `nil` if it has read nothing.
  private let time: Duration?
  private let marks: [Duration]

  /// - Parameters:
  ///   - chain: the steps that time passes; `nil` for a run whose clock is stopped.
  ///   - time: the position of the reader, as a time after the start of the clock; `nil` if it has read nothing, not
  ///     even the end of a step that has no time left at the start.
  ///   - marks: the remaining times of a countdown that are events; those up to zero are ignored.
  package init(_ chain: StepChain?, after time: Duration? = nil, marks: some Sequence<Duration> = []) {
    self.chain = chain
    self.time = time
    // A time after the end of the countdown would hold that back.
    self.marks = marks.filter { $0 > .zero }.sorted(by: >)
  }

  /// - Complexity: O(log steps).
  package func makeIterator() -> Iterator {
    Iterator(chain, after: time, marks: marks)
  }

  /// Returns the first event of some kinds; `nil` if time brings none.
  ///
  /// - Complexity: O(steps until that event), at most two rounds if the sequence is endless.
  package func first(ofKinds names: Set<RunEvent.Name>) -> RunEvent? {
    var events = makeIterator()
    // After one whole endless round the kinds repeat.
    let end = chain?.timeline.firstEndlessRound.map { Swift.max($0.lowerBound, events.step) + 2 * $0.count }
    while let event = events.next(), event.step < end ?? .max {
      if names.contains(event.kind.name) { return event }
    }
    return nil
  }

  package struct Iterator: IteratorProtocol {
    private let chain: StepChain?
    private let marks: [Duration]
    fileprivate private(set) var step = 0
    private var target: Duration?
    private var points: [Point] = []
    private var place = 0

    private struct Point {
      let kind: RunEvent.Kind
      let elapsed: Duration
    }

    fileprivate init(_ chain: StepChain?, after time: Duration?, marks: [Duration]) {
      self.chain = chain
      self.marks = marks
      guard let chain else { return }
      step = time.map { chain.step(after: $0) } ?? chain.first
      guard step < chain.timeline.end else { return }
      addPoints(chain)
      let elapsed = chain.elapsed(ofStepAt: step, after: time ?? .zero)
      while place < points.count, points[place].kind.name != .stepEnd, points[place].elapsed <= elapsed {
        place += 1
      }
    }

    /// - Complexity: O(log steps), for a constant number of marks.
    package mutating func next() -> RunEvent? {
      guard let chain, place < points.count else { return nil }
      let (point, step, target) = (points[place], step, target)
      place += 1
      var at = chain.reading(inStepAt: step, after: point.elapsed)
      switch point.kind {
      case .stepEnd:
        at = chain.start(ofStepAt: step + 1)
        endStep(chain)
      case .ended: at = chain.start(ofStepAt: step + 1)
      default: break
      }
      return RunEvent(kind: point.kind, step: step, at: at, elapsed: point.elapsed, target: target)
    }

    private mutating func endStep(_ chain: StepChain) {
      points.removeAll(keepingCapacity: true)
      place = 0
      if step + 1 < chain.timeline.end {
        step += 1
        points.append(Point(kind: .stepStart, elapsed: .zero))
        addPoints(chain)
      } else {
        points.append(Point(kind: .ended(.finished), elapsed: target ?? .zero))
      }
    }

    private mutating func addPoints(_ chain: StepChain) {
      target = chain.target(ofStepAt: step)
      guard let target else { return }
      let card = chain.timeline.card(at: step)
      switch card.timing {
      case .countdown(_, let advance):
        var half: Duration? = target > .zero ? target / 2 : nil
        // As much as the target is left at the start, which is an event of its own.
        for mark in marks where mark < target {
          if let offset = half, offset <= target - mark {
            points.append(Point(kind: .half, elapsed: offset))
            half = nil
          }
          points.append(Point(kind: .remaining(mark), elapsed: target - mark))
        }
        if let half { points.append(Point(kind: .half, elapsed: half)) }
        points.append(Point(kind: advance == .manual ? .overtime : .stepEnd(.completed), elapsed: target))
        // Whatever restarts the clock past the target, such as a command, has shown that the user knows.
        guard let interval = card.insist, step > chain.first || chain.before < target else { return }
        for number in 1...SequenceLimits.mostInsistence {
          points.append(Point(kind: .reminder(number), elapsed: target + interval * number))
        }
      case .countUp(let goal):
        points.append(Point(kind: .goal, elapsed: target))
        guard let goal, goal.reminders > 1 else { return }
        for number in 2...goal.reminders {
          points.append(Point(kind: .reminder(number), elapsed: target + goal.cadence * (number - 1)))
        }
      }
    }
  }
}

extension ActiveRunSnapshot {
  /// Returns the events that time brings to the run after a reading, up to the next point that only the user can
  /// pass.
  ///
  /// An event at the reading itself is left out, except the end of a step at the start of its clock. A run whose clock
  /// is stopped has no agenda.
  ///
  /// - Parameters:
  ///   - reading: any reading since the start of the clock; the run need not be settled at it.
  ///   - marks: the remaining times of a countdown that are events.
  /// - Complexity: O(log steps) for each event.
  package func agenda(after reading: ClockReading, marks: some Sequence<Duration> = []) -> Agenda {
    let time = chain.map { reading.elapsed(since: $0.since) }
    return Agenda(chain, after: time == .zero ? nil : time, marks: marks)
  }
}
