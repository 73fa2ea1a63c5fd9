/// One occurrence of a card in a run.
struct OracleStep: Equatable {
  let card: Int
  /// The current round and the number of rounds of each group around the card, outermost first; 0 if they are endless.
  let rounds: [[Int]]
  let kind: ScenarioCard.Kind
  /// A card that the last round leaves out is a rest.
  let isRest: Bool
  /// The shortest and the longest length of a countdown that a deadline may change, in ticks.
  var bounds: ClosedRange<Int>?

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
                isRest: one.skipsLastRound, bounds: one.bounds(inRound: rounds.last?[0] ?? 1)))
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
  /// The nanoseconds after the microsecond of the wall clock, which nobody sees.
  private var part = 0

  init(wall: Int, boot: Int, boots: Int) { (self.wall, self.boot, self.boots) = (wall, boot, boots) }

  /// Returns the nanoseconds since an earlier moment: by the boot clock, or across boots by the wall clock.
  func nanoseconds(since earlier: OracleMoment) -> Int {
    max(0, boots == earlier.boots ? boot - earlier.boot : (wall - earlier.wall) * 1000)
  }

  func later(by nanoseconds: Int) -> OracleMoment {
    var later = self
    later.wall += (part + nanoseconds) / 1000
    later.part = (part + nanoseconds) % 1000
    later.boot += nanoseconds
    return later
  }

  static func == (left: OracleMoment, right: OracleMoment) -> Bool {
    (left.wall, left.boot, left.boots) == (right.wall, right.boot, right.boots)
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
    let seconds = (until.nanoseconds(since: since) + 999_999_999) / 1_000_000_000
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
  /// The active time of the run before it, in nanoseconds.
  let before: Int
}

