import SequenceRunner

extension SequenceDocument {
  /// The file of a sequence, without ids.
  ///
  /// - Throws: `DocumentError.notPossible` if the text wouldn't mean the sequence; `SequenceFileError`.
  package init(_ sequence: SequenceDefinition) throws {
    let written = sequence.value
    guard let lines = written.lines(at: 0) else { throw DocumentError.notPossible }
    try self.init(Array((lines.joined(separator: "\n") + "\n").utf8))
    guard value == written else { throw DocumentError.notPossible }
  }
}

extension SequenceDefinition {
  /// What its file means.
  fileprivate var value: YAMLValue {
    .mapping(
      [
        .init("title", .scalar(title)), onSuspend.map { .init("onSuspend", .scalar($0.rawValue)) },
        onLock.map { .init("onLock", .scalar($0.rawValue)) }, .init("cards", .list(elements.map(\.value))),
      ].compactMap(\.self))
  }
}

extension SequenceElement {
  fileprivate var value: YAMLValue {
    switch self {
    case .card(let card): card.value
    case .group(let group):
      .mapping([
        .init("rounds", .scalar(group.rounds.text)), .init("cards", .list(group.elements.map(\.value))),
      ])
    }
  }
}

extension Card {
  fileprivate var value: YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("title", .scalar(title))]
    func add(_ key: String, _ text: String?) {
      if let text { entries.append(.init(key, .scalar(text))) }
    }
    add("note", note)
    switch timing {
    case .countdown(let length, let advance):
      add("countdown", DurationText.format(length))
      if advance == .manual { add("advance", advance.rawValue) }
    case .countUp(let goal): entries.append(.init("countUp", .mapping(goal?.entries ?? [])))
    }
    if skipsLastRound { add("skipLast", "true") }
    // A rest stays one if its title changes.
    let isUsual = isRest == Card(id: id, title: title, timing: timing, skipsLastRound: skipsLastRound).isRest
    if isRest || !isUsual { add("rest", isRest ? "true" : "false") }
    add("sound", sound.map { $0.isEmpty ? "none" : $0 })
    add("image", image)
    add("insist", insist.map(DurationText.format))
    return .mapping(entries)
  }
}

extension Goal {
  fileprivate var entries: [YAMLValue.Entry] {
    var entries: [YAMLValue.Entry] = [.init("goal", .scalar(DurationText.format(duration)))]
    if reminders != Goal.defaultReminders { entries.append(.init("reminders", .scalar(String(reminders)))) }
    if cadence != Goal.minimumCadence {
      entries.append(.init("every", .scalar(DurationText.format(cadence))))
    }
    return entries
  }
}
