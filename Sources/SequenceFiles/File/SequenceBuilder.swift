import FoundationEssentials
import SequencePlatform
import SequenceRunner

struct SequenceBuilder {
  private var remarks: [SequenceFile.Remark] = []
  private var sequenceID = UUID()
  /// The folder of relative paths.
  private let folder: String

  init(folder: String) { self.folder = folder }

  private var linesOfIDs: [UUID: Int] = [:]

  mutating func sequence(_ root: YAMLNode) throws(SequenceFileError) -> SequenceFile {
    let fields = try Fields(
      root, of: "a sequence",
      known: ["title", "id", "cards", "color", "icon", "labels", "onSuspend", "onLock", "ring"])
    let title = try text(try fields.required("title"), "title")
    let cards = try fields.required("cards")
    let id = try fields.optional("id").map { node throws(SequenceFileError) in try uuid(node) }
    let onSuspend = try fields.optional("onSuspend").map { node throws(SequenceFileError) in
      try SuspendPolicy(node, "onSuspend")
    }
    let onLock = try fields.optional("onLock").map { node throws(SequenceFileError) in
      try SuspendPolicy(node, "onLock")
    }
    let color = try fields.optional("color").map { node throws(SequenceFileError) in try accent(node) }
    let ring = fields.optional("ring")
    let rings = try ring.map { node throws(SequenceFileError) in try node.boolean() } ?? false
    let icon = try fields.optional("icon").map { node throws(SequenceFileError) in try symbol(node) }
    let labels = try fields.optional("labels").map { node throws(SequenceFileError) in try self.labels(node) }
    sequenceID = id ?? DerivedID.sequence(title: title)
    // Counted before anything is built, because with aliases a few lines can stand for any number of cards.
    var census = StepCounter()
    let size = try census.count(ofCardsIn: cards, depth: 0)
    guard size.steps > 0 else {
      throw wrong(
        "no step is left, because all cards have skipLast and there is one round",
        remedy: "give the group more rounds", cards)
    }
    let elements = try elements(cards, place: [], of: nil)
    do throws(TimelineError) {
      let timeline = try Timeline(
        SequenceDefinition(
          id: sequenceID, title: title, elements: elements, onSuspend: onSuspend, onLock: onLock,
          color: color, icon: icon, rings: rings, labels: labels ?? []))
      return SequenceFile(timeline: timeline, remarks: remarks)
    } catch {
      throw wrong(error, error == .endlessRing ? ring ?? cards : cards)
    }
  }

  /// - Parameter rounds: those of the group around the elements; `nil` outside of groups.
  private mutating func elements(
    _ node: YAMLNode, place: [Int], of rounds: Rounds?
  ) throws(SequenceFileError) -> [SequenceElement] {
    guard case .list(let nodes) = node.content else {
      throw wrong("cards must be a list, not \(node.kind)", node)
    }
    var elements: [SequenceElement] = []
    for (index, node) in nodes.enumerated() {
      elements.append(try element(node, place: place + [index], in: rounds))
    }
    return elements
  }

  private mutating func element(
    _ node: YAMLNode, place: [Int], in group: Rounds?
  ) throws(SequenceFileError) -> SequenceElement {
    guard case .mapping(let entries) = node.content else {
      throw wrong(
        "a card must have keys and values, but this is \(node.kind)",
        remedy: "write it like { title: Work, countdown: 20s }", node)
    }
    guard entries.contains(where: { $0.key == "cards" || $0.key == "rounds" }) else {
      return .card(try card(node, place: place, in: group))
    }
    let fields = try Fields(node, of: "a group", known: ["rounds", "cards"])
    let rounds = try StepCounter.rounds(ofGroup: node)
    let elements = try elements(try fields.required("cards"), place: place, of: rounds)
    return .group(Group(rounds: rounds, elements: elements))
  }

  private mutating func card(
    _ node: YAMLNode, place: [Int], in group: Rounds?
  ) throws(SequenceFileError) -> Card {
    let fields = try Fields(
      node, of: "a card",
      known: [
        "title", "id", "note", "countdown", "perRound", "atLeast", "atMost", "countUp", "advance", "skipLast",
        "rest", "sound",
        "image", "insist",
      ])
    let title = try text(try fields.required("title"), "title")
    let note = try fields.optional("note").map { node throws(SequenceFileError) in try text(node, "note") }
    let timing = try timing(fields, title: title)
    let laterRounds = try laterRounds(fields)
    let skipLast = fields.optional("skipLast")
    if let skipLast, group == nil {
      throw wrong("skipLast works only on a card inside a group", remedy: "remove it", skipLast)
    }
    let id = try fields.optional("id").map { node throws(SequenceFileError) in try uuid(node) }
    let sound = try fields.optional("sound").flatMap { node throws(SequenceFileError) in
      try self.sound(node)
    }
    let image = try fields.optional("image").flatMap { node throws(SequenceFileError) in
      try self.image(node)
    }
    let card = Card(
      id: id ?? DerivedID.card(sequence: sequenceID, place: place, title: title), title: title, note: note,
      timing: timing, laterRounds: laterRounds,
      atLeast: try fields.optional("atLeast").map { node throws(SequenceFileError) in try node.duration() },
      atMost: try fields.optional("atMost").map { node throws(SequenceFileError) in try node.duration() },
      skipsLastRound: try skipLast.map { node throws(SequenceFileError) in try node.boolean() } ?? false,
      isRest: try fields.optional("rest").map { node throws(SequenceFileError) in try node.boolean() },
      sound: sound, image: image, insist: try insistence(fields, timing))
    try checkRounds(of: card, fields, in: group)
    try checkBounds(of: card, fields, in: group)
    return card
  }

