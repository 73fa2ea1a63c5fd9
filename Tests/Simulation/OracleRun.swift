/// One occurrence of a card in a run.
struct OracleStep: Equatable {
  let card: Int
  /// Round and rounds of each group around it, outermost first.
  let rounds: [[Int]]
  let kind: LifeCard.Kind

  /// The ticks after which the user should know.
  var target: Int? {
    switch kind {
    case .automatic(let ticks), .manual(let ticks), .goal(let ticks, _, _): ticks
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

  /// The steps of a sequence, one after the other; its cards are numbered as they are written down.
  static func all(_ elements: [LifeElement]) -> [OracleStep] {
    var steps: [OracleStep] = []
    func walk(_ elements: [LifeElement], _ first: Int, _ rounds: [[Int]], isLast: Bool) -> Int {
      var card = first
      for element in elements {
        switch element {
        case .card(let one):
          if !(one.skipsLastRound && isLast) {
            steps.append(OracleStep(card: card, rounds: rounds, kind: one.kind))
          }
          card += 1
        case .group(let count, let inner):
          var after = card
          for round in 1...count {
            after = walk(inner, card, rounds + [[round, count]], isLast: round == count)
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

/// What became of a step.
struct OracleRecord: Equatable {
  let index: Int
  let startedAt: Int
  let endedAt: Int
  let planned: Int?
  let actual: Int
  let isCompleted: Bool
}

/// A run, tick by tick.
///
/// Moments are microseconds of the wall clock, durations are ticks.
struct OracleRun: Equatable {
  let number: Int
  let sequence: Int
  let steps: [OracleStep]
  let quantum: Int
  let startedAt: Int

  var index = 0
  var stepStartedAt: Int
  /// The duration or goal of the step, with what the user added.
  var target: Int?
  var ran = 0
  /// What the step had run when its clock was started last, and the moment of that.
  var ranBefore = 0
  var clockWall: Int
  /// What the wall clock would say had nobody set it since then.
  var runWall: Int
  var isPaused = false
  var records: [OracleRecord] = []
  var endedAt: Int?
  var isFinished = false

  init(number: Int, sequence: Int, steps: [OracleStep], quantum: Int, wall: Int) {
    (self.number, self.sequence, self.steps, self.quantum) = (number, sequence, steps, quantum)
    (startedAt, stepStartedAt, clockWall, runWall) = (wall, wall, wall, wall)
    target = steps[0].target
  }

  var step: OracleStep { steps[index] }

  mutating func tick() {
    guard endedAt == nil, !isPaused else { return }
    ran += 1
    runWall += quantum
    endWhatIsOver()
  }

  /// Starts the clock of the step, at a moment from which it goes on.
  mutating func startClock(at wall: Int) {
    (ranBefore, clockWall, runWall) = (ran, wall, wall)
  }

  private mutating func endWhatIsOver() {
    guard endedAt == nil, !isPaused, step.endsByItself, let target, ran >= target else { return }
    record(isCompleted: true, at: max(stepStartedAt, runWall))
    begin(index + 1, at: runWall)
  }

  private mutating func record(isCompleted: Bool, at wall: Int) {
    records.append(
      OracleRecord(
        index: index, startedAt: stepStartedAt, endedAt: wall, planned: target, actual: ran,
        isCompleted: isCompleted))
  }

  private mutating func begin(_ next: Int, at wall: Int) {
    guard next < steps.count else {
      (endedAt, isFinished) = (wall, true)
      return
    }
    (index, stepStartedAt, ran, target) = (next, wall, 0, steps[next].target)
    startClock(at: wall)
  }

  /// Does a command; the name of the refusal, if it is refused.
  mutating func perform(_ command: LifeCommand, wall: Int) -> String? {
    switch command {
    case .pause:
      guard !isPaused else { return "alreadyPaused" }
      isPaused = true
    case .resume:
      guard isPaused else { return "alreadyRunning" }
      if ran == 0 { stepStartedAt = wall }
      isPaused = false
      startClock(at: wall)
    case .toggle: return perform(isPaused ? .resume : .pause, wall: wall)
    case .next, .skip:
      record(isCompleted: command == .next, at: max(stepStartedAt, wall))
      begin(index + 1, at: wall)
    case .back:
      if index > 0 { records.removeLast() }
      begin(max(index - 1, 0), at: wall)
    case .restart: begin(index, at: wall)
    case .extend(let ticks):
      guard let target else { return "nothingToExtend" }
      let base = ticks > 0 ? max(target, ran) : target
      guard (base + ticks) * quantum <= 30 * 86_400 * 1_000_000 else { return "extendedTooMuch" }
      guard base + ticks >= ran else { return "shortenedTooMuch" }
      self.target = base + ticks
    case .stop:
      record(isCompleted: false, at: max(stepStartedAt, wall))
      endedAt = wall
    }
    endWhatIsOver()
    return nil
  }
}
