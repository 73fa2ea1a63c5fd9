package import FoundationEssentials
public import NotifierLedger
public import SequencePlatform
import SequencePresentation
public import SequenceRunner

/// The notifications of a run follow from its snapshot and a reading.
extension ActiveRunSnapshot {
  /// Returns the next notifications that the run needs until the next point that only the user can pass.
  ///
  /// Requests that are due at the reading or before are left out; the others keep their number and time, whenever they
  /// are planned. A paused run needs none.
  ///
  /// - Parameters:
  ///   - reading: the present reading.
  ///   - count: the largest number of requests to return; a long run needs many.
  public func notificationRequests(at reading: ClockReading, atMost count: Int = 64) -> [NotificationRequest]
  {
    guard case .active(let run) = settled(at: reading) else { return [] }
    return Array(run.agenda(after: reading).lazy.compactMap(run.request).prefix(count))
  }

  /// Returns the notification of an event; `nil` for an event without one.
  func request(_ event: RunEvent) -> NotificationRequest? {
    switch event.kind {
    case .stepEnd:
      // The end of the run also announces the end of the last step.
      let isLast = event.step + 1 == timeline.end
      return isLast ? nil : stepEnd(timeline.step(at: event.step), due: event.at)
    case .ended: return runEnd(due: event.at)
    case .overtime: return overtime(event)
    case .goal: return reminder(1, event)
    case .reminder(let number):
      return timeline.card(at: event.step).insist == nil
        ? reminder(number, event) : overtime(event, reminder: number)
    default: return nil
    }
  }

  private func stepEnd(_ step: Step, due: ClockReading) -> NotificationRequest {
    let next = self.step(at: step.index + 1)
    return makeRequest(
      .countdownEnd(sequence: sequence.id, card: step.card.id, rounds: step.rounds.map(\.round)), .stepEnd,
      of: next.index, summary: NotificationText.title(of: next),
      body: [translated("{} is over", TextSafety.isolated(step.card.title)), place(of: next)],
      buttons: RunButton.buttons(during: next.timing), due: due)
  }

  /// - Parameter number: the number of the reminder of a card that insists; `nil` at the end of the time.
  private func overtime(_ event: RunEvent, reminder number: Int? = nil) -> NotificationRequest {
    let step = timeline.step(at: event.step)
    let (card, rounds) = (step.card.id, step.rounds.map(\.round))
    let title = TextSafety.isolated(step.card.title)
    let over = event.target.map { event.elapsed - $0 } ?? .zero
    return makeRequest(
      number.map { .insistence($0, sequence: sequence.id, card: card, rounds: rounds) }
        ?? .countdownEnd(sequence: sequence.id, card: card, rounds: rounds),
      .overtime,
      of: step.index,
      summary: number == nil
        ? translated("{}: time is up", title)
        : translated("{title}: {time} over", ["title": title, "time": DurationText.format(over)]),
      body: [whatFollows(step), place(of: step)], buttons: [.done, .extend], due: event.at)
  }

  private func reminder(_ number: Int, _ event: RunEvent) -> NotificationRequest? {
    let step = timeline.step(at: event.step)
    guard let goal = event.target, number <= step.timing.goal?.reminders ?? 0 else { return nil }
    let overtime = event.elapsed - goal
    let reached = DurationText.shown(goal)
    let title = TextSafety.isolated(step.card.title)
    let summary =
      overtime == .zero
      ? translated("{title}: goal of {goal} reached", ["title": title, "goal": reached])
      : translated(
        "{title}: {time} past the goal", ["title": title, "time": DurationText.format(overtime)])
    return makeRequest(
      .reminder(number, sequence: sequence.id, card: step.card.id, rounds: step.rounds.map(\.round)),
      number == 1 ? .goal : .reminder,
      of: step.index, summary: summary, body: [whatFollows(step), place(of: step)],
      buttons: RunButton.buttons(during: step.timing), due: event.at)
  }

  /// Returns the notification of the end by itself; `nil` for an endless sequence, which has none.
  func runEnd(due: ClockReading) -> NotificationRequest? {
    guard let count = timeline.count, let steps = stepCount else { return nil }
    let title = TextSafety.isolated(sequence.title)
    let last = TextSafety.isolated(timeline.card(at: count - 1).title)
    let skipped = log.endedCount - log.completedCount
    let done =
      skipped == 0
      ? plural("1 step done", "{} steps done", count: steps)
      : plural(
        "{completed} of 1 step done", "{completed} of {} steps done", count: steps,
        ["completed": String(steps - skipped)])
    var request = makeRequest(
      .finished(sequence: sequence.id), .runEnd, of: count,
      summary: translated("{} is finished", title),
      body: (last == title ? [] : [translated("{} is over", last)]) + [done], buttons: [], due: due)
    if rings { request.actions = RingButton.allCases.map(\.action) }
    return request
  }

  /// The icon of the sequence before the title of a notification; empty without one.
  private var iconText: String { sequence.icon.map { TextSafety.isolated($0) + " " } ?? "" }

  /// The title of the sequence whose end a notification announces; `nil` for another notification, and for one of a
  /// process with another language.
  static func titleOfEndedRun(in request: NotificationRequest) -> String? {
    let around = translated("{} is finished", "\n").split(separator: "\n", omittingEmptySubsequences: false)
    guard event(of: request) == .runEnd, around.count == 2, request.summary.hasPrefix(around[0]),
      request.summary.hasSuffix(around[1])
    else { return nil }
    return String(request.summary.dropFirst(around[0].count).dropLast(around[1].count))
  }

