/// The reduction of a failing scenario to the shortest and simplest one that still fails.
package struct Shrinking {
  private static let mostAttempts = 4000

  private let difference: (Scenario) -> Difference?
  private var attempts = 0
  private var scenario: Scenario

  /// Returns the shortest failing scenario, and its difference.
  ///
  /// - Parameter difference: returns the difference of a scenario; `nil` if it has none.
  package static func shrunk(
    _ scenario: Scenario, _ difference: @escaping (Scenario) -> Difference?
  ) -> (scenario: Scenario, difference: Difference)? {
    var shrinking = Shrinking(difference: difference, scenario: scenario)
    shrinking.shrink()
    return difference(shrinking.scenario).map { (shrinking.scenario, $0) }
  }

  private init(difference: @escaping (Scenario) -> Difference?, scenario: Scenario) {
    (self.difference, self.scenario) = (difference, scenario)
  }

  private mutating func shrink() {
    var before: Scenario?
    while before != scenario, attempts < Shrinking.mostAttempts {
      before = scenario
      removeEvents()
      simplifyEvents()
      simplifySequences()
    }
  }

  /// Accepts a scenario if it also fails.
  @discardableResult
  private mutating func tryTo(_ change: (inout Scenario) -> Void) -> Bool {
    var changed = scenario
    change(&changed)
    guard changed != scenario, attempts < Shrinking.mostAttempts else { return false }
    attempts += 1
    guard difference(changed) != nil else { return false }
    scenario = changed
    return true
  }

  private mutating func removeEvents() {
    var length = max(1, scenario.events.count / 2)
    while true {
      var start = max(0, scenario.events.count - length)
      while true {
        let end = min(start + length, scenario.events.count)
        if start < end { tryTo { $0.events.removeSubrange(start..<end) } }
        guard start > 0 else { break }
        start = max(0, start - length)
      }
      guard length > 1 else { return }
      length /= 2
    }
  }

  private mutating func simplifyEvents() {
    for index in scenario.events.indices {
      for simpler in scenario.events[index].simpler where tryTo({ $0.events[index] = simpler }) { break }
    }
  }

  private mutating func simplifySequences() {
    if scenario.sequences.count > 1 { tryTo { $0.sequences.removeLast() } }
    tryTo { $0.keepsNumbers = true }
    for simpler in [64] + ScenarioEvent.smaller(scenario.horizon) where tryTo({ $0.horizon = simpler }) {
      break
    }
    for simpler in [0] + ScenarioEvent.smaller(scenario.preparation) where tryTo({ $0.preparation = simpler })
    {
      break
    }
    for index in scenario.sequences.indices {
      for simpler in scenario.sequences[index].lock.simpler
      where tryTo({ $0.sequences[index].lock = simpler }) {
        break
      }
      for simpler in scenario.sequences[index].away.simpler
      where tryTo({ $0.sequences[index].away = simpler }) {
        break
      }
      var place = 0
      while place < scenario.sequences[index].elements.count {
        let element = scenario.sequences[index].elements[place]
        let isRemoved =
          scenario.sequences[index].elements.count > 1
          && tryTo { $0.sequences[index].elements.remove(at: place) }
        if isRemoved { continue }
        for simpler in element.simpler where tryTo({ $0.sequences[index].elements[place] = simpler }) {
          break
        }
        place += 1
      }
    }
  }
}

extension ScenarioEvent {
  /// The simpler variants of this event, simplest first.
  fileprivate var simpler: [ScenarioEvent] {
    switch self {
    case .start(let start, let process):
      [0, start.sequence].map { .start(ScenarioStart(sequence: $0), process: 0) }
        + (start.simpler + [start]).map { .start($0, process: 0) }.filter { process != 0 || $0 != self }
    case .command(let command, let step, let run, _):
      ScenarioEvent.smaller(command).map { .command($0, step: nil, run: run, process: 0) }
        + [
          .command(command, process: 0), .command(command, step: step, process: 0),
          .command(command, run: 0, process: 0), .command(command, run: run, process: 0),
          .command(command, step: step, run: run, process: 0),
        ]
    case .look: [.look(process: 0)]
    case .read: [.read(1)]
    case .forget: [.forget(1)]
    case .attach: [.attach(process: 0)]
    case .configure(let hooks): hooks.simpler.map { .configure($0) }
    case .clear(let sequence, _): [.clear(sequence: sequence, process: 0)]
    case .clearCard(let sequence, let card, _):
      [.clear(sequence: sequence, process: 0), .clearCard(sequence: sequence, card: card, process: 0)]
    case .pass(let ticks): ScenarioEvent.smaller(ticks).map { .pass($0) }
    case .wait(let ticks): [.run] + ScenarioEvent.smaller(ticks).map { .wait($0) } + [.pass(ticks)]
    case .approach(let ticks): [.run] + ScenarioEvent.smaller(ticks).map { .approach($0) } + [.wait(ticks)]
    case .setWall(let ticks): ScenarioEvent.smaller(ticks).map { .setWall($0) }
    case .reboot(let ticks): ScenarioEvent.smaller(ticks).map { .reboot($0) }
    case .goesAway: [.goesAway(isOff: false)]
    case .otherLogind: [.comesBack]
    case .turns(let count): ScenarioEvent.smaller(count).map { .turns($0) }
    case .refuse(let count, let isExcess):
      ScenarioEvent.smaller(count).map { .refuse($0, isExcess: isExcess) }
    case .silence(let count, let isCarriedOut):
      ScenarioEvent.smaller(count).map { .silence($0, isCarriedOut: isCarriedOut) }
    case .press(_, let button, let isClosing): [.press(0, button: button, isClosing: isClosing)]
    default: []
    }
  }

