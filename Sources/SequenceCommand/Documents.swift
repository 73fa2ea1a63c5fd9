import FoundationEssentials
import NotifierLedger
import SequenceClient
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner

struct StatusDocument: Encodable {
  let schema = JSONText.schema
  let state: String
  var run: RunIdentity?
  var sequence: SequenceIdentity?
  var step: StepStatus?
  var next: Next?
  var total: Total?
  var suspend: SuspendDocument?

  /// The document of each active run, the current one first; `nil` in one of these documents.
  var runs: [StatusDocument]?
  /// The next schedule, if no run is active.
  var schedule: ScheduleDocument?

  struct RunIdentity: Encodable {
    let id: String
    let name: String
    let source: String
    let startedAt: String
    /// The number of the step that the run started at; `nil` for the first one.
    let firstStep: Int?
    let remark: String?
    let labels: [String]
  }

  struct StepStatus: Encodable {
    let number: Int
    let count: Int?
    let rounds: [Step.Round]
    let card: CardDocument
    let startedAt: String
    let elapsed: Double
    var remaining: Double?
    var duration: Double?
    var goal: Double?
    var overtime: Double?
  }

  struct Next: Encodable {
    let title: String
    let duration: Double?
  }

  struct Total: Encodable {
    let elapsed: Double
    let remaining: Double?
    /// The time at which the run is to end, and how much later it ends by plan, in seconds.
    let deadline: String?
    let late: Double?
  }

  init(_ status: RunStatus, next: Schedule? = nil) {
    self.init(status, of: status.run)
    schedule = next.map(ScheduleDocument.init)
    runs = status.runs.map { StatusDocument(status.status(of: $0.runID), of: $0) }
  }

  private init(_ status: RunStatus, of run: ActiveRunSnapshot?) {
    guard let run, let position = status.position else {
      state = "idle"
      return
    }
    state = position.state.rawValue
    self.run = RunIdentity(
      id: run.runID.uuidString, name: run.name, source: run.source.rawValue,
      startedAt: run.startedAt.description, firstStep: run.firstStepNumber, remark: run.remark,
      labels: run.labels)
    sequence = SequenceIdentity(id: run.sequence.id.uuidString, title: run.sequence.title)
    let isCountdown = position.step.timing.duration != nil
    step = StepStatus(
      number: position.step.number, count: position.stepCount, rounds: position.step.rounds,
      card: CardDocument(position.step.card), startedAt: position.startedAt.description,
      elapsed: position.elapsed.seconds, remaining: position.remaining?.seconds,
      duration: isCountdown ? position.target?.seconds : nil,
      goal: isCountdown ? nil : position.target?.seconds,
      overtime: position.isPastTarget ? position.overtime.seconds : nil)
    next = position.next.map { Next(title: $0.card.title, duration: $0.timing.duration?.seconds) }
    suspend = run.suspend.map(SuspendDocument.init)
    total = Total(
      elapsed: position.totalElapsed.seconds, remaining: position.totalRemaining?.seconds,
      deadline: run.deadline?.wall.description, late: status.late?.seconds)
  }
}

struct CheckDocument: Encodable {
  let schema = JSONText.schema
  let title: String
  let id: String
  let steps: [StepDocument]
  let total: Total

  struct StepDocument: Encodable {
    let number: Int
    let card: CardDocument
    let rounds: [Step.Round]
    let start: Double?
    let duration: Double?
    let atLeast: Double?
    let atMost: Double?
    /// The usual time of the user.
    let usual: Double?
  }

  struct Total: Encodable {
    let steps: Int?
    let duration: Double?
    let deadline: String?
    let late: Double?
  }

  /// - Parameter plan: a run that starts now and is to end at a time; `nil` without a deadline.
  init(_ timeline: Timeline, _ plan: PlannedRun?) {
    title = timeline.definition.title
    id = timeline.definition.id.uuidString
    // Starts after the first step without a fixed length are unknown.
    let firstStop = timeline.firstStop(from: 0)
    steps = (0..<timeline.listedCount).map { index in
      let step = plan?.step(at: index) ?? timeline.step(at: index)
      let start = plan?.start(ofStepAt: index) ?? timeline.duration(of: 0..<index)
      return StepDocument(
        number: step.number, card: CardDocument(step.card), rounds: step.rounds,
        start: index <= firstStop ?? index ? start.seconds : nil,
        duration: step.timing.duration?.seconds, atLeast: step.card.atLeast?.seconds,
        atMost: step.card.atMost?.seconds, usual: timeline.usualLength(of: step.card)?.seconds)
    }
    let length = SequenceLength(timeline)
    let end = plan?.start(ofStepAt: timeline.end)
    let duration = length.duration.map { end ?? $0 }
    total = Total(
      steps: length.steps, duration: duration?.seconds, deadline: plan?.deadline.description,
      late: plan?.late.seconds)
  }
}

struct NotificationsDocument: Encodable {
  let schema = JSONText.schema
  let notifications: [Entry]
  let later: [Later]
  let hasMore: Bool

  struct Later: Encodable {
    let identifier: String
    let due: String
    let summary: String
    let body: String
  }

  struct Entry: Encodable {
    let identifier: String
    let state: String
    let due: String
    let summary: String
    let body: String
    let reason: String?
    let reasonCode: String?
    let deliveredAt: String?
    let updatedAt: String
  }

  init(_ entries: [LedgerEntry], later: [NotificationRequest], hasMore: Bool) {
    self.later = later.map {
      Later(
        identifier: $0.identifier.rawValue, due: $0.due?.wall.description ?? "", summary: $0.summary,
        body: $0.body)
    }
    self.hasMore = hasMore
    notifications = entries.map {
      Entry(
        identifier: $0.request.identifier.rawValue, state: $0.state.rawValue,
        due: $0.due.wall.description, summary: $0.request.summary, body: $0.request.body,
        reason: $0.reason?.sentence.description, reasonCode: $0.reason?.code,
        deliveredAt: $0.delivered?.description, updatedAt: $0.updated.description)
    }
  }
}

struct SuspendDocument: Encodable {
  let cause: String
  let since: String
  /// The length in seconds; absent until the computer is back.
  let length: Double?

  init(_ suspend: Suspend) {
    cause = suspend.cause.rawValue
    since = suspend.since.wall.description
    length = suspend.length?.seconds
  }
}
