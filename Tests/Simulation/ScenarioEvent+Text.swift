extension ScenarioEvent: CustomStringConvertible {
  package var description: String {
    switch self {
    case .start(let start, let process):
      "\(start.isReplacing ? "replace" : "start") \(start.sequence) \(process)" + start.words
    case .command(let command, let step, let run, let process):
      "command \(process) \(command.description)" + (step.map { " step \($0)" } ?? "")
        + (run.map { " run \($0)" } ?? "")
    case .look(let process): "look \(process)"
    case .read(let reader): "read \(reader)"
    case .forget(let reader): "forget \(reader)"
    case .attach(let process): "attach \(process)"
    case .configure(let hooks): "hooks \(hooks)"
    case .clear(let sequence, let process): "clear \(sequence) \(process)"
    case .clearCard(let sequence, let card, let process): "clear card \(sequence) \(card) \(process)"
    case .pass(let ticks): "pass \(ticks)"
    case .wait(let ticks): "wait \(ticks)"
    case .approach(let ticks): "approach \(ticks)"
    case .setWall(let ticks): "wall \(ticks)"
    case .reboot(let ticks): "reboot \(ticks)"
    case .goesAway(let isOff): "away \(isOff ? "off" : "sleep")"
    case .comesBack: "back"
    case .otherLogind: "logind"
    case .screen(let isLocked): isLocked ? "lock" : "unlock"
    case .agent: "agent"
    case .run: "run"
    case .turns(let count): "turns \(count)"
    case .die(let isCarriedOut): "die \(isCarriedOut ? "done" : "lost")"
    case .foreground(let isOn): "foreground \(isOn ? "on" : "off")"
    case .serverGoes: "server goes"
    case .serverComes: "server comes"
    case .busCloses: "bus closes"
    case .busOpens(let isSame): "bus opens \(isSame ? "same" : "other")"
    case .refuse(let count, let isExcess): "\(isExcess ? "excess" : "refuse") \(count)"
    case .refuseClosing(let count): "keep \(count)"
    case .silence(let count, let isCarriedOut): "silence \(count) \(isCarriedOut ? "done" : "lost")"
    case .answer: "answer"
    case .dismiss(let place): "dismiss \(place)"
    case .expire(let place): "expire \(place)"
    case .press(let place, let button, let isClosing):
      "press \(place) \(button) \(isClosing ? "closing" : "staying")"
    }
  }

  init?(_ words: [String]) {
    let numbers = words.dropFirst().prefix { Int($0) != nil }.compactMap(Int.init)
    let last = words.last ?? ""
    switch (words.first ?? "", numbers.count) {
    case ("start", 2), ("replace", 2):
      guard var start = ScenarioStart(numbers[0], words.dropFirst(3)) else { return nil }
      start.isReplacing = words[0] == "replace"
      self = .start(start, process: numbers[1])
    case ("command", 1):
      let words = Array(words.dropFirst(2))
      guard let command = ScenarioCommand.parsed(words) else { return nil }
      func number(after name: String) -> Int? {
        words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
      }
      self = .command(command, step: number(after: "step"), run: number(after: "run"), process: numbers[0])
    case ("read", 1): self = .read(numbers[0])
    case ("forget", 1): self = .forget(numbers[0])
    case ("attach", 1): self = .attach(process: numbers[0])
    case ("hooks", _):
      guard let hooks = ScenarioHooks(words.dropFirst()) else { return nil }
      self = .configure(hooks)
    case ("look", 1): self = .look(process: numbers[0])
    case ("clear", 2): self = .clear(sequence: numbers[0], process: numbers[1])
    case ("clear", 0) where words.dropFirst().first == "card":
      let numbers = words.dropFirst(2).compactMap(Int.init)
      guard numbers.count == 3 else { return nil }
      self = .clearCard(sequence: numbers[0], card: numbers[1], process: numbers[2])
    case ("pass", 1): self = .pass(numbers[0])
    case ("wait", 1): self = .wait(numbers[0])
    case ("approach", 1): self = .approach(numbers[0])
    case ("wall", 1): self = .setWall(numbers[0])
    case ("reboot", 1): self = .reboot(numbers[0])
    case ("away", 0): self = .goesAway(isOff: last == "off")
    case ("back", 0): self = .comesBack
    case ("logind", 0): self = .otherLogind
    case ("lock", 0), ("unlock", 0): self = .screen(isLocked: words[0] == "lock")
    case ("agent", 0): self = .agent
    case ("run", 0): self = .run
    case ("turns", 1): self = .turns(numbers[0])
    case ("die", 0): self = .die(isCarriedOut: last == "done")
    case ("foreground", 0): self = .foreground(last == "on")
    case ("server", 0): self = last == "goes" ? .serverGoes : .serverComes
    case ("bus", 0): self = last == "closes" ? .busCloses : .busOpens(isSame: last == "same")
    case ("refuse", 1), ("excess", 1): self = .refuse(numbers[0], isExcess: words[0] == "excess")
    case ("keep", 1): self = .refuseClosing(numbers[0])
    case ("silence", 1): self = .silence(numbers[0], isCarriedOut: last == "done")
    case ("answer", 0): self = .answer
    case ("dismiss", 1): self = .dismiss(numbers[0])
    case ("expire", 1): self = .expire(numbers[0])
    case ("press", 2): self = .press(numbers[0], button: numbers[1], isClosing: last == "closing")
    default: return nil
    }
  }
}

extension ScenarioCommand: CustomStringConvertible {
  private static let plain: [(String, ScenarioCommand)] = [
    ("pause", .pause), ("resume", .resume), ("count", .resumeCounting), ("toggle", .toggle), ("next", .next),
    ("skip", .skip),
    ("back", .back), ("restart", .restart), ("stop", .stop),
  ]

  package var description: String {
    if case .extend(let ticks) = self { return "extend \(ticks)" }
    return ScenarioCommand.plain.first { $0.1 == self }?.0 ?? ""
  }

  static func parsed(_ words: [String]) -> ScenarioCommand? {
    guard let name = words.first else { return nil }
    if name == "extend" { return words.dropFirst().first.flatMap(Int.init).map { .extend($0) } }
    return plain.first { $0.0 == name }?.1
  }
}

extension ScenarioStart {
  /// The words after the sequence and the process, each after a space.
  fileprivate var words: String {
    (source == .file ? "" : " \(source.rawValue)") + (isBeside ? " beside" : "")
      + (step == 0 ? "" : " from \(step)") + (isPaused ? " paused" : "") + (isYielding ? " yielding" : "")
      + (deadline.map { " until \($0)" } ?? "") + (name.map { " named \($0)" } ?? "")
  }

  fileprivate init?(_ sequence: Int, _ words: ArraySlice<String>) {
    self.init(sequence: sequence)
    var words = words
    if let source = words.first.flatMap(ScenarioSource.init) {
      self.source = source
      words.removeFirst()
    }
    if words.first == "beside" {
      isBeside = true
      words.removeFirst()
    }
    if words.first == "from", let step = words.dropFirst().first.flatMap({ Int($0) }) {
      self.step = step
      words.removeFirst(2)
    }
    if words.first == "paused" {
      isPaused = true
      words.removeFirst()
    }
    if words.first == "yielding" {
      isYielding = true
      words.removeFirst()
    }
    if words.first == "until", let ticks = words.dropFirst().first.flatMap({ Int($0) }) {
      deadline = ticks
      words.removeFirst(2)
    }
    if words.count == 2, words.first == "named" {
      name = words.removeLast()
      words.removeFirst()
    }
    guard words.isEmpty else { return nil }
  }
}
