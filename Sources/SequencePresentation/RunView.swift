package import FoundationEssentials
package import SequencePlatform
package import SequenceRunner

/// The run at one moment, as a person sees it.
///
/// The live display, the window, bars, hooks and speech lay this value out, and derive nothing from the run themselves.
/// No text has control characters.
package struct RunView: Equatable, Sendable {
  package let runID: UUID
  package let runName: String
  package let sequence: String
  package let color: SequenceColor?
  /// The emoji or symbol of the sequence; `nil` for none.
  package let icon: String?
  package let position: RunPosition
  /// The index of the step that the run started at.
  package let firstStep: Int
  /// The suspend that the run is paused for.
  package let suspend: Suspend?
  /// The planned time that is done: skipped steps count, although they took no time, and overtime doesn't.
  package let plannedElapsed: Duration
  /// The clock time at which the countdown of the step is over, such as `14:35`; `nil` in overtime, in a pause and for
  /// a count-up.
  package let stepEnd: String?
  /// The clock time at which the run ends, such as `14:35`, or `about 14:35` if it waits for the user before; `nil` in a
  /// pause, in an endless sequence, and if it isn't known how long the user takes.
  package let end: String?
  /// The clock time at which the run is to end, such as `13:00`; `nil` without a deadline.
  package let deadline: String?
  /// The time from the deadline to the end of the run; `nil` without a deadline.
  package let late: Duration?

  package enum Activity: Equatable, Sendable {
    case countdown
    case overtime
    case countUp
    case goalReached
  }

  package struct Next: Equatable, Sendable {
    package let title: String
    /// The length of the step, such as `0:10`, `goal 5:00` or `until you complete it`.
    package let length: String
  }

  /// `nil` if no run is active.
  ///
  /// - Complexity: O(log steps).
  package init?(_ status: RunStatus) {
    guard let run = status.run, let position = status.position else { return nil }
    let isAbout =
      !run.isPaused && run.timeline.count != nil && run.timeline.hasEstimates
      && run.timeline.firstStop(from: position.step.index) != nil
    self.init(
      run, position, late: status.late, about: isAbout ? run.plannedLeft(at: status.reading) : nil,
      at: status.reading.wall)
  }

  package init(_ run: ActiveRunSnapshot, at event: RunEvent) {
    self.init(run, run.position(of: event), late: nil, about: nil, at: event.at.wall)
  }

  /// - Parameter about: the time left in the run if the user takes as long as usual; `nil` if it isn't known.
  private init(
    _ run: ActiveRunSnapshot, _ position: RunPosition, late: Duration?, about: Duration?, at now: Moment
  ) {
    let (timeline, index) = (run.timeline, position.step.index)
    let isRunning = position.state == .running
    (runID, runName, firstStep) = (run.runID, run.name, run.firstStep)
    sequence = TextSafety.sanitised(run.sequence.title)
    (color, icon) = (run.sequence.color, run.sequence.icon.map(TextSafety.sanitised))
    self.position = position
    suspend = run.suspend
    plannedElapsed =
      timeline.duration(of: firstStep..<index) + min(position.elapsed, position.target ?? .zero)
    stepEnd = isRunning ? position.remaining.map { EndText.clock(now, after: $0) } : nil
    end =
      isRunning && timeline.firstStop(from: index) == nil
      ? position.totalRemaining.map { EndText.clock(now, after: $0) }
      : about.map { EndText.clock(now, after: $0, isAbout: true) }
    deadline = run.deadline.map { LocalTime.clock(of: $0.wall, now: now) }
    self.late = late
  }
}

extension RunView {
  private var card: Card { position.step.card }

  package var title: String { TextSafety.sanitised(card.title) }

  package var note: String? { card.note.map(TextSafety.sanitised) }

  package var activity: Activity {
    switch (position.step.timing, position.target) {
    case (.countdown, _): position.remaining == .zero ? .overtime : .countdown
    case (.countUp, let goal?) where position.elapsed >= goal: .goalReached
    case (.countUp, _): .countUp
    }
  }

  package var isPaused: Bool { position.state == .paused }

  /// Whether the run is paused for a suspend whose time can be counted.
  package var canCountSuspend: Bool { suspend?.length != nil }

  package var isRest: Bool { card.isRest }

  package var endsByItself: Bool { position.step.timing.endsByItself }

  package var waitsForUser: Bool { !isPaused && !endsByItself && activity != .countdown }

  package var isInLastSeconds: Bool {
    !isPaused && activity == .countdown && position.remaining.map { $0 <= .seconds(3) } == true
  }

  /// The part of the step that is done, from 0 to 1; `nil` without a duration or goal.
  ///
  /// It follows from the displayed seconds, so that it changes with them and not five times a second in a step of 20 s.
  package var stepProgress: Double? {
    guard let target = position.target else { return nil }
    let done =
      position.remaining.map { target - .seconds(ClockText.wholeSecondsUp($0)) }
      ?? .seconds(ClockText.wholeSecondsDown(position.elapsed))
    return min(1, max(0, done.seconds / max(1e-9, target.seconds)))
  }

