import FoundationEssentials
package import NotifierLedger
package import NotifierDelivery
package import SequencePlatform
import SequencePresentation
package import SequencePlanning
package import SequenceRunner
package import SequenceStore

/// The decisions of Sequence about the notifications of its runs.
package final class RunNotifications: NotificationResponder {
  private let store: RunStore
  private let onFailure: (any Error) -> Void
  private var foreground: FileLock?
  private var foregroundFailure: SystemError?
  private let styles: () -> [RunEvent.Name: NotificationStyle]
  fileprivate let rings: (ActiveRunSnapshot) -> Bool
  fileprivate let adapt: ((RunNotification) -> NotificationRequest)?
  private let horizon: PlanningHorizon
  private let startMissed: StartMissed?

  /// Starts what a schedule has missed, in the transaction of the response.
  package typealias StartMissed = (LedgerEntry, ClockReading) throws(StoreError) -> NotificationReason

  /// The button of a notification about a start that was missed.
  package static let startButton = NotificationAction(key: "start", title: translated("Start"))

  /// - Parameters:
  ///   - styles: how notifications of each kind look and sound; asked each time, so that a change counts at once.
  ///   - rings: whether a run rings at its end, and isn't muted.
  ///   - adapt: returns the request to show for a notification; `nil` to show each as it is.
  ///   - horizon: how far ahead notifications are planned, which is up to the store.
  ///   - onFailure: receives the reason why displays don't suppress notifications, once until the reason changes.
  package init(
    store: RunStore,
    styles: @escaping () -> [RunEvent.Name: NotificationStyle] = { NotificationPlanning.styles },
    rings: @escaping (ActiveRunSnapshot) -> Bool = { $0.rings && $0.options.sound != false },
    adapt: ((RunNotification) -> NotificationRequest)? = nil, horizon: PlanningHorizon = .standard,
    startMissed: StartMissed? = nil,
    onFailure: @escaping (any Error) -> Void
  ) {
    self.store = store
    self.styles = styles
    self.rings = rings
    self.adapt = adapt
    self.horizon = horizon
    self.startMissed = startMissed
    self.onFailure = onFailure
  }

  package func courier(
    process: Int32, preparation: Duration = .milliseconds(50), waitsForServer: Bool = false
  ) -> Courier {
    Courier(
      store: store.base, responder: self, planner: RunPlanner(store: store, horizon: horizon),
      latestDelivery: Lateness.notification, process: process, preparation: preparation,
      waitsForServer: waitsForServer)
  }

  package func presenter(_ status: RunStatus) -> any NotificationPresenter {
    RunPresenter(status: status, notifications: self)
  }

  /// Whether the user looks at a display of a run; a notification too many is better than none.
  fileprivate func isSeen(_ run: UUID) -> Bool {
    do throws(SystemError) {
      var lock =
        if let opened = foreground.take() {
          opened
        } else {
          try FileLock(path: store.directory.foregroundLockPath)
        }
      try lock.follow()
      let isSeen = try lock.isSharedByRunningProcess(DisplayedRuns.region(of: run))
      foreground = consume lock
      foregroundFailure = nil
      return isSeen
    } catch {
      if foregroundFailure != error {
        onFailure(Problem("displays do not suppress notifications: \(error.problem.text)"))
      }
      foregroundFailure = error
      return false
    }
  }

  fileprivate func endedRun(_ id: UUID) throws(StoreError) -> EndedRun? {
    try store.repairing { () throws(StoreError) in try store.database.endedRun(id: id) }
  }

  fileprivate func style(of kind: String) -> NotificationStyle {
    RunEvent.Name(rawValue: kind).flatMap { styles()[$0] } ?? NotificationStyle()
  }

  package func respond(
    to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> NotificationReason {
    func pressed(but obstacle: String) -> NotificationReason {
      .pressed(action.title, but: NotificationReason(obstacle))
    }
    if let startMissed, action == RunNotifications.startButton { return try startMissed(entry, reading) }
    guard let context = RunContext(entry.request.context) else { return pressed(but: "button-unknown") }
    switch RingButton(rawValue: action.key) {
    // The notification is removed, and with it the ringing ends.
    case .stop: return .pressed(action.title)
    case .minute:
      return try startMinute(after: context.runID, at: reading)
        ? .pressed(action.title) : pressed(but: "step-cannot-be-longer")
    case nil: break
    }
    guard let button = RunButton(rawValue: action.key) else { return pressed(but: "button-unknown") }
    switch try store.perform(button.command, on: context.runID, onStep: context.step, at: reading) {
    case .success(let performed):
      if let request = performed.status.run?.pausedRequest(at: reading) {
        try ledger.add([request], at: reading)
      }
      return .pressed(action.title)
    case .failure(.alreadyPaused), .failure(.alreadyRunning), .failure(.notSuspended):
      return pressed(but: "it-was-so-already")
    case .failure(.extendedTooMuch), .failure(.nothingToExtend):
      return pressed(but: "step-cannot-be-longer")
    // The others refuse no button of a run.
    case .failure: return pressed(but: "step-was-over")
    }
  }

  /// Starts a timer of one minute that rings like an ended run; returns whether that was possible.
  private func startMinute(after run: UUID, at reading: ClockReading) throws(StoreError) -> Bool {
    guard let ended = try store.database.endedRun(id: run) else { return false }
    let timeline: Timeline
    do throws(TimelineError) { timeline = try ended.minuteMore() } catch { return false }
    let former = ended.snapshot.options
    let options = RunOptions(
      suspendPolicy: former.suspendPolicy, sound: former.sound, speech: former.speech, rings: true,
      labels: former.labels)
    switch try store.start(timeline, options: options, RunStart(source: .timer), at: reading) {
    case .success: return true
    case .failure: return false
    }
  }

  /// Ends the reminders of a card that insists.
  package func wasDismissed(
    _ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) {
    guard event(of: entry.request) == .overtime, let context = RunContext(entry.request.context) else {
      return
    }
    let status = try store.peek(in: ledger.database, at: reading).status(of: context.runID)
    guard status.run?.log.count == context.step else { return }
    try ledger.endInsistence(of: status, reason: .dismissed)
  }

  /// Buttons have done what they ask for by now, and dismissing asks for no more.
  package var readsResponses: Bool { false }
}

private struct RunPresenter: NotificationPresenter {
  let status: RunStatus
  let notifications: RunNotifications

  /// Suppresses what a display of the run shows, unless that rings, and names the sequence while other runs are active.
  func presentation(of entry: LedgerEntry, lateness: Duration) throws -> Presentation {
    guard let context = RunContext(entry.request.context) else { return .show(entry.request) }
    // A live display shows that the run is paused, but neither why nor the question whether the time counts.
    let rings = try rings(entry, context, lateness: lateness)
    let isSeen = !rings && event(of: entry.request) != .return && notifications.isSeen(context.runID)
    return isSeen ? .suppress(.foreground) : .show(try requestToShow(entry, context, rings: rings))
  }

  private func rings(_ entry: LedgerEntry, _ context: RunContext, lateness: Duration) throws -> Bool {
    guard RingButton.areOffered(by: entry.request) else { return false }
    // One that is shown again was in time, but its end may be long past.
    let age = entry.repetition == .shown ? status.reading.wall.duration(since: entry.due.wall) : .zero
    guard lateness <= Lateness.notification, (.zero..<RingingEnd.limit).contains(age) else { return false }
    let run = status.status(of: context.runID).run
    return try (run ?? notifications.endedRun(context.runID)?.snapshot).map(notifications.rings) ?? false
  }

  /// Adds the title of the sequence while other runs are active, unless the text has it already.
  private func requestToShow(
    _ entry: LedgerEntry, _ context: RunContext, rings: Bool
  ) throws -> NotificationRequest {
    var request = entry.request
    if !rings, RingButton.areOffered(by: request) { request.actions = [] }
    let active = status.status(of: context.runID).run
    let ended = active == nil ? try notifications.endedRun(context.runID) : nil
    // Of a lost run only its own notification is known.
    guard let run = active ?? ended?.snapshot, ended?.outcome != .lost else { return request }
    let isNamed =
      [.runStart, .runEnd].contains(event(of: request))
      || context.step < run.timeline.end && run.timeline.card(at: context.step).title == run.sequence.title
    if !isNamed, status.runs.contains(where: { $0.runID != run.runID }) {
      request.body = NotificationText.adding(TextSafety.isolated(run.sequence.title), to: request.body)
    }
    guard rings || notifications.adapt != nil else { return request }
    // The program gets the style that would be shown, and its result is shown unchanged.
    request.style = style(of: request)
    if rings { request.style.urgency = .critical }
    var shown =
      notifications.adapt?(RunNotification(request: request, run: run, index: context.step)) ?? request
    shown.kind = nil
    return shown
  }

  /// Whether the step that it is about is still the current one, or the run ended within a day.
  ///
  /// Another run of the sequence cancels the notifications of this one.
  func isStillNews(_ entry: LedgerEntry) -> Bool {
    guard let context = RunContext(entry.request.context) else {
      // A start that was missed.
      return status.reading.elapsed(since: entry.due) < entry.request.latestDelivery ?? .zero
    }
    guard let run = status.status(of: context.runID).run else {
      return event(of: entry.request) == .runEnd
        && status.reading.elapsed(since: entry.due) <= Lateness.runEnd
    }
    return run.log.count == context.step
      && run.isPaused == [.pause, .return].contains(event(of: entry.request))
  }

  /// The end of a step that is still current, and of a run, is shown however late the machine wakes.
  func isShownLate(_ entry: LedgerEntry) -> Bool {
    // A command that answers the question, or makes it pointless, cancels it.
    event(of: entry.request) == .return || isStillNews(entry)
  }

  func isCounted(_ entry: LedgerEntry) -> Bool { event(of: entry.request) == .stepEnd }

  /// Adds when it became true, or how many steps ended meanwhile.
  func lateText(
    for entry: LedgerEntry, text: (summary: String, body: String), after earlier: Int, isLate: Bool,
    at reading: ClockReading
  ) -> (summary: String, body: String) {
    let time = "at \(LocalTime.clock(of: entry.due.wall, now: reading.wall))"
    switch event(of: entry.request) {
    // These have words of their own about the time.
    case .pause, .return: return text
    case .runEnd:
      // Also one that is shown again the next morning.
      let age = entry.repetition == .shown ? reading.wall.duration(since: entry.due.wall) : .zero
      return isLate || age > Lateness.notification
        ? (text.summary, NotificationText.adding(time, to: text.body)) : text
    case let kind:
      if earlier == 0 { return isLate ? (text.summary, NotificationText.adding(time, to: text.body)) : text }
      let ended = earlier + (kind == .stepEnd ? 1 : 0)
      let body = NotificationText.adding(
        plural("1 step ended meanwhile", "{} steps ended meanwhile", count: ended), to: text.body)
      return (isLate ? translated("Now: {}", text.summary) : text.summary, body)
    }
  }

  func style(of kind: String) -> NotificationStyle { notifications.style(of: kind) }
}

private struct RunPlanner: NotificationPlanner {
  let store: RunStore
  let horizon: PlanningHorizon

  func nextPlanning(at reading: ClockReading) throws(StoreError) -> Duration? {
    try Planner(database: store.database, horizon: horizon).nextPlanning(at: reading)
  }

  func hasMore() throws(StoreError) -> Bool { try store.ledger.hasMorePlanned() }

  func planMore(in ledger: Ledger, at reading: ClockReading) throws(StoreError) {
    try Planner(database: ledger.database, horizon: horizon).planMore(at: reading)
  }
}
