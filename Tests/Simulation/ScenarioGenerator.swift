import TestSupport

package struct ScenarioGenerator {
  private var random: SplitMix64
  /// The number of ticks in about one second, so that scenarios of every tick length reach the same limits.
  private var second = 1
  private var quantum = 1_000_000
  /// Whether the runs of the current sequence are paused on suspend.
  private var isPausing = false

  private init(seed: UInt64) { random = SplitMix64(seed: seed) }

  package static func scenario(seed: UInt64) -> Scenario {
    var generator = ScenarioGenerator(seed: seed)
    let scenario = generator.scenario()
    // Half of the scenarios have one run at a time.
    var rounds = SplitMix64(seed: seed, for: "rounds")
    let varied = rounds.happens(60) ? scenario.withOtherRounds(&rounds) : scenario
    var several = SplitMix64(seed: seed, for: "several runs")
    let all = several.happens(50) ? generator.withSeveralRuns(varied) : varied
    var steps = SplitMix64(seed: seed, for: "first steps")
    let placed = steps.happens(40) ? all.startingAtLaterSteps(&steps) : all
    var pauses = SplitMix64(seed: seed, for: "paused starts")
    let paused = pauses.happens(30) ? placed.startingPaused(&pauses) : placed
    var deadlines = SplitMix64(seed: seed, for: "deadlines")
    let timed = deadlines.happens(40) ? paused.withDeadlines(&deadlines) : paused
    var earlier = SplitMix64(seed: seed, for: "earlier runs")
    return earlier.happens(25) ? timed.afterEarlierRuns(&earlier) : timed
  }

  private mutating func scenario() -> Scenario {
    // Ticks of whole seconds coincide most often; other lengths reveal rounding.
    quantum = random.one(of: [1_000_000, 1_000_000, 1_000_000, 234_375, 46_875, 1_000_007, 37_000, 500_000])
    second = max(1, 1_000_000 / quantum)
    var scenario = Scenario(quantum: quantum, keepsNumbers: random.happens(75), sequences: [], events: [])
    if random.happens(60) { scenario.preparation = random.one(of: [1, 1, 2, 3, 6, 3 * second]) }
    scenario.sequences = (0..<random.number(in: 1...2)).map { _ in sequence() }
    // So many that the ledger must purge entries.
    if random.happens(1), random.happens(50) { scenario.sequences[0].elements = [manySteps()] }
    if random.happens(70) { scenario.events.append(.configure(hooks())) }
    scenario.events += [.start(ScenarioStart(sequence: 0), process: 0), .agent]
    let count = random.number(in: 10...60)
    while scenario.events.count < count { scenario.events += happening() }
    scenario.horizon = random.one(of: [1, 1, 2, 3, 4, 6, 8, 64, 2000])
    return scenario
  }

  // MARK: - Several runs

  private mutating func withSeveralRuns(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.sequences += (0..<random.number(in: 0...2)).map { _ in sequence() }
    let first = scenario.events.firstIndex { if case .start = $0 { true } else { false } } ?? 0
    var events = Array(scenario.events[...first])
    for _ in 0..<random.number(in: 1...3) { events.append(startOfAny(scenario, isBeside: 90)) }
    for event in scenario.events[(first + 1)...] {
      switch event {
      case .start(_, let process) where random.happens(70):
        events.append(startOfAny(scenario, isBeside: 60, process: process))
      case .command(let command, let step, _, let process) where random.happens(60):
        events.append(.command(command, step: step, run: random.number(in: 0...3), process: process))
      case .command(let command, _, _, let process):
        events.append(event)
        // The second press comes at once, or a moment later.
        if command == .stop || command == .next, random.happens(40) {
          if random.happens(60) { events.append(.pass(random.number(in: 1...(2 * second + 1)))) }
          events.append(.command(self.command(), process: process))
        }
      default: events.append(event)
      }
      if random.happens(12) { events.append(startOfAny(scenario, isBeside: 70)) }
      if random.happens(5) {
        events.append(.command(.stop, run: random.number(in: 0...3), process: random.number(in: 0...2)))
      }
    }
    scenario.events = events
    return scenario
  }

  private mutating func startOfAny(
    _ scenario: Scenario, isBeside percent: Int, process: Int? = nil
  ) -> ScenarioEvent {
    var start = ScenarioStart(sequence: random.number(in: 0...scenario.sequences.count - 1))
    start.source = random.one(of: [.file, .file, .timer, .timer, .cards])
    start.isBeside = random.happens(percent)
    start.isReplacing = !start.isBeside && random.happens(50)
    start.isYielding = start.source == .file && start.isBeside && random.happens(30)
    if random.happens(25) {
      start.name = random.one(of: ["tea", "tea", "sequence-0", "sequence-0-2", "sequence-1", "Tea", "-"])
    }
    return .start(start, process: process ?? random.number(in: 0...2))
  }

  // MARK: - Sequences

  private mutating func sequence() -> ScenarioSequence {
    let away = random.one(of: [ScenarioSequence.Away.continue, .continue, .pause, .ask, .ask])
    let lock = random.one(of: [ScenarioSequence.Away.continue, .continue, .pause, .ask, .ask])
    isPausing = away != .continue || lock != .continue
    var elements = (0..<random.number(in: 0...3)).map { _ in element(depth: 0) }
    elements.insert(.card(ScenarioCard(kind: kind())), at: random.number(in: 0...elements.count))
    if random.happens(15) { elements.append(.group(rounds: nil, elements: endlessRound())) }
    return ScenarioSequence(away: away, lock: lock, elements: elements)
  }

  private mutating func element(depth: Int) -> ScenarioElement {
    guard depth < 2, random.happens(30) else {
      return .card(ScenarioCard(kind: kind(), skipsLastRound: random.happens(25)))
    }
    let inner = (0..<random.number(in: 1...3)).map { _ in element(depth: depth + 1) }
    return .group(rounds: random.number(in: 1...3), elements: inner)
  }

  /// Returns the elements of an endless round, which lasts a second or longer.
  private mutating func endlessRound() -> [ScenarioElement] {
    // So many steps that the events of whole rounds are only counted.
    guard random.happens(93) else {
      let (cards, steps) = random.one(of: [(1, 1), (2, 1), (1, 10)])
      let ticks = max(1, (second + steps) / (cards * steps))
      let inner = (0..<cards).map { _ in ScenarioElement.card(ScenarioCard(kind: .automatic(ticks + 1))) }
      return steps == 1 ? inner : [.group(rounds: steps, elements: inner)]
    }
    var elements = (0..<random.number(in: 0...2)).map { _ in element(depth: 1) }
    elements.append(.card(ScenarioCard(kind: .automatic(second + duration()))))
    return elements
  }

  private mutating func manySteps() -> ScenarioElement {
    .group(
      rounds: random.number(in: 300...600),
      elements: (0..<2).map { _ in .card(ScenarioCard(kind: .automatic(1))) })
  }

  private mutating func kind() -> ScenarioCard.Kind {
    switch random.number(in: 1...100) {
    case ...66: .automatic(duration())
    case ...82: .manual(duration(), insist: random.happens(40) ? insistence() : nil)
    case ...88: .open
    default:
      .goal(
        duration(), reminders: random.number(in: 1...4),
        cadence: random.one(of: [shortestCadence, 700, 900]) * second + random.number(in: 0...1))
    }
  }

  /// The interval of a card that insists; some reminders coincide with the steps of others.
  private mutating func insistence() -> Int {
    max(10_000_000 / quantum + 1, random.one(of: [10, 10, 30, 60, 200]) * second + random.number(in: 0...1))
  }

  /// The shortest cadence; the minimum is not a whole number of every tick, and a run may be paused at a
  /// reminder.
  private var shortestCadence: Int { isPausing && !600_000_000.isMultiple(of: quantum) ? 700 : 1 }

  /// Returns one of few durations, so that their sums coincide.
  private mutating func duration() -> Int {
    let seconds = random.one(of: [1, 2, 5, 10, 10, 20, 30, 31, 60])
    return seconds * second + (random.happens(15) ? random.number(in: 0...second) : 0)
  }

  // MARK: - Events

  private mutating func ticks() -> Int {
    switch random.number(in: 1...100) {
    case ...80: duration()
    case ...90: random.number(in: 1...5)
    case ...96: (30_000_000 + quantum - 1) / quantum + random.number(in: -1...1)
    default: random.number(in: 100...700) * second
    }
  }

  private mutating func happening() -> [ScenarioEvent] {
    switch random.number(in: 1...100) {
    case ...19: [.wait(ticks())]
    case ...22: absence()
    case ...27: approach()
    case ...32: [.pass(ticks())]
    case ...37: suspend()
    case ...40: lock()
    case ...45: ofReaders()
    case ...60: byUser()
    case ...63: burst()
    case ...72: ofAgent()
    case ...76: [.setWall(random.one(of: [-1, 1]) * random.one(of: [1, 10, 45, 3600]) * second)]
    case ...79: reboot()
    case ...90: ofServer()
    default: onScreen()
    }
  }

  /// Returns events after which notifications of a run wait that nobody was told of, maybe while another run is active.
  private mutating func absence() -> [ScenarioEvent] {
    var events: [ScenarioEvent] = [.die(isCarriedOut: random.happens(50))]
    if random.happens(40) { events.append(.serverGoes) }
    for _ in 0..<random.number(in: 1...2) {
      events.append(.pass(random.one(of: [31, 45, 100, 700]) * second))
      events.append(start(isReplacing: 70, process: nil))
    }
    if random.happens(50) { events.append(.pass(ticks())) }
    if random.happens(40) { events += [.agent, .run] }
    if random.happens(50) { events.append(.serverComes) }
    return events + [.agent, .run]
  }

  /// Returns the start of a run, which may stop another one.
  private mutating func start(isReplacing percent: Int, process: Int?) -> ScenarioEvent {
    var start = ScenarioStart(sequence: random.number(in: 0...1))
    start.isReplacing = random.happens(percent)
    return .start(start, process: process ?? random.number(in: 0...2))
  }

  /// Returns events while a prepared notification waits for its due time, which may pass.
  private mutating func approach() -> [ScenarioEvent] {
    var events: [ScenarioEvent] = [.approach(ticks())]
    for _ in 0..<random.number(in: 1...3) {
      switch random.number(in: 1...100) {
      case ...50: events += byUser()
      case ...65: events += ofAgent()
      case ...80: events += ofServer()
      default: events += onScreen()
      }
      if random.happens(50) { events.append(.turns(random.number(in: 1...3))) }
      if random.happens(50) { events.append(.pass(random.number(in: 1...3))) }
    }
    return events
  }

  private mutating func byUser() -> [ScenarioEvent] {
    let process = random.number(in: 0...2)
    var events: [ScenarioEvent]
    switch random.number(in: 1...100) {
    case ...12:
      events = [start(isReplacing: 50, process: process)]
    case ...23: events = [.look(process: process)]
    case 24: events = [.clear(sequence: random.number(in: 0...1), process: process)]
    case ...26:
      events = [
        .clearCard(
          sequence: random.number(in: 0...1), card: random.number(in: 0...3), process: process)
      ]
    default:
      let step = random.happens(10) ? random.number(in: 0...3) : nil
      events = [.command(command(), step: step, process: process)]
    }
    if random.happens(50) { events += [.agent, .run] }
    return events
  }

  /// Returns commands quickly after each other.
  private mutating func burst() -> [ScenarioEvent] {
    (0..<random.number(in: 2...4)).flatMap { _ -> [ScenarioEvent] in
      let pause: [ScenarioEvent] = random.happens(30) ? [.pass(random.number(in: 1...3))] : []
      return [.command(command(), process: random.number(in: 0...2))] + pause
    }
  }

  /// Returns the doings of readers of events, and changes of hooks and cues.
  private mutating func ofReaders() -> [ScenarioEvent] {
    switch random.number(in: 1...100) {
    case ...35: [.read(random.number(in: 1...5))]
    case ...50: [.forget(random.number(in: 1...5))]
    case ...60: [.attach(process: random.number(in: 0...2))]
    default: [.configure(hooks())] + (random.happens(50) ? [.agent, .run] : [])
    }
  }

  private mutating func hooks() -> ScenarioHooks {
    guard random.happens(85) else { return ScenarioHooks() }
    var hooks = ScenarioHooks()
    for program in 0..<random.number(in: 0...3) {
      let share = random.one(of: [10, 30, 60, 100])
      let events = ScenarioHook.allEvents.filter { _ in random.happens(share) }
      guard !events.isEmpty else { continue }
      hooks.hooks.append(
        ScenarioHook(program: program, events: events, remaining: random.one(of: [1, 2, 3, 3, 10])))
    }
    hooks.sound = random.happens(25)
    hooks.speech = random.happens(25)
    hooks.counted = hooks.sound || hooks.speech ? random.number(in: 1...3) : 3
    return hooks
  }

  private mutating func command() -> ScenarioCommand {
    switch random.number(in: 1...100) {
    case ...13: .pause
    case ...25: .resume
    case ...31: .resumeCounting
    case ...38: .toggle
    case ...50: .next
    case ...58: .skip
    case ...68: .back
    case ...75: .restart
    case ...94: .extend(random.one(of: [-1, 1]) * duration())
    default: .stop
    }
  }

  private mutating func ofAgent() -> [ScenarioEvent] {
    switch random.number(in: 1...100) {
    case ...35: [.agent, .turns(random.number(in: 1...6))]
    case ...50: [.run]
    case ...70: [.agent, .run]
    default: [.die(isCarriedOut: random.happens(50))] + (random.happens(60) ? [.agent] : [])
    }
  }

  private mutating func reboot() -> [ScenarioEvent] {
    var events: [ScenarioEvent] = [.reboot(random.one(of: [0, 5, 20, 60, 500]) * second)]
    if random.happens(20) { events.append(.serverGoes) }
    if random.happens(30) { events.append(.setWall(random.one(of: [-100, 100, -10_000]) * second)) }
    if random.happens(20) { events.append(.pass(ticks())) }
    if random.happens(80) { events += [.agent, .run] }
    if random.happens(30) { events += afterAbsence() }
    return events
  }

  /// Returns a lock of the screen, while the machine may sleep and the agent may die.
  private mutating func lock() -> [ScenarioEvent] {
    var events: [ScenarioEvent] = random.happens(70) ? [.agent, .run] : []
    events.append(.screen(isLocked: true))
    if random.happens(80) { events.append(.run) }
    if random.happens(20) { events += byUser() }
    if random.happens(40) { events += suspend() }
    if random.happens(25) {
      events += [.die(isCarriedOut: random.happens(50)), .pass(ticks())]
      if random.happens(70) { events += [.agent, .run] }
    }
    if random.happens(50) { events.append(.wait(ticks())) }
    if random.happens(10) { events.append(.otherLogind) }
    if random.happens(85) { events.append(.screen(isLocked: false)) }
    if random.happens(80) { events.append(.run) }
    return random.happens(60) ? events + afterAbsence() : events
  }

  /// Returns a sleep or shutdown, with the signals to listeners.
  private mutating func suspend() -> [ScenarioEvent] {
    let isOff = random.happens(35)
    var events: [ScenarioEvent] = random.happens(60) ? [.agent, .run] : []
    events.append(.goesAway(isOff: isOff))
    // The agent has a few seconds, but may be late, or another process may be faster.
    if random.happens(15) { events.append(.pass(random.number(in: 1...3))) }
    if random.happens(10) { events += byUser() }
    if random.happens(80) { events.append(.run) }
    if random.happens(12) { events.append(.otherLogind) }
    // The machine goes again before anybody has noticed that it was back, and the user is faster than the agent.
    if random.happens(10) { events += [.pass(ticks()), .goesAway(isOff: isOff)] + afterAbsence() }
    if isOff, random.happens(70) {
      events += reboot()
    } else {
      events.append(.pass(ticks()))
      if random.happens(90) { events.append(.comesBack) }
      if random.happens(80) { events.append(.run) }
    }
    if random.happens(20) { events.append(.setWall(random.one(of: [-1, 1]) * second * 60)) }
    if random.happens(20) { events.append(.wait(ticks())) }
    if random.happens(50) { events += afterAbsence() }
    return events
  }

  /// Returns the user's reaction to a run after a suspend.
  private mutating func afterAbsence() -> [ScenarioEvent] {
    switch random.number(in: 1...100) {
    case ...30: [.press(0, button: random.number(in: 0...1), isClosing: random.happens(50)), .run]
    case ...65: [.command(.resumeCounting, process: random.number(in: 0...2))]
    case ...85: [.command(.resume, process: random.number(in: 0...2))]
    default: [.command(command(), process: random.number(in: 0...2))]
    }
  }

  private mutating func ofServer() -> [ScenarioEvent] {
    switch random.number(in: 1...100) {
    case ...15: [.serverGoes]
    case ...42: [.serverComes]
    case ...50: [.busCloses]
    case ...62: [.busOpens(isSame: random.happens(50))]
    case ...70: [.refuse(random.number(in: 1...5), isExcess: random.happens(40))]
    // Until the agent gives a notification up.
    case ...74: [.refuse(random.number(in: 5...9), isExcess: false), .wait(ticks())]
    case ...80: [.refuseClosing(random.number(in: 1...5))]
    case ...92: [.silence(random.number(in: 1...3), isCarriedOut: random.happens(60))]
    default: [.answer]
    }
  }

  private mutating func onScreen() -> [ScenarioEvent] {
    switch random.number(in: 1...100) {
    case ...50: [.press(0, button: random.number(in: 0...2), isClosing: random.happens(50))]
    case ...70: [.dismiss(random.number(in: 0...1))]
    case ...85: [.expire(random.number(in: 0...1))]
    default: [.foreground(random.happens(50))]
    }
  }
}

