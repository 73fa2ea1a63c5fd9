/// The reduction of a failing scenario to the shortest and simplest one that still fails.
package struct Shrinking {
  /// The largest number of scenarios to try.
  private static let mostAttempts = 4000

  private let difference: (Life) -> Difference?
  private var attempts = 0
  private var life: Life

  /// Returns the shortest failing scenario, and its difference.
  ///
  /// - Parameter difference: returns the difference of a scenario; `nil` if it has none.
  package static func shrunk(
    _ life: Life, _ difference: @escaping (Life) -> Difference?
  ) -> (life: Life, difference: Difference)? {
    var shrinking = Shrinking(difference: difference, life: life)
    shrinking.shrink()
    return difference(shrinking.life).map { (shrinking.life, $0) }
  }

  private init(difference: @escaping (Life) -> Difference?, life: Life) {
    (self.difference, self.life) = (difference, life)
  }

  private mutating func shrink() {
    var before: Life?
    while before != life, attempts < Shrinking.mostAttempts {
      before = life
      removeEvents()
      simplifyEvents()
      simplifySequences()
    }
  }

  /// Accepts a scenario if it also fails.
  @discardableResult
  private mutating func tryTo(_ change: (inout Life) -> Void) -> Bool {
    var changed = life
    change(&changed)
    guard changed != life, attempts < Shrinking.mostAttempts else { return false }
    attempts += 1
    guard difference(changed) != nil else { return false }
    life = changed
    return true
  }

  private mutating func removeEvents() {
    var length = max(1, life.events.count / 2)
    while true {
      var start = max(0, life.events.count - length)
      while true {
        let end = min(start + length, life.events.count)
        if start < end { tryTo { $0.events.removeSubrange(start..<end) } }
        guard start > 0 else { break }
        start = max(0, start - length)
      }
      guard length > 1 else { return }
      length /= 2
    }
  }

  private mutating func simplifyEvents() {
    for index in life.events.indices {
      for simpler in life.events[index].simpler where tryTo({ $0.events[index] = simpler }) { break }
    }
  }

  private mutating func simplifySequences() {
    if life.sequences.count > 1 { tryTo { $0.sequences.removeLast() } }
    tryTo { $0.keepsNumbers = true }
    for simpler in [0] + LifeEvent.smaller(life.preparation) where tryTo({ $0.preparation = simpler }) {
      break
    }
    for index in life.sequences.indices {
      for simpler in life.sequences[index].away.simpler where tryTo({ $0.sequences[index].away = simpler }) {
        break
      }
      var place = 0
      while place < life.sequences[index].elements.count {
        let element = life.sequences[index].elements[place]
        let isRemoved =
          life.sequences[index].elements.count > 1
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

extension LifeEvent {
  /// The simpler variants of this event, simplest first.
  fileprivate var simpler: [LifeEvent] {
    switch self {
    case .start(let sequence, _, _):
      [0, sequence].map { .start(sequence: $0, isReplacing: false, process: 0) }
    case .command(let command, let step, _):
      LifeEvent.smaller(command).map { .command($0, step: nil, process: 0) }
        + [.command(command, step: nil, process: 0), .command(command, step: step, process: 0)]
    case .look: [.look(process: 0)]
    case .clear(let sequence, _): [.clear(sequence: sequence, process: 0)]
    case .pass(let ticks): LifeEvent.smaller(ticks).map { .pass($0) }
    case .wait(let ticks): [.run] + LifeEvent.smaller(ticks).map { .wait($0) } + [.pass(ticks)]
    case .approach(let ticks): [.run] + LifeEvent.smaller(ticks).map { .approach($0) } + [.wait(ticks)]
    case .setWall(let ticks): LifeEvent.smaller(ticks).map { .setWall($0) }
    case .reboot(let ticks): LifeEvent.smaller(ticks).map { .reboot($0) }
    case .goesAway: [.goesAway(isOff: false)]
    case .otherLogind: [.comesBack]
    case .turns(let count): LifeEvent.smaller(count).map { .turns($0) }
    case .refuse(let count, let isExcess): LifeEvent.smaller(count).map { .refuse($0, isExcess: isExcess) }
    case .silence(let count, let isCarriedOut):
      LifeEvent.smaller(count).map { .silence($0, isCarriedOut: isCarriedOut) }
    case .press(_, let button, let isClosing): [.press(0, button: button, isClosing: isClosing)]
    default: []
    }
  }

  private static func smaller(_ command: LifeCommand) -> [LifeCommand] {
    if case .extend(let ticks) = command { return smaller(ticks).map { .extend($0) } }
    return []
  }

  fileprivate static func smaller(_ number: Int) -> [Int] {
    let sign = number < 0 ? -1 : 1
    return [1, 10, abs(number) / 2, abs(number) - 1].filter { $0 > 0 && $0 < abs(number) }.map { sign * $0 }
  }
}

extension LifeSequence.Away {
  fileprivate var simpler: [LifeSequence.Away] {
    switch self {
    case .continue: []
    case .pause: [.continue]
    case .ask: [.continue, .pause]
    }
  }
}

extension LifeElement {
  fileprivate var simpler: [LifeElement] {
    switch self {
    case .group(let rounds, let elements):
      elements + LifeEvent.smaller(rounds).map { .group(rounds: $0, elements: elements) }
        + elements.indices.filter { _ in elements.count > 1 }.map { index in
          var fewer = elements
          fewer.remove(at: index)
          return .group(rounds: rounds, elements: fewer)
        }
    case .card(let card):
      (card.skipsLastRound ? [.card(LifeCard(kind: card.kind))] : [])
        + card.kind.simpler.map { .card(LifeCard(kind: $0, skipsLastRound: card.skipsLastRound)) }
    }
  }
}

extension LifeCard.Kind {
  fileprivate var simpler: [LifeCard.Kind] {
    switch self {
    case .automatic(let ticks): LifeEvent.smaller(ticks).map { .automatic($0) }
    case .manual(let ticks): [.automatic(ticks)] + LifeEvent.smaller(ticks).map { .manual($0) }
    case .open: [.automatic(1)]
    case .goal(let ticks, let reminders, let cadence):
      [.automatic(ticks)] + LifeEvent.smaller(ticks).map { .goal($0, reminders: reminders, cadence: cadence) }
        + LifeEvent.smaller(reminders).map { .goal(ticks, reminders: $0, cadence: cadence) }
    }
  }
}
