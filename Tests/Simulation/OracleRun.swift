/// One occurrence of a card in a run.
struct OracleStep: Equatable {
  let card: Int
  /// The current round and the number of rounds of each group around the card, outermost first; 0 if they are endless.
  let rounds: [[Int]]
  let kind: ScenarioCard.Kind
  /// A card that the last round leaves out is a rest.
  let isRest: Bool

  /// The duration or the goal, in ticks.
  var target: Int? {
    switch kind {
    case .automatic(let ticks), .manual(let ticks, _), .goal(let ticks, _, _): ticks
    case .open: nil
    }
  }

  var isCountUp: Bool {
    switch kind {
    case .automatic, .manual: false
    case .open, .goal: true
    }
  }

  var endsByItself: Bool { if case .automatic = kind { true } else { false } }

  /// Returns the steps of a sequence in order; cards are numbered as written.
  ///
  /// - Parameter endless: the number of rounds that stand for endless ones.
  static func all(_ elements: [ScenarioElement], endless: Int = 1) -> [OracleStep] {
    var steps: [OracleStep] = []
    func walk(_ elements: [ScenarioElement], _ first: Int, _ rounds: [[Int]], isLast: Bool) -> Int {
      var card = first
      for element in elements {
        switch element {
        case .card(let one):
          if !(one.skipsLastRound && isLast) {
            steps.append(
              OracleStep(
                card: card, rounds: rounds, kind: one.kind(inRound: rounds.last?[0] ?? 1),
                isRest: one.skipsLastRound))
          }
          card += 1
        case .group(let count, let inner):
          var after = card
          for round in 1...(count ?? endless) {
            after = walk(inner, card, rounds + [[round, count ?? 0]], isLast: round == count)
          }
          card = after
        }
      }
      return card
    }
    _ = walk(elements, 0, [], isLast: false)
    return steps
  }
}

struct OracleSequence {
  /// The steps; more than a scenario reaches, if they are endless.
  let steps: [OracleStep]
  /// The number of steps up to the end of the first endless round; `nil` if the sequence ends.
  let endlessAfter: Int?
  let endlessRound: Int
  let away: ScenarioSequence.Away
  let lock: ScenarioSequence.Away

  /// - Parameters:
  ///   - ticks: at least the time that passes.
  ///   - commands: at least the number of steps that commands can end.
  init(_ sequence: ScenarioSequence, ticks: Int, commands: Int) {
    (away, lock) = (sequence.away, sequence.lock)
    let once = OracleStep.all(sequence.elements)
    guard case .group(nil, let round)? = sequence.elements.last else {
      (steps, endlessAfter, endlessRound) = (once, nil, 0)
      return
    }
    let inRound = OracleStep.all([.group(rounds: nil, elements: round)])
    let length = inRound.allSatisfy(\.endsByItself) ? inRound.reduce(0) { $0 + ($1.target ?? 0) } : .max
    steps = OracleStep.all(sequence.elements, endless: ticks / length + commands + 3)
    (endlessAfter, endlessRound) = (once.count, inRound.count)
  }
}

struct OracleRecord: Equatable {
  let index: Int
  let startedAt: Int
  let endedAt: Int
  let planned: Int?
  let actual: Int
  let isCompleted: Bool
}

/// A reading: microseconds of the wall clock, nanoseconds of the boot clock, and the number of previous
/// boots.
struct OracleMoment: Equatable {
  var wall: Int
  var boot: Int
  var boots: Int

  /// Returns the microseconds since an earlier moment: by the boot clock, or across boots by the wall clock.
  func microseconds(since earlier: OracleMoment) -> Int {
    max(0, boots == earlier.boots ? (boot - earlier.boot) / 1000 : wall - earlier.wall)
  }
}

struct OracleSuspend: Equatable {
  let cause: Cause
  let since: OracleMoment
  var until: OracleMoment?

  enum Cause: String {
    case sleep, shutdown, lock
    case powerLoss = "power-loss"
  }

  var words: String? {
    guard let until else { return nil }
    let seconds = (until.microseconds(since: since) + 999_999) / 1_000_000
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s"),
    ]
    let all = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    let time = all.isEmpty ? "0s" : all
    return switch cause {
    case .sleep: "The computer slept for \(time) · "
    case .shutdown: "The computer was off for \(time) · "
    case .lock: "The screen was locked for \(time) · "
    case .powerLoss: "The computer lost power; last activity \(time) ago · "
    }
  }
}