extension Scenario {
  /// Returns the scenario with countdowns that have another length in each round.
  fileprivate func withOtherRounds(_ random: inout SplitMix64) -> Scenario {
    var scenario = self
    // Such a countdown lasts a second or longer.
    let least = (999_999 + quantum) / quantum
    for index in sequences.indices {
      scenario.sequences[index].elements = sequences[index].elements.map {
        $0.withOtherRounds(nil, atLeast: least, &random)
      }
    }
    return scenario
  }

  /// Returns the scenario with starts at later steps, some of which do not exist.
  fileprivate func startingAtLaterSteps(_ random: inout SplitMix64) -> Scenario {
    var scenario = self
    scenario.events = events.map { event in
      guard case .start(var start, let process) = event, random.happens(70) else { return event }
      let sequence = sequences[start.sequence % sequences.count]
      start.step = random.number(in: 0...OracleStep.all(sequence.elements).count)
      return .start(start, process: process)
    }
    return scenario
  }

  /// Returns the scenario with starts of paused runs, most of which are resumed later.
  fileprivate func startingPaused(_ random: inout SplitMix64) -> Scenario {
    var scenario = self
    scenario.events = []
    for event in events {
      guard case .start(var start, let process) = event, random.happens(50) else {
        scenario.events.append(event)
        continue
      }
      start.isPaused = true
      scenario.events.append(.start(start, process: process))
      if random.happens(50) { scenario.events.append(.pass(random.number(in: 1...3))) }
      if random.happens(70) { scenario.events.append(.command(.resume, process: process)) }
    }
    return scenario
  }
}

