import SequencePlatform
import SequencePresentation
import TestSupport
import Testing

@testable import SequenceRunner

/// The views of sample runs.
enum SampleView: CaseIterable {
  /// A countdown in the middle of a workout.
  case work
  case paused
  case suspended
  /// A rest whose title doesn't have the word.
  case rest
  case lastSeconds, overtime, pausedOvertime, countUp, goalReached, openEnd
  /// Text that is hard to fit, in many rounds, with large numbers.
  case hostile, hostileCountUp

  func view() throws -> RunView {
    switch self {
    case .work: try .sample(Self.tabata, after: 162)
    case .paused: try .sample(Self.tabata, after: 162, .pause)
    case .suspended: try Self.suspended()
    case .rest: try .sample(Self.workout("{ title: Breathe, countdown: 10s }"), after: 160)
    case .lastSeconds: try .sample(Self.tabata, after: 173)
    case .overtime: try .sample(Self.coffee, after: 237)
    case .pausedOvertime: try .sample(Self.coffee, after: 237, .pause)
    case .countUp: try .sample(Self.stretch, after: 245)
    case .goalReached: try .sample(Self.stretch, after: 528)
    case .openEnd: try .sample(Self.workout("{ title: Stretch, countUp: {} }"), after: 245)
    case .hostile: try .sample(Self.hostileText(timing: "countdown: 1d"), after: 0)
    case .hostileCountUp: try .sample(Self.hostileText(timing: "countUp: { goal: 1d }"), after: 86_500)
    }
  }

  /// The message of a hostile store.
  static let hostileMessage = "\u{1B}]0;" + String(repeating: "ｗide ", count: 100)

  private static let tabata = """
    title: Tabata
    onSuspend: ask
    cards:
      - { title: Warm-up, countdown: 126s }
      - rounds: 8
        cards:
          - { title: Work, note: All out, countdown: 20s }
          - { title: Rest, countdown: 10s }
    """
  private static let coffee = workout(
    "{ title: Coffee, countdown: 6s, advance: manual }", next: "{ title: Write it down, countUp: {} }")
  private static let stretch = workout("{ title: Stretch, note: Slowly, countUp: { goal: 5m } }")

  /// Returns a workout with a fourth and a fifth step of its own.
  private static func workout(_ step: String, next: String = "{ title: Rest, countdown: 10s }") -> String {
    """
    title: Tabata
    cards:
      - { title: Warm-up, countdown: 126s }
      - { title: Work, countdown: 20s }
      - { title: Rest, countdown: 10s }
      - \(step)
      - \(next)
    """
  }

  private static func suspended() throws -> RunView {
    let status = try SampleRun(yaml: tabata).status(after: 162)
    let run = try #require(status.leaving(.sleep))
    let back = status.reading.advanced(by: .seconds(4800))
    return try #require(RunView(RunStatus(reading: back, run: run.returned(at: back))))
  }

  private static func hostileText(timing: String) -> String {
    let title = String(repeating: "e\u{301}🇩🇪❤️ क्षि ", count: 20) + #"\e[31m\n"#
    let card = """
      { title: "\(title)", note: "\(String(repeating: "note ", count: 50))", \(timing) }, \
      { title: "\(String(repeating: "🏋️‍♀️", count: 30))", countUp: {} }
      """
    let groups = (1...15).reduce("[\(card)]") { inner, _ in "[{ rounds: 2, cards: \(inner) }]" }
    return "title: \(String(repeating: "日本語👩‍👩‍👧‍👦", count: 20))\ncards: \(groups)\n"
  }
}

extension RunView {
  static func sample(_ yaml: String, after seconds: Double, _ command: RunCommand? = nil) throws -> RunView {
    var sample = try SampleRun(yaml: yaml)
    if let command { try sample.perform(command, after: seconds) }
    return try #require(RunView(sample.status(after: seconds)))
  }
}
