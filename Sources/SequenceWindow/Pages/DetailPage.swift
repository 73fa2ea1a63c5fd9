import FoundationEssentials
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

final class DetailPage {
  let widget: Widget
  private let context: ClientContext
  private let title: Label
  private let date: Label
  private let length: Label
  private let facts: Label
  private let edit: Button
  private let menu: MenuButton
  private let delete: Button
  private let start: Button
  private let again: Button
  private let remarkPlace: Bin
  private let remark: Entry
  private var remarkText: CommittedText?
  private let body: Stack
  private let unreadable: StatusPage
  private let lines: Label
  private let editText: Button
  private let mistake: Label
  private let choices: ListBox
  private let choosing: Switch
  private let readyRow: ActionRow
  private let ready: Entry
  private var readyText: CommittedText?
  private let roundsRow: ActionRow
  private let rounds: SpinButton
  private let foreverRow: ActionRow
  private let forever: Switch
  private let steps: ListBox
  private let more: Label
  /// The rows of the plan, each with the mark of its card while the user chooses.
  private var planRows: [(planned: SequencePlan.Row, row: ActionRow, time: Label, choice: CardChoice?)] = []
  private var left: Set<UUID> = []
  /// The lengths of this run, by the titles of the cards in lower case.
  private var chosenLengths: [String: Duration] = [:]
  private var chosenRounds: Rounds?
  /// The time at which this run is to end.
  private var chosenEnd: TimeOfDay?
  /// Whether the widgets are being set, so that their changes aren't choices of the user.
  private var isSetting = false
  var onStart: (Timeline, _ deadline: Moment?) -> Void = { _, _ in }
  var onStartAgain: (EndedRun) -> Void = { _ in }
  /// Sets the remark of a run; `nil` removes it.
  var onRemark: (_ remark: String?, _ run: UUID) -> Void = { _, _ in }
  var onError: (any Error) -> Void = { _ in }
  /// Adds to a sequence what the history knows of it.
  var withUsualLengths: (Timeline) throws -> Timeline = { $0 }

  private static let mostSteps = 200
  private static let indentation = 18

  init(_ context: ClientContext) throws {
    self.context = context
    let interface = try Interface(PackageResources.detail_ui)
    widget = try interface.object("detail")
    title = try interface.object("detail_title")
    date = try interface.object("detail_date")
    length = try interface.object("detail_length")
    facts = try interface.object("detail_facts")
    edit = try interface.object("edit")
    menu = try interface.object("detail_menu")
    delete = try interface.object("delete_run")
    start = try interface.object("detail_start")
    again = try interface.object("start_again")
    remarkPlace = try interface.object("remark_place")
    remark = try Entry.make()
    body = try interface.object("detail_body")
    unreadable = try interface.object("detail_unreadable")
    lines = try interface.object("detail_lines")
    editText = try interface.object("detail_edit_text")
    mistake = try interface.object("detail_mistake")
    choices = try interface.object("choices")
    choosing = try interface.object("choosing")
    readyRow = try interface.object("ready_row")
    ready = try interface.object("ready_choice")
    roundsRow = try interface.object("rounds_row")
    rounds = try interface.object("rounds_choice")
    try rounds.scrollsPage()
    foreverRow = try interface.object("forever_row")
    forever = try interface.object("forever_choice")
    steps = try interface.object("steps")
    more = try interface.object("more_steps")
    readyText = try CommittedText(
      ready, mistake: { [unowned self] in DetailPage.show(mistake: $0, at: ready) },
      { [unowned self] in choose(end: $0) })
    let remarkField = try Field(translated("Remark"), remark, isLarge: true)
    remarkPlace.setChild(remarkField.widget)
    remarkText = try CommittedText(remark, mistake: { remarkField.show(mistake: $0) }) { [unowned self] in
      take(remark: $0)
    }
    again.onClicked { [unowned self] in if let run { onStartAgain(run) } }
    start.onClicked { [unowned self] in attempt { onStart(try timeline(without: left), deadline) } }
    rounds.onValue { [unowned self] in
      guard !isSetting else { return }
      chosenRounds = .times(rounds.value)
      attempt { try showSteps() }
    }
    choosing.onToggled { [unowned self] in
      guard !isSetting else { return }
      if !choosing.isOn { dropChoices() }
      attempt {
        showChoices(sequence?.content)
        try showSteps()
      }
    }
    forever.onToggled { [unowned self] in
      guard !isSetting else { return }
      let isForever = forever.isOn
      chosenRounds = isForever ? .forever : .times(rounds.value)
      rounds.isSensitive = !isForever
      attempt { try showSteps() }
    }
  }

