import NotifierLedger
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequenceRunner
import SequenceStore
import TestSupport

/// A reader of the events of runs, with a position of its own.
struct EventFollower {
  var position = EventPosition.beginning
  /// The number of events that were read of each run, with those before the reader began.
  var counts: [Int: Int] = [:]
  var read: [Int: [String]] = [:]
  /// The position before the last reading, and the numbers of events read until then.
  var stored = (position: EventPosition.beginning, counts: [Int: Int]())
  /// The run whose events are read; `nil` for all.
  var only: Int?
}

/// The readers of events, which read at different times.
extension World {
  /// The number of readers from the beginning: one after each event, two now and then, one at the end.
  static let readers = 4

  func read(_ number: Int, in store: RunStore) throws {
    // Such a reader would see more than happens in the end.
    guard !oracle.isAboutToLeave else { return }
    var reader = followers[number]
    reader.stored = (reader.position, reader.counts)
    let marks = Set(OracleEvent.marks.map { Duration.nanoseconds($0) })
    let batch = try store.events(after: reader.position, until: store.clock.now()) { _ in marks }
    reader.position = batch.end
    var found: [Oracle.Happening] = []
    for run in batch.runs {
      guard let place = runIDs.firstIndex(of: run.run.runID) else {
        throw Difference("the run of events", expected: "a run that was started", found: "\(run.run.runID)")
      }
      guard reader.only == nil || reader.only == place else { continue }
      found += run.allEvents.map { Oracle.Happening(run: place, event: World.event($0)) }
    }
    // Runs of another boot continue once their first reader has settled them.
    let expected = oracle.isUnanchored ? [] : oracle.happenings(after: reader.counts, of: reader.only)
    // Rounds that are only counted stand together, so then only the order within each run is that of the events.
    let isCounted = batch.runs.contains { !$0.skipped.isEmpty }
    func words(_ events: [Oracle.Happening]) -> [String] {
      let runs = isCounted ? Set(events.map(\.run)).sorted() : []
      return (isCounted ? runs.flatMap { run in events.filter { $0.run == run } } : events).map(\.description)
    }
    try compare("the events of reader \(number)", words(expected), words(found))
    for happening in expected {
      reader.counts[happening.run, default: 0] += 1
      reader.read[happening.run, default: []].append(happening.description)
    }
    followers[number] = reader
  }

  /// Lets a reader read now that is not one with its own times.
  func readNow(_ number: Int) throws {
    let number = number % followers.count
    guard number != World.readers - 1 else { return }
    let store = scratch.processes[number % 3]
    if number.isMultiple(of: 2) {
      _ = try store.settle()
      oracle.settle()
    }
    try read(number, in: store)
  }

  /// Lets a reader crash before it has stored its position.
  func forget(_ number: Int) {
    let (position, counts) = followers[number].stored
    for (run, count) in followers[number].counts {
      followers[number].read[run]?.removeLast(count - (counts[run] ?? 0))
    }
    (followers[number].position, followers[number].counts) = (position, counts)
  }

  /// Begins a reader of a run at the start of its current step, like `run`.
  func attach(in store: RunStore) throws {
    // The current step of such a reader would not be current in the end.
    guard !oracle.isAboutToLeave else { return }
    let status = try store.settle()
    oracle.settle()
    guard let run = status.run, let known = oracle.current,
      let start = known.events.lastIndex(where: { $0.kind == .stepStart })
    else { return }
    var reader = EventFollower()
    reader.only = known.number
    reader.position = try store.eventPosition(beforeStepOf: run)
    var begin = start
    // The end of the step before it, at the same moment, comes first; or the start of the run.
    if start > 0 {
      let before = known.events[start - 1]
      if before.kind == .runStart || before.kind.name == "step-end" && before.at == known.events[start].at {
        begin -= 1
      }
    }
    reader.counts = [known.number: begin]
    reader.stored = (reader.position, reader.counts)
    followers.append(reader)
  }

  /// Ends the readers, which are processes; those that had read events that a reboot undoes begin again.
  func restartReaders() {
    for number in followers.indices {
      let isUndone = followers[number].counts.contains { $1 > oracle.lastingEvents(of: $0) }
      if isUndone { followers[number] = EventFollower() }
    }
  }

  func checkReaders() throws {
    if oracle.isAboutToLeave { try rest() }
    let expected = oracle.happenings
    for number in followers.indices {
      try read(number, in: scratch.processes[number % 3])
      for (run, read) in followers[number].read {
        try compare(
          "all events of run \(run) of reader \(number)",
          expected.filter { $0.run == run }.suffix(read.count).map(\.description), read)
      }
    }
  }
}

/// Hooks and cues, whose programs are not started.
extension World {
  /// Changes the hooks and cues; the file has the time after this tick.
  func configure(_ hooks: ScenarioHooks) {
    configuration = Configuration()
    configuration.hooks = hooks.hooks.map { hook in
      Hook(
        events: Set(hook.events.compactMap(RunEvent.Name.init(rawValue:))),
        remaining: .seconds(hook.remaining),
        program: "hook\(hook.program)")
    }
    configuration.cues = Cues(sound: hooks.sound, speech: hooks.speech, remaining: hooks.counted)
    configuration.changedAt = scratch.clock.now().wall.advanced(by: .microseconds(1))
    oracle.configure(hooks)
  }

  func dispatch() throws {
    guard let eventReader, let status = turnStatus.status else { return }
    let database = scratch.agent.database
    let before = try database.dispatchPosition()
    let found = try eventReader.take(status).compactMap { dispatch -> Oracle.Dispatch? in
      let event = World.event(dispatch.event)
      guard !dispatch.hooks.isEmpty || oracle.dispatcher.configuration.isCued(event.kind) else { return nil }
      return Oracle.Dispatch(
        happening: Oracle.Happening(run: runIDs.firstIndex(of: dispatch.run.runID) ?? -1, event: event),
        programs: dispatch.hooks.compactMap { Int($0.program.dropFirst("hook".count)) })
    }
    let after = try database.dispatchPosition()
    let expected = oracle.take()
    try compare("the dispatched events", expected.dispatches.map(\.description), found.map(\.description))
    if expected.mustStore { try compare("the storing of the position", true, before != after) }
    if before != after { oracle.storeTaken() }
    try compare(
      "the next event to dispatch", oracle.nextEvent, eventReader.nextEvent.map { Int($0.nanoseconds) })
    try checkMissed()
  }

  private func checkMissed() throws {
    var found: [Int: Int] = [:]
    for failure in try HookFailureLog(database: scratch.agent.database).failures(
      since: Moment(microseconds: .min))
    {
      try compare("the kind of a failure", HookFailure.Kind.missed, failure.kind)
      found[Int(failure.hook.dropFirst("hook".count)) ?? -1] = failure.count
    }
    try compare("the missed events", oracle.dispatcher.missed, found)
  }
}
