import SequenceRunner

@testable import SequenceTerminal

/// Sample models for the tests.
extension DisplayModel {
  /// A countdown in the middle of a workout.
  static let work = DisplayModel(
    sequenceTitle: "Tabata", stepTitle: "Work", note: "All out", state: .running(.countdown),
    time: .seconds(14), stepProgress: 0.3, wholeProgress: 0.27, totalElapsed: .seconds(162),
    totalRemaining: .seconds(378), stepIndex: 3, stepCount: 17, rounds: [Step.Round(round: 2, of: 8)],
    next: Next(title: "Rest", timing: .countdown(.seconds(10), advance: .automatic)), message: nil)

  /// Returns the model with some properties changed.
  func with(_ change: (inout DisplayModel) -> Void) -> DisplayModel {
    var model = self
    change(&model)
    return model
  }

  static let paused = work.with { $0.state = .paused(.countdown) }

  /// A run that was paused for a sleep.
  static let away = paused.with { $0.suspend = "the computer slept for 1h20m" }

  static let lastSeconds = work.with {
    $0.time = .seconds(3)
    $0.stepProgress = 0.87
  }

  static let overtime = work.with {
    $0.stepTitle = "Coffee"
    $0.note = nil
    $0.rounds = []
    $0.state = .running(.overtime)
    $0.time = .seconds(75)
    $0.stepProgress = 1
    $0.next = Next(title: "Write it down", timing: .countUp(goal: nil))
  }

  static let countUp = work.with {
    $0.stepTitle = "Stretch"
    $0.state = .running(.countUp(goal: .seconds(300)))
    $0.time = .seconds(89)
    $0.wholeProgress = nil
    $0.totalRemaining = nil
  }

  static let goalPassed = countUp.with {
    $0.state = .running(.goalPassed(goal: .seconds(300)))
    $0.time = .seconds(372)
    $0.stepProgress = 1
    $0.rounds = [Step.Round(round: 1, of: 3), Step.Round(round: 4, of: 5)]
  }

  static let finished = work.with {
    $0.state = .finished
    $0.time = .seconds(540)
    $0.stepProgress = 1
    $0.wholeProgress = 1
    $0.totalElapsed = .seconds(540)
    $0.totalRemaining = .zero
    $0.stepIndex = 16
    $0.rounds = []
    $0.next = nil
  }

  /// Text that is hard to fit, and invalid numbers.
  static let hostile = work.with {
    $0.sequenceTitle = String(repeating: "日本語👩‍👩‍👧‍👦", count: 60)
    $0.stepTitle = String(repeating: "e\u{301}🇩🇪❤️ क्षि ", count: 80) + "\u{1B}[31m\n"
    $0.note = String(repeating: "note ", count: 200)
    $0.time = .seconds(36_500 * 86_400)
    $0.stepProgress = .nan
    $0.wholeProgress = 7
    $0.totalRemaining = .seconds(36_500 * 86_400)
    $0.stepIndex = 99_999
    $0.stepCount = 100_000
    $0.rounds = (1...16).map { Step.Round(round: $0, of: 1_000_000) }
    $0.next = Next(title: String(repeating: "🏋️‍♀️", count: 300), timing: .countUp(goal: nil))
    $0.message = "\u{1B}]0;" + String(repeating: "ｗide ", count: 100)
  }

  static let samples: [DisplayModel] = [
    work, paused, away, lastSeconds, overtime, countUp, goalPassed, finished, hostile,
    work.with { $0.state = .stopped },
    overtime.with { $0.state = .paused(.overtime) },
    countUp.with { $0.state = .running(.countUp(goal: nil)) },
    hostile.with {
      $0.state = .running(.goalPassed(goal: .seconds(86_400)))
      $0.message = nil
      $0.totalRemaining = nil
      $0.wholeProgress = nil
    },
  ]
}
