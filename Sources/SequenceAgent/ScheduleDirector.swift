import FoundationEssentials
import NotifierLedger
import SequenceClient
import SequenceConfiguration
import SequenceNotifications
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

/// Starts sequences at the times of their schedules.
///
/// A start, the date that is decided by it and its notification are one transaction.
final class ScheduleDirector {
  private let store: RunStore
  private let configuration: () -> Configuration
  private let timeAsleep: () -> Duration
  private let calendar: () -> ScheduleCalendar
  private var zone: TimeZoneWatch
  /// The time that the machine had been asleep at the last turn.
  private var lastTimeAsleep: Duration
  /// The schedules whose files were read since the agent started.
  private var known: Set<Int64> = []
  /// The schedule whose start comes next.
  private(set) var next: Schedule?

  /// A machine that slept for less has not slept through a time.
  private static let shortestSleep = Duration.seconds(1)

  init(
    store: RunStore, configuration: @escaping () -> Configuration,
    timeAsleep: @escaping () -> Duration = SystemClock.timeAsleep,
    calendar: @escaping () -> ScheduleCalendar = { ScheduleCalendar() },
    onFailure: @escaping (any Error) -> Void
  ) {
    self.store = store
    self.configuration = configuration
    self.timeAsleep = timeAsleep
    self.calendar = calendar
    lastTimeAsleep = timeAsleep()
    zone = store.clock.makeZoneWatch(onFailure: onFailure)
  }

  /// Without a schedule the zone doesn't matter.
  var descriptors: [Int32] { next == nil ? [] : zone.descriptors }

  /// When the next start is due, on the boot clock.
  var nextWake: Duration? { next?.due.boot }

  func hasNothingToWaitFor() throws(StoreError) -> Bool { try ScheduleTable(store.database).isEmpty() }

  /// Starts what is due, and notes what is missed; returns whether anything else than a time to wait for has changed.
  func startDue(at reading: ClockReading) throws -> Bool {
    _ = try zone.hasChanged()
    let asleep = timeAsleep()
    let hasSlept = asleep - lastTimeAsleep >= ScheduleDirector.shortestSleep
    lastTimeAsleep = asleep
    let schedules = try store.repairing { () throws(StoreError) in
      try ScheduleTable(store.database).schedules()
    }
    next = nil
    guard !schedules.isEmpty else { return false }
    let calendar = calendar()
    var hasDecided = false
    for schedule in schedules {
      let turn = ScheduleTurn(schedule, at: reading, hasSlept: hasSlept)
      let waiting: Schedule?
      if turn.isDue {
        let decided = try decide(schedule, turn, calendar, at: reading)
        hasDecided = hasDecided || decided.isDecided
        waiting = decided.next
      } else {
        waiting = try wait(schedule, calendar, at: reading)
      }
      if let waiting, next.map({ waiting.due.boot < $0.due.boot }) ?? true { next = waiting }
    }
    return hasDecided
  }

  /// Lets a schedule wait for the time that the clocks and the file give now; removes it if there is none.
  private func wait(
    _ schedule: Schedule, _ calendar: ScheduleCalendar, at reading: ClockReading
  ) throws(StoreError) -> Schedule? {
    var waiting = schedule
    if known.insert(schedule.number).inserted, schedule.lead != nil {
      waiting.lead = try planned(source(of: schedule)) ?? schedule.lead
    }
    guard waiting.wait(by: calendar, at: reading) else { return try replace(schedule, by: nil, at: reading) }
    return waiting.isAsDue(schedule) ? schedule : try replace(schedule, by: waiting, at: reading)
  }