extension Scenario {
  /// Returns the scenario with starts of runs that are to end at a time, and countdowns that can be shorter or longer.
  fileprivate func withDeadlines(_ random: inout SplitMix64) -> Scenario {
    var scenario = self
    for index in sequences.indices {
      scenario.sequences[index].elements = sequences[index].elements.map { $0.withBounds(1, &random) }
    }
    scenario.events = events.map { event in
      guard case .start(var start, let process) = event, random.happens(80) else { return event }
      let steps = OracleStep.all(scenario.sequences[start.sequence % sequences.count].elements)
      let planned = steps.dropFirst(start.step).reduce(0) { $0 + ($1.target ?? 0) }
      let percent = random.one(of: [60, 80, 90, 100, 100, 110, 120, 150])
      start.deadline = planned * percent / 100 + random.number(in: 0...3)
      return .start(start, process: process)
    }
    return scenario
  }
}

extension Scenario {
  /// Returns the scenario after some runs of its first sequence, in which the user completed a card that waits.
  fileprivate func afterEarlierRuns(_ random: inout SplitMix64) -> Scenario {
    var scenario = self
    let waiting = ScenarioElement.card(
      ScenarioCard(kind: random.happens(50) ? .open : .manual(20, insist: nil)))
    scenario.sequences[0].elements.insert(waiting, at: 0)
    var (start, runs) = (ScenarioStart(sequence: 0), [ScenarioEvent]())
    start.isReplacing = true
    for _ in 0..<random.number(in: 2...6) {
      runs.append(.start(start, process: 0))
      for _ in 0..<random.number(in: 1...4) {
        runs.append(.pass(random.number(in: 1...60)))
        runs.append(.command(random.happens(90) ? .next : .skip, process: 0))
      }
      runs.append(.command(.stop, process: 0))
    }
    let first = events.firstIndex { if case .start = $0 { true } else { false } } ?? 0
    scenario.events.insert(contentsOf: runs, at: first)
    return scenario
  }
}

