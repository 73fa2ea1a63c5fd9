import FoundationEssentials
import SequenceFiles
import SequencePlatform
import SequenceRunner

/// The text while an edit changes it, which may be no sequence in between.
struct Draft {
  private(set) var document: SequenceDocument

  init(_ document: SequenceDocument) { self.document = document }

  mutating func apply(_ edit: SequenceEdit, to sequence: EditedSequence) throws -> EditorPlace? {
    switch edit {
    case .rename(let title):
      // The id follows from the title, and the history from the id.
      if document.value["id"] == nil {
        try set("id", sequence.parsed.definition.id.uuidString.lowercased(), [])
      }
      try set("title", title, [])
      return nil
    case .addCard(let place):
      try insert(newCard(translated("New card"), at: place, in: sequence), at: place)
      return place
    case .addCards(let titles, let place):
      let cards = titles.map { newCard($0, at: place, in: sequence) }
      document = try document.inserting(cards, at: place.index, in: place.list)
      return place
    case .addGroup(let place):
      let card = newCard(translated("New card"), at: place, in: sequence)
      let group = YAMLNode.mapping([.init("rounds", .scalar("2")), .init("cards", .list([card]))])
      try insert(group, at: place)
      return place
    case .duplicate(let places): return try duplicate(places)
    case .delete(let places):
      for place in places { try keepRounds(ofListAt: place, in: sequence) }
      // From the end, so that the places of the others stay.
      for place in places.reversed() { document = try document.removing(at: place.index, in: place.list) }
      return places.first
    case .move(let places, let to):
      for from in places {
        try keepRounds(ofListAt: from, in: sequence)
        if lengths(at: from) != nil { try keepRounds(around: to, in: sequence) }
      }
      return try move(places, to)
    case .wrap(let places):
      guard let first = places.first else { return nil }
      let rounds = places.compactMap { lengths(at: $0)?.count }.max() ?? 2
      for place in places { try keepRounds(ofListAt: place, in: sequence) }
      let place = try move(places, first)
      document = try document.grouping(
        place.index..<place.index + places.count, in: place.list, rounds: max(2, rounds))
      return place
    case .ungroup(let place):
      document = try document.ungrouping(at: place.index, in: place.list)
      return place
    case .addRests(let group, let length): return try addRests(group, length, in: sequence)
    case .makeIndependent(let place): return try makeIndependent(place)
    case .set(let place, let field): try set(field, at: place, in: sequence)
    case .setLength(let places, let length):
      for place in places {
        guard case .countdown(_, let advance) = sequence.card(at: place)?.timing else { continue }
        try setTiming(.countdown(length, advance: advance), at: place.path, former: nil)
      }
    case .setOption(let option, let value): try set(option.rawValue, value, [])
    case .setLabels(let labels):
      document = try document.setting(
        "labels", to: labels.isEmpty ? nil : .list(labels.map { .scalar($0) }), at: [])
    }
    return edit.place
  }

  // MARK: - Values

  private mutating func set(
    _ field: SequenceEdit.Field, at place: EditorPlace, in sequence: EditedSequence
  ) throws {
    let path = place.path
    switch field {
    case .title(let title): try set("title", title, path)
    case .note(let note): try set("note", note.contains { !$0.isWhitespace } ? note : nil, path)
    case .timing(let timing):
      let former = sequence.row(at: place).flatMap { sequence.rows[$0].card?.timing.goal }
      if timing.duration == nil {
        try set("perRound", nil, path)
        try keepRounds(around: place, in: sequence)
      }
      if !timing.endsByItself { for key in ["atLeast", "atMost"] { try set(key, nil, path) } }
      try setTiming(timing, at: path, former: former)
    case .perRound(let time): try set("perRound", time.map(DurationText.formatSigned), path)
    case .lengths(let lengths): try setLengths(lengths, at: place, in: sequence)
    case .atLeast(let time): try set("atLeast", time.map(DurationText.format), path)
    case .atMost(let time): try set("atMost", time.map(DurationText.format), path)
    case .skipsLastRound(let skips):
      try set("skipLast", skips, path)
      if let group = place.group { try fitLengths(in: group, of: sequence) }
    case .isRest(let isRest): try set("rest", isRest ? "true" : "false", path)
    case .insist(let interval): try set("insist", interval.map(DurationText.format), path)
    case .sound(let sound): try set("sound", sound, path)
    case .image(let image): try set("image", image, path)
    case .rounds(let rounds):
      try set("rounds", rounds.text, path)
    }
  }