  private func decide(
    _ schedule: Schedule, _ turn: ScheduleTurn, _ calendar: ScheduleCalendar, at reading: ClockReading
  ) throws(StoreError) -> (isDecided: Bool, next: Schedule?) {
    let source = source(of: schedule)
    let planned = schedule.lead == nil ? nil : try planned(source)
    if turn.mayStart, let planned, let lead = schedule.lead, planned < lead {
      // The file has become shorter.
      var later = schedule
      later.delay(to: planned, at: reading)
      if later.due.boot > reading.boot { return (false, try replace(schedule, by: later, at: reading)) }
    }
    let last = turn.lastTime(by: calendar)
    var next = schedule
    next.lead = planned ?? next.lead
    if case .success(let source) = source {
      (next.title, next.sequence) = (source.timeline.definition.title, source.timeline.definition.id)
    }
    next.last = Schedule.Decision(day: last.day.number, .missed)
    let hasNext = !schedule.days.isEmpty && next.wait(by: calendar, at: reading)
    let decided = try store.base.transaction { database throws(StoreError) -> Bool in
      let table = ScheduleTable(database)
      // Another process may have removed it.
      guard try table.schedules().contains(schedule) else { return false }
      let end = min(
        hasNext ? next.due.wall : .init(microseconds: .max),
        schedule.lead.map { last.moment.advanced(by: $0) } ?? .init(microseconds: .max),
        last.moment.advanced(by: Lateness.runEnd))
      next.last = Schedule.Decision(
        day: last.day.number,
        try begin(schedule, source, at: last.moment, until: end, mayStart: turn.mayStart, in: database))
      if hasNext { try table.replace(next) } else { try table.remove(schedule.number) }
      return true
    }
    return decided ? (true, hasNext ? next : nil) : (false, again(schedule, at: reading))
  }

  /// Returns what the store has then: the changed schedule, unless another process has changed it before.
  private func replace(
    _ schedule: Schedule, by changed: Schedule?, at reading: ClockReading
  ) throws(StoreError) -> Schedule? {
    let isDone = try store.base.transaction { database throws(StoreError) -> Bool in
      let table = ScheduleTable(database)
      guard try table.schedules().contains(schedule) else { return false }
      if let changed { try table.replace(changed) } else { try table.remove(schedule.number) }
      return true
    }
    return isDone ? changed : again(schedule, at: reading)
  }

  /// Returns a schedule with another turn at once.
  private func again(_ schedule: Schedule, at reading: ClockReading) -> Schedule {
    var schedule = schedule
    schedule.due = reading
    return schedule
  }

  /// Starts the sequence, or adds the notification that it was due.
  private func begin(
    _ schedule: Schedule, _ source: Result<SequenceSource, Problem>, at time: Moment, until end: Moment,
    mayStart: Bool, in database: Database
  ) throws(StoreError) -> Schedule.Outcome {
    let reading = store.clock.now()
    let id =
      if case .success(let source) = source { source.timeline.definition.id } else { schedule.sequence }
    let active = try store.peek(in: database, at: reading).runs.map(\.sequence.id)
    guard !active.contains(id), !active.contains(schedule.sequence) else { return .passed }
    var reason: LocalizedText?
    switch source {
    case .failure(let problem): reason = problem.text
    case .success(let source) where mayStart:
      // The clock may have been set past it a moment ago.
      let since = schedule.due.boot <= reading.boot ? schedule.due : reading
      switch try start(source, schedule.choices, until: schedule.deadline, since: since, isYielding: true) {
      case .success(let status):
        if let request = status.run?.startedRequest(due: reading) {
          try Ledger(database: database).add([request], at: reading)
        }
        return .started
      case .failure(.sequenceActive): return .passed
      case .failure(let error): reason = error.problem.text
      }
    case .success: break
    }
    guard end > reading.wall else { return .missed }
    let missed = MissedStart(
      path: schedule.path, choices: schedule.choices,
      deadline: schedule.lead.map { time.advanced(by: $0) }, end: end)
    let request = missed.request(schedule.title, of: id, at: time, because: reason, due: reading)
    let ledger = Ledger(database: database)
    try ledger.withdraw(.sequence(id), at: reading, reason: .replaced)
    try ledger.add([request], at: reading)
    return .missed
  }

