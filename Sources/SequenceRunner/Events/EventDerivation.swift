import SequencePlatform

/// Derives the events of a run from entries of its journal and, between them, from the agenda.
struct EventDerivation {
  private let timeline: Timeline
  private let first: Int
  private let marks: Set<Duration>
  /// The number of steps whose events are listed at least.
  private let listedSteps: Int
  /// The last entry whose own events were read.
  private var last: JournalEntry?
  /// The time after the start of the clock of that entry up to which its events were read; `nil` if only its own
  /// were read.
  private var time: Duration?
  private(set) var events: [RunEvent] = []
  /// The number of the entry that each event follows from.
  private(set) var entries: [Int64] = []
  /// For each event, the boot of the change that its entry belongs to; the event is of an earlier one if a suspend counts.
  private(set) var boots: [String] = []
  /// The boot of the change that the entry before belongs to.
  private var boot: String
  private(set) var skipped: [SkippedRounds] = []

  /// - Parameters:
  ///   - last: the entry of the position after which the events are read; `nil` if its run is another one.
  ///   - reading: the reading of that position.
  init(
    _ run: ActiveRunSnapshot, marks: Set<Duration>, after last: JournalEntry?, at reading: ClockReading,
    listing listedSteps: Int
  ) {
    (timeline, first) = (run.timeline, run.firstStep)
    self.marks = marks
    self.listedSteps = listedSteps
    self.last = last
    boot = last?.at.bootID ?? reading.bootID
    if let last, !last.startsClock(after: reading) { time = last.time(at: reading) }
  }

  /// Appends the events until an entry that is possible in the timeline, and those of the entry itself.
  ///
  /// If the entry before it is lost, nothing is known of the time between.
  mutating func read(_ entry: JournalEntry) {
    if entry.previous != last?.number { last = nil }
    readAgenda(until: entry.time)
    readOwn(entry)
    // A command that counts a suspend anchors the run in the boots between.
    if entry.kind != .anchor || last?.countsFormerBoot != true { boot = entry.at.bootID }
    count(entry)
    // What happened before a recovery was read, or is lost with the journal.
    (last, time) = (entry, entry.kind == .salvage ? entry.time(at: entry.at) : nil)
  }

  /// - Parameter limit: the time after the start of the entry's clock.
  mutating func readAgenda(until limit: Duration) {
    guard let last, let chain = last.chain(in: timeline), time.map({ $0 <= limit }) ?? true else { return }
    defer { count(last) }
    guard let rounds = chain.unreadRounds(after: time, until: limit, listing: listedSteps) else {
      return events += agenda(chain, after: time, until: limit)
    }
    events += agenda(chain, after: time, until: chain.start(ofRound: rounds.lowerBound))
    let end = chain.start(ofRound: rounds.upperBound)
    let beforeEnd = chain.start(ofRound: rounds.upperBound - 1)
    skipped.append(
      SkippedRounds(
        count: rounds.count, length: end - beforeEnd, steps: timeline.firstEndlessRound?.count ?? 0,
        events: agenda(chain, after: beforeEnd, until: end), place: events.count))
    events += agenda(chain, after: end, until: limit)
  }

  private mutating func count(_ entry: JournalEntry) {
    let new = events.count - entries.count
    entries += repeatElement(entry.number, count: new)
    boots += repeatElement(boot, count: new)
  }

  private func agenda(_ chain: StepChain, after time: Duration?, until limit: Duration) -> [RunEvent] {
    Array(
      Agenda(chain, after: time, marks: marks).prefix { $0.at.boot - chain.since.boot <= limit })
  }

  private mutating func readOwn(_ entry: JournalEntry) {
    switch entry.kind {
    case .start:
      add(.runStart, entry)
      add(.stepStart, entry)
    case .next, .skip:
      addStepEnd(entry, entry.kind == .skip ? .skipped : .completed)
      if entry.current == nil { addEnd(.finished, entry) } else { add(.stepStart, entry) }
    case .back, .restart: add(.stepStart, entry)
    case .stop:
      addStepEnd(entry, .skipped)
      // The step that was stopped is the last one in the log.
      addEnd(timeline.outcome(ofStopInStepAt: entry.step - 1, startedAt: first), entry)
    case .pause(let cause): add(.paused(cause), entry)
    case .resume: add(.resumed, entry)
    case .extend: addExtension(entry)
    case .return: add(.returned, entry)
    case .anchor, .salvage, .end: break
    }
  }

  private mutating func add(_ kind: RunEvent.Kind, _ entry: JournalEntry) {
    let elapsed: Duration =
      switch entry.current?.clock {
      case .running(_, let before)?: before
      case .paused(let elapsed)?, .suspended(let elapsed, _)?: elapsed
      case nil: .zero
      }
    events.append(
      RunEvent(kind: kind, step: entry.step, at: entry.at, elapsed: elapsed, target: target(entry)))
  }

  /// Appends a change of the duration or goal, and that it is reached at once, if only the user can end the step.
  private mutating func addExtension(_ entry: JournalEntry) {
    guard let target = target(entry) else { return }
    add(.extended(to: target), entry)
    guard events.last?.elapsed == target else { return }
    switch timeline.timing(at: entry.step) {
    case .countdown(_, .automatic): break
    case .countdown(_, .manual): add(.overtime, entry)
    case .countUp: add(.goal, entry)
    }
  }

  private mutating func addStepEnd(_ entry: JournalEntry, _ outcome: StepOutcome) {
    guard let step = stepBefore(entry) else { return }
    events.append(
      RunEvent(
        kind: .stepEnd(outcome), step: step.index, at: entry.at, elapsed: step.elapsed, target: step.target))
  }

  private mutating func addEnd(_ outcome: RunOutcome, _ entry: JournalEntry) {
    let step = stepBefore(entry)
    events.append(
      RunEvent(
        kind: .ended(outcome), step: step?.index ?? max(0, entry.step - 1), at: entry.at,
        elapsed: step?.elapsed ?? .zero, target: step?.target))
  }

  /// Returns the step that an entry has ended; `nil` if the entry before it is not known.
  private func stepBefore(_ entry: JournalEntry) -> (index: Int, elapsed: Duration, target: Duration?)? {
    guard let last, let current = last.current, last.step < timeline.end else { return nil }
    switch current.clock {
    case .paused(let elapsed), .suspended(let elapsed, _): return (last.step, elapsed, target(last))
    case .running:
      guard let chain = last.chain(in: timeline) else { return nil }
      let index = chain.step(after: entry.time)
      guard index < timeline.end else { return nil }
      return (index, chain.elapsed(ofStepAt: index, after: entry.time), chain.target(ofStepAt: index))
    }
  }

  private func target(_ entry: JournalEntry) -> Duration? {
    entry.current?.target(ofStepAt: entry.step, in: timeline)
  }
}
