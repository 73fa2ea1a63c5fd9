import Foundation

/// A combination of features: a level of each factor.
struct PairScenario {
  /// The state of the run before the command.
  enum Situation: String, CaseIterable {
    case none, running, paused, lastStep, afterAShortStep
    case manual, overtime, pausedInOvertime
    case goal, pastGoal, pausedPastGoal, open
    case asleep, returned, returnedFromShutdown
  }
  enum Command: String, CaseIterable {
    case pause, resume, count, toggle, next, skip, back, restart, lengthen, shorten, stop, start, replace,
      clear
  }
  enum FollowUp: String, CaseIterable { case next, toggle, lengthen, back, skip, clear }
  /// The structure of the cards in the file.
  enum Shape: String, CaseIterable { case flat, rounds, skippingLast, nested }
  enum Source: String, CaseIterable { case file, standardInput, library, json }
  enum Starter: String, CaseIterable { case start, startJSON, startPaused, replace, run, runJSON }
  enum Rounds: String, CaseIterable { case asWritten, once, thrice, forever }
  enum Without: String, CaseIterable { case nothing, title, id }
  enum PolicyPlace: String, CaseIterable { case file, configuration, fileBeforeConfiguration }
  enum Cues: String, CaseIterable { case absent, none, all, configured }
  enum Wakefulness: String, CaseIterable { case absent, kept }
  enum Hooks: String, CaseIterable { case absent, configured }
  enum StepOption: String, CaseIterable { case absent, current, wrong }
  enum Output: String, CaseIterable { case text, json }
  enum Identifiers: String, CaseIterable { case given, derived }
  /// What runs besides the run of the scenario.
  enum Company: String, CaseIterable { case none, timer }

  let situation: Situation
  let command: Command
  let followUp: FollowUp
  let shape: Shape
  let source: Source
  let starter: Starter
  let rounds: Rounds
  let without: Without
  let policyPlace: PolicyPlace
  let cues: Cues
  let wakefulness: Wakefulness
  let hooks: Hooks
  let stepOption: StepOption
  let output: Output
  let identifiers: Identifiers
  let company: Company

  /// The number of levels of each factor, in the order of a row.
  static let levels: [Int] = [
    Situation.allCases.count, Command.allCases.count, FollowUp.allCases.count, Shape.allCases.count,
    Source.allCases.count, Starter.allCases.count, Rounds.allCases.count, Without.allCases.count,
    PolicyPlace.allCases.count, Cues.allCases.count, Wakefulness.allCases.count, Hooks.allCases.count,
    StepOption.allCases.count, Output.allCases.count, Identifiers.allCases.count, Company.allCases.count,
  ]

  init(_ row: [Int]) {
    situation = Situation.allCases[row[0]]
    command = Command.allCases[row[1]]
    followUp = FollowUp.allCases[row[2]]
    shape = Shape.allCases[row[3]]
    source = Source.allCases[row[4]]
    starter = Starter.allCases[row[5]]
    rounds = Rounds.allCases[row[6]]
    without = Without.allCases[row[7]]
    policyPlace = PolicyPlace.allCases[row[8]]
    cues = Cues.allCases[row[9]]
    wakefulness = Wakefulness.allCases[row[10]]
    hooks = Hooks.allCases[row[11]]
    stepOption = StepOption.allCases[row[12]]
    output = Output.allCases[row[13]]
    identifiers = Identifiers.allCases[row[14]]
    company = Company.allCases[row[15]]
  }

  // MARK: - The sequence

  /// The step that the situation applies to.
  var main: PairCard {
    let timing: PairCard.Timing =
      switch situation {
      case .none, .running, .paused, .lastStep, .afterAShortStep, .asleep, .returned, .returnedFromShutdown:
        .automatic(3600)
      case .manual: .manual(3600)
      case .overtime, .pausedInOvertime: .manual(0.02)
      case .goal: .goal(3600, reminders: 2, every: 900)
      case .pastGoal, .pausedPastGoal: .goal(0.02, reminders: 4, every: 900)
      case .open: .open
      }
    return PairCard(number: 1, title: "Work", timing: timing)
  }

