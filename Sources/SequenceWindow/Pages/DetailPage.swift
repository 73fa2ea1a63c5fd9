import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// The page of one sequence of the library, or of one run of the history.
final class DetailPage {
  let widget: Widget
  private let context: ClientContext
  private let title: WindowTitle
  private let length: Label
  private let facts: Label
  private let edit: Button
  private let menu: MenuButton
  private let start: Button
  private let body: Stack
  private let unreadable: StatusPage
  private let mistake: Label
  private let choices: ListBox
  private let choicesRow: ExpanderRow
  private let roundsRow: ActionRow
  private let rounds: SpinButton
  private let foreverRow: ActionRow
  private let forever: Switch
  private let steps: ListBox
  private let more: Label
  private var cardRows: [ActionRow] = []
  /// The switches of the cards, which their handlers use.
  private var switches: [Switch] = []
  private var left: Set<UUID> = []
  private var chosenRounds: Rounds?
  /// Whether the widgets are being set, so that their changes aren't choices of the user.
  private var isSetting = false
  var onStart: (Timeline) -> Void = { _ in }
  var onError: (any Error) -> Void = { _ in }

  /// The most steps of a run, or cards and groups of a sequence, that are listed.
  private static let mostSteps = 200
  /// The indentation of the cards of a group, in pixels.
  private static let indentation = 18

  init(_ context: ClientContext) throws {
    self.context = context
    let interface = try Interface(PackageResources.detail_ui)
    widget = try interface.object("detail")
    title = try interface.object("detail_title")
    length = try interface.object("detail_length")
    facts = try interface.object("detail_facts")
    edit = try interface.object("edit")
    menu = try interface.object("detail_menu")
    start = try interface.object("detail_start")
    body = try interface.object("detail_body")
    unreadable = try interface.object("detail_unreadable")
    mistake = try interface.object("detail_mistake")
    choices = try interface.object("choices")
    choicesRow = try interface.object("choices_row")
    roundsRow = try interface.object("rounds_row")
    rounds = try interface.object("rounds_choice")
    foreverRow = try interface.object("forever_row")
    forever = try interface.object("forever_choice")
    steps = try interface.object("steps")
    more = try interface.object("more_steps")
    start.onClicked { [unowned self] in attempt { onStart(try timeline()) } }
    rounds.onValue { [unowned self] in
      guard !isSetting else { return }
      chosenRounds = .times(rounds.value)
      attempt { try showSteps() }
    }
    forever.onToggled { [unowned self] in
      guard !isSetting else { return }
      let isForever = forever.isOn
      chosenRounds = isForever ? .forever : .times(rounds.value)
      rounds.isSensitive = !isForever
      attempt { try showSteps() }
    }
  }

  /// The sequence that is shown; `nil` for a run.
  private(set) var sequence: ListedSequence?

  /// Shows a sequence; choices are kept if it is the same one as before.
  func show(_ sequence: ListedSequence) throws {
    if sequence.path != self.sequence?.path { (left, chosenRounds) = ([], nil) }
    self.sequence = sequence
    let content = sequence.content
    title.set(title: TextSafety.sanitised(content?.title ?? sequence.name))
    // The page of a file with a mistake has a button of its own.
    edit.isVisible = content != nil
    menu.isVisible = true
    start.isVisible = content != nil
    mistake.isVisible = false
    body.page = content == nil ? "mistake" : "steps"
    unreadable.setDescription(sequence.mistakeText)
    choices.isVisible = content != nil
    try showChoices(content)
    try showSteps()
  }

