import FoundationEssentials
import SequencePlatform
import SequenceStore

package struct RunStart: Sendable {
  package var source: RunSource
  /// The name of the run; `nil` for one that is made from the title.
  package var name: String?
  /// Whether a sequence may be started while another one is active, which continues.
  package var isBeside: Bool
  /// Whether the run in the way is stopped: of the same sequence, else the current sequence; of a timer, only the timer
  /// of the same name.
  package var isReplacing: Bool
  package var firstStep: Int
  /// Whether the clock of the first step waits until the run is resumed.
  package var isPaused: Bool
  /// The time of the wall clock at which the run is to end; `nil` without one.
  package var deadline: Moment?
  /// Whether the run becomes the current one only once no other sequence is active.
  package var isYielding = false

  package init(
    source: RunSource = .file, name: String? = nil, beside isBeside: Bool = false,
    replacing isReplacing: Bool = false, firstStep: Int = 0, paused isPaused: Bool = false,
    until deadline: Moment? = nil
  ) {
    self.source = source
    self.name = name
    self.isBeside = isBeside
    self.isReplacing = isReplacing
    self.firstStep = firstStep
    self.isPaused = isPaused
    self.deadline = deadline
  }
}

extension RunStore {
  /// Starts a run of a sequence.
  ///
  /// A sequence has at most one active run. A timer or a run of cards is a sequence of its own, with an id that follows
  /// from its source and name.
  ///
  /// - Parameters:
  ///   - timeline: the steps of the sequence.
  ///   - suspendPolicy: the effect of suspend on the run; `nil` to leave that to the sequence.
  ///   - lockPolicy: the effect of a locked screen on the run; `nil` to leave that to the sequence.
  ///   - isTimer: whether the run is a timer, which is never in the way of another run.
  ///   - name: the name of the run, of at most 24 lower-case letters and digits of any script, with single hyphens between
  ///     words; `nil` for one that is made from the title.
  ///   - isBeside: whether another active sequence continues beside this one.
  ///   - isReplacing: whether the run in the way is stopped first: of the same sequence, else the current sequence; of
  ///     a timer, only the timer of the same name.
  ///   - firstStep: the index of the step that the run starts at, from 0. The steps before it are neither run nor
  ///     recorded. With endless rounds, it is a step of the first round or before it.
  ///   - isPaused: whether the clock of that step waits until the run is resumed.
  ///   - deadline: the time of the wall clock at which the run is to end, as far as the `atLeast` and `atMost` of its
  ///     cards allow it; `nil` without one.
  /// - Returns: the status of the new run.
  /// - Throws: `RunError.runActive` if another sequence is active, and neither of the two is chosen,
  ///   `RunError.sequenceActive` if the sequence itself is active and `isReplacing` is false, `RunError.invalidName`,
  ///   `.nameTaken`, `.tooManyRuns`, `.noSuchStep`, `.tooEarly`, `.endlessUntil`; `StoreError`.
  @discardableResult
  public func start(
    _ timeline: Timeline, onSuspend suspendPolicy: SuspendPolicy? = nil,
    onLock lockPolicy: SuspendPolicy? = nil, timer isTimer: Bool = false,
    name: String? = nil, beside isBeside: Bool = false, replacing isReplacing: Bool = false,
    firstStep: Int = 0, paused isPaused: Bool = false, until deadline: Moment? = nil
  ) throws -> RunStatus {
    let options = RunOptions(suspendPolicy: suspendPolicy, lockPolicy: lockPolicy, sound: nil, speech: nil)
    let start = RunStart(
      source: isTimer ? .timer : .file, name: name, beside: isBeside, replacing: isReplacing,
      firstStep: firstStep, paused: isPaused, until: deadline)
    return try self.start(timeline, options: options, start)
  }

  /// Starts a run of a sequence with choices as a value.
  @discardableResult
  package func start(
    _ timeline: Timeline, options: RunOptions = .unspecified, _ start: RunStart
  ) throws -> RunStatus {
    if let name = start.name, !RunName.isValid(name) { throw RunError.invalidName(name) }
    guard timeline.hasListedStep(start.firstStep) else {
      throw RunError.noSuchStep(start.firstStep, count: timeline.listedCount)
    }
    return try transaction { reading throws(StoreError) in
      try self.start(timeline, options: options, start, at: reading)
    }.get()
  }

  /// Starts a run at a moment that may have passed; must be called in a transaction.
  ///
  /// The latest entry of the journal counts instead if it is later: events before it have been read.
  package func start(
    _ timeline: Timeline, options: RunOptions, _ start: RunStart, since moment: ClockReading
  ) throws(StoreError) -> Result<RunStatus, RunError> {
    try self.start(timeline, options: options, start, at: try database.notBeforeLastEntry(moment))
  }

