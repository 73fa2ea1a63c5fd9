package import FoundationEssentials
import SequenceRunner

extension SequenceDocument {
  /// The file of a sequence, without ids.
  ///
  /// - Throws: `DocumentError.notPossible` if the text wouldn't mean the sequence; `SequenceFileError`.
  package init(_ sequence: SequenceDefinition) throws {
    let written = YAMLNode(sequence)
    guard let lines = YAMLText.lines(of: written, at: 0) else { throw DocumentError.notPossible }
    try self.init(Array((lines.joined(separator: "\n") + "\n").utf8))
    guard value == written else { throw DocumentError.notPossible }
  }
}

extension YAMLNode {
  fileprivate init(_ sequence: SequenceDefinition) {
    let policies = [("onSuspend", sequence.onSuspend), ("onLock", sequence.onLock)].compactMap {
      key, policy in
      policy.map { Entry(key, .scalar($0.rawValue)) }
    }
    self = .mapping(
      [Entry("title", .scalar(sequence.title))] + policies
        + [Entry("cards", .list(sequence.elements.map { YAMLNode($0) }))])
  }

  private init(_ element: SequenceElement) {
    switch element {
    case .card(let card): self.init(card)
    case .group(let group):
      self = .mapping([
        Entry("rounds", .scalar(group.rounds.text)),
        Entry("cards", .list(group.elements.map { YAMLNode($0) })),
      ])
    }
  }

  private init(_ card: Card) {
    var entries = [Entry("title", .scalar(card.title))]
    func add(_ key: String, _ text: String?) {
      if let text { entries.append(Entry(key, .scalar(text))) }
    }
    add("note", card.note)
    switch card.timing {
    case .countdown(let length, let advance):
      add("countdown", DurationText.format(length))
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
    # A sequence: cards, one after the other. `sequence check` says what is wrong with it, and shows its steps;
    # `man 5 sequence` has all that can be written.
    title: \(YAMLText.scalar(title, isEnclosed: false))
    id: \(id.uuidString.lowercased())    # stays the same when you change the title
    cards:
      - title: Get ready
        countdown: 1m              # or 20s, 1m30s, 1:30, 90 (seconds)

      # A group is repeated: its cards may be groups again.
      - rounds: 3
        cards:
          - title: Work
            countdown: 45s
            note: What to keep in mind
          - title: Rest
            countdown: 15s
            rest: true             # shown as one, and hooks can tell it from work
            skipLast: true         # left out in the last round

      # A count-up runs until you go on (`sequence next`), and reminds you once its goal is reached.
      - title: Cool down
        countUp: { goal: 5m }      # {} for none

      # A countdown that waits for you when it is over:
      # - title: Coffee
      #   countdown: 4m
      #   advance: manual

    """
  }
}
