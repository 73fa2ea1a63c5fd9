import FoundationEssentials
import SequencePlatform
import SequenceStore

extension Timeline {
  /// - Throws: a failure also for a sequence that can't run.
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var estimates: [UUID: Estimate] = [:]
    let definition = try SequenceDefinition(from: &json, &estimates)
    do throws(TimelineError) {
      try self.init(definition, estimates: estimates)
    } catch {
      throw json.failure("a sequence that can run, and not \(error)")
    }
  }
}

extension Estimate {
  /// Reads a list of objects, each for a card.
  fileprivate static func list(from json: inout JSONReader) throws(JSONReader.Failure) -> [UUID: Estimate] {
    var estimates: [UUID: Estimate] = [:]
    try json.array { json throws(JSONReader.Failure) in
      var (card, usual) = (UUID?.none, Int64?.none)
      try json.object { json, name throws(JSONReader.Failure) in
        switch name {
        case "card": card = try UUID(from: &json)
        case "usual": usual = try json.integer()
        default: try json.skip()
        }
      }
      let estimate = usual.map { Estimate.usual(.nanoseconds($0)) } ?? .chosen
      guard (.zero...SequenceLimits.longestDuration).contains(estimate.usual ?? .zero) else {
        throw json.failure("a usual length of at most 30 days")
      }
      estimates[try json.required(card, "card")] = estimate
    }
    return estimates
  }
}

extension SequenceDefinition {
  fileprivate init(
    from json: inout JSONReader, _ estimates: inout [UUID: Estimate]
  ) throws(JSONReader.Failure) {
    var (id, title, elements) = (UUID?.none, String?.none, [SequenceElement]?.none)
    var (onSuspend, onLock) = (SuspendPolicy?.none, SuspendPolicy?.none)
    var (color, icon, rings, labels) = (SequenceColor?.none, String?.none, false, [String]())
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "id": id = try UUID(from: &json)
      case "title": title = try json.string()
      case "onSuspend":
        onSuspend = try json.known(SuspendPolicy(rawValue: try json.string()), "policy")
      case "onLock": onLock = try json.known(SuspendPolicy(rawValue: try json.string()), "policy")
      case "color": color = try json.known(SequenceColor(rawValue: try json.string()), "color")
      case "icon": icon = try json.string()
      case "rings": rings = try json.boolean()
      case "labels": labels = try json.strings()
      case "elements": elements = try SequenceElement.list(from: &json)
      case "estimates": estimates = try Estimate.list(from: &json)
      default: try json.skip()
      }
    }
    self.init(
      id: try json.required(id, "id"), title: try json.required(title, "title"),
      elements: try json.required(elements, "elements"), onSuspend: onSuspend, onLock: onLock, color: color,
      icon: icon, rings: rings, labels: labels)
  }
}

extension SequenceElement {
  static func list(from json: inout JSONReader) throws(JSONReader.Failure) -> [SequenceElement] {
    var elements: [SequenceElement] = []
    try json.array { json throws(JSONReader.Failure) in elements.append(try SequenceElement(from: &json)) }
    return elements
  }

  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var element: SequenceElement?
    try json.object { json, kind throws(JSONReader.Failure) in
      guard kind == "card" || kind == "group" else { throw json.unknown("kind of element") }
      try json.object { json, name throws(JSONReader.Failure) in
        switch (kind, name) {
        case ("card", "_0"): element = .card(try Card(from: &json))
        case ("group", "_0"): element = .group(try Group(from: &json))
        default: try json.skip()
        }
      }
    }
    self = try json.required(element, "card or group")
  }
}

extension Group {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (rounds, elements) = (Rounds?.none, [SequenceElement]?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "rounds": rounds = try Rounds(from: &json)
      case "elements": elements = try SequenceElement.list(from: &json)
      default: try json.skip()
      }
    }
    self.init(
      rounds: try json.required(rounds, "rounds"), elements: try json.required(elements, "elements"))
  }
}

extension Rounds {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    guard json.isAtString else {
      self = .times(Int(try json.integer()))
      return
    }
    guard try json.string() == Rounds.foreverText else { throw json.unknown("rounds") }
    self = .forever
  }
}

extension Card {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (id, title, note) = (UUID?.none, String?.none, String?.none)
    var (sound, image, laterRounds) = (String?.none, String?.none, LaterRounds?.none)
    var (atLeast, atMost) = (Int64?.none, Int64?.none)
    var (timing, skipsLastRound, isRest, insist) = (Timing?.none, Bool?.none, Bool?.none, Int64?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "id": id = try UUID(from: &json)
      case "title": title = try json.string()
      case "note": note = try json.string()
      case "timing": timing = try Timing(from: &json)
      case "laterRounds": laterRounds = try LaterRounds(from: &json)
      case "atLeast": atLeast = try json.integer()
      case "atMost": atMost = try json.integer()
      case "skipsLastRound": skipsLastRound = try json.boolean()
      case "isRest": isRest = try json.boolean()
      case "sound": sound = try json.string()
      case "image": image = try json.string()
      case "insist": insist = try json.integer()
      default: try json.skip()
      }
    }
    self.init(
      id: try json.required(id, "id"), title: try json.required(title, "title"), note: note,
      timing: try json.required(timing, "timing"), laterRounds: laterRounds,
      atLeast: atLeast.map { .nanoseconds($0) }, atMost: atMost.map { .nanoseconds($0) },
      skipsLastRound: try json.required(skipsLastRound, "skipsLastRound"),
      isRest: isRest, sound: sound, image: image, insist: insist.map { .nanoseconds($0) })
  }
}

