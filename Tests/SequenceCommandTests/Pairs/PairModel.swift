import Foundation

/// A moment between two others, in seconds.
struct PairSpan {
  var from: Double
  var to: Double

  init(_ from: Double, _ to: Double) { (self.from, self.to) = (from, to) }
  init(_ exact: Double) { self.init(exact, exact) }

  static func + (left: PairSpan, right: PairSpan) -> PairSpan {
    PairSpan(left.from + right.from, left.to + right.to)
  }
  static func - (left: PairSpan, right: PairSpan) -> PairSpan {
    PairSpan(left.from - right.to, left.to - right.from)
  }

  func contains(_ value: Double, within tolerance: Double = 0.005) -> Bool {
    value >= from - tolerance && value <= to + tolerance
  }
}

/// A model of a run by the rules of the documentation, independent of the program.
///
/// It knows only the times between which something happened.
struct PairModel {
  struct Record: Equatable {
    let index: Int
    let isCompleted: Bool
    let planned: Double?
  }

  struct Run {
    let steps: [PairStep]
    var index = 0
    var isPaused = false
    /// The beginning of the suspend, and whether the machine is back.
    var suspend: (since: PairSpan, isBack: Bool)?
    var extended = PairSpan(0)
    /// The elapsed time at the last start or stop of the clock, and the time of that start.
    var elapsed = PairSpan(0)
    var since = PairSpan(0)
    var records: [Record] = []
    /// The active time before the current step, including restarted steps.
    var active = PairSpan(0)
    var isCleared = false
    /// Whether the target of the current step is known to be reached.
    var hasReached = false

    var step: PairStep { steps[index] }

    var target: PairSpan? {
      switch step.card.timing {
      case .automatic(let seconds), .manual(let seconds), .goal(let seconds, _, _):
        PairSpan(seconds) + extended
      case .open: nil
      }
    }

    func elapsed(at now: PairSpan) -> PairSpan { isPaused ? elapsed : elapsed + (now - since) }
  }

  enum Ending: String { case finished, stopped }

  struct EndedRun {
    let ending: Ending
    let steps: [PairStep]
    let records: [Record]
    let active: PairSpan
  }

  private(set) var run: Run?
  private(set) var history: [EndedRun] = []
  private(set) var events: [String] = []

  mutating func start(_ steps: [PairStep], at now: PairSpan) {
    run = Run(steps: steps, since: now)
    events = [PairTerms.runStart, PairTerms.stepStart]
  }

  /// Stops the run because another one replaces it.
  mutating func replace(at now: PairSpan) { _ = perform(.replace, at: now) }

  /// Whether the current step is short enough to end or reach its target before anything else happens.
  var isAboutToReach: Bool {
    guard let run, !run.isPaused, !run.hasReached, let target = run.target else { return false }
    return target.to < 1
  }

  /// Reaches the target of the current step: ends a step that ends by itself, and continues any other.
  mutating func reach() {
    guard var run else { return }
    switch run.step.card.timing {
    case .automatic(let seconds):
      run.records.append(Record(index: run.index, isCompleted: true, planned: seconds))
      run.index += 1
      run.active = run.active + PairSpan(seconds)
      (run.since, run.elapsed) = (run.since - run.elapsed + PairSpan(seconds), PairSpan(0))
      events.append(PairTerms.stepStart)
    case .manual:
      run.hasReached = true
      events.append(PairTerms.overtime)
    case .goal:
      run.hasReached = true
      events.append(PairTerms.goal)
    case .open: break
    }
    self.run = run
  }

  mutating func leave(at now: PairSpan, isBack: Bool) {
    guard var run, !run.isPaused else { return }
    run.elapsed = run.elapsed(at: now)
    (run.isPaused, run.suspend, run.isCleared) = (true, (now, isBack), false)
    self.run = run
    events.append(PairTerms.pause)
  }

  mutating func comeBack() {
    if run?.isPaused == true, run?.suspend != nil { events.append(PairTerms.return) }
  }

