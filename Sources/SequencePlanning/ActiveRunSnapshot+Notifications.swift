import FoundationEssentials
public import NotificationLedger
public import Platform
import Presentation
public import SequenceRunner

/// What is to be told of a run follows from its snapshot and a reading, as everything does.
extension ActiveRunSnapshot {
  /// The notifications that the run will need until the next point that only the user can pass.
  ///
  /// What is due at the reading or before is left out; what is still to come keeps its number and its time,
  /// whenever it is planned. A paused run needs none. `self` must be settled at the reading.
  ///
  /// - Complexity: O(steps until that point).
  public func notificationRequests(at reading: ClockReading) -> [NotificationRequest] {
    guard case .running(let since, let before) = current.clock else { return [] }
    /// What the clocks said when the current step had no active time yet.
    let start = since.advanced(by: .zero - before)
    let stop = timeline.firstStop(from: log.count)
    var requests: [NotificationRequest] = []
    var elapsed = Duration.zero
    for index in log.count..<min(stop + 1, timeline.count) {
      let extended = index == log.count ? current.extended : .zero
      let stepStart = start.advanced(by: elapsed)
      requests += self.requests(ofStepAt: index, startingAt: stepStart, extended: extended)
      elapsed += (timeline.card(at: index).timing.duration ?? .zero) + extended
    }
    return requests.filter { $0.due.elapsed(since: reading) > .zero }
  }

  private func requests(
    ofStepAt index: Int, startingAt start: ClockReading, extended: Duration
  ) -> [NotificationRequest] {
    let step = timeline.step(at: index)
    switch step.card.timing {
    case .countdown(let duration, let advance):
      let due = start.advanced(by: duration + extended)
      if advance == .manual { return [overtime(step, due: due)] }
      return [index + 1 < timeline.count ? stepEnd(step, due: due) : runEnd(due: due)]
    case .countUp(nil):
      return []
    case .countUp(let goal?):
      return (0..<goal.reminders).map { number in
        let overtime = goal.cadence * number
        let due = start.advanced(by: goal.duration + extended + overtime)
        return reminder(number + 1, of: goal, step, overtime: overtime, extended: extended, due: due)
      }
    }
  }

  private func stepEnd(_ step: Step, due: ClockReading) -> NotificationRequest {
    let next = timeline.step(at: step.index + 1)
    return request(
      .countdownEnd(sequence: sequence.id, card: step.card.id, rounds: step.rounds.map(\.round)), .stepEnd,
      of: next.index, summary: NotificationText.title(of: next),
      body: ["\(NotificationText.words(step.card.title)) is over", place(of: next)],
      buttons: RunButton.buttons(during: next.card.timing), due: due)
  }

  private func overtime(_ step: Step, due: ClockReading) -> NotificationRequest {
    request(
      .countdownEnd(sequence: sequence.id, card: step.card.id, rounds: step.rounds.map(\.round)), .overtime,
      of: step.index, summary: "\(NotificationText.words(step.card.title)): time is over",
      body: [whatFollows(step), place(of: step)],
      buttons: [.done, .extend], due: due)
  }

  private func reminder(
    _ number: Int, of goal: Goal, _ step: Step, overtime: Duration, extended: Duration, due: ClockReading
  ) -> NotificationRequest {
    let reached = DurationText.shown(goal.duration + extended)
    let title = NotificationText.words(step.card.title)
    let summary =
      overtime == .zero
      ? "\(title): goal of \(reached) reached"
      : "\(title): \(DurationText.format(overtime)) past the goal"
    return request(
      .reminder(number, sequence: sequence.id, card: step.card.id, rounds: step.rounds.map(\.round)),
      number == 1 ? .goal : .reminder,
      of: step.index, summary: summary, body: [whatFollows(step), place(of: step)],
      buttons: RunButton.buttons(during: step.card.timing), due: due)
  }

  private func runEnd(due: ClockReading) -> NotificationRequest {
    let last = NotificationText.words(timeline.card(at: timeline.count - 1).title)
    return request(
      .finished(sequence: sequence.id), .runEnd, of: timeline.count,
      summary: "\(NotificationText.words(sequence.title)) is finished",
      body: ["\(last) is over", "\(StepText.count(timeline.count)) done"], buttons: [], due: due)
  }

  /// What tells that a button paused the run, and lets another go on with it.
  package func pausedRequest(at reading: ClockReading) -> NotificationRequest {
    let step = timeline.step(at: log.count)
    return request(
      .paused(sequence: sequence.id), .pause, of: step.index,
      summary: "\(NotificationText.words(step.card.title)) is paused",
      body: timeLeft(at: reading) + [place(of: step)], buttons: [.resume], due: reading)
  }

  /// What is left of the current step, in words; empty where nothing tells.
  func timeLeft(at reading: ClockReading) -> [String] {
    guard let left = target.map({ $0 - elapsed(at: reading) }) else { return [] }
    guard left <= .zero else { return ["\(DurationText.format(left.wholeSeconds)) left"] }
    return [card.timing.goal == nil ? "time is over" : "goal reached"]
  }

  func request(
    _ identifier: NotificationIdentifier, _ kind: NotificationKind, of step: Int, summary: String,
    body: [String], buttons: [RunButton], due: ClockReading
  ) -> NotificationRequest {
    NotificationRequest(
      identifier: identifier, tag: NotificationScope.sequence(sequence.id).prefix, kind: kind,
      summary: summary, body: NotificationText.line(body), actions: buttons.map(\.action),
      userInfo: RunContext(runID: runID, step: step).description, due: due)
  }

  private func whatFollows(_ step: Step) -> String {
    guard step.index + 1 < timeline.count else { return "It is the last step" }
    return "Then: \(NotificationText.title(of: timeline.step(at: step.index + 1)))"
  }

  /// Where a step is, which also makes the texts of different steps differ, as servers want them to.
  func place(of step: Step) -> String {
    NotificationText.line(StepText.place(step, of: timeline.count))
  }
}