  /// Starts what was missed because its button was pressed.
  func startMissed(
    _ entry: LedgerEntry, at reading: ClockReading
  ) throws(StoreError) -> NotificationReason {
    let button = RunNotifications.startButton.title
    func pressed(but obstacle: String) -> NotificationReason {
      .pressed(button, but: NotificationReason(obstacle))
    }
    let missed = try MissedStart(entry.request, store: store.database.path)
    guard reading.wall < missed.end else { return pressed(but: "start-too-late") }
    guard case .success(let source) = source(at: missed.path, missed.choices),
      case .success = try start(
        source, missed.choices, until: missed.deadline, since: reading, isYielding: false)
    else { return pressed(but: "start-failed") }
    return .pressed(button)
  }

  private func start(
    _ source: SequenceSource, _ choices: ScheduleChoices, until deadline: Moment?, since moment: ClockReading,
    isYielding: Bool
  ) throws(StoreError) -> Result<RunStatus, RunError> {
    let options = configuration().options(
      of: source.timeline.definition, .file, sound: choices.sound, speech: choices.speech,
      labels: choices.labels)
    var start = RunStart(beside: true, until: deadline)
    start.isYielding = isYielding
    return try store.start(source.timeline, options: options, start, since: moment)
  }

  private func planned(_ source: Result<SequenceSource, Problem>) throws(StoreError) -> Duration? {
    guard case .success(let source) = source else { return nil }
    return try source.planned(in: store)
  }

  private func source(of schedule: Schedule) -> Result<SequenceSource, Problem> {
    source(at: schedule.path, schedule.choices)
  }

  private func source(at path: String, _ choices: ScheduleChoices) -> Result<SequenceSource, Problem> {
    do {
      try SequenceSource.requireRegular(path)
      return .success(try SequenceSource(path: path, choices))
    } catch {
      return .failure(explained(error))
    }
  }
}

/// A start that a schedule has missed, which the button of its notification makes up for.
///
/// The schedule itself may be gone, or wait for its next time.
struct MissedStart: Equatable {
  let path: String
  let choices: ScheduleChoices
  let deadline: Moment?
  /// When it is too late.
  let end: Moment

  /// Returns the notification that a sequence was due.
  ///
  /// - Parameter reason: why it was not started; `nil` if nobody looked at the time.
  func request(
    _ title: String, of sequence: UUID, at time: Moment, because reason: LocalizedText?, due: ClockReading
  ) -> NotificationRequest {
    var request = NotificationRequest(
      identifier: .started(sequence: sequence), tag: NotificationScope.sequence(sequence).prefix,
      kind: RunEvent.Name.runStart.rawValue,
      summary: translated(
        "{title} was due at {time}",
        ["title": TextSafety.isolated(title), "time": LocalTime.clock(of: time, now: due.wall)]),
      body: TextSafety.isolated(reason?.translation ?? ""), actions: [RunNotifications.startButton],
      context: JSONWriter.text { write(to: &$0) }, due: due)
    request.latestDelivery = max(.zero, end.duration(since: due.wall))
    return request
  }
}

extension MissedStart {
  private func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("choices") { choices.write(to: &$0) }
      json.member("deadline", deadline)
      json.member("end", end)
      json.member("path", path)
    }
  }

  /// - Throws: `StoreError.damaged` for a notification about something else.
  init(_ request: NotificationRequest, store: String) throws(StoreError) {
    self = try JSONReader.value(of: request.context ?? "", path: store) { json throws(JSONReader.Failure) in
      var (path, choices) = ("", ScheduleChoices())
      var (deadline, end) = (Moment?.none, Moment(microseconds: .min))
      try json.object { json, name throws(JSONReader.Failure) in
        switch name {
        case "path": path = try json.string()
        case "choices": choices = try ScheduleChoices(from: &json)
        case "deadline": deadline = Moment(microseconds: try json.integer())
        case "end": end = Moment(microseconds: try json.integer())
        default: try json.skip()
        }
      }
      return MissedStart(path: path, choices: choices, deadline: deadline, end: end)
    }
  }
}