/// A run, advanced tick by tick.
///
/// Moments are microseconds of the wall clock, durations are nanoseconds: a step that is fitted to a deadline may end
/// within a tick.
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
  var isYielding = false
  /// The moment at which the run is to end; its wall clock shows the time that was chosen.
  var deadline: OracleMoment?
  /// The lengths of the steps after the current one, as they were fitted by the last command.
  private(set) var lengths: [Int: Int] = [:]
  /// Whether the length of the current step was changed by hand.
  private var isByHand = false
  /// The time from the deadline to the end.
  private(set) var lateAtEnd: Int?
  /// The usual lengths of cards that wait for the user.
  private let usual: [Int: Int]

  var index: Int
  var stepStartedAt: Int
  /// The duration or goal of the step, with extensions.
  var target: Int?
  var ran = 0
  /// The elapsed time of the step when its clock was last started, and the moment of that.
  var ranBefore = 0
  var clock: OracleMoment
  /// The reading that unset clocks would have since then.
  var reached: OracleMoment
  var isPaused = false
  /// The suspend that the run is paused for; `nil` if the user paused it.
  var suspend: OracleSuspend?
  var records: [OracleRecord] = []
  /// The time without a record: that of restarted steps.
  var unrecorded = 0
  var endedAt: Int?
  var isFinished = false
  var changedAt: OracleMoment

  var intervals: [OracleInterval] = []
  /// The active time without the current step.
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
    source: ScenarioSource, name: String, entry: Int, quantum: Int, until deadline: OracleMoment?,
    usual: [Int: Int], at moment: OracleMoment
  ) {
    (self.number, self.template, self.sequence, self.quantum) = (number, template, identity, quantum)
    (self.source, self.name, self.entry, self.usual) = (source, name, entry, usual)
    (steps, endlessAfter, away) = (sequence.steps, sequence.endlessAfter, sequence.away)
    (endlessRound, self.first, index) = (sequence.endlessRound, first, first)
    lock = source == .file ? sequence.lock : .continue
    (startedAt, stepStartedAt, clock, reached) = (moment.wall, moment.wall, moment, moment)
    changedAt = moment
    self.deadline = deadline
    target = planned(first)
    fit(at: moment)
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

  mutating func tick() { run(for: tickLength) }

  private mutating func run(for nanoseconds: Int) {
    var left = nanoseconds
    while isRunning, left > 0 {
      let time = step.endsByItself ? min(left, (target ?? left) - ran) : left
      ran += time
      left -= time
      reached = reached.later(by: time)
      notePoints()
      endWhatIsOver()
    }
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
    let least = sign.map { $0.nanoseconds(since: clock) } ?? 0
    run(for: max(moment.nanoseconds(since: clock), least))
    guard !isSameBoot, isRunning else { return }
    if let boot = deadline?.boot {
      deadline?.boot = moment.boot + boot - reached.boot
      deadline?.boots = moment.boots
    }
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

  /// - Parameter isCommand: whether a command begins the step, and not the end of the step before.
  private mutating func begin(_ next: Int, at moment: OracleMoment, by isCommand: Bool = false) {
    guard next < steps.count else {
      (endedAt, isFinished) = (moment.wall, true)
      noteLateness(at: moment)
      return append(.runEnd, at: moment)
    }
    if isCommand { lengths = [:] }
    (index, stepStartedAt, ran, isByHand) = (next, moment.wall, 0, false)
    target = lengths[next] ?? planned(next)
    suspend = nil
    if isCommand, !isPaused { fit(at: moment) }
    append(.stepStart, at: moment)
    startClock(at: moment)
  }

  /// Applies a command; returns the name of the error if it is refused.
  ///
  /// - Parameter isNamed: whether the command names the run: it no longer yields, even if its time has run out.
  mutating func perform(_ command: ScenarioCommand, isNamed: Bool, at now: OracleMoment) -> String? {
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
      fit(at: now)
      append(.resume, at: now)
      beginInterval(at: now)
    case .resumeCounting:
      guard isPaused else { return "alreadyRunning" }
      guard let suspend else { return "notSuspended" }
      if isNamed { isYielding = false }
      count(suspend, until: now)
    case .toggle: return perform(isPaused ? .resume : .pause, isNamed: isNamed, at: now)
    case .next, .skip:
      append(.stepEnd(isCompleted: command == .next), at: now)
      record(isCompleted: command == .next, at: max(stepStartedAt, now.wall))
      begin(index + 1, at: now, by: true)
    case .back:
      unrecorded += ran
      if index > first { unrecorded += records.removeLast().actual }
      begin(max(index - 1, first), at: now, by: true)
    case .restart:
      unrecorded += ran
      begin(index, at: now, by: true)
    case .extend(let ticks):
      guard let target else { return "nothingToExtend" }
      let base = ticks > 0 ? max(target, ran) : target
      let changed = base + ticks * tickLength
      guard changed <= 30 * 86_400 * 1_000_000_000 else { return "extendedTooMuch" }
      guard changed >= ran else { return "shortenedTooMuch" }
      (self.target, isByHand) = (changed, true)
      if let suspend { fit(at: suspend.since) } else if !isPaused { fit(at: now) }
      noteExtension(at: now)
      // The clock is restarted with its elapsed time: a sign of life.
      if !isPaused { startClock(at: now) }
    case .stop:
      append(.stepEnd(isCompleted: false), at: now)
      record(isCompleted: false, at: max(stepStartedAt, now.wall))
      endedAt = now.wall
      noteLateness(at: now)
      // Endless rounds are finished once each card of a round has had its turn.
      isFinished = endlessAfter.map { index >= max(first + endlessRound, $0) } ?? false
      append(isFinished ? .runEnd : .stop, at: now)
    }
    changedAt = now
    if isNamed, endedAt == nil { isYielding = false }
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

// MARK: - The deadline

extension OracleRun {
  /// The length of a step as it is planned: that of the card, or nothing without one.
  func planned(_ index: Int) -> Int? { steps[index].target.map { $0 * tickLength } }

  /// The length of a step as far as it is known: a step that waits for the user takes as long as usual.
  private func estimated(_ index: Int) -> Int {
    (steps[index].endsByItself ? nil : usual[steps[index].card]) ?? planned(index) ?? 0
  }

  private func range(_ index: Int) -> ClosedRange<Int> {
    let planned = planned(index) ?? 0
    guard let bounds = steps[index].bounds else { return planned...planned }
    return bounds.lowerBound * tickLength...bounds.upperBound * tickLength
  }

  /// Gives the current step and those after it lengths with which the run ends at its deadline.
  fileprivate mutating func fit(at moment: OracleMoment) {
    guard let deadline = deadline(at: moment) else { return }
    self.deadline = deadline
    let planned = isByHand ? target ?? 0 : estimated(index)
    var end = moment.boot + (step.endsByItself ? planned - ran : max(0, planned - ran))
    for next in steps.indices.dropFirst(index + 1) { end += estimated(next) }
    var spare = deadline.boot - end
    if step.endsByItself, !isByHand {
      let wanted = shared(spare, from: index)[index] ?? planned
      let least = max(range(index).lowerBound, ran)
      let length = min(max(wanted, least), max(range(index).upperBound, least))
      target = length
      spare -= length - planned
    }
    lengths = shared(spare, from: index + 1)
  }

  /// Returns the lengths of steps that share time in proportion to what each can give or take.
  private func shared(_ spare: Int, from first: Int) -> [Int: Int] {
    func room(_ index: Int) -> Int {
      let (planned, range) = (planned(index) ?? 0, range(index))
      return spare < 0 ? planned - range.lowerBound : range.upperBound - planned
    }
    let steps = steps.indices.dropFirst(first)
    let all = steps.reduce(0) { $0 + room($1) }
    var lengths: [Int: Int] = [:]
    var (sum, given) = (0, 0)
    for index in steps {
      sum += room(index)
      // Whole microseconds, rounded up.
      let part = all == 0 ? 0 : Int((Int128(abs(spare)) * Int128(sum) - 1) / Int128(all)) / 1000 * 1000 + 1000
      let next = abs(spare) >= all ? sum : sum == 0 || spare == 0 ? 0 : min(abs(spare), part)
      guard let planned = planned(index) else { continue }
      lengths[index] = planned + (spare < 0 ? given - next : next - given)
      given = next
    }
    return lengths
  }

  /// The deadline in the boot of a moment; in one in which the run wasn't running, by the wall clock.
  private func deadline(at moment: OracleMoment) -> OracleMoment? {
    guard var deadline, deadline.boots != moment.boots else { return deadline }
    deadline.boot = moment.boot + (deadline.wall - moment.wall) * 1000
    deadline.boots = moment.boots
    return deadline
  }

  fileprivate mutating func noteLateness(at moment: OracleMoment) {
    lateAtEnd = deadline(at: moment).map { moment.boot - $0.boot }
  }

  /// Returns the run as if the user resumed it now, unless time alone ends the step.
  func resumed(at now: OracleMoment) -> OracleRun {
    guard deadline != nil, !isRunning || !step.endsByItself else { return self }
    var run = self
    run.reached = now
    run.fit(at: now)
    return run
  }

  /// The time until the end of the run, if each step takes as long as it is planned or fitted to.
  var left: Int {
    let rest = steps.indices.dropFirst(index + 1).reduce(0) { $0 + (lengths[$1] ?? self.planned($1) ?? 0) }
    return max(0, (target ?? 0) - ran) + rest
  }

  /// The time until the end of the run, if the user takes as long as usual, too.
  var estimatedLeft: Int {
    let current = step.endsByItself || isByHand ? target ?? 0 : estimated(index)
    return steps.indices.dropFirst(index + 1).reduce(max(0, current - ran)) { sum, next in
      sum + ((steps[next].endsByItself ? lengths[next] : nil) ?? estimated(next))
    }
  }

  /// Returns the time from the deadline to the end of the run.
  func late(at now: OracleMoment) -> Int? {
    let run = resumed(at: now)
    return run.deadline.map { run.reached.boot + run.estimatedLeft - $0.boot }
  }

  /// Returns the usual lengths of cards in runs of a sequence, the last first.
  static func usual(_ runs: [OracleRun]) -> [Int: Int] {
    var lengths: [Int: [Int]] = [:]
    for run in runs.prefix(20) {
      for record in run.records.reversed() where record.isCompleted {
        let step = run.steps[record.index]
        if !step.endsByItself, lengths[step.card, default: []].count < 10 {
          lengths[step.card, default: []].append(min(record.actual, 30 * 86_400 * 1_000_000_000))
        }
      }
    }
    return lengths.filter { $0.value.count >= 3 }.mapValues { $0.sorted()[($0.count - 1) / 2] }
  }
}