  /// Returns the notification that a schedule has started the run.
  package func startedRequest(due: ClockReading) -> NotificationRequest {
    let step = timeline.step(at: log.count)
    return makeRequest(
      .started(sequence: sequence.id), .runStart, of: step.index,
      summary: translated(
        "{sequence} has begun: {step}",
        [
          "sequence": TextSafety.isolated(sequence.title),
          "step": NotificationText.title(of: self.step(at: step.index)),
        ]),
      body: [place(of: step)], buttons: [.pause, .stop], due: due)
  }

  /// Returns the notification of a pause by a button, with a button that resumes the run; `nil` if the run isn't paused.
  package func pausedRequest(at reading: ClockReading) -> NotificationRequest? {
    guard isPaused else { return nil }
    let step = timeline.step(at: log.count)
    return makeRequest(
      .paused(sequence: sequence.id), .pause, of: step.index,
      summary: translated("{} is paused", TextSafety.isolated(step.card.title)),
      body: timeLeft(at: reading) + [place(of: step)], buttons: [.resume], due: reading)
  }

  /// Returns the notification that the run waits after a suspend; `nil` if it does not.
  package func returnRequest(at reading: ClockReading) -> NotificationRequest? {
    guard let suspend, let length = suspend.length else { return nil }
    let step = timeline.step(at: log.count)
    let title = TextSafety.isolated(step.card.title)
    let isAsking = policy(for: suspend.cause) == .ask
    return makeRequest(
      .paused(sequence: sequence.id), .return, of: step.index,
      summary: isAsking
        ? translated("{} is paused. Count that time?", title) : translated("{} is paused", title),
      body: [SuspendText.text(suspend.cause, length)] + timeLeft(at: reading) + [place(of: step)],
      buttons: isAsking ? [.resume, .count] : [.resume], due: reading)
  }

  private func timeLeft(at reading: ClockReading) -> [String] {
    guard let left = target.map({ $0 - elapsed(at: reading) }) else { return [] }
    guard left <= .zero else { return [translated("{} left", DurationText.format(left.wholeSeconds))] }
    return [card.timing.goal == nil ? translated("time is up") : translated("goal reached")]
  }

  private func makeRequest(
    _ identifier: NotificationIdentifier, _ kind: RunEvent.Name, of step: Int, summary: String,
    body: [String], buttons: [RunButton], due: ClockReading
  ) -> NotificationRequest {
    let card = step < timeline.end ? timeline.card(at: step) : nil
    let note = TextSafety.isolated(card?.note ?? "")
    return NotificationRequest(
      identifier: identifier, tag: NotificationScope.sequence(sequence.id).prefix, kind: kind.rawValue,
      summary: iconText + summary, body: NotificationText.line(body) + (note.isEmpty ? "" : "\n\(note)"),
      image: card?.image, actions: buttons.map(\.action),
      context: RunContext(runID: runID, step: step).description, due: due)
  }

  private func whatFollows(_ step: Step) -> String {
    guard step.index + 1 < timeline.end else { return translated("Last step") }
    return translated("Next: {}", NotificationText.title(of: timeline.step(at: step.index + 1)))
  }

  /// Where a step is, which also makes the texts of different steps differ, as servers want them to.
  private func place(of step: Step) -> String {
    NotificationText.line(StepText.place(step, of: timeline.count))
  }
}

/// A button of a notification about a run, or an entry of the panel's menu.
package enum RunButton: String, CaseIterable, Sendable {
  case done, pause, resume, count, skip, extend, stop

  /// By how much `extend` lengthens the step, and `+` and `-` of the live display change it.
  package static var extensionStep: Duration { .seconds(30) }

  package var command: RunCommand {
    switch self {
    case .done: .next
    case .pause: .pause
    case .resume: .resume()
    case .count: .resume(countingSuspend: true)
    case .skip: .skip
    case .extend: .extend(RunButton.extensionStep)
    case .stop: .stop
    }
  }

  package var title: String {
    switch self {
    case .done: translated("Done")
    case .pause: translated("Pause")
    case .resume: translated("Resume")
    case .count: translated("Count that time")
    case .skip: translated("Skip")
    case .extend: translated("+30 s")
    case .stop: translated("Stop")
    }
  }

  var action: NotificationAction { NotificationAction(key: rawValue, title: title) }

  static func buttons(during timing: Timing) -> [RunButton] {
    switch timing {
    case .countdown(_, .automatic): [.pause, .skip, .extend]
    case .countdown(_, .manual): [.done, .pause, .extend]
    case .countUp: [.done, .pause]
    }
  }
}

/// A button of the notification of an end that rings.
package enum RingButton: String, CaseIterable, Sendable {
  case stop = "stop-ringing"
  /// Starts a timer of one minute.
  case minute

  package var title: String {
    switch self {
    case .stop: translated("Stop")
    case .minute: translated("+1 min")
    }
  }

  var action: NotificationAction { NotificationAction(key: rawValue, title: title) }

  /// Whether a notification is about an end that rings, unless that is late or the run is muted.
  package static func areOffered(by request: NotificationRequest) -> Bool {
    event(of: request) == .runEnd && request.actions.contains { RingButton(rawValue: $0.key) != nil }
  }
}

/// The step of a notification, which is the current step while the notification is news.
package struct RunContext: Hashable, Sendable, CustomStringConvertible {
  package let runID: UUID
  package let step: Int

  package init(runID: UUID, step: Int) {
    self.runID = runID
    self.step = step
  }

  /// The context that `description` gave; `nil` for another text.
  package init?(_ text: String?) {
    guard let parts = text?.split(separator: " "), parts.count == 2,
      let runID = UUID(text: String(parts[0])), let step = Int(parts[1]),
      (0...StepLog.mostSteps).contains(step)
    else { return nil }
    self.init(runID: runID, step: step)
  }

  package var description: String { "\(runID.text) \(step)" }
}