  /// The part of the step that is done, from 0 to 100; `nil` without a duration or goal.
  package var percent: Int? { stepProgress.map { Int($0 * 100) } }

  /// The rounds of the groups around the step, outermost first; a group of one round has none.
  package var rounds: [Step.Round] { position.step.rounds.filter { $0.of != 1 } }

  package var next: Next? {
    position.next.map {
      Next(
        title: TextSafety.sanitised($0.card.title),
        length: $0.timing.duration.map(ClockText.remaining) ?? RunView.aim($0.timing.goal?.duration))
    }
  }
}

extension RunView {
  /// The part of the run that is done, from 0 to 1: of the planned time or, while the time left is unknown, of the
  /// steps.
  ///
  /// `nil` for an endless sequence, and for a single step without a duration.
  package var progress: Double? {
    if let remaining = position.totalRemaining {
      let done = plannedElapsed.seconds
      return done / max(1e-9, done + remaining.seconds)
    }
    guard let count = stepCount, count > 1 else { return nil }
    return Double(stepsDone) / Double(count)
  }

  /// The number of steps of the run, without those before the step that it started at; `nil` for an endless sequence.
  package var stepCount: Int? { position.stepCount.map { $0 - firstStep } }

  package var stepsDone: Int { position.step.index - firstStep }
}

extension RunView {
  /// The clock of the step: the time left, the overtime such as `+0:12`, or the elapsed time.
  package var time: String {
    guard let remaining = position.remaining else { return ClockText.elapsed(position.elapsed) }
    return remaining > .zero ? ClockText.remaining(remaining) : "+" + ClockText.elapsed(position.overtime)
  }

  /// The same for a text of either direction.
  package var directedTime: String { activity == .overtime ? TextSafety.directed(time) : time }

  /// The clock of the step in words: left, over, or so far.
  package var timeInWords: String {
    if let remaining = position.remaining {
      guard remaining == .zero else { return RunView.left(remaining) }
      return translated("{} over", ClockText.elapsed(position.overtime))
    }
    let elapsed = ClockText.elapsed(position.elapsed)
    guard let goal = position.target else { return translated("{} so far", elapsed) }
    return translated("{elapsed} of {goal}", ["elapsed": elapsed, "goal": DurationText.shown(goal)])
  }

  private static func left(_ time: Duration) -> String { translated("{} left", ClockText.remaining(time)) }

  /// A pause and the end of a step that waits, such as `Paused` or `Time is up`; empty in an ordinary running step.
  package var stateWords: [String] {
    let reached: String? =
      switch activity {
      case .countdown, .countUp: nil
      case .overtime: translated("Time is up")
      case .goalReached: translated("Goal reached")
      }
    return [isPaused ? translated("Paused") : nil, reached].compactMap { $0 }
  }

  /// Whether the clock runs, is stopped, or is past the duration or the goal.
  package var stateName: LocalizedText {
    switch position.state {
    case .running: "running"
    case .paused: "paused"
    case .overtime: "overtime"
    }
  }

  /// The same words inside a line.
  package var lowerStateWords: [String] {
    let reached: String? =
      switch activity {
      case .countdown, .countUp: nil
      case .overtime: translated("time is up")
      case .goalReached: translated("goal reached")
      }
    return [isPaused ? translated("paused") : nil, reached].compactMap { $0 }
  }

  /// The state, when the step ends and what follows, such as `until 14:35 · 4 min late · next: Break`.
  package var outlook: String {
    (stateAndEnd + [lateness, following].compactMap { $0 }).joined(separator: " · ")
  }

  private var following: String {
    next.map { translated("next: {}", $0.title) } ?? translated("last step")
  }

  /// The state, or when the step ends, such as `until 14:35`; empty in a count-up.
  package var stateAndEnd: [String] {
    lowerStateWords + [stepEnd.map { translated("until {}", $0) }].compactMap { $0 }
  }

  /// How late the run is planned to end, such as `4 min late`; `nil` below one minute, and without a deadline.
  package var lateness: String? { late.flatMap(EndText.lateness) }

  /// The time left in the run, and how late it is planned to end.
  package var totalLeft: [String] {
    [position.totalRemaining.map(RunView.left), lateness].compactMap { $0 }
  }

  /// The aim of a count-up, such as `goal 5:00`; `nil` for a countdown.
  package var aim: String? { position.step.timing.duration == nil ? RunView.aim(position.target) : nil }

  private static func aim(_ goal: Duration?) -> String { StepText.aim(goal, ClockText.remaining) }

  /// The words by which several runs are told apart: their titles, or their names if others have the same title.
  package static func labels(_ views: [RunView]) -> [String] {
    views.map { view in views.count { $0.sequence == view.sequence } == 1 ? view.sequence : view.runName }
  }