struct OracleInterval: Equatable {
  /// By the wall clock.
  let start: Int
  /// The active ticks of the run before it.
  let before: Int
}

/// A run, advanced tick by tick.
///
/// Moments are microseconds of the wall clock, durations are ticks.
struct OracleRun: Equatable {
  let number: Int
  /// The sequence as it is written in the scenario.
  let template: Int
  /// The sequence that it belongs to, with its notifications.
  let sequence: Int
  let source: ScenarioSource
  let name: String
  let steps: [OracleStep]
  let endlessAfter: Int?
  /// The number of steps of an endless round.
  let endlessRound: Int
  let first: Int
  let away: ScenarioSequence.Away
  /// A timer and cards continue.
  let lock: ScenarioSequence.Away
  let quantum: Int
  let startedAt: Int

  var index: Int
  var stepStartedAt: Int
  /// The duration or goal of the step, with extensions.
  var target: Int?
  var ran = 0
  /// The elapsed ticks of the step when its clock was last started, and the moment of that.
  var ranBefore = 0
  var clock: OracleMoment
  /// The reading that unset clocks would have since then.
  var reached: OracleMoment
  var isPaused = false
  /// The suspend that the run is paused for; `nil` if the user paused it.
  var suspend: OracleSuspend?
  var records: [OracleRecord] = []
  /// The ticks without a record: those of restarted steps.
  var unrecorded = 0
  var endedAt: Int?
  var isFinished = false
  var changedAt: OracleMoment

  var intervals: [OracleInterval] = []
  /// The active ticks without the current step.
  var activeBefore: Int { records.reduce(unrecorded) { $0 + $1.actual } }

  var events: [OracleEvent] = []
  /// The number of events before the last start of the clock.
  var eventsBefore = 0
  var points: [Point] = []
  /// The last entry of the run in the journal, and the next one.
  private(set) var entry: Int
  var upcoming = 0

  init(
    number: Int, of sequence: OracleSequence, _ template: Int, as identity: Int, from first: Int,
    source: ScenarioSource, name: String, entry: Int, quantum: Int, at moment: OracleMoment
  ) {
    (self.number, self.template, self.sequence, self.quantum) = (number, template, identity, quantum)
    (self.source, self.name, self.entry) = (source, name, entry)
    (steps, endlessAfter, away) = (sequence.steps, sequence.endlessAfter, sequence.away)
    (endlessRound, self.first, index) = (sequence.endlessRound, first, first)
    lock = source == .file ? sequence.lock : .continue
    (startedAt, stepStartedAt, clock, reached) = (moment.wall, moment.wall, moment, moment)
    changedAt = moment
    target = steps[first].target
    append(.runStart, at: moment)
    append(.stepStart, at: moment)
    beginInterval(at: moment)
  }

  mutating func waitForResume(entry: Int, at moment: OracleMoment) {
    (isPaused, intervals) = (true, [])
    self.entry = entry
    append(.pause(nil), at: moment)
  }

  var step: OracleStep { steps[index] }

  var isRunning: Bool { endedAt == nil && !isPaused }

  mutating func tick() {
    guard isRunning else { return }
    ran += 1
    reached.wall += quantum
    reached.boot += quantum * 1000
    notePoints()
    endWhatIsOver()
  }

  private mutating func beginInterval(at moment: OracleMoment) {
    intervals.append(OracleInterval(start: moment.wall, before: activeBefore + ran))
    startClock(at: moment)
  }

  mutating func startClock(at moment: OracleMoment) {
    (ranBefore, clock, reached) = (ran, moment, moment)
    (eventsBefore, points) = (events.count, pointsAhead())
  }

  /// Runs the clock from its last start to a moment.
  ///
  /// Across boots the clock is then started again, so that the wall clock has no further influence.
  ///
  /// - Parameter sign: a moment of the boot of the clock that is not after the other one, whatever the wall clock says.
  mutating func goOn(until moment: OracleMoment, atLeast sign: OracleMoment? = nil) {
    let isSameBoot = moment.boots == clock.boots
    (ran, reached) = (ranBefore, clock)
    events.removeLast(events.count - eventsBefore)
    points = pointsAhead()
    let least = sign.map { $0.microseconds(since: clock) } ?? 0
    for _ in 0..<max(moment.microseconds(since: clock), least) / quantum { tick() }
    guard !isSameBoot, isRunning else { return }
    entry = upcoming
    startClock(at: moment)
    changedAt = moment
  }

