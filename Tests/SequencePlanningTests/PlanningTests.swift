import Foundation
import NotifierLedger
@testable import SequencePlanning
import SequenceRunner
import TestSupport
import Testing

struct PlanningTests {
  private let clock = ManualClock()
  private let ids = (0..<4).map { _ in UUID() }
  private let sequence = UUID()

  private func run(_ elements: SequenceElement..., from first: Int = 0) throws -> ActiveRunSnapshot {
    let definition = SequenceDefinition(
      id: sequence, title: "Test", elements: elements, onSuspend: nil, onLock: nil)
    return ActiveRunSnapshot(timeline: try Timeline(definition), firstStep: first, at: clock.now())
  }

  private func card(_ index: Int, _ timing: Timing) -> SequenceElement {
    .card(Card(id: ids[index], title: "Card \(index)", timing: timing))
  }

  private func plan(_ run: ActiveRunSnapshot) throws -> [NotificationRequest] {
    guard case .active(let settled) = run.settled(at: clock.now()) else { return [] }
    return settled.notificationRequests(at: clock.now())
  }

  private var prefix: String { "sequence.\(sequence)" }

  @Test func `each reason of a change has a sentence, and is in the documentation`() throws {
    let page = try String(contentsOfFile: BuiltProducts.repository + "docs/json.md", encoding: .utf8)
    let commands: [RunCommand] = [
      .pause, .resume(), .toggle, .next, .skip, .back, .restart, .extend(.seconds(1)), .stop,
    ]
    let causes: [RunChange.Cause] =
      [
        .started, .suspended(.sleep), .suspended(.lock), .suspended(.shutdown), .suspended(.powerLoss),
        .returned, .anchored,
        .ranOut, .salvaged,
      ] + commands.map { .command($0) }
    for reason in causes.map(NotificationPlanning.reason) {
      #expect(page.contains("`\(reason.code)`"), "\(reason.code)")
      #expect(reason.sentence.description != reason.code.replacing("-", with: " "))
    }
  }

  @Test func `the icon of a sequence is before the titles of its notifications`() throws {
    let definition = SequenceDefinition("Tea", icon: "🫖") {
      Card("Boil", .countdown(.seconds(10)))
      Card("Steep", .countdown(.seconds(10)))
    }
    let run = ActiveRunSnapshot(timeline: try Timeline(definition), firstStep: 0, at: clock.now())
    #expect(try plan(run).map(\.summary) == ["🫖 Steep, 10s", "🫖 Tea is finished"])
  }

  @Test(arguments: ["-1", "-9223372036854775808", "9223372036854775807", "x", "1 2", ""])
  func `a context with a step that no run has is none`(step: String) {
    let run = UUID()
    #expect(RunContext("\(run.uuidString) \(step)") == nil)
    #expect(RunContext(RunContext(runID: run, step: 3).description) == RunContext(runID: run, step: 3))
  }

  @Test func `each end without the user is planned, up to the first step that needs the user`() throws {
    let seconds = Timing.countdown(.seconds(10), advance: .automatic)
    let run = try run(
      card(0, seconds), .group(Group(rounds: 2, elements: [card(1, seconds)])),
      card(2, .countdown(.seconds(5), advance: .manual)), card(3, seconds))
    let requests = try plan(run)
    #expect(
      requests.map(\.identifier.rawValue) == [
        "\(prefix).card.\(ids[0]).countdown", "\(prefix).card.\(ids[1]).round.1.countdown",
        "\(prefix).card.\(ids[1]).round.2.countdown", "\(prefix).card.\(ids[2]).countdown",
      ])
    let start = clock.now()
    #expect(
      try requests.map { try #require($0.due).boot - start.boot } == [10, 20, 30, 35].map { .seconds($0) })
    #expect(Set(requests.map { $0.summary + $0.body }).count == 4)
  }

  @Test func `a notification has the picture of the step that it is about`() throws {
    func card(_ title: String, _ timing: Timing) -> SequenceElement {
      .card(Card(title, timing, image: "/\(title).png"))
    }
    let run = try run(
      card("a", .countdown(.seconds(10))), .card(Card("plain", .countdown(.seconds(10)))),
      card("b", .countdown(.seconds(10), advance: .manual)),
      card("c", .countUp(goal: Goal(duration: .seconds(5), reminders: 2))))
    func pictures(_ run: ActiveRunSnapshot) throws -> [String] {
      try plan(run).map { "\(try #require($0.kind)) \($0.style.image ?? "none")" }
    }
    // The end of a countdown announces the next step.
    #expect(try pictures(run) == ["step-end none", "step-end /b.png", "overtime /b.png"])
    guard case .active(let paused) = try run.applying(.pause, at: clock.now()) else {
      throw TestSupportError("the run has ended")
    }
    #expect(paused.pausedRequest(at: clock.now())?.style.image == "/a.png")
    clock.advance(by: .seconds(20))
    guard case .active(let settled) = run.settled(at: clock.now()),
      case .active(let last) = try settled.applying(.next, at: clock.now())
    else { throw TestSupportError("the run is over") }
    #expect(try pictures(last) == ["goal /c.png", "reminder /c.png"])
  }

  @Test func `the end of the run has no picture`() throws {
    let run = try run(.card(Card("a", .countdown(.seconds(10)), image: "/a.png")))
    #expect(try plan(run).map(\.style.image) == [nil])
  }

