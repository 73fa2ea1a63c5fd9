package import NotifierLedger
package import SequencePlatform
import SequenceRunner
package import SequenceStore

/// Writes the plans of the active runs to the ledger, up to a horizon; within a transaction of the caller.
package struct Planner {
  private let database: Database
  private let horizon: PlanningHorizon

  package init(database: Database, horizon: PlanningHorizon) {
    self.database = database
    self.horizon = horizon
  }

  package var ledger: Ledger { Ledger(database: database) }

  /// Replaces the pending notifications of a run by the first ones of a plan.
  func replace(
    of run: ActiveRunSnapshot, by plan: RunPlan?, keepingDue keepsDue: Bool, at reading: ClockReading,
    reason: NotificationReason
  ) throws(StoreError) {
    let scope = NotificationScope.sequence(run.sequence.id)
    var part = RunPlan.Part()
    if let plan, let time = plan.time(at: reading) { part = plan.part(after: time, horizon) }
    try ledger.plan(
      part.requests.map(\.request), in: scope, keepingDue: keepsDue, at: reading, reason: reason)
    try ledger.forgetClearedScopes(of: run.runID)
    try store(part.mark, of: run, entry: plan?.entry)
  }

  /// Plans the notifications of a run from a damaged store again, but for those that the user has cleared or seen.
  func restore(_ plan: RunPlan, at reading: ClockReading, reason: NotificationReason) throws(StoreError) {
    let (run, scope) = (plan.run, NotificationScope.sequence(plan.run.sequence.id))
    let cleared = try ledger.clearedScopes(of: run.runID)
    var part = RunPlan.Part()
    if let time = plan.time(at: reading), !cleared.contains(where: { $0.contains(scope) }) {
      part = plan.part(after: time, horizon)
    }
    // Identifiers are those of the sequence, and entries outlive their run.
    let seen = Set(
      try ledger.entries(in: scope).filter {
        $0.state == .cancelled && Planner.isSeen($0.reason)
          && RunContext($0.request.context)?.runID == run.runID
      }.map(\.request.identifier))
    let requests = part.requests.map(\.request).filter { request in
      !seen.contains(request.identifier) && !cleared.contains { $0.contains(request.identifier) }
    }
    try ledger.plan(requests, in: scope, keepingDue: true, at: reading, reason: reason)
    try store(part.mark, of: run, entry: plan.entry)
  }

  /// Whether a notification was cancelled because the user cleared it, or knows its content.
  static func isSeen(_ reason: NotificationReason?) -> Bool {
    reason.map { [.cleared, .foreground, .dismissed].contains($0) } ?? false
  }

  /// Gives the pending notifications their times in another boot.
  ///
  /// A notification that was cleared or shown before the restart must not become pending again.
  ///
  /// - Parameters:
  ///   - before: the run before the restart.
  ///   - plan: the plan that follows from the anchor.
  func move(
    from before: ActiveRunSnapshot, to plan: RunPlan, at reading: ClockReading, reason: NotificationReason
  ) throws(StoreError) {
    let scope = NotificationScope.sequence(before.sequence.id)
    // The clocks of the two boots were compared for the anchor.
    let passed = plan.entry.time
    try addLast(of: before, until: passed, at: reading)
    let pending = try ledger.pendingIdentifiers(in: scope)
    let mark = try ledger.planningMark(of: before.runID)
    // A plan may be endless, so it is read as far as it was planned. Without a mark it was planned to its end, or
    // cleared.
    var planned: [NotificationRequest] = []
    for upcoming in plan.requests(after: .zero).prefix(Planner.mostRead) {
      let isPlanned = mark.map { upcoming.time <= $0.time - passed } ?? true
      guard planned.count < pending.count, isPlanned else { break }
      if pending.contains(upcoming.request.identifier.rawValue) { planned.append(upcoming.request) }
    }
    try ledger.plan(planned, in: scope, keepingDue: true, at: reading, reason: reason)
    guard let mark else { return }
    let time = max(.zero, mark.time - passed)
    // The reminders of a card that insists end with the boot.
    let hasMore = plan.requests(after: time).first { _ in true } != nil
    try store(
      hasMore ? (time, max(.zero, mark.refill - passed)) : nil, of: plan.run, entry: plan.entry)
  }

  /// Adds the last notification that the plan with the mark had until a time, if it isn't in the ledger; it stands for
  /// those before it.
  ///
  /// - Parameter time: a time of the plan; `nil` for that of the reading.
  func addLast(
    of run: ActiveRunSnapshot, until time: Duration? = nil, at reading: ClockReading
  ) throws(StoreError) {
    guard let mark = try ledger.planningMark(of: run.runID),
      let entry = try database.lastJournalEntry(notAfter: mark.entry), entry.number == mark.entry
    else { return }
    let plan = RunPlan(run: run, entry: entry)
    guard let time = time ?? plan.time(at: reading),
      let last = plan.last(
        after: mark.time, until: time, notIn: try ledger.clearedScopes(of: run.runID), horizon)
    else { return }
    // The wall clock was set back over a restart: the notification would be due in the future, for a step that is over.
    if let due = last.upcoming.request.due, due.bootID != reading.bootID, due.wall > reading.wall { return }
    try ledger.add([last.upcoming.request], at: reading, unlisted: last.earlier)
  }

  /// When to plan more, on the boot clock; `nil` if everything is planned.
  package func nextPlanning(at reading: ClockReading) throws(StoreError) -> Duration? {
    var next: Duration?
    for mark in try ledger.planningMarks() {
      guard let plan = try lastPlan(mark), let since = plan.chain?.since else { return reading.boot }
      // In another boot the mark is moved first.
      guard since.bootID == reading.bootID else { continue }
      let refill = since.boot + mark.refill
      next = next.map { min($0, refill) } ?? refill
    }
    return next
  }

  /// Plans more notifications of each run that has few planned ones left.
  ///
  /// Continues after the mark and never before it, so nothing that was cleared, shown or prepared is planned twice. If
  /// time has passed the mark, the last notification until now stands for the others.
  package func planMore(at reading: ClockReading) throws(StoreError) {
    for mark in try ledger.planningMarks() { try planMore(mark, at: reading) }
  }

  private func planMore(_ mark: PlanningMark, at reading: ClockReading) throws(StoreError) {
    // The mark of another entry is void. Each change of the run replaces its mark, so only damage leaves one.
    guard let plan = try lastPlan(mark), let time = plan.time(at: reading) else {
      return try ledger.removePlanningMark(of: mark.runID)
    }
    guard time >= mark.refill else { return }
    try addLast(of: plan.run, until: time, at: reading)
    let part = plan.part(after: time, horizon)
    let cleared = try ledger.clearedScopes(of: mark.runID)
    let requests = part.requests.filter { upcoming in
      upcoming.time > mark.time && !cleared.contains { $0.contains(upcoming.request.identifier) }
    }
    try ledger.add(requests.map(\.request), at: reading)
    try store(part.mark, of: plan.run, entry: plan.entry)
  }

  /// Returns notifications of the plans that aren't in the ledger yet, earliest first, and whether more follow.
  package func later(
    than reading: ClockReading, in scopes: [NotificationScope], atMost count: Int
  ) throws(StoreError) -> (requests: [NotificationRequest], hasMore: Bool) {
    var requests: [NotificationRequest] = []
    for mark in try ledger.planningMarks() {
      guard let plan = try lastPlan(mark), let time = plan.time(at: reading) else { continue }
      let cleared = try ledger.clearedScopes(of: mark.runID)
      // A scope may have no more notifications in an endless plan.
      requests += plan.requests(after: max(time, mark.time)).prefix(Planner.mostRead).lazy.map(\.request)
        .filter { request in
          scopes.contains { $0.contains(request.identifier) }
            && !cleared.contains { $0.contains(request.identifier) }
        }.prefix(count + 1)
    }
    // Those of one plan are in order, and may be due at one moment.
    let sorted = requests.enumerated().sorted {
      ($0.element.due?.boot ?? .zero, $0.offset) < ($1.element.due?.boot ?? .zero, $1.offset)
    }
    return (sorted.prefix(count).map(\.element), sorted.count > count)
  }

  private static let mostRead = 100_000

  /// The plan of a mark; `nil` if its run has ended or was changed since.
  private func lastPlan(_ mark: PlanningMark) throws(StoreError) -> RunPlan? {
    guard let (run, entry) = try database.activeJournalEntry(of: mark.runID), entry.number == mark.entry
    else { return nil }
    return RunPlan(run: run, entry: entry)
  }

  private func store(
    _ mark: (time: Duration, refill: Duration)?, of run: ActiveRunSnapshot, entry: JournalEntry?
  ) throws(StoreError) {
    guard let mark, let entry else { return try ledger.removePlanningMark(of: run.runID) }
    try ledger.store(
      PlanningMark(
        runID: run.runID, scope: .sequence(run.sequence.id), entry: entry.number, time: mark.time,
        refill: mark.refill))
  }
}