  private func laterRounds(_ fields: Fields) throws(SequenceFileError) -> LaterRounds? {
    let countdown = fields.optional("countdown")
    if case .list(let nodes)? = countdown?.content {
      var lengths: [Duration] = []
      for node in nodes.dropFirst() { lengths.append(try node.duration()) }
      if let perRound = fields.optional("perRound") {
        throw wrong("a list of lengths has no perRound", remedy: "remove one of them", perRound)
      }
      return .lengths(lengths)
    }
    guard let perRound = fields.optional("perRound") else { return nil }
    guard countdown != nil else {
      throw wrong("perRound works only on a countdown", remedy: "remove it", perRound)
    }
    return .adding(try perRound.signedDuration())
  }

  private func checkRounds(
    of card: Card, _ fields: Fields, in group: Rounds?
  ) throws(SequenceFileError) {
    guard card.laterRounds != nil, let countdown = fields.optional("countdown") else { return }
    let perRound = fields.optional("perRound")
    let node = perRound ?? countdown
    guard case .times(let rounds) = group else {
      let what: LocalizedText = perRound == nil ? LocalizedText("a list of lengths") : "perRound"
      throw wrong(
        "\(what) works only in a group with a number of rounds", remedy: "write a single countdown", node)
    }
    guard let mistake = card.mistakeOfRounds(in: card.skipsLastRound ? rounds - 1 : rounds) else { return }
    if case .roundOutOfRange(_, let round, _) = mistake, case .list(let lengths) = node.content {
      throw wrong(mistake, lengths[round - 1])
    }
    throw wrong(mistake, node)
  }

  private func checkBounds(
    of card: Card, _ fields: Fields, in group: Rounds?
  ) throws(SequenceFileError) {
    guard let node = fields.optional("atLeast") ?? fields.optional("atMost") else { return }
    var rounds: Int?
    if case .times(let count) = group { rounds = card.skipsLastRound ? count - 1 : count }
    // Groups further out are checked with the whole sequence.
    guard let mistake = card.mistakeOfBounds(in: rounds, isEndless: group == .forever) else { return }
    guard case .outOfBounds(_, _, let length) = mistake else { throw wrong(mistake, node) }
    let isTooShort = card.atLeast.map { length < $0 } ?? false
    throw wrong(mistake, fields.optional(isTooShort ? "atLeast" : "atMost") ?? node)
  }

  private func insistence(_ fields: Fields, _ timing: Timing) throws(SequenceFileError) -> Duration? {
    guard let node = fields.optional("insist") else { return nil }
    guard case .countdown(_, .manual) = timing else {
      throw wrong(
        "insist works only on a countdown that waits for you",
        remedy: "add advance: manual, or remove insist",
        node)
    }
    let interval = try node.duration()
    guard interval >= SequenceLimits.shortestInsistence else {
      throw wrong("reminders must be at least 10s apart", remedy: "use 10s or more", node)
    }
    return interval
  }

  /// Returns a name, an absolute path, or an empty text for none; `nil` for a file that can't be played.
  private mutating func sound(_ node: YAMLNode) throws(SequenceFileError) -> String? {
    let sound = try node.sound(in: folder)
    guard isAbsolute(sound), let problem = MediaFile.soundProblem(sound, "\(node.kind)") else { return sound }
    remarks.append(
      .init(
        position: node.position, text: "\(problem), so the usual sound is played",
        isOfSound: true))
    return nil
  }

  /// Returns an absolute path; `nil` for a file that can't be shown.
  private mutating func image(_ node: YAMLNode) throws(SequenceFileError) -> String? {
    let path = try node.image(in: folder)
    guard let problem = MediaFile.problem(path, "\(node.kind)") else { return path }
    remarks.append(
      .init(position: node.position, text: "\(problem), so the card has no picture"))
    return nil
  }

  private mutating func timing(_ fields: Fields, title: String) throws(SequenceFileError) -> Timing {
    let advance = fields.optional("advance")
    switch (fields.optional("countdown"), fields.optional("countUp")) {
    case (let countdown?, nil):
      let advance =
        try advance.map { node throws(SequenceFileError) in try self.advance(node) } ?? .automatic
      guard case .list(let lengths) = countdown.content else {
        return .countdown(try countdown.duration(), advance: advance)
      }
      guard let first = lengths.first else {
        throw wrong("the list of lengths is empty", remedy: "write a length for each round", countdown)
      }
      return .countdown(try first.duration(), advance: advance)
    case (nil, let countUp?):
      if let advance {
        throw wrong("a count-up always waits for you", remedy: "remove advance", advance)
      }
      return .countUp(goal: try goal(countUp))
    case (nil, nil):
      throw wrong(
        "\(quoted(title)) has no timing", remedy: "add countdown: 2m, or countUp: {}",
        fields.node)
    case (_?, let countUp?):
      throw wrong("\(quoted(title)) has a countdown and a countUp", remedy: "remove one of them", countUp)
    }
  }