  private static func smaller(_ command: ScenarioCommand) -> [ScenarioCommand] {
    if case .extend(let ticks) = command { return smaller(ticks).map { .extend($0) } }
    return []
  }

  fileprivate static func smaller(_ number: Int) -> [Int] {
    let sign = number < 0 ? -1 : 1
    return [1, 10, abs(number) / 2, abs(number) - 1].filter { $0 > 0 && $0 < abs(number) }.map { sign * $0 }
  }
}

extension ScenarioStart {
  /// The variants with one choice less.
  fileprivate var simpler: [ScenarioStart] {
    var (unnamed, ofFile, plain, alone, running) = (self, self, self, self, self)
    unnamed.name = nil
    ofFile.source = .file
    plain.isReplacing = false
    alone.isBeside = false
    running.isPaused = false
    var open = self
    open.deadline = nil
    var variants = [unnamed, ofFile, plain, alone, running, open]
    for shorter in deadline.map(ScenarioEvent.smaller) ?? [] {
      var earlier = self
      earlier.deadline = shorter
      variants.append(earlier)
    }
    for smaller in [0] + ScenarioEvent.smaller(step) {
      var earlier = self
      earlier.step = smaller
      variants.append(earlier)
    }
    if name != nil {
      var named = self
      named.name = "a"
      variants.append(named)
    }
    return variants.filter { $0 != self }
  }
}

extension ScenarioHooks {
  /// The variants with one hook, event or cue less.
  fileprivate var simpler: [ScenarioHooks] {
    var variants = [ScenarioHooks()]
    for index in hooks.indices {
      var fewer = self
      fewer.hooks.remove(at: index)
      variants.append(fewer)
      for event in hooks[index].events where hooks[index].events.count > 1 {
        var fewer = self
        fewer.hooks[index] = ScenarioHook(
          program: hooks[index].program, events: hooks[index].events.filter { $0 != event },
          remaining: hooks[index].remaining)
        variants.append(fewer)
      }
    }
    variants.append(ScenarioHooks(hooks: hooks, sound: false, speech: false, counted: 3))
    variants.append(ScenarioHooks(hooks: hooks, sound: sound, speech: false, counted: 3))
    return variants.filter { $0 != self }
  }
}

extension ScenarioSequence.Away {
  fileprivate var simpler: [ScenarioSequence.Away] {
    switch self {
    case .continue: []
    case .pause: [.continue]
    case .ask: [.continue, .pause]
    }
  }
}

extension ScenarioElement {
  fileprivate var simpler: [ScenarioElement] {
    switch self {
    case .group(let rounds, let elements):
      elements.map(\.withoutOtherRounds)
        + (rounds.map(ScenarioEvent.smaller) ?? [1, 3]).map {
          .group(rounds: $0, elements: elements.map(\.withoutOtherRounds))
        }
        + elements.indices.filter { _ in elements.count > 1 }.map { index in
          var fewer = elements
          fewer.remove(at: index)
          return .group(rounds: rounds, elements: fewer)
        }
    case .card(let card):
      (card.later == nil ? [] : [withoutOtherRounds]) + card.withFewerBounds.map { .card($0) }
        + (card.skipsLastRound ? [.card(ScenarioCard(kind: card.kind))] : [])
        + card.kind.simpler.map { .card(ScenarioCard(kind: $0, skipsLastRound: card.skipsLastRound)) }
    }
  }

  /// The element for another number of rounds or another length, which may not suit its lengths.
  private var withoutOtherRounds: ScenarioElement {
    guard case .card(var card) = self else { return self }
    (card.later, card.least, card.most) = (nil, nil, nil)
    return .card(card)
  }
}

extension ScenarioCard {
  fileprivate var withFewerBounds: [ScenarioCard] {
    var (unbound, free) = (self, self)
    unbound.least = nil
    free.most = nil
    return [unbound, free].filter { $0 != self }
  }
}

extension ScenarioCard.Kind {
  fileprivate var simpler: [ScenarioCard.Kind] {
    switch self {
    case .automatic(let ticks): ScenarioEvent.smaller(ticks).map { .automatic($0) }
    case .manual(let ticks, nil):
      [.automatic(ticks)] + ScenarioEvent.smaller(ticks).map { .manual($0, insist: nil) }
    case .manual(let ticks, let insist?):
      [.automatic(ticks), .manual(ticks, insist: nil)]
        + ScenarioEvent.smaller(ticks).map { .manual($0, insist: insist) }
    case .open: [.automatic(1)]
    case .goal(let ticks, let reminders, let cadence):
      [.automatic(ticks)]
        + ScenarioEvent.smaller(ticks).map { .goal($0, reminders: reminders, cadence: cadence) }
        + ScenarioEvent.smaller(reminders).map { .goal(ticks, reminders: $0, cadence: cadence) }
    }
  }
}