  var isAboutSuspend: Bool { [.asleep, .returned, .returnedFromShutdown].contains(situation) }

  /// The policy for suspend.
  var policy: String {
    switch situation {
    case .asleep, .returned: "ask"
    case .returnedFromShutdown: "pause"
    default: "continue"
    }
  }

  /// The sequence as written.
  var written: [PairElement] {
    let rest = PairCard(
      number: 2, title: "Rest", timing: .automatic(300), skipsLast: shape != .flat && shape != .rounds)
    let extra = PairCard(number: 3, title: "Stretch 🧘", timing: .automatic(120.5))
    let cool = PairCard(number: 4, title: "Cool", timing: .goal(600, reminders: 3, every: 600))
    let other = PairCard(number: 5, title: "Other", timing: .automatic(60))
    let body: [PairElement] =
      switch shape {
      case .flat: [.card(main), .card(rest)]
      case .rounds, .skippingLast: [.group(2, [.card(main), .card(rest)])]
      case .nested: [.group(2, [.card(main), .group(2, [.card(rest), .card(extra)])])]
      }
    let ready = PairCard(number: 6, title: "Ready", timing: .automatic(0.02))
    let lead: [PairElement] = situation == .afterAShortStep ? [.card(ready)] : []
    let all =
      lead + body + [
        .card(other), .card(cool), .card(PairCard(number: 7, title: "Out", timing: .automatic(90))),
      ]
    return rounds == .forever && shape != .flat ? [.group(nil, all)] : all
  }

  /// The sequence as it runs, with the options applied.
  var chosen: [PairElement] {
    var elements = written
    let count: Int? =
      switch rounds {
      case .asWritten, .forever: nil;
      case .once: 1;
      case .thrice: 3
      }
    if let count {
      if shape == .flat {
        elements = count == 1 ? elements : [.group(count, elements)]
      } else {
        elements = elements.map { if case .group(_, let inner) = $0 { .group(count, inner) } else { $0 } }
      }
    }
    // Without a group in the file, the option makes one.
    if rounds == .forever, shape == .flat { elements = [.group(nil, elements)] }
    return without == .nothing ? elements : elements.compactMap { $0.without("Other") }
  }
}

struct PairCard: Equatable {
  enum Timing: Equatable {
    case automatic(Double)
    case manual(Double)
    case goal(Double, reminders: Int, every: Double)
    case open
  }
  let number: Int
  let title: String
  let timing: Timing
  var skipsLast = false

  /// The id in a file.
  var id: String { "FACE0000-0000-4000-8000-00000000000\(number)" }
}

indirect enum PairElement: Equatable {
  case card(PairCard)
  /// The rounds are `nil` if they are endless.
  case group(Int?, [PairElement])

  func without(_ title: String) -> PairElement? {
    switch self {
    case .card(let card): return card.title == title ? nil : self
    case .group(let rounds, let inner): return .group(rounds, inner.compactMap { $0.without(title) })
    }
  }

  /// Returns the steps of elements in order.
  static func steps(_ elements: [PairElement], _ rounds: [[Int]] = []) -> [PairStep] {
    elements.flatMap { element in
      switch element {
      case .card(let card):
        let isLast = rounds.last.map { $0[0] == $0[1] } ?? false
        return card.skipsLast && isLast ? [] : [PairStep(card: card, rounds: rounds)]
      case .group(let count, let inner):
        return (1...(count ?? PairStep.endlessRounds)).flatMap { steps(inner, rounds + [[$0, count ?? 0]]) }
      }
    }
  }
}

struct PairStep: Equatable {
  let card: PairCard
  /// The round and the number of rounds, outermost group first; 0 if they are endless.
  let rounds: [[Int]]

  /// The number of rounds that stand for endless ones: more than a scenario reaches.
  static let endlessRounds = 4
}

extension [PairStep] {
  /// The number of steps with one of endless rounds; `nil` if the sequence ends.
  var endlessAfter: Int? { firstIndex { $0.rounds.first == [2, 0] } }
}
