import SequencePresentation
import SequenceRunner

extension RunView {
  static let mostDots = 8
  static let shortestSuspend = Duration.seconds(10)

  var windowTitle: String {
    let step = title + (endsByItself ? stepEnd.map { " until \($0)" } ?? "" : "")
    return title == sequence ? step : "\(step) – \(sequence)"
  }

  /// The line above the title; `nil` if it would only repeat the title.
  ///
  /// The place comes first, because a long title of the sequence is cut off.
  var heading: String? {
    guard position.stepCount != 1 else { return sequence == title ? nil : sequence }
    return "\(StepText.number(position.step.number, of: position.stepCount).capitalizedFirst) · \(sequence)"
  }

  /// Whether the time is shown on a full disc: while an effort runs before its end or goal.
  var isFull: Bool { !isRest && !isPaused && (activity == .countdown || activity == .countUp) }

  /// A word or two below the time; `nil` if the time says everything.
  var caption: String? {
    // A count-up without a goal is known by its time.
    let aim = activity == .countUp && position.target != nil ? self.aim?.capitalizedFirst : nil
    let words = stateWords + [aim].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " · ")
  }

  /// The innermost round as dots; `nil` if there are none or too many.
  var dots: Step.Round? { rounds.last.flatMap { $0.of.map { $0 <= RunView.mostDots } == true ? $0 : nil } }

  /// All rounds in words, outermost first; `nil` without rounds.
  var roundsText: String? {
    rounds.isEmpty ? nil : "Round " + rounds.map(\.description).joined(separator: " · ")
  }

  var nextText: String? {
    next.map { "Next: \($0.title)  \($0.length)" } ?? (position.stepCount == 1 ? nil : "Last step")
  }

  /// The suspend that the run is paused for, if its time can still be counted and is worth a question.
  var suspendText: String? {
    guard let suspend, let length = suspend.length, length >= RunView.shortestSuspend else { return nil }
    return suspend.cause.text(length, LengthText.format)
  }

  /// The texts below the ring, which stay the same for a whole step.
  var details: [String?] {
    [roundsText, note, nextText, suspendText, isRest ? "rest" : nil, position.step.card.image]
  }

  /// The texts at the start and at the end of the bar of the run.
  ///
  /// The first is the part that the bar shows, or the active time without a bar.
  var wholeTexts: (done: String, left: String?) {
    let active = "\(ClockText.elapsed(position.totalElapsed)) so far"
    if let remaining = position.totalRemaining {
      return ("\(ClockText.elapsed(plannedElapsed)) done", "\(ClockText.remaining(remaining)) left")
    }
    guard let stepCount, stepCount > 1 else { return (active, nil) }
    return ("\(stepsDone) of \(StepText.count(stepCount)) done", active)
  }
}