  /// Starts a run; must be called in a transaction.
  ///
  /// - Returns: a refusal as a value, because throwing it would roll back the anchoring of the runs.
  package func start(
    _ timeline: Timeline, options: RunOptions, _ start: RunStart, at reading: ClockReading
  ) throws(StoreError) -> Result<RunStatus, RunError> {
    let status = try settle(at: reading)
    let timeline = try database.withUsualLengths(timeline, source: start.source)
    if let refusal = start.refusal(of: timeline, at: reading) { return .failure(refusal) }
    let replaced: ActiveRunSnapshot?
    do throws(RunError) {
      replaced = try start.replaced(by: timeline.definition, among: status)
    } catch {
      return .failure(error)
    }
    let others = status.runs.filter { $0.runID != replaced?.runID }
    let taken = others.map(\.name)
    if let name = start.name, taken.contains(name) { return .failure(.nameTaken(name)) }
    guard others.count < SequenceLimits.mostRuns else { return .failure(.tooManyRuns) }
    if let replaced, let stopped = status.status(of: replaced.runID).stopped() {
      try write(.ended(stopped), before: replaced, at: reading, cause: .command(.stop))
    }
    func identified(_ name: String) -> Timeline {
      start.source == .file
        ? timeline : timeline.identified(as: DerivedID.sequence(source: start.source, name: name))
    }
    func same(_ name: String) -> ActiveRunSnapshot? {
      others.first { $0.sequence.id == identified(name).definition.id }
    }
    var name = start.name ?? RunName.free(for: timeline.definition.title, taken: taken)
    // A file may have the id of a timer or of cards.
    if start.name != nil || start.source == .file, let same = same(name) {
      return .failure(.sequenceActive(title: same.sequence.title))
    }
    var unusable = taken
    while same(name) != nil {
      unusable.append(name)
      name = RunName.free(for: timeline.definition.title, taken: unusable)
    }
    var run = ActiveRunSnapshot(
      timeline: identified(name), options: options, source: start.source, name: name,
      firstStep: start.firstStep, until: start.deadline, at: reading)
    run.isYielding = start.isYielding
    if start.isPaused { run.current.clock = .paused(elapsed: .zero) }
    try write(.active(run), before: nil, at: reading, cause: .started)
    return .success(try peek(in: database, at: reading).status(of: run.runID))
  }

  /// Returns the title of the run that was the current one until it ended a moment ago, if a user may still mean it:
  /// others are active, and none was started since.
  ///
  /// - Parameter status: the active runs at the present reading.
  func titleOfRunThatHasJustEnded(beside status: RunStatus) throws(StoreError) -> String? {
    let reading = status.reading
    var next = try database.lastJournalEntry(notAfter: .max)
    while let entry = next, entry.kind != .start {
      let isRecent =
        entry.at.bootID == reading.bootID && reading.boot - entry.at.boot < RunStore.momentAfterEnd
      // A run that ran out ended at its time, however late that was written.
      guard isRecent || entry.kind == .end else { return nil }
      if isRecent, entry.current == nil, let ended = try database.endedRun(id: entry.runID)?.snapshot,
        try wasCurrent(ended, beside: status.runs)
      {
        return ended.sequence.title
      }
      next = try database.lastJournalEntry(notAfter: entry.number - 1)
    }
    return nil
  }

  /// How long after the end of a run a command or a key that names no run is refused: the user may have meant the run
  /// that has ended.
  package static let momentAfterEnd = Duration.seconds(2)

  /// Whether an ended run would be the current one if it were still active.
  private func wasCurrent(
    _ ended: ActiveRunSnapshot, beside runs: [ActiveRunSnapshot]
  ) throws(StoreError) -> Bool {
    let started = try (runs + [ended]).map { run throws(StoreError) in
      (run: run, entry: try database.firstJournalNumber(of: run.runID) ?? 0)
    }.sorted { $0.entry < $1.entry }.map(\.run)
    return RunStatus(reading: clock.now(), runs: started).run?.runID == ended.runID
  }
}

extension RunStart {
  /// The time that a run may end before its deadline, with each step as long as it can be.
  private static let mostEarly = Duration.seconds(60)