  /// The rounds and the number of the step, such as `round 2 of 8` and `step 4 of 17`.
  package var place: [String] { StepText.place(position.step, of: position.stepCount) }

  /// The step, its time and its place, such as `"Work" 0:07 left, round 2 of 8, step 4 of 17`.
  package var line: String {
    // Joined by hand, because `joined` takes a tenth of the run time of a short command.
    place.reduce("\"\(TextSafety.isolated(title))\" \(timeInWords)") { $0 + ", " + $1 }
  }
}

/// The clocks of a run that are shown in whole seconds; each changes at different moments.
package struct VisibleClocks: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let elapsed = VisibleClocks(rawValue: 1)
  package static let remaining = VisibleClocks(rawValue: 2)
  package static let overtime = VisibleClocks(rawValue: 4)
  package static let totalElapsed = VisibleClocks(rawValue: 8)
  package static let totalRemaining = VisibleClocks(rawValue: 16)
  /// The time left of a countdown, its overtime, or the elapsed time of a count-up.
  package static let time = VisibleClocks(rawValue: 32)
  /// The minutes that the run is late, which grow in a pause.
  package static let late = VisibleClocks(rawValue: 64)

  package static let all: VisibleClocks = [
    .elapsed, .remaining, .overtime, .totalElapsed, .totalRemaining, .late,
  ]
}

/// The times of the next updates of a display, on the boot clock.
///
/// They are calculated from the reading of the status itself. At a later reading the step could be over, so
/// its end would be missed.
extension VisibleClocks {
  /// Returns the next time that the run changes, or one of the clocks.
  ///
  /// After skipped steps or steps with fractions of a second, each clock changes at a different time.
  ///
  /// - Returns: `nil` if nothing changes until the user acts.
  package func nextChange(of status: RunStatus) -> Duration? {
    [
      VisibleClocks.next(status, untilNext),
      contains(.late) ? VisibleClocks.untilLater(status).map { status.reading.boot + $0 } : nil,
    ].compactMap { $0 }.min()
  }

  /// Returns the time until the run can be late by another minute; `nil` while it is on plan.
  private static func untilLater(_ status: RunStatus) -> Duration? {
    guard let run = status.run, let late = status.late, let position = status.position,
      run.isPaused || !position.step.timing.endsByItself
    else { return nil }
    // It grows with the time, or more slowly while steps can still be shorter.
    return .nanoseconds(max(1, late.nanoseconds / minute + 1) * minute) - late
  }

  /// Returns the next time that the run changes, or the minutes of the step: those left, rounded up, or those of a
  /// count-up, rounded down.
  ///
  /// - Returns: `nil` if nothing changes until the user acts.
  package static func nextMinute(of status: RunStatus) -> Duration? {
    next(status) { position in
      if let remaining = position.remaining {
        untilLess(remaining, minute)
      } else {
        untilMore(position.elapsed, minute)
      }
    }
  }

  private static func next(_ status: RunStatus, _ change: (RunPosition) -> Duration?) -> Duration? {
    guard let position = status.position, position.state != .paused else { return nil }
    return [status.nextChange, change(position).map { status.reading.boot + $0 }].compactMap { $0 }.min()
  }

  private func untilNext(_ position: RunPosition) -> Duration? {
    let (elapsed, remaining, overtime) = (position.elapsed, position.remaining, position.overtime)
    let isOver = overtime > .zero || elapsed == position.target
    var times: [Duration?] = []
    if contains(.elapsed) || contains(.time) && remaining == nil {
      times.append(VisibleClocks.untilMore(elapsed))
    }
    if contains(.remaining) || contains(.time) {
      times.append(remaining.flatMap { VisibleClocks.untilLess($0) })
    }
    if isOver, contains(.overtime) || contains(.time) && remaining != nil {
      times.append(VisibleClocks.untilMore(overtime))
    }
    if contains(.totalElapsed) { times.append(VisibleClocks.untilMore(position.totalElapsed)) }
    // The time left after the step does not change while the step is in overtime.
    if !isOver, contains(.totalRemaining) {
      times.append(position.totalRemaining.flatMap { VisibleClocks.untilLess($0) })
    }
    return times.compactMap { $0 }.min()
  }

  /// Returns the time until a growing duration, shown rounded down, gains a unit.
  private static func untilMore(_ time: Duration, _ unit: Int64 = second) -> Duration {
    .nanoseconds(unit - time.nanoseconds % unit)
  }

  /// Returns the time until a shrinking duration, shown rounded up, loses a unit; `nil` at zero.
  private static func untilLess(_ time: Duration, _ unit: Int64 = second) -> Duration? {
    guard time > .zero else { return nil }
    let part = time.nanoseconds % unit
    return .nanoseconds(part == 0 ? unit : part)
  }

  private static let second: Int64 = 1_000_000_000
  private static let minute: Int64 = 60 * second
}