  private mutating func goal(_ node: YAMLNode) throws(SequenceFileError) -> Goal? {
    if case .scalar(let text) = node.content, !text.isEmpty { return Goal(duration: try node.duration()) }
    let fields = try Fields(node, of: "a countUp", known: ["goal", "reminders", "every"])
    let (reminders, every) = (fields.optional("reminders"), fields.optional("every"))
    guard let goal = fields.optional("goal") else {
      if let stray = reminders ?? every {
        throw wrong("reminders need a goal", remedy: "add one, such as goal: 5m", stray)
      }
      return nil
    }
    var cadence = Goal.minimumCadence
    if let every {
      cadence = try every.duration()
      if cadence < Goal.minimumCadence {
        remarks.append(
          .init(
            position: every.position,
            text:
              "reminders are at least 10m apart, so 10m is used instead of \(DurationText.format(cadence))"
          ))
      }
    }
    let count = try reminders.map { node throws(SequenceFileError) in
      try integer(node, "reminders", in: 0...SequenceLimits.mostReminders)
    }
    return Goal(duration: try goal.duration(), reminders: count ?? Goal.defaultReminders, cadence: cadence)
  }

  private mutating func uuid(_ node: YAMLNode) throws(SequenceFileError) -> UUID {
    guard case .scalar(let text) = node.content, let id = UUID(uuidString: text) else {
      throw wrong(
        "\(node.kind) is not a UUID", remedy: "use one that uuidgen prints, or remove id", node)
    }
    if let line = linesOfIDs.updateValue(node.position.line, forKey: id) {
      throw wrong(
        "the id \(text) is already used in line \(line)", remedy: "change or remove one of them", node)
    }
    return id
  }

  private func text(_ node: YAMLNode, _ key: String) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = node.content else {
      throw wrong("\(key) must be text, not \(node.kind)", node)
    }
    // C libraries, such as those of the window and of notifications, end a text there.
    guard !text.utf8.contains(0) else {
      throw wrong("\(key) contains the character U+0000", remedy: "remove it", node)
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw wrong("\(key) is empty", remedy: "write at least one character", node)
    }
    guard SequenceLimits.isTooLong(text) else { return text }
    guard text.count <= SequenceLimits.longestTitle else {
      throw wrong(
        "\(key) has \(text.count) characters", remedy: "use at most \(SequenceLimits.longestTitle)", node)
    }
    throw wrong(
      "\(key) has \(text.utf8.count) bytes", remedy: "use at most \(SequenceLimits.largestTitle)", node)
  }

  private func accent(_ node: YAMLNode) throws(SequenceFileError) -> SequenceColor {
    guard case .scalar(let text) = node.content, let color = SequenceColor(rawValue: text) else {
      let colors = SequenceColor.allCases.map(\.rawValue)
      throw wrong(
        "color must be \(colors.dropLast().joined(separator: ", ")) or \(colors.last ?? ""), not \(node.kind)",
        node)
    }
    return color
  }

  private func symbol(_ node: YAMLNode) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = node.content, SequenceLimits.isIcon(text) else {
      throw wrong("icon must be one emoji or symbol, not \(node.kind)", node)
    }
    return text
  }

  private func labels(_ node: YAMLNode) throws(SequenceFileError) -> [String] {
    guard case .list(let nodes) = node.content else {
      throw wrong("labels must be a list, not \(node.kind)", remedy: "write it like [health, client-a]", node)
    }
    var labels: [String] = []
    for node in nodes {
      guard case .scalar(let label) = node.content else {
        throw wrong("a label must be text, not \(node.kind)", node)
      }
      guard RunName.isValid(label) else { throw wrong(TimelineError.wrongLabel(label), node) }
      guard !labels.contains(label) else {
        throw wrong("\(node.kind) is in labels twice", remedy: "remove one of them", node)
      }
      guard labels.count < SequenceLimits.mostLabels else { throw wrong(TimelineError.tooManyLabels, node) }
      labels.append(label)
    }
    return labels
  }

  private func integer(_ node: YAMLNode, _ key: String, in range: ClosedRange<Int>) throws(SequenceFileError)
    -> Int
  {
    guard case .scalar(let text) = node.content, let number = Int(text), range.contains(number) else {
      throw wrong(
        "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(node.kind)",
        node
      )
    }
    return number
  }

  private func advance(_ node: YAMLNode) throws(SequenceFileError) -> Timing.Advance {
    guard case .scalar(let text) = node.content, let advance = Timing.Advance(rawValue: text) else {
      throw wrong("advance must be automatic or manual, not \(node.kind)", node)
    }
    return advance
  }
}