  private(set) var sequence: ListedSequence?
  private(set) var run: EndedRun?

  func show(_ sequence: ListedSequence) throws {
    commitRemark()
    // A choice belongs to the cards that the user saw.
    if sequence.path != self.sequence?.path || sequence.content != self.sequence?.content {
      dropChoices()
      isSetting = true
      choosing.isOn = false
      isSetting = false
    }
    self.sequence = sequence
    let content = sequence.content
    title.text = TextSafety.sanitised(content?.title ?? sequence.name)
    date.isVisible = false
    // The page of a file with a mistake has a button of its own.
    edit.isVisible = content != nil
    menu.isVisible = true
    delete.isVisible = false
    run = nil
    for part in [again, remarkPlace] { part.isVisible = false }
    start.isVisible = content != nil
    mistake.isVisible = false
    body.page = content == nil ? "mistake" : "steps"
    unreadable.setDescription(sequence.mistakeText)
    let around = content == nil ? MistakeLines.text(ofFileAt: sequence.path) : nil
    lines.text = around ?? ""
    lines.isVisible = around != nil
    editText.isVisible = FileKind(of: sequence.path) != .nothing
    choices.isVisible = content != nil
    showChoices(content)
    try showSteps()
  }

  /// Gives the focus to the button that starts it, as if the page had been opened by a key.
  func focusStart() { (run == nil ? start : again).grabFocus() }

  func show(_ run: EndedRun) throws {
    commitRemark()
    sequence = nil
    self.run = run
    // Of a lost run, only the title is known.
    again.isVisible = run.outcome != .lost
    remarkPlace.isVisible = true
    // A remark with a mistake belongs to the run before.
    remarkText?.drop()
    remarkText?.show(run.snapshot.remark ?? "")
    delete.isVisible = true
    let summary = EndedRunSummary(run)
    title.text = TextSafety.sanitised(summary.title)
    let now = context.clock.now().wall
    date.text = RelativeDay.time(summary.startedAt, now: now, LocalDays())
    date.isVisible = true
    body.page = "steps"
    for part in [edit, menu, start, mistake, choices] { part.isVisible = false }
    length.text = LengthText.elapsed(summary.active)
    let ending = summary.outcome == .finished ? [] : [StepText.name(summary.outcome)]
    let done = summary.outcome == .lost ? [] : [StepText.completed(summary)]
    let late = summary.outcome == .finished ? run.late.flatMap(EndText.lateness) : nil
    show(facts: (done + ending + [late].compactMap { $0 } + summary.labels).joined(separator: " · "))
    removeRows()
    let records = run.records
    for record in records.prefix(DetailPage.mostSteps) {
      let step = run.snapshot.timeline.step(at: record.index)
      let planned = record.planned.map { translated("planned {}", LengthText.elapsed($0)) }
      let outcome = record.outcome == .completed ? nil : translated("skipped")
      let facts = StepText.rounds(step) + [planned, outcome].compactMap { $0 }
      let row = try ActionRow.make(TextSafety.sanitised(step.card.title), facts.joined(separator: " · "))
      row.addSuffix(try Label.make(LengthText.elapsed(record.actual), classes: "numeric"))
      steps.append(row)
    }
    showMore(run.stepCount - DetailPage.mostSteps) {
      plural("and {} more step", "and {} more steps", count: $0)
    }
  }

  func commitRemark() {
    if run != nil { remarkText?.commit() }
  }

  private func take(remark text: String) -> String? {
    guard let run else { return nil }
    guard !SequenceLimits.isTooLong(text) else {
      return translated("Write at most {}", SequenceLimits.titleLimits.translation)
    }
    let text = trimmed(text)
    remarkText?.show(text)
    onRemark(text.isEmpty ? nil : text, run.runID)
    return nil
  }

