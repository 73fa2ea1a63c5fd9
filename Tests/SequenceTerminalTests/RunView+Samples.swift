import SequencePresentation
import TestSupport

@testable import SequenceRunner

/// Views of sample runs.
extension RunView {
  /// Returns the view of a run some seconds after its start.
  static func sample(_ yaml: String, after seconds: Double, _ command: RunCommand? = nil) throws -> RunView {
    var sample = try SampleRun(yaml: yaml)
    if let command { try sample.perform(command, after: seconds) }
    return RunView(sample.status(after: seconds))!
  }

  /// Returns the workout with a step of its own instead of the fourth.
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

  /// A countdown in the middle of a workout.
  static let work = try! sample(tabata, after: 162)
  static let paused = try! sample(tabata, after: 162, .pause)
  static let lastSeconds = try! sample(tabata, after: 173)

  /// A run that was paused for a sleep.
  static let away: RunView = {
    let clock = ManualClock(boot: SampleRun.start)
    let start = try! SampleRun(yaml: tabata).status(after: 0).run!
    clock.advance(by: .seconds(162))
    guard case .active(let run) = start.settled(at: clock.now()) else { fatalError("the run is over") }
    let left = run.leaving(.sleep, at: clock.now())!
    clock.advance(by: .seconds(4800))
    return RunView(left.returned(at: clock.now())!, at: clock.now())
  }()

  private static let coffee = workout(
    "{ title: Coffee, countdown: 6s, advance: manual }", next: "{ title: Write it down, countUp: {} }")
  static let overtime = try! sample(coffee, after: 237)
  static let pausedOvertime = try! sample(coffee, after: 237, .pause)

  private static let stretch = workout("{ title: Stretch, note: Slowly, countUp: { goal: 5m } }")
  static let countUp = try! sample(stretch, after: 245)
  static let goalReached = try! sample(stretch, after: 528)
  static let openEnd = try! sample(workout("{ title: Stretch, countUp: {} }"), after: 245)

  /// Text that is hard to fit, in many rounds, with large numbers.
  static let hostile = try! sample(hostileText(timing: "countdown: 1d"), after: 0)
  static let hostileCountUp = try! sample(hostileText(timing: "countUp: { goal: 1d }"), after: 86_500)

  /// The message of a hostile terminal or store.
  static let hostileMessage = "\u{1B}]0;" + String(repeating: "ｗide ", count: 100)

  private static func hostileText(timing: String) -> String {
    let title = String(repeating: "e\u{301}🇩🇪❤️ क्षि ", count: 20) + #"\e[31m\n"#
    let card = """
      { title: "\(title)", note: "\(String(repeating: "note ", count: 50))", \(timing) }, \
      { title: "\(String(repeating: "🏋️‍♀️", count: 30))", countUp: {} }
      """
    let groups = (1...15).reduce("[\(card)]") { inner, _ in "[{ rounds: 2, cards: \(inner) }]" }
    return "title: \(String(repeating: "日本語👩‍👩‍👧‍👦", count: 20))\ncards: \(groups)\n"
  }

  static let samples: [RunView] = [
    work, paused, away, lastSeconds, overtime, countUp, goalReached, hostile, pausedOvertime, openEnd,
    hostileCountUp,
  ]
}
