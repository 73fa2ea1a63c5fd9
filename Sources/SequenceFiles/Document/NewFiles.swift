package import FoundationEssentials
public import SequenceRunner

extension SequenceFile {
  /// Returns the text of a file that has a sequence.
  ///
  /// Parsing it gives an equal sequence. Ids are written if they don't follow from titles and places.
  ///
  /// - Throws: `SequenceFileError` if a file can't have the sequence, such as one without cards or with a relative path. Its
  ///   position is in the text that would have been returned.
  public static func text(of sequence: SequenceDefinition) throws(SequenceFileError) -> String {
    let text = YAMLText.file(
      YAMLNode(sequence) { DerivedID.card(sequence: sequence.id, place: $1, title: $0.title) })
    guard try parse(Array(text.utf8)).definition == sequence else {
      throw SequenceFileError(
        .wrong("a file can't have this sequence", remedy: "use absolute paths of pictures and sounds"),
        at: nil)
    }
    return text
  }
}

extension SequenceDocument {
  /// The file of a sequence, without ids.
  ///
  /// - Throws: `DocumentError.notPossible` if the text wouldn't mean the sequence; `SequenceFileError`.
  package init(_ sequence: SequenceDefinition) throws {
    let written = YAMLNode(sequence)
    try self.init(Array(YAMLText.file(written).utf8))
    guard value == written else { throw DocumentError.notPossible }
  }
}

extension YAMLText {
  /// The text of a file with a new root.
  fileprivate static func file(_ root: YAMLNode) -> String {
    (lines(of: root, at: 0) ?? []).map { $0 + "\n" }.joined()
  }
}

extension YAMLNode {
  /// - Parameter id: the id of a card at a place that isn't written; without it no ids are written.
  fileprivate init(_ sequence: SequenceDefinition, _ id: ((Card, [Int]) -> UUID)? = nil) {
    var entries = [Entry("title", .scalar(sequence.title))]
    if id != nil, sequence.id != DerivedID.sequence(title: sequence.title) {
      entries.append(Entry("id", .scalar(sequence.id.uuidString.lowercased())))
    }
    for (key, text) in [("color", sequence.color?.rawValue), ("icon", sequence.icon)] {
      if let text { entries.append(Entry(key, .scalar(text))) }
    }
    if !sequence.labels.isEmpty {
      entries.append(Entry("labels", .list(sequence.labels.map { .scalar($0) })))
    }
    for (key, policy) in [("onSuspend", sequence.onSuspend), ("onLock", sequence.onLock)] {
      if let policy { entries.append(Entry(key, .scalar(policy.rawValue))) }
    }
    if sequence.rings { entries.append(Entry("ring", .scalar("true"))) }
    self = .mapping(entries + [Entry("cards", YAMLNode(sequence.elements, at: [], id))])
  }

  /// A new card or group, with the ids that its cards were given.
  init(_ element: SequenceElement) {
    // The id of a card that was given none.
    self.init(element, at: []) { card, _ in Card(card.title, card.timing).id }
  }

  private init(_ elements: [SequenceElement], at place: [Int], _ id: ((Card, [Int]) -> UUID)?) {
    self = .list(elements.enumerated().map { YAMLNode($0.element, at: place + [$0.offset], id) })
  }

  private init(_ element: SequenceElement, at place: [Int], _ id: ((Card, [Int]) -> UUID)?) {
    switch element {
    case .card(let card): self.init(card, id: id.flatMap { $0(card, place) == card.id ? nil : card.id })
    case .group(let group):
      self = .mapping([
        Entry("rounds", .scalar(group.rounds.text)), Entry("cards", YAMLNode(group.elements, at: place, id)),
      ])
    }
  }

  private init(_ card: Card, id: UUID?) {
    var entries = [Entry("title", .scalar(card.title))]
    func add(_ key: String, _ text: String?) {
      if let text { entries.append(Entry(key, .scalar(text))) }
    }
    add("id", id?.uuidString.lowercased())
    add("note", card.note)
    switch card.timing {
    case .countdown(let length, let advance):
      switch card.laterRounds {
      case .lengths(let lengths):
        let all = ([length] + lengths).map { YAMLNode.scalar(DurationText.format($0)) }
        entries.append(Entry("countdown", .list(all)))
      case .adding(let time) where time != .zero:
        add("countdown", DurationText.format(length))
        add("perRound", DurationText.formatSigned(time))
      case .adding, nil: add("countdown", DurationText.format(length))
      }
      add("atLeast", card.atLeast.map(DurationText.format))
      add("atMost", card.atMost.map(DurationText.format))
      if advance == .manual { add("advance", advance.rawValue) }
    case .countUp(let goal): entries.append(Entry("countUp", goal.map { YAMLNode($0) } ?? .mapping([])))
    }
    if card.skipsLastRound { add("skipLast", "true") }
    // A rest stays one if its title changes.
    let usual = Card(id: card.id, title: card.title, timing: card.timing, skipsLastRound: card.skipsLastRound)
    if card.isRest || usual.isRest { add("rest", card.isRest ? "true" : "false") }
    add("sound", card.sound.map { $0.isEmpty ? "none" : $0 })
    add("image", card.image)
    add("insist", card.insist.map(DurationText.format))
    self = .mapping(entries)
  }

  private init(_ goal: Goal) {
    var entries = [Entry("goal", .scalar(DurationText.format(goal.duration)))]
    if goal.reminders != Goal.defaultReminders {
      entries.append(Entry("reminders", .scalar(String(goal.reminders))))
    }
    if goal.cadence != Goal.minimumCadence {
      entries.append(Entry("every", .scalar(DurationText.format(goal.cadence))))
    }
    self = .mapping(entries)
  }
}

package enum StarterFile {
  /// Returns a sequence with a title, and with comments about the file format.
  ///
  /// - Parameters:
  ///   - title: one line without control characters.
  ///   - id: the id of the sequence, so that another file with this title is another sequence.
  /// - Throws: `DocumentError.notPossible` if the text wouldn't have this title; `SequenceFileError`.
  package static func text(title: String, id: UUID) throws -> String {
    let text = written(title, id)
    let parsed = try SequenceFile.parse(Array(text.utf8)).definition
    guard parsed.title == title, parsed.id == id else { throw DocumentError.notPossible }
    return text
  }

  private static func written(_ title: String, _ id: UUID) -> String {
    """
    # The cards run one after the other. `sequence check` shows the steps of a file, or its mistake.
    # `man 5 sequence` describes all keys.
    title: \(YAMLText.scalar(title, isEnclosed: false))
    id: \(id.uuidString.lowercased())    # keeps the history together if you change the title
    cards:
      - title: Get ready
        countdown: 1m              # or 20s, 1m30s, 1:30

      # A group repeats its cards. It can contain other groups.
      - rounds: 3
        cards:
          - title: Work
            countdown: 45s
            note: Keep your back straight
          - title: Rest
            countdown: 15s
            rest: true             # a break, not work
            skipLast: true         # not after the last round

      # A count-up runs until you continue with `sequence next`. It notifies you when its goal is reached.
      - title: Cool down
        countUp: 5m                # or {} without a goal

      # A countdown that stays at zero until you continue:
      # - title: Coffee
      #   countdown: 4m
      #   advance: manual

    """
  }
}