/// The notifications of a run as they follow from an entry of its journal.
///
/// Times count from the start of the clock in that entry. The plan is read lazily and may be endless.
struct RunPlan {
  let run: ActiveRunSnapshot
  let entry: JournalEntry
  /// The steps that time passes after the entry; `nil` while the clock is stopped.
  let chain: StepChain?

  init(run: ActiveRunSnapshot, entry: JournalEntry) {
    self.run = run
    self.entry = entry
    chain = entry.chain(in: run.timeline)
  }

  struct Upcoming {
    let time: Duration
    let request: NotificationRequest
  }

  /// A part of the plan that gets entries.
  struct Part {
    var requests: [Upcoming] = []
    /// The due time of the last request, and when to plan more; `nil` if the plan ends with it.
    var mark: (time: Duration, refill: Duration)?
  }

  func time(at reading: ClockReading) -> Duration? { chain.map { reading.elapsed(since: $0.since) } }

  func requests(after time: Duration) -> some Sequence<Upcoming> {
    let since = chain?.since.boot ?? .zero
    return Agenda(chain, after: time).lazy.compactMap { event in
      run.request(event).map { Upcoming(time: event.at.boot - since, request: $0) }
    }
  }

  func part(after time: Duration, _ horizon: PlanningHorizon) -> Part {
    var part = Part()
    for upcoming in requests(after: time) {
      guard part.requests.count < horizon.count else {
        let last = part.requests[horizon.count - 1],
          refill = part.requests[horizon.count - horizon.fewest]
        part.mark = (last.time, refill.time)
        break
      }
      part.requests.append(upcoming)
    }
    return part
  }