  /// Applies a command if possible; returns whether it was possible.
  mutating func perform(_ command: PairScenario.Command, at now: PairSpan) -> Bool {
    guard var run else { return false }
    switch command {
    case .toggle: return perform(run.isPaused ? .resume : .pause, at: now)
    case .pause:
      guard !run.isPaused else { return false }
      run.elapsed = run.elapsed(at: now)
      run.isPaused = true
      events.append(PairTerms.pause)
    case .resume:
      guard run.isPaused else { return false }
      (run.isPaused, run.since) = (false, now)
      events.append(PairTerms.resume)
      run.suspend = nil
    case .count:
      guard let suspend = run.suspend else { return false }
      // As if it had never been paused.
      (run.isPaused, run.since, run.suspend) = (false, suspend.since, nil)
      events.append(PairTerms.resume)
    case .next, .skip:
      run.record(isCompleted: command == .next)
      guard run.index + 1 < run.steps.count else {
        events.append(PairTerms.finish)
        end(run, .finished, at: now)
        return true
      }
      run.index += 1
      run.begin(at: now)
      events.append(PairTerms.stepStart)
    case .back, .restart:
      if command == .back, run.index > 0 {
        run.records.removeLast()
        run.index -= 1
      }
      run.begin(at: now)
      events.append(PairTerms.stepStart)
    case .lengthen, .shorten:
      guard let target = run.target else { return false }
      let elapsed = run.elapsed(at: now)
      if command == .lengthen {
        // Past the target, added time counts from now.
        let over = PairSpan(max(0, elapsed.from - target.from), max(0, elapsed.to - target.to))
        run.extended = run.extended + over + PairSpan(600)
      } else {
        guard target.from - 5 >= elapsed.to else { return false }
        run.extended = run.extended + PairSpan(-5)
      }
      events.append(PairTerms.extend)
    case .stop:
      stop(&run, at: now)
      return true
    case .start: return false
    case .replace:
      stop(&run, at: now)
      return true
    case .clear:
      run.isCleared = true
      self.run = run
      return true
    }
    run.isCleared = false
    self.run = run
    return true
  }

  private mutating func stop(_ run: inout Run, at now: PairSpan) {
    run.record(isCompleted: false)
    // A run without an end is finished once it has had a whole round.
    let isFinished = run.steps.endlessAfter.map { run.index >= $0 } ?? false
    events.append(isFinished ? PairTerms.finish : PairTerms.stop)
    end(run, isFinished ? .finished : .stopped, at: now)
  }

  private mutating func end(_ run: Run, _ ending: Ending, at now: PairSpan) {
    let active = run.active + run.elapsed(at: now)
    history.insert(EndedRun(ending: ending, steps: run.steps, records: run.records, active: active), at: 0)
    self.run = nil
  }

  /// Returns the pending notifications, with the seconds from now.
  func plan(at now: PairSpan) -> [(name: String, due: PairSpan)] {
    guard let run, !run.isPaused, !run.isCleared else { return [] }
    var plan: [(name: String, due: PairSpan)] = []
    var start = PairSpan(0) - run.elapsed(at: now)
    for (index, step) in run.steps.enumerated().dropFirst(run.index) {
      let extended = index == run.index ? run.extended : PairSpan(0)
      // Known even if the times of the commands are not certain enough to tell.
      let hasPassed = index == run.index && run.hasReached && extended.to == 0
      let rounds = step.rounds.map { ".\($0[0])" }.joined()
      let name = "card.\(step.card.number)" + (rounds.isEmpty ? "" : ".round") + rounds
      switch step.card.timing {
      case .automatic(let seconds):
        start = start + PairSpan(seconds) + extended
        plan.append((index + 1 < run.steps.count ? name + ".countdown" : "finished", start))
        continue
      case .manual(let seconds):
        if !hasPassed { plan.append((name + ".countdown", start + PairSpan(seconds) + extended)) }
      case .goal(let seconds, let reminders, let every):
        for number in (hasPassed ? 1 : 0)..<reminders {
          let due = start + PairSpan(seconds + every * Double(number)) + extended
          plan.append(("\(name).countup.reminder.\(number + 1)", due))
        }
      case .open: break
      }
      break
    }
    return plan.filter { $0.due.to > 0 }
  }
}

extension PairModel.Run {
  fileprivate mutating func record(isCompleted: Bool) {
    let target = target
    records.append(
      PairModel.Record(
        index: index, isCompleted: isCompleted,
        // Time added past the target is not known to the millisecond.
        planned: target.map { $0.to - $0.from < 0.001 ? $0.from : .nan }))
  }

  fileprivate mutating func begin(at now: PairSpan) {
    active = active + elapsed(at: now)
    (elapsed, since, extended) = (PairSpan(0), now, PairSpan(0))
    (suspend, hasReached) = (nil, false)
  }
}
