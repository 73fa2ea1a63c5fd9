/// The text form of a scenario: a line for each property, then a line for each event.
extension Scenario: CustomStringConvertible {
  package var description: String {
    let head = [
      "quantum \(quantum)", "numbers \(keepsNumbers ? "kept" : "own")", "preparation \(preparation)",
      "horizon \(horizon)",
    ]
    let bodies = sequences.map(\.description)
    return (head + bodies + events.map(\.description)).joined(separator: "\n") + "\n"
  }

  package init(text: String) throws(ScenarioTextError) {
    self.init(quantum: 1_000_000, keepsNumbers: true, sequences: [], events: [])
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let rest = words.dropFirst()
      switch first {
      case "quantum":
        guard let number = rest.first.flatMap(Int.init), number > 0 else {
          throw ScenarioTextError(line: line)
        }
        quantum = number
      case "preparation":
        guard let number = rest.first.flatMap(Int.init), number >= 0 else {
          throw ScenarioTextError(line: line)
        }
        preparation = number
      case "horizon":
        guard let number = rest.first.flatMap(Int.init), number > 0 else {
          throw ScenarioTextError(line: line)
        }
        horizon = number
      case "numbers": keepsNumbers = rest.first != "own"
      case "sequence":
        guard let sequence = ScenarioSequence(rest) else { throw ScenarioTextError(line: line) }
        sequences.append(sequence)
      default:
        guard let event = ScenarioEvent(words) else { throw ScenarioTextError(line: line) }
        events.append(event)
      }
    }
    guard !sequences.isEmpty else { throw ScenarioTextError(line: "sequence") }
  }
}

package struct ScenarioTextError: Error, CustomStringConvertible {
  package let line: String

  init(line: some StringProtocol) { self.line = String(line) }

  package var description: String { "\"\(line)\" is no line of a script" }
}

extension ScenarioSequence: CustomStringConvertible {
  package var description: String {
    let policy =
      (away == .continue ? "" : "\(away.rawValue) ") + (lock == .continue ? "" : "lock:\(lock.rawValue) ")
    return "sequence \(policy)" + elements.map(\.description).joined(separator: " ")
  }

  init?(_ words: ArraySlice<String>) {
    var words = words
    if let policy = words.first.flatMap(Away.init) {
      away = policy
      words.removeFirst()
    }
    if let word = words.first, word.hasPrefix("lock:") {
      guard let policy = Away(rawValue: String(word.dropFirst(5))) else { return nil }
      lock = policy
      words.removeFirst()
    }
    guard let list = ScenarioElement.list(&words), words.isEmpty, !list.isEmpty else { return nil }
    elements = list
  }
}

extension ScenarioElement: CustomStringConvertible {
  package var description: String {
    switch self {
    case .group(let rounds, let elements):
      "\(rounds.map(String.init) ?? "forever-")x( \(elements.map(\.description).joined(separator: " ")) )"
    case .card(let card): card.description
    }
  }

  /// Parses elements up to the end of their group.
  static func list(_ words: inout ArraySlice<String>) -> [ScenarioElement]? {
    var elements: [ScenarioElement] = []
    while let word = words.first, word != ")" {
      words.removeFirst()
      if word.hasSuffix("x(") {
        let rounds = Int(word.dropLast(2))
        guard rounds.map({ $0 > 0 }) ?? (word == "forever-x("), let inner = list(&words), !inner.isEmpty,
          words.popFirst() == ")"
        else { return nil }
        elements.append(.group(rounds: rounds, elements: inner))
      } else {
        guard let card = ScenarioCard(word) else { return nil }
        elements.append(.card(card))
      }
    }
    return elements
  }
}

extension ScenarioCard: CustomStringConvertible {
  package var description: String {
    let text =
      switch kind {
      case .automatic(let ticks): "\(ticks)\(laterText)\(boundsText)"
      case .manual(let ticks, let insist): "\(ticks)\(laterText)!" + (insist.map { String($0) } ?? "")
      case .open: "open"
      case .goal(let ticks, let reminders, let cadence): "goal:\(ticks):\(reminders):\(cadence)"
      }
    return text + (skipsLastRound ? "~" : "")
  }

  /// The rounds after the first one, such as `/20/30`, `+5` or `-5`.
  private var laterText: String {
    switch later {
    case nil: ""
    case .lengths(let lengths): lengths.isEmpty ? "/" : lengths.map { "/\($0)" }.joined()
    case .adding(let ticks): ticks < 0 ? "\(ticks)" : "+\(ticks)"
    }
  }

  /// The shortest and the longest length, such as `{10:}`.
  private var boundsText: String {
    guard least != nil || most != nil else { return "" }
    return "{\(least.map(String.init) ?? ""):\(most.map(String.init) ?? "")}"
  }

  private static func bounds(_ text: Substring) -> (least: Int?, most: Int?)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.isEmpty || Int($0) ?? 0 > 0 }) else { return nil }
    return (Int(parts[0]), Int(parts[1]))
  }

  private static func lengths(_ text: Substring) -> (first: Int, later: Later?)? {
    let first = text.prefix { $0.isNumber }
    let rest = text.dropFirst(first.count)
    guard let ticks = Int(first), ticks > 0 else { return nil }
    guard !rest.isEmpty else { return (ticks, nil) }
    if rest.first == "/" {
      let lengths = rest.split(separator: "/").map { Int($0) ?? 0 }
      return lengths.allSatisfy { $0 > 0 } ? (ticks, .lengths(lengths)) : nil
    }
    return Int(rest).map { (ticks, .adding($0)) }
  }

  init?(_ word: String) {
    skipsLastRound = word.hasSuffix("~")
    var text = skipsLastRound ? String(word.dropLast()) : word
    if text.hasSuffix("}"), let open = text.firstIndex(of: "{") {
      guard let bounds = ScenarioCard.bounds(text[open...].dropFirst().dropLast()) else { return nil }
      (least, most) = bounds
      text = String(text[..<open])
    }
    if text == "open" {
      kind = .open
    } else if text.hasPrefix("goal:") {
      let numbers = text.split(separator: ":").dropFirst().compactMap { Int($0) }
      guard numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else { return nil }
      kind = .goal(numbers[0], reminders: numbers[1], cadence: numbers[2])
    } else {
      let parts = text.split(separator: "!", omittingEmptySubsequences: false)
      guard parts.count <= 2, let (ticks, later) = ScenarioCard.lengths(parts[0]) else { return nil }
      self.later = later
      if parts.count == 1 {
        kind = .automatic(ticks)
      } else {
        let insist = Int(parts[1])
        guard parts[1].isEmpty || insist ?? 0 > 0 else { return nil }
        kind = .manual(ticks, insist: insist)
      }
    }
  }
}