extension Timing {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (countdown, advance) = (Int64?.none, Advance?.none)
    var (isCountUp, goal) = (false, Goal?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "countdown": countdown = try json.integer()
      case "advance":
        advance = try json.known(Advance(rawValue: try json.string()), "advance")
      case "countUp":
        isCountUp = true
        try json.object { json, name throws(JSONReader.Failure) in
          if name == "goal" { goal = try Goal(from: &json) } else { try json.skip() }
        }
      default: try json.skip()
      }
    }
    if isCountUp {
      self = .countUp(goal: goal)
    } else {
      self = .countdown(
        .nanoseconds(try json.known(countdown, "timing")),
        advance: try json.required(advance, "advance"))
    }
  }
}

extension LaterRounds {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var rounds: LaterRounds?
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "lengths":
        var lengths: [Duration] = []
        try json.array { json throws(JSONReader.Failure) in lengths.append(.nanoseconds(try json.integer())) }
        rounds = .lengths(lengths)
      case "adding": rounds = .adding(.nanoseconds(try json.integer()))
      default: try json.skip()
      }
    }
    self = try json.required(rounds, "lengths or adding")
  }
}

extension Goal {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (duration, reminders, cadence) = (Int64?.none, Int64?.none, Int64?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "duration": duration = try json.integer()
      case "reminders": reminders = try json.integer()
      case "cadence": cadence = try json.integer()
      default: try json.skip()
      }
    }
    self.init(
      duration: .nanoseconds(try json.required(duration, "duration")),
      reminders: Int(try json.required(reminders, "reminders")),
      cadence: .nanoseconds(try json.required(cadence, "cadence")))
  }
}

extension UUID {
  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    self = try json.required(UUID(utf8: try json.plainString()), "UUID")
  }
}

// MARK: - Writing

extension Timeline {
  /// Writes the sequence of a run, with the estimates for its cards.
  ///
  /// Members are sorted, and durations are whole nanoseconds, so that they are read exactly.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("color", definition.color?.rawValue)
      json.member("elements") { definition.elements.write(to: &$0) }
      if !estimates.isEmpty { json.member("estimates", writeEstimates) }
      json.member("icon", definition.icon)
      json.member("id", definition.id.text)
      json.member("labels", definition.labels)
      json.member("onLock", definition.onLock?.rawValue)
      json.member("onSuspend", definition.onSuspend?.rawValue)
      json.member("rings", definition.rings)
      json.member("title", definition.title)
    }
  }

  private func writeEstimates(to json: inout JSONWriter) {
    json.array { json in
      for (card, estimate) in estimates.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.member("card", card.text)
          // A length that was chosen has none.
          json.member("usual", estimate.usual)
        }
      }
    }
  }
}

extension [SequenceElement] {
  fileprivate func write(to json: inout JSONWriter) {
    json.array { json in
      for element in self {
        json.object { json in
          switch element {
          case .card(let card):
            json.member("card") { json in json.object { $0.member("_0") { card.write(to: &$0) } } }
          case .group(let group):
            json.member("group") { json in json.object { $0.member("_0") { group.write(to: &$0) } } }
          }
        }
      }
    }
  }
}

extension Group {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("elements") { elements.write(to: &$0) }
      switch rounds {
      case .times(let count): json.member("rounds", Int64(count))
      case .forever: json.member("rounds", Rounds.foreverText)
      }
    }
  }
}

extension Card {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("atLeast", atLeast)
      json.member("atMost", atMost)
      json.member("id", id.text)
      json.member("image", image)
      json.member("insist", insist)
      json.member("isRest", isRest)
      if let laterRounds { json.member("laterRounds") { laterRounds.write(to: &$0) } }
      json.member("note", note)
      json.member("skipsLastRound", skipsLastRound)
      json.member("sound", sound)
      json.member("timing") { timing.write(to: &$0) }
      json.member("title", title)
    }
  }
}

extension Timing {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .countdown(let duration, let advance):
        json.member("advance", advance.rawValue)
        json.member("countdown", duration)
      case .countUp(let goal):
        json.member("countUp") { json in
          json.object { json in if let goal { json.member("goal") { goal.write(to: &$0) } } }
        }
      }
    }
  }
}

extension LaterRounds {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .adding(let time): json.member("adding", time)
      case .lengths(let lengths):
        json.member("lengths") { json in
          json.array { json in for length in lengths { json.integer(length.nanoseconds) } }
        }
      }
    }
  }
}

extension Goal {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("cadence", cadence)
      json.member("duration", duration)
      json.member("reminders", Int64(reminders))
    }
  }
}
