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

/// Merges the events of several runs in the order of boot, boot clock and journal entry.
///
/// Each run keeps the order of its own events.
struct EventMerger {
  /// The boots in their order; the last one isn't among them.
  private var boots: [String: Int]
  private let lastBoot: String
  private var sources: [(run: ActiveRunSnapshot, events: EventDerivation)] = []

  init(from first: String, to last: String) {
    boots = [first: 0]
    lastBoot = last
  }

  mutating func add(_ events: EventDerivation, of run: ActiveRunSnapshot) {
    guard !events.events.isEmpty || !events.skipped.isEmpty else { return }
    sources.append((run, events))
  }

  /// Returns the events, with those together that follow each other in a run.
  ///
  /// - Complexity: O(events × runs).
  mutating func merged() -> [EventBatch.Run] {
    guard sources.count > 1 else {
      return sources.map { EventBatch.Run(run: $0.run, events: $0.events.events, skipped: $0.events.skipped) }
    }
    rankBoots()

    var merged: [EventBatch.Run] = []
    var places = sources.map { _ in 0 }
    while let next = next(places) {
      let events = sources[next].events
      let first = places[next]
      repeat { places[next] += 1 } while self.next(places) == next
      merged.append(
        EventBatch.Run(
          run: sources[next].run, events: Array(events.events[first..<places[next]]),
          skipped: events.skipped.compactMap { $0.moved(into: first..<places[next], of: events.events.count) }
        ))
    }
    return merged
  }

  private mutating func rankBoots() {
    var order: [(entry: Int64, bootID: String, isCounted: Bool)] = []
    for source in sources {
      for (index, event) in source.events.events.enumerated() {
        // A suspend over reboots that counts brings events of the boots before that of its command.
        let isCounted = event.at.bootID != source.events.boots[index]
        order.append((source.events.entries[index], event.at.bootID, isCounted))
      }
    }
    order.sort { ($0.entry, $0.isCounted ? 1 : 0) < ($1.entry, $1.isCounted ? 1 : 0) }
    // A boot whose entries were read before the position is earlier than that of the position.
    var earlier: [String] = []
    for (_, bootID, isCounted) in order where boots[bootID] == nil && !earlier.contains(bootID) {
      if isCounted { earlier.append(bootID) } else { boots[bootID] = boots.count }
    }
    for (index, bootID) in earlier.enumerated() { boots[bootID] = index - earlier.count }
    boots[lastBoot] = .max
  }

  private func next(_ places: [Int]) -> Int? {
    var (found, least) = (Int?.none, (Int.max, Duration.zero, Int64.max))
    for (index, place) in places.enumerated() where place < sources[index].events.events.count {
      let event = sources[index].events.events[place]
      let key = (boots[event.at.bootID] ?? .max, event.at.boot, sources[index].events.entries[place])
      if found == nil || key < least { (found, least) = (index, key) }
    }
    return found
  }
}

extension SkippedRounds {
  /// Returns the rounds with their place in a part of the events; `nil` if they are in another part.
  fileprivate func moved(into part: Range<Int>, of count: Int) -> SkippedRounds? {
    guard part.contains(place) || place == count && part.upperBound == count else { return nil }
    return SkippedRounds(
      count: self.count, length: length, steps: steps, events: events, place: place - part.lowerBound)
  }
}
