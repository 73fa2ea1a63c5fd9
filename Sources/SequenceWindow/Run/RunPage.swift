import SequencePlatform
import SequencePresentation
import SequenceRunner

/// What the window shows of a run at one moment: everything on the page derives from this value.
struct RunPage: Equatable {
  /// The title of the sequence.
  var sequence: String
  /// The place of the step, such as `Step 3 of 17`; `nil` if it is the only one.
  var place: String?
  /// The title of the step.
  var title: String
  /// The note of the step.
  var note: String?
  /// The clock of the step, such as `0:07`, or `+0:12` in overtime.
  var time: String
  /// The clock in words, for screen readers.
  var spokenTime: String
  /// The activity of the step's clock.
  var clock: Clock
  var isPaused: Bool
  /// Whether the step is a rest.
  var isRest: Bool
  /// A word or two below the time; `nil` if the time says everything.
  var caption: String?
  /// The part of the step that is done, from 0 to 1; `nil` without a duration or goal.
  var progress: Double?
  /// The innermost round as dots; `nil` if there are none or too many.
  var dots: Step.Round?
  /// All rounds in words, outermost first; `nil` without rounds.
  var rounds: String?
  /// The step that follows.
  var next: Next?
  /// The whole run.
  var whole: Whole
  /// The suspend that the run is paused for, if its time can still be counted and is worth a question.
  var suspend: String?
  /// Whether the time of a suspend can be counted, however short it was.
  var canCountSuspend: Bool
  /// The action of the button that leaves the step.
  var leaving: Leaving
  /// Whether the step has a duration or a goal, which can be extended.
  var canExtend: Bool
  /// Whether a countdown is in its last three seconds.
  var isEnding: Bool
  /// The clock time at which the step ends by itself, such as `14:35`; `nil` if it doesn't.
  var end: String?

  enum Clock: Equatable {
    case countdown, overtime, countUp, goalReached
  }

  struct Next: Equatable {
    /// The title of the step.
    var title: String
    /// The length of the step.
    var length: String
  }

  struct Whole: Equatable {
    /// The text at the start of the bar: the part that `progress` measures, or the active time without a bar.
    var done: String
    /// The text at the end of the bar.
    var left: String?
    /// The part that is done, from 0 to 1: of the planned time, or of the steps while a step ahead has no fixed length.
    ///
    /// `nil` for an endless sequence, and for a single step without a fixed length.
    var progress: Double?
  }

  enum Leaving: Equatable {
    /// The step ends by itself, so that to leave it is to skip it.
    case skip
    /// The step waits for the user.
    case done
  }

  /// The most rounds that are shown as dots.
  static let mostDots = 8
  /// The shortest suspend that the user is asked about.
  static let shortestSuspend = Duration.seconds(10)
}

extension RunPage {
  /// The title of the window.
  var windowTitle: String {
    let step = title + (end.map { " until \($0)" } ?? "")
    return title == sequence ? step : "\(step) – \(sequence)"
  }

  /// The line above the title; `nil` if it would only repeat the title.
  ///
  /// The place comes first, because a long title of the sequence is cut off.
  var heading: String? {
    guard let place else { return sequence == title ? nil : sequence }
    return "\(place) · \(sequence)"
  }

  /// Whether the time is shown on a full disc: while an effort runs before its end or goal.
  var isFull: Bool { !isRest && !isPaused && (clock == .countdown || clock == .countUp) }

  /// Whether the run waits until the user completes the step.
  var waitsForDone: Bool { !isPaused && leaving == .done && clock != .countdown }

  /// The line of the next step; `nil` if there is only one step.
  var nextText: String? {
    next.map { "Next: \($0.title)  \($0.length)" } ?? place.map { _ in "Last step" }
  }

  /// The texts below the ring, which stay the same for a whole step.
  var details: [String?] {
    [rounds, note, nextText, isRest ? "rest" : nil]
  }

  /// The page of a run that is settled at a reading.
  init(_ run: ActiveRunSnapshot, at reading: ClockReading) {
    let position = run.position(at: reading)
    let card = position.step.card
    sequence = TextSafety.sanitised(run.sequence.title)
    place =
      position.stepCount == 1
      ? nil : StepText.number(position.step.number, of: position.stepCount).capitalizedFirst
    title = TextSafety.sanitised(card.title)
    note = card.note.map(TextSafety.sanitised)
    time = position.timeText
    spokenTime = StepText.time(position)
    clock = Clock(position)
    isPaused = position.state == .paused
    isRest = card.isRest
    caption = RunPage.caption(clock, isPaused: isPaused, target: position.target)
    progress = position.target.map { min(1, position.elapsed.seconds / max(1e-9, $0.seconds)) }
    let repeated = position.step.rounds.filter { $0.of != 1 }
    dots = repeated.last.flatMap { round in round.of.map { $0 <= RunPage.mostDots } == true ? round : nil }
    rounds = repeated.isEmpty ? nil : "Round " + repeated.map(\.description).joined(separator: " · ")
    next = position.next.map {
      Next(title: TextSafety.sanitised($0.card.title), length: RunPage.length($0.card.timing))
    }
    whole = Whole(run, at: position)
    canCountSuspend = run.suspend?.length != nil
    suspend = run.suspend.flatMap { suspend in
      suspend.length.flatMap {
        $0 < RunPage.shortestSuspend ? nil : suspend.cause.text($0, LengthText.format)
      }
    }
    leaving = card.timing.endsByItself ? .skip : .done
    canExtend = position.target != nil
    isEnding =
      !isPaused && clock == .countdown && position.remaining.map { $0 <= .seconds(3) } == true
    end = card.timing.endsByItself ? EndText.step(position, at: reading.wall) : nil
  }

  private static func caption(_ clock: Clock, isPaused: Bool, target: Duration?) -> String? {
    let text: String? =
      switch clock {
      case .countdown: nil
      case .overtime: "Time is up"
      case .countUp: target.map { "Goal \(ClockText.remaining($0))" }
      case .goalReached: "Goal reached"
      }
    guard isPaused else { return text }
    return ["Paused", text].compactMap { $0 }.joined(separator: " · ")
  }

  private static func length(_ timing: Timing) -> String {
    switch timing {
    case .countdown(let duration, _): ClockText.remaining(duration)
    case .countUp(nil): "until you are done"
    case .countUp(let goal?): "goal \(ClockText.remaining(goal.duration))"
    }
  }
}

extension RunPage.Clock {
  fileprivate init(_ position: RunPosition) {
    switch (position.step.card.timing, position.target) {
    case (.countdown, _): self = position.remaining == .zero ? .overtime : .countdown
    case (.countUp, let goal?) where position.elapsed >= goal: self = .goalReached
    case (.countUp, _): self = .countUp
    }
  }
}

extension RunPage.Whole {
  fileprivate init(_ run: ActiveRunSnapshot, at position: RunPosition) {
    let active = "\(ClockText.elapsed(position.totalElapsed)) so far"
    progress = run.progress(at: position)
    if let remaining = position.totalRemaining {
      done = "\(ClockText.elapsed(run.plannedElapsed(at: position))) done"
      left = "\(ClockText.remaining(remaining)) left"
    } else if let count = position.stepCount, count > 1 {
      done = "\(position.step.index) of \(StepText.count(count)) done"
      left = active
    } else {
      done = active
    }
  }
}