  /// Shows the planned and the actual time of each step of a run.
  func show(_ run: EndedRun) throws {
    sequence = nil
    let summary = EndedRunSummary(run)
    title.set(
      title: TextSafety.sanitised(summary.title), subtitle: LocalCalendar.text(of: summary.startedAt))
    body.page = "steps"
    for part in [edit, menu, start, mistake, choices] { part.isVisible = false }
    length.text = LengthText.elapsed(summary.active)
    let ending = summary.outcome == .finished ? [] : [summary.outcome.rawValue]
    show(facts: ([StepText.completed(summary)] + ending).joined(separator: " · "))
    steps.removeRows()
    let records = run.records
    for record in records.prefix(DetailPage.mostSteps) {
      let step = run.snapshot.timeline.step(at: record.index)
      let planned = record.planned.map { "planned \(LengthText.elapsed($0))" }
      let outcome = record.outcome == .completed ? nil : record.outcome.rawValue
      let facts = StepText.rounds(step) + [planned, outcome].compactMap { $0 }
      let row = try ActionRow.make(TextSafety.sanitised(step.card.title), facts.joined(separator: " · "))
      row.addSuffix(try Label.make(LengthText.elapsed(record.actual), classes: "numeric"))
      steps.append(row)
    }
    showMore(run.stepCount - DetailPage.mostSteps, "step")
  }

  /// The sequence as it is chosen for today.
  private func timeline() throws -> Timeline {
    guard let sequence else { throw RunError.noActiveRun }
    return try SequenceSource(
      sequence.path, rounds: chosenRounds, without: left.map(\.uuidString), context
    ).timeline
  }

  private func showChoices(_ content: SequenceDefinition?) throws {
    isSetting = true
    defer { isSetting = false }
    for row in cardRows { choicesRow.removeExpanded(row) }
    cardRows = []
    switches = []
    guard let content else { return }
    let groups = content.elements.compactMap { element -> Rounds? in
      if case .group(let group) = element { return group.rounds }
      return nil
    }
    roundsRow.isVisible = groups.count <= 1
    // The file may have been changed so that it is no longer possible.
    left.formIntersection(content.elements.flatMap(\.cards).map(\.id))
    if chosenRounds == .forever && !content.canRepeatForever || groups.count > 1 { chosenRounds = nil }
    let chosen = chosenRounds ?? groups.first ?? 1
    let count = if case .times(let count) = chosen { count } else { 1 }
    rounds.value = count
    rounds.isSensitive = chosen != .forever
    // Only the last element can repeat forever.
    foreverRow.isVisible = content.canRepeatForever
    forever.isOn = chosen == .forever
    var seen: Set<UUID> = []
    for card in content.elements.flatMap(\.cards) where seen.insert(card.id).inserted {
      let name = TextSafety.sanitised(card.title)
      let row = try ActionRow.make(name, StepText.length(card, LengthText.format))
      let toggle = try Switch.make("Include \(name)")
      toggle.isOn = !left.contains(card.id)
      toggle.onToggled { [unowned self, unowned toggle] in
        if toggle.isOn { left.remove(card.id) } else { left.insert(card.id) }
        attempt { try showSteps() }
      }
      row.addSuffix(toggle)
      cardRows.append(row)
      switches.append(toggle)
      choicesRow.add(row)
    }
  }

  private func showSteps() throws {
    steps.removeRows()
    guard sequence?.content != nil else {
      steps.isVisible = false
      more.isVisible = false
      for part in [length, facts] { part.isVisible = false }
      return
    }
    steps.isVisible = true
    let timeline: Timeline
    do {
      timeline = try self.timeline()
      start.isSensitive = true
      mistake.isVisible = false
    } catch {
      start.isSensitive = false
      mistake.text = Message(error).text
      mistake.isVisible = true
      more.isVisible = false
      for part in [steps, length, facts] { part.isVisible = false }
      return
    }
    let plan = SequencePlan(timeline, most: DetailPage.mostSteps)
    length.text = plan.length
    show(facts: plan.steps)
    for planned in plan.rows {
      let row = try ActionRow.make(planned.title, planned.facts)
      row.set(class: "group", planned.isGroup)
      if planned.depth > 0 {
        row.addPrefix(try Box.space(width: planned.depth * DetailPage.indentation))
      }
      if let start = planned.start {
        row.addSuffix(try Label.make(start, classes: "numeric", "dim-label"))
      }
      steps.append(row)
    }
    showMore(plan.more, "row")
  }

  private func show(facts text: String) {
    facts.text = text
    for part in [length, facts] { part.isVisible = true }
  }

  private func showMore(_ count: Int, _ noun: String) {
    more.isVisible = count > 0
    more.text = "and \(count) more \(noun)\(count == 1 ? "" : "s")"
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { onError(error) }
  }
}