  /// Returns the reason why a run can't end at the deadline; `nil` if it can, or would end late.
  package func refusal(of timeline: Timeline, at reading: ClockReading) -> RunError? {
    guard let deadline else { return nil }
    let (title, left) = (timeline.definition.title, deadline.duration(since: reading.wall))
    guard timeline.count != nil else {
      return .endlessUntil(title: title, rounds: timeline.rounds(within: left, from: firstStep))
    }
    let longest = timeline.longest(from: firstStep)
    return left - longest > RunStart.mostEarly
      ? .tooEarly(title: title, longest: longest, early: left - longest) : nil
  }

  /// Returns the run that is stopped for the new one; `nil` if there is none in the way.
  fileprivate func replaced(
    by sequence: SequenceDefinition, among status: RunStatus
  ) throws(RunError) -> ActiveRunSnapshot? {
    // That of a timer or of cards with this name; a file may have it, too.
    let id =
      source == .file
      ? sequence.id : DerivedID.sequence(source: source, name: name ?? RunName.name(for: sequence.title))
    let same = status.runs.first { $0.sequence.id == id }
    switch source {
    case .timer: return isReplacing ? same : nil
    case .file:
      if let same {
        guard isReplacing else { throw .sequenceActive(title: same.sequence.title) }
        return same
      }
    case .cards: if isReplacing, let same { return same }
    }
    guard let current = status.run, current.source != .timer else { return nil }
    guard isReplacing || isBeside else { throw .runActive(title: current.sequence.title) }
    return isReplacing ? current : nil
  }
}

/// The usual lengths of cards that wait for the user.
///
/// A usual length is the median of the last steps of a card that the user completed, of an even number the lower one of
/// the middle. Steps whose length was chosen for their run don't count.
extension Database {
  private static let mostRuns = 20
  private static let mostSteps = 10
  private static let fewestSteps = 3

  /// Returns a timeline with the usual lengths of its cards; the same if no card waits for the user.
  ///
  /// - Complexity: O(log runs) for the runs of the sequence, of which at most 20 are decoded.
  func withUsualLengths(
    _ timeline: Timeline, source: RunSource
  ) throws(StoreError) -> Timeline {
    guard timeline.firstStop(from: 0) != nil else { return timeline }
    let chosen = timeline.estimates.filter { $0.value == .chosen }
    let waiting = timeline.definition.elements.flatMap(\.cards).filter {
      !$0.timing.endsByItself && chosen[$0.id] == nil
    }
    let lengths = try lastLengths(
      of: Set(waiting.map(\.id)), inRunsOf: source.historyID(of: timeline.definition))
    let usual = lengths.compactMapValues(Database.median).mapValues { Estimate.usual($0) }
    guard timeline.estimates != chosen || !usual.isEmpty else { return timeline }
    do throws(TimelineError) {
      return try Timeline(timeline.definition, estimates: chosen.merging(usual) { chosen, _ in chosen })
    } catch {
      // The usual lengths of all rounds exceed the longest sequence.
      return timeline
    }
  }

  /// Returns the lengths of the last completed steps of cards, the last first.
  private func lastLengths(
    of cards: Set<UUID>, inRunsOf sequence: UUID
  ) throws(StoreError) -> [UUID: [Duration]] {
    let runs = try rows(
      "SELECT run_id FROM history WHERE sequence_id = ? ORDER BY started_at DESC, ended_at DESC LIMIT ?",
      .text(sequence.text), .integer(Int64(Database.mostRuns))
    ) { UUID(text: $0.text(0)) }
    var lengths: [UUID: [Duration]] = [:]
    for id in runs where cards.contains(where: { lengths[$0, default: []].count < Database.mostSteps }) {
      guard let run = try id.flatMap({ id throws(StoreError) in try endedRun(id: id) })?.snapshot else {
        continue
      }
      run.log.forEachCompletedAlone { index, length in
        let card = run.timeline.card(at: index)
        guard cards.contains(card.id), !card.timing.endsByItself, run.timeline.estimates[card.id] != .chosen,
          lengths[card.id, default: []].count < Database.mostSteps
        else { return }
        lengths[card.id, default: []].append(min(length, SequenceLimits.longestDuration))
      }
    }
    return lengths
  }

  private static func median(_ lengths: [Duration]) -> Duration? {
    lengths.count < fewestSteps ? nil : lengths.sorted()[(lengths.count - 1) / 2]
  }
}

extension RunStore {
  /// Returns a timeline with the usual lengths of its cards that wait for the user, as a run that starts now has them.
  package func withUsualLengths(
    _ timeline: Timeline, source: RunSource = .file
  ) throws(StoreError) -> Timeline {
    guard base.isCurrent else { return timeline }
    return try repairing { () throws(StoreError) in
      try database.withUsualLengths(timeline, source: source)
    }
  }
}