extension ScenarioElement {
  /// - Parameter rounds: those of the group around the element.
  fileprivate func withBounds(_ rounds: Int, _ random: inout SplitMix64) -> ScenarioElement {
    switch self {
    // Endless rounds can't have them.
    case .group(nil, _): return self
    case .group(let rounds?, let elements):
      return .group(rounds: rounds, elements: elements.map { $0.withBounds(rounds, &random) })
    case .card(var card):
      guard case .automatic = card.kind, random.happens(70) else { return self }
      let count = card.skipsLastRound ? rounds - 1 : rounds
      let lengths = (1...max(1, count)).map {
        OracleStep(card: 0, rounds: [], kind: card.kind(inRound: $0), isRest: false).target ?? 1
      }
      guard let shortest = lengths.min(), let longest = lengths.max(), shortest > 0 else { return self }
      if random.happens(70) { card.least = max(1, shortest * random.one(of: [30, 50, 80, 100]) / 100) }
      if random.happens(70) { card.most = longest * random.one(of: [100, 110, 130, 200]) / 100 }
      return .card(card)
    }
  }

  /// - Parameters:
  ///   - rounds: those of the group around the element; `nil` outside of groups and in endless rounds.
  ///   - least: the shortest length of a round, in ticks.
  fileprivate func withOtherRounds(
    _ rounds: Int?, atLeast least: Int, _ random: inout SplitMix64
  ) -> ScenarioElement {
    switch self {
    case .group(let rounds, let elements):
      return .group(
        rounds: rounds, elements: elements.map { $0.withOtherRounds(rounds, atLeast: least, &random) })
    case .card(var card):
      guard let rounds, random.happens(50) else { return self }
      let count = card.skipsLastRound ? rounds - 1 : rounds
      switch card.kind {
      case .automatic(let ticks): card.kind = .automatic(max(ticks, least))
      case .manual(let ticks, let insist): card.kind = .manual(max(ticks, least), insist: insist)
      case .open, .goal: return self
      }
      if random.happens(50), count > 0 {
        card.later = .lengths((1..<count).map { _ in least * random.one(of: [1, 1, 2, 5, 10, 30]) })
      } else {
        let most = least * random.one(of: [1, 2, 5])
        let ticks = OracleStep(card: 0, rounds: [], kind: card.kind, isRest: false).target ?? least
        let fewer = count > 1 ? min(most, (ticks - least) / (count - 1)) : most
        card.later = .adding(random.happens(50) ? random.number(in: 0...most) : -random.number(in: 0...fewer))
      }
      return .card(card)
    }
  }
}