  private mutating func setLengths(
    _ lengths: [Duration], at place: EditorPlace, in sequence: EditedSequence
  ) throws {
    let texts = lengths.map { YAMLNode.scalar(DurationText.format($0)) }
    guard texts.count != 1, let group = place.group else {
      try keepRounds(around: place, in: sequence)
      document = try document.setting("countdown", to: texts.first, at: place.path)
      return
    }
    try set("perRound", nil, place.path)
    document = try document.setting("countdown", to: .list(texts), at: place.path)
    try fitLengths(in: group, of: sequence)
  }

  /// Writes the rounds that follow from a list of lengths, before the list is removed.
  private mutating func keepRounds(around place: EditorPlace, in sequence: EditedSequence) throws {
    guard let group = place.group, value("rounds", group.path) == nil,
      let rounds = sequence.group(at: group)?.rounds
    else { return }
    try set("rounds", rounds.text, group.path)
  }

  private mutating func keepRounds(ofListAt place: EditorPlace, in sequence: EditedSequence) throws {
    if lengths(at: place) != nil { try keepRounds(around: place, in: sequence) }
  }

  private func lengths(at place: EditorPlace) -> [YAMLNode]? { value("countdown", place.path)?.elements }

  private mutating func fitLengths(in group: EditorPlace, of sequence: EditedSequence) throws {
    if let rounds = sequence.group(at: group)?.rounds { try fitCards(in: group.inner, to: rounds) }
  }

  private mutating func set(_ key: String, _ text: String?, _ path: [YAMLNode.Step]) throws {
    document = try document.setting(key, to: text.map { .scalar($0) }, at: path)
  }

  /// Sets a key that is false without one.
  private mutating func set(_ key: String, _ isTrue: Bool, _ path: [YAMLNode.Step]) throws {
    let isThere = value(key, path) != nil
    if isTrue || isThere { try set(key, isTrue ? "true" : "false", path) }
  }

  private func value(_ key: String, _ path: [YAMLNode.Step]) -> YAMLNode? {
    document.value.part(at: path)?[key]
  }

  private mutating func setTiming(
    _ timing: Timing, at path: [YAMLNode.Step], former: Goal?
  ) throws {
    switch timing {
    case .countdown(let length, let advance):
      let text = DurationText.format(length)
      if value("countUp", path) != nil {
        document = try document.replacing("countUp", by: .init("countdown", .scalar(text)), at: path)
      } else if let list = value("countdown", path)?.elements {
        // The other rounds keep their lengths.
        let first = YAMLNode.scalar(text)
        document = try document.setting("countdown", to: .list([first] + list.dropFirst()), at: path)
      } else {
        try setDuration("countdown", length, path)
      }
      if advance == .automatic {
        // Only a card that waits can insist.
        try set("insist", nil, path)
        try set("advance", nil, path)
      } else {
        try set("advance", advance.rawValue, path)
      }
    case .countUp(let goal):
      if value("countdown", path) != nil {
        try set("insist", nil, path)
        try set("advance", nil, path)
        document = try document.replacing("countdown", by: .init("countUp", .mapping([])), at: path)
      }
      try setGoal(goal, at: path, former: former)
    }
  }

  private mutating func setGoal(_ goal: Goal?, at path: [YAMLNode.Step], former: Goal?) throws {
    guard let goal else {
      document = try document.setting("countUp", to: .mapping([]), at: path)
      return
    }
    let hasFormerReminders =
      goal.reminders == former?.reminders ?? Goal.defaultReminders
      && goal.cadence == former?.cadence ?? Goal.minimumCadence
    if value("countUp", path)?.text != nil {
      if hasFormerReminders { return try setDuration("countUp", goal.duration, path) }
      document = try document.setting("countUp", to: .mapping([]), at: path)
    }
    let inner = path + [.key("countUp")]
    try setDuration("goal", goal.duration, inner)
    // Values that are not changed keep their texts, even those that mean something else, such as too short intervals.
    if goal.reminders != former?.reminders ?? Goal.defaultReminders {
      try set("reminders", String(goal.reminders), inner)
    }
    if goal.cadence != former?.cadence ?? Goal.minimumCadence {
      try setDuration("every", goal.cadence, inner)
    }
  }