  private func timeline(without left: Set<UUID>) throws -> Timeline {
    guard let sequence else { throw RunError.noActiveRun }
    try SequenceSource.requireRegular(sequence.path)
    let source = try SequenceSource(
      sequence.path, rounds: chosenRounds, without: left.map(\.uuidString),
      lengths: chosenLengths.map { ($0.key, $0.value) }, context)
    return try withUsualLengths(source.timeline)
  }

  private func dropChoices() {
    (left, chosenRounds, chosenLengths, chosenEnd) = ([], nil, [:], nil)
    readyText?.show("")
  }

  private var deadline: Moment? {
    let now = context.clock.now().wall
    return chosenEnd.map { now.advanced(by: LocalDays.duration(until: $0, after: now)) }
  }

  /// Takes the time at which the run is to end, or none for an empty text.
  private func choose(end text: String) -> String? {
    let written = trimmed(text)
    let time = TimeOfDay(written)
    guard time != nil || written.isEmpty else { return translated("Write it like 13:00 or 1pm") }
    chosenEnd = time
    attempt { try showSteps() }
    return nil
  }

  private func showChoices(_ content: SequenceDefinition?) {
    isSetting = true
    defer { isSetting = false }
    let groups = (content?.elements ?? []).compactMap { element -> Rounds? in
      if case .group(let group) = element { return group.rounds }
      return nil
    }
    let chosen = chosenRounds ?? groups.first ?? 1
    readyRow.isVisible = choosing.isOn
    roundsRow.isVisible = choosing.isOn && groups.count <= 1
    rounds.value = if case .times(let count) = chosen { count } else { 1 }
    rounds.isSensitive = chosen != .forever
    // Only the last element can repeat forever.
    foreverRow.isVisible = choosing.isOn && groups.count <= 1 && content?.canRepeatForever == true
    forever.isOn = chosen == .forever
  }

  private func showSteps() throws {
    guard sequence?.content != nil else {
      removeRows()
      for part in [steps, more, length, facts] { part.isVisible = false }
      return
    }
    steps.isVisible = true
    do {
      let chosen = try timeline(without: left)
      start.isSensitive = true
      mistake.isVisible = false
      let plan = SequencePlan(chosen, most: DetailPage.mostSteps)
      length.text = plan.length
      let now = context.clock.now()
      let planned = try deadline.map { try PlannedRun(chosen, until: $0, at: now) }
      show(facts: ([plan.steps] + [planned?.end].compactMap { $0 }).joined(separator: " · "))
      // A card that is left out keeps its row, so that it can be taken in again.
      let whole = left.isEmpty ? plan : SequencePlan(try timeline(without: []), most: DetailPage.mostSteps)
      try show(whole)
    } catch {
      start.isSensitive = false
      mistake.text = Message(error).text
      mistake.isVisible = true
      for part in [length, facts] { part.isVisible = false }
    }
  }

  /// Shows the rows of a plan; rows of the same cards keep the focus.
  private func show(_ plan: SequencePlan) throws {
    func isSame(_ first: SequencePlan.Row, _ other: SequencePlan.Row) -> Bool {
      first.card?.id == other.card?.id && first.title == other.title && first.depth == other.depth
        && first.isGroup == other.isGroup
    }
    let isShown =
      planRows.count == plan.rows.count && zip(planRows, plan.rows).allSatisfy { isSame($0.planned, $1) }
      && planRows.allSatisfy { ($0.choice != nil) == (choosing.isOn && $0.planned.card != nil) }
    if !isShown {
      removeRows()
      for planned in plan.rows { try append(planned) }
    }
    isSetting = true
    defer { isSetting = false }
    for (index, planned) in plan.rows.enumerated() {
      let (_, row, time, choice) = planRows[index]
      // The others start at these times only if no card is left out.
      let facts = [left.isEmpty ? planned.start : nil, planned.facts].compactMap { $0 }.filter { !$0.isEmpty }
      row.set(title: planned.title, facts.joined(separator: " · ").capitalizedFirst)
      let isLeft = planned.card.map { left.contains($0.id) } ?? false
      time.text = planned.time
      time.isVisible = choice?.length == nil
      choice?.mark.isOn = !isLeft
      // A length for all rounds would be none of those that differ.
      let length = planned.card?.laterRounds == nil ? planned.card?.timing.target : nil
      choice?.length?.show(length.map(LengthText.format) ?? "")
      row.set(class: "left-out", isLeft)
    }
    showMore(plan.more) { plural("and {} more row", "and {} more rows", count: $0) }
  }