  mutating func stop(_ cause: OracleSuspend.Cause, since moment: OracleMoment) {
    entry = upcoming
    isPaused = true
    suspend = OracleSuspend(cause: cause, since: moment)
    append(.pause(cause), at: moment)
    changedAt = moment
  }

  mutating func comeBack(at moment: OracleMoment) {
    entry = upcoming
    suspend?.until = moment
    append(.return, at: moment)
    changedAt = moment
  }

  /// Moves on to the end of the current step, without the events before it.
  mutating func endStep() {
    guard let end, let target else { return }
    (ran, reached) = (target, end.at)
    endWhatIsOver()
  }

  private mutating func endWhatIsOver() {
    guard isRunning, step.endsByItself, let target, ran >= target else { return }
    append(.stepEnd(isCompleted: true), at: reached)
    record(isCompleted: true, at: max(stepStartedAt, reached.wall))
    begin(index + 1, at: reached)
  }

  private mutating func record(isCompleted: Bool, at wall: Int) {
    records.append(
      OracleRecord(
        index: index, startedAt: stepStartedAt, endedAt: wall, planned: target, actual: ran,
        isCompleted: isCompleted))
  }

  private mutating func begin(_ next: Int, at moment: OracleMoment) {
    guard next < steps.count else {
      (endedAt, isFinished) = (moment.wall, true)
      return append(.runEnd, at: moment)
    }
    (index, stepStartedAt, ran, target) = (next, moment.wall, 0, steps[next].target)
    suspend = nil
    append(.stepStart, at: moment)
    startClock(at: moment)
  }

  /// Applies a command; returns the name of the error if it is refused.
  mutating func perform(_ command: ScenarioCommand, at now: OracleMoment) -> String? {
    entry = upcoming
    switch command {
    case .pause:
      guard !isPaused else { return "alreadyPaused" }
      isPaused = true
      append(.pause(nil), at: now)
    case .resume:
      guard isPaused else { return "alreadyRunning" }
      if ran == 0 { stepStartedAt = now.wall }
      (isPaused, suspend) = (false, nil)
      append(.resume, at: now)
      beginInterval(at: now)
    case .resumeCounting:
      guard isPaused else { return "alreadyRunning" }
      guard let suspend else { return "notSuspended" }
      count(suspend, until: now)
    case .toggle: return perform(isPaused ? .resume : .pause, at: now)
    case .next, .skip:
      append(.stepEnd(isCompleted: command == .next), at: now)
      record(isCompleted: command == .next, at: max(stepStartedAt, now.wall))
      begin(index + 1, at: now)
    case .back:
      unrecorded += ran
      if index > first { unrecorded += records.removeLast().actual }
      begin(max(index - 1, first), at: now)
    case .restart:
      unrecorded += ran
      begin(index, at: now)
    case .extend(let ticks):
      guard let target else { return "nothingToExtend" }
      let base = ticks > 0 ? max(target, ran) : target
      guard (base + ticks) * quantum <= 30 * 86_400 * 1_000_000 else { return "extendedTooMuch" }
      guard base + ticks >= ran else { return "shortenedTooMuch" }
      self.target = base + ticks
      noteExtension(at: now)
      // The clock is restarted with its elapsed time: a sign of life.
      if !isPaused { startClock(at: now) }
    case .stop:
      append(.stepEnd(isCompleted: false), at: now)
      record(isCompleted: false, at: max(stepStartedAt, now.wall))
      endedAt = now.wall
      // Endless rounds are finished once each card of a round has had its turn.
      isFinished = endlessAfter.map { index >= max(first + endlessRound, $0) } ?? false
      append(isFinished ? .runEnd : .stop, at: now)
    }
    changedAt = now
    endWhatIsOver()
    return nil
  }

  /// Continues as if the run had not been paused for a suspend.
  private mutating func count(_ gone: OracleSuspend, until now: OracleMoment) {
    (isPaused, suspend) = (false, nil)
    append(.resume, at: now)
    beginInterval(at: gone.since)
    // The step may have been shortened meanwhile.
    endWhatIsOver()
    // The first reader after the suspend has bridged the boots; from then on the wall clock has no influence.
    if let until = gone.until, until.boots != gone.since.boots, isRunning { goOn(until: until) }
    if isRunning { goOn(until: now) }
  }
}