  /// A duration that isn't changed keeps its notation.
  private mutating func setDuration(_ key: String, _ duration: Duration, _ path: [YAMLNode.Step]) throws {
    do throws(DurationTextError) {
      if let written = value(key, path)?.text, try DurationText.parseWritten(written) == duration { return }
    } catch {
      // A text that is no duration of a card, such as too short an interval, is replaced.
    }
    try set(key, DurationText.format(duration), path)
  }

  // MARK: - Elements

  private mutating func insert(_ element: YAMLNode, at place: EditorPlace) throws {
    document = try document.inserting([element], at: place.index, in: place.list)
  }

  /// A card with the timing of the one before a place.
  private func newCard(_ title: String, at place: EditorPlace, in sequence: EditedSequence) -> YAMLNode {
    let before = sequence.rows.last {
      $0.card != nil && $0.place.list == place.list && $0.place.index < place.index
    }?.card
    var entries: [YAMLNode.Entry] = [.init("title", .scalar(title))]
    switch before?.timing ?? .countdown(.seconds(30)) {
    case .countdown(let length, let advance):
      entries.append(.init("countdown", .scalar(DurationText.format(length))))
      if advance == .manual { entries.append(.init("advance", .scalar(advance.rawValue))) }
    case .countUp(let goal):
      let values = goal.map { [YAMLNode.Entry("goal", .scalar(DurationText.format($0.duration)))] } ?? []
      entries.append(.init("countUp", .mapping(values)))
    }
    if before?.skipsLastRound == true { entries.append(.init("skipLast", .scalar("true"))) }
    return .mapping(entries)
  }

  private mutating func duplicate(_ place: EditorPlace) throws -> EditorPlace {
    let copy = EditorPlace(list: place.list, index: place.index + 1)
    guard let element = document.value.part(at: place.path) else { throw DocumentError.noSuchPlace }
    guard !element.hasAnchor, !Draft.hasID(element) else {
      // The copy gets a text of its own, without names and ids that can be there once only.
      try insert(element.copy, at: copy)
      return copy
    }
    document = try document.duplicating(at: place.index, in: place.list)
    return copy
  }

  /// Puts the copies of neighbors behind the last of them.
  private mutating func duplicate(_ places: [EditorPlace]) throws -> EditorPlace? {
    guard places.count > 1, let last = places.last, places.allSatisfy({ $0.list == last.list }) else {
      var first: EditorPlace?
      for place in places.reversed() { first = try duplicate(place) }
      return first
    }
    for (count, place) in places.enumerated() {
      let copy = try duplicate(place)
      _ = try move([copy], EditorPlace(list: last.list, index: last.index + count + 2))
    }
    return EditorPlace(list: last.list, index: last.index + 1)
  }

  private mutating func move(_ from: EditorPlace, _ to: EditorPlace) throws -> EditorPlace {
    let isBehind = from.list == to.list && to.index > from.index
    document = try document.moving(
      at: from.index, in: from.list, to: isBehind ? to.index - 1 : to.index, in: to.list)
    return to.afterRemoval(of: from)
  }

  /// Returns the new place of the first element; the others follow it.
  private mutating func move(_ places: [EditorPlace], _ to: EditorPlace) throws -> EditorPlace {
    var (places, target, first) = (places, to, to)
    for index in places.indices {
      let from = places[index]
      let new = try move(from, target)
      for other in places.indices.dropFirst(index + 1) {
        places[other] = places[other].afterRemoval(of: from).afterInsertion(at: new)
      }
      first = index == 0 ? new : first.afterRemoval(of: from).afterInsertion(at: new)
      target = EditorPlace(list: new.list, index: new.index + 1)
    }
    return first
  }

  private mutating func makeIndependent(_ place: EditorPlace) throws -> EditorPlace {
    guard let element = document.value.part(at: place.path) else { throw DocumentError.noSuchPlace }
    document = try document.replacing(at: place.index, in: place.list, by: element.copy)
    return place
  }