  /// Returns the last request after a time and until another that is in none of some scopes, and the number of steps
  /// that end before it after that time.
  ///
  /// - Returns: `nil` without one among the last steps; how many these are is up to the horizon.
  /// - Complexity: O(horizon + log steps), however many requests there are.
  func last(
    after first: Duration, until last: Duration, notIn cleared: [NotificationScope],
    _ horizon: PlanningHorizon
  ) -> (upcoming: Upcoming, earlier: Int)? {
    guard let chain, last > first else { return nil }
    // Each step that has ended by itself had one request.
    let passed = chain.step(after: first)
    let start = max(passed, chain.step(after: last) - horizon.count)
    var earlier = start - passed
    var found: (upcoming: Upcoming, earlier: Int)?
    for upcoming in requests(after: start == passed ? first : chain.time(ofStepAt: start, elapsed: .zero)) {
      guard upcoming.time <= last else { break }
      if !cleared.contains(where: { $0.contains(upcoming.request.identifier) }) {
        found = (upcoming, earlier)
      }
      if event(of: upcoming.request) == .stepEnd { earlier += 1 }
    }
    return found
  }
}

/// How many notifications of a run are planned ahead, so that commands cost the same for runs of any length.
package struct PlanningHorizon: Equatable, Sendable {
  /// The largest number of requests that a command plans.
  let count: Int
  /// The number of planned requests below which more are planned.
  let fewest: Int

  package static let standard = PlanningHorizon(64)

  /// Creates a horizon of at least one request; more are planned when less than half are left.
  package init(_ count: Int) {
    self.count = count
    fewest = max(1, count / 2)
  }
}