  private func append(_ planned: SequencePlan.Row) throws {
    let row = try ActionRow.make(planned.title, planned.facts)
    row.set(class: "group", planned.isGroup)
    if planned.depth > 0 {
      row.addPrefix(try Box.space(width: planned.depth * DetailPage.indentation))
    }
    let time = try Label.make(classes: "numeric")
    row.addSuffix(time)
    var choice: CardChoice?
    if choosing.isOn, let card = planned.card {
      let mark = try mark(card.id, planned.title)
      row.addPrefix(mark)
      row.setActivatable(mark)
      choice = CardChoice(
        mark: mark,
        length: card.timing.target == nil ? nil : try lengthField(of: card, planned.title, in: row))
    }
    steps.append(row)
    planRows.append((planned, row, time, choice))
  }

  /// The choices for a card in this run.
  private struct CardChoice {
    let mark: CheckButton
    let length: CommittedText?
  }

  private func lengthField(
    of card: Card, _ title: String, in row: ActionRow
  ) throws -> CommittedText {
    let entry = try Entry.make()
    entry.setWidth(characters: 7)
    entry.centerVertically()
    entry.setAccessibleName(translated("Length of {} in this run", title))
    row.addSuffix(entry)
    return try CommittedText(
      entry,
      mistake: { [unowned entry] in DetailPage.show(mistake: $0, at: entry) },
      { [unowned self] in choose($0, for: card.title.lowercased()) })
  }

  private static func show(mistake: String?, at entry: Entry) {
    entry.set(class: "error", mistake != nil)
    entry.setAccessibleInvalid(mistake != nil)
    entry.setTooltip(mistake)
  }

  /// Takes the length of the cards with a title over, or that of the file for an empty text.
  private func choose(_ text: String, for title: String) -> String? {
    if text.contains(where: { !$0.isWhitespace }) {
      switch EditorText.duration(text) {
      case .mistake(let mistake): return mistake
      case .value(let length): chosenLengths[title] = length
      }
    } else {
      chosenLengths[title] = nil
    }
    attempt { try showSteps() }
    return nil
  }

  private func mark(_ card: UUID, _ title: String) throws -> CheckButton {
    let mark = try CheckButton.make()
    mark.setAccessibleName(translated("Include {}", title))
    mark.onToggled { [unowned self, unowned mark] in
      guard !isSetting else { return }
      if mark.isOn { left.remove(card) } else { left.insert(card) }
      attempt { try showSteps() }
    }
    return mark
  }

  private func removeRows() {
    planRows = []
    steps.removeRows()
  }

  private func show(facts text: String) {
    facts.text = text
    for part in [length, facts] { part.isVisible = true }
  }

  private func showMore(_ count: Int, _ text: (Int) -> String) {
    more.isVisible = count > 0
    more.text = text(count)
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { onError(error) }
  }
}

enum MistakeLines {
  /// Begins two lines before it, because a bracket or a quote that isn't closed is noticed below it.
  static func text(around error: SequenceFileError, of bytes: [UInt8]) -> String? {
    guard let line = error.position?.line else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (max(1, line - 2)...line + 1).filter { $0 <= lines.count }.map { number in
      "\(number)  \(TextSafety.sanitised(String(lines[number - 1])))"
    }.joined(separator: "\n")
  }

  static func text(ofFileAt path: String) -> String? {
    guard FileKind(of: path) != .special else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
    } catch {
      return nil
    }
    do throws(SequenceFileError) {
      _ = try SequenceFile.parse(bytes)
      return nil
    } catch {
      return text(around: error, of: bytes)
    }
  }
}