  private mutating func addRests(
    _ group: EditorPlace?, _ length: Duration, in sequence: EditedSequence
  ) throws -> EditorPlace? {
    let list = group?.inner ?? EditorPlace.cards
    guard let elements = document.value.part(at: list)?.elements else { throw DocumentError.noSuchPlace }
    let rounds = group.flatMap { sequence.group(at: $0)?.rounds }
    // Between two rounds is between two cards, too.
    let isRepeated = rounds.map { $0 != .times(1) } ?? false
    let last = isRepeated ? elements.count : elements.count - 1
    for index in (0..<max(0, last)).reversed() {
      let isRest =
        Draft.isRest(elements[index]) || index + 1 < elements.count && Draft.isRest(elements[index + 1])
      guard !isRest else { continue }
      var entries: [YAMLNode.Entry] = [
        .init("title", .scalar(translated("Rest"))), .init("countdown", .scalar(DurationText.format(length))),
        .init("rest", .scalar("true")),
      ]
      if index == elements.count - 1, rounds != .forever {
        entries.append(.init("skipLast", .scalar("true")))
      }
      try insert(.mapping(entries), at: EditorPlace(list: list, index: index + 1))
    }
    return group
  }

  // MARK: - Cleaning up

  /// Removes groups that have become empty, and gives each card the keys that it can have in the rounds around it.
  mutating func clean(_ place: EditorPlace?) throws -> EditorPlace? {
    var place = place
    while let empty = Draft.emptyGroup(document.value["cards"], EditorPlace.cards) {
      document = try document.removing(at: empty.index, in: empty.list)
      place = place?.afterRemoval(of: empty)
    }
    guard document.value["cards"]?.elements?.isEmpty == false else { throw EditorFailure.lastCard }
    try fitCards(in: EditorPlace.cards, to: nil)
    return place
  }

  /// - Parameter rounds: those of the group around the cards; `nil` outside of groups.
  private mutating func fitCards(in list: [YAMLNode.Step], to rounds: Rounds?) throws {
    for (index, element) in (document.value.part(at: list)?.elements ?? []).enumerated() {
      let path = list + [.index(index)]
      if element["cards"] != nil {
        try fitCards(in: path + [.key("cards")], to: StepCounter.rounds(ofGroup: element))
      } else {
        if rounds == nil, element["skipLast"] != nil { try set("skipLast", nil, path) }
        try fit(element, at: path, to: rounds)
      }
    }
  }

  /// Gives a card a length for each round, further rounds the last one; one length where there are no such rounds.
  private mutating func fit(_ card: YAMLNode, at path: [YAMLNode.Step], to rounds: Rounds?) throws {
    let lengths = card["countdown"]?.elements?.compactMap(\.text) ?? []
    guard case .times(let count)? = rounds else {
      if card["perRound"] != nil { try set("perRound", nil, path) }
      if rounds == .forever {
        for key in ["atLeast", "atMost"] where card[key] != nil { try set(key, nil, path) }
      }
      if let first = lengths.first { try set("countdown", first, path) }
      return
    }
    let wanted = card["skipLast"]?.text == "true" ? count - 1 : count
    guard let first = lengths.first, let last = lengths.last, wanted != lengths.count else { return }
    guard wanted > 0 else { return try set("countdown", first, path) }
    let fitting = lengths.prefix(wanted) + Array(repeating: last, count: max(0, wanted - lengths.count))
    document = try document.setting("countdown", to: .list(fitting.map { .scalar($0) }), at: path)
  }

  private static func emptyGroup(_ list: YAMLNode?, _ path: [YAMLNode.Step]) -> EditorPlace? {
    for (index, element) in (list?.elements ?? []).enumerated() {
      guard let cards = element["cards"] else { continue }
      let place = EditorPlace(list: path, index: index)
      if cards.elements?.isEmpty == true { return place }
      if let inner = emptyGroup(cards, place.inner) { return inner }
    }
    return nil
  }

  /// Whether an element is a card that is a rest, as it is written.
  private static func isRest(_ element: YAMLNode) -> Bool {
    if let rest = element["rest"]?.text { return rest == "true" }
    guard let title = element["title"]?.text, element["cards"] == nil else { return false }
    return Card(id: UUID(), title: title, timing: .countUp()).isRest
  }

  private static func hasID(_ element: YAMLNode) -> Bool {
    element["id"] != nil || (element["cards"]?.elements ?? []).contains(where: hasID)
  }
}