  @Test func `the end of the run counts the steps that were completed`() throws {
    let seconds = Timing.countdown(.seconds(10), advance: .automatic)
    let run = try run(card(0, seconds), card(1, seconds), card(2, seconds))
    #expect(try plan(run).last?.body == "Card 2 is over · 3 steps done")
    guard case .active(let skipped) = try run.applying(.skip, at: clock.now()) else {
      throw TestSupportError("the run has ended")
    }
    #expect(try plan(skipped).last?.body == "Card 2 is over · 2 of 3 steps done")
  }

  @Test func `a run from a later step has the notifications from there on, with their own rounds`() throws {
    let seconds = Timing.countdown(.seconds(10), advance: .automatic)
    let run = try run(
      card(0, seconds), .group(Group(rounds: 3, elements: [card(1, seconds)])), card(2, seconds), from: 2)
    let requests = try plan(run)
    #expect(
      requests.map(\.identifier.rawValue) == [
        "\(prefix).card.\(ids[1]).round.2.countdown", "\(prefix).card.\(ids[1]).round.3.countdown",
        "\(prefix).finished",
      ])
    #expect(requests[0].body == "Card 1 is over · round 3 of 3 · step 4 of 5")
    #expect(requests[2].body == "Card 2 is over · 3 steps done")
    guard case .active(let skipped) = try run.applying(.skip, at: clock.now()) else {
      throw TestSupportError("the run has ended")
    }
    #expect(try plan(skipped).last?.body == "Card 2 is over · 2 of 3 steps done")
  }

  @Test func `the end of the run also announces the end of the last step`() throws {
    let requests = try plan(run(card(0, .countdown(.seconds(10), advance: .automatic))))
    #expect(requests.map(\.identifier.rawValue) == ["\(prefix).finished"])
    #expect(requests.map(event(of:)) == [.runEnd])
  }

  @Test func `a right-to-left title is isolated from our words and brings no control characters`()
    throws
  {
    let titles = ["تمرين\u{202E}", "\u{2069}Row\u{202A}", "Rest"]
    let cards = titles.map {
      Card(id: UUID(), title: $0, timing: .countdown(.seconds(10), advance: .automatic))
    }
    let requests = try plan(run(.card(cards[2]), .card(cards[0]), .card(cards[1])))
    #expect(
      requests.map(\.summary) == ["\u{200E}\u{2068}تمرين\u{2069}, 10s", "Row, 10s", "Test is finished"])
    #expect(requests[1].body == "\u{200E}\u{2068}تمرين\u{2069} is over · step 3 of 3")
  }

  @Test func `reminders after a goal keep their numbers and times when they are planned again`() throws {
    let run = try run(card(0, .countUp(goal: Goal(duration: .seconds(20 * 60)))))
    let start = clock.now()
    let all = try plan(run)
    #expect(try all.map { (try #require($0.due).boot - start.boot) / .seconds(60) } == [20, 30, 40])
    clock.advance(by: .seconds(35 * 60))
    let left = try plan(run)
    #expect(left == [all[2]])
    #expect(left.first?.identifier.rawValue == "\(prefix).card.\(ids[0]).countup.reminder.3")
    clock.advance(by: .seconds(5 * 60))
    #expect(try plan(run).isEmpty, "what is due at planning time is skipped")
  }

  @Test(arguments: [
    (1_468_775_601, 3000, "Card 0: goal of 4s reached"),
    (1_000_000_000, 1500, "Card 0: goal of 2.5s reached"),
  ])
  func `a goal that was moved past the old one is shown in whole seconds`(
    elapsed: Int, more: Int, summary: String
  ) throws {
    let run = try run(card(0, .countUp(goal: Goal(duration: .seconds(1)))))
    clock.advance(by: .nanoseconds(elapsed))
    guard case .active(let extended) = try run.applying(.extend(.milliseconds(more)), at: clock.now()) else {
      throw TestSupportError("the run is over")
    }
    #expect(try plan(extended).first?.summary == summary)
  }

  @Test(arguments: [
    (Timing.countUp(goal: Goal(duration: .seconds(60))), "goal reached · step 1 of 1"),
    (.countdown(.seconds(60), advance: .manual), "time is up · step 1 of 1"),
  ])
  func `a pause past the target states the elapsed time`(timing: Timing, body: String) throws {
    let run = try run(card(0, timing))
    clock.advance(by: .seconds(61))
    guard case .active(let paused) = try run.applying(.pause, at: clock.now()) else {
      throw TestSupportError("the run has ended")
    }
    #expect(paused.pausedRequest(at: clock.now())?.body == body)
  }

  @Test func `planning twice gives the same result, and a paused run needs nothing`() throws {
    let run = try run(
      card(0, .countdown(.seconds(10), advance: .automatic)),
      card(1, .countdown(.seconds(10), advance: .automatic)))
    clock.advance(by: .seconds(3))
    #expect(try plan(run) == plan(run))
  }

  @Test func `a scope matches whole components only`() throws {
    let tenth = NotificationIdentifier.reminder(10, sequence: sequence, card: ids[0], rounds: [])
    let first = NotificationIdentifier.reminder(1, sequence: sequence, card: ids[0], rounds: [])
    #expect(!NotificationScope(first).contains(tenth))
    #expect(NotificationScope(first).contains(first))
    #expect(NotificationScope.card(ids[0], ofSequence: sequence).contains(tenth))
    #expect(!NotificationScope.card(ids[1], ofSequence: sequence).contains(tenth))
    #expect(NotificationScope.sequence(sequence).contains(tenth))
    #expect(!NotificationScope.sequence(UUID()).contains(tenth))
    #expect(NotificationScope.allSequences.contains(.finished(sequence: sequence)))
    #expect(NotificationIdentifier(rawValue: "a..b") == nil)
  }
}
