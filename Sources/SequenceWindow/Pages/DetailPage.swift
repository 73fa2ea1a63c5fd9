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
  private let title: Widget
  private let length: Widget
  private let facts: Widget
  private let edit: Widget
  private let start: Widget
  private let body: Widget
  private let unreadable: Widget
  private let mistake: Widget
  private let choices: Widget
  private let choicesRow: Widget
  private let roundsRow: Widget
  private let rounds: Widget
  private let foreverRow: Widget
  private let forever: Widget
  private let steps: Widget
  private let more: Widget
  private var cardRows: [Widget] = []
  /// The switches of the cards, which their handlers use.
  private var switches: [Widget] = []
  private var sequence: ListedSequence?
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
    widget = try interface.widget("detail")
    title = try interface.widget("detail_title")
    length = try interface.widget("detail_length")
    facts = try interface.widget("detail_facts")
    edit = try interface.widget("edit")
    start = try interface.widget("detail_start")
    body = try interface.widget("detail_body")
    unreadable = try interface.widget("detail_unreadable")
    mistake = try interface.widget("detail_mistake")
    choices = try interface.widget("choices")
    choicesRow = try interface.widget("choices_row")
    roundsRow = try interface.widget("rounds_row")
    rounds = try interface.widget("rounds_choice")
    foreverRow = try interface.widget("forever_row")
    forever = try interface.widget("forever_choice")
    steps = try interface.widget("steps")
    more = try interface.widget("more_steps")
    start.on("clicked") { [unowned self] in attempt { onStart(try timeline()) } }
    rounds.on("value-changed") { [unowned self] in
      guard !isSetting else { return }
      chosenRounds = .times(Int(rounds.fraction("value")))
      attempt { try showSteps() }
    }
    forever.on("notify::active") { [unowned self] in
      guard !isSetting else { return }
      let isForever = forever.flag("active")
      chosenRounds = isForever ? .forever : .times(Int(rounds.fraction("value")))
      rounds.set("sensitive", to: !isForever)
      attempt { try showSteps() }
    }
  }

  /// The path of the sequence that is shown; `nil` for a run.
  var sequencePath: String? { sequence?.path }

  /// Shows a sequence; choices are kept if it is the same one as before.
  func show(_ sequence: ListedSequence) throws {
    if sequence.path != self.sequence?.path { (left, chosenRounds) = ([], nil) }
    self.sequence = sequence
    let content = sequence.content
    title.set("title", to: TextSafety.sanitised(content?.title ?? sequence.name))
    title.set("subtitle", to: "")
    // The page of a file with a mistake has a button of its own.
    edit.isVisible = content != nil
    start.isVisible = content != nil
    mistake.isVisible = false
    body.set("visible-child-name", to: content == nil ? "mistake" : "steps")
    unreadable.set("description", to: sequence.mistakeText.map(markup))
    choices.isVisible = content != nil
    try showChoices(content)
    try showSteps()
  }

  /// Opens the file of the sequence in the user's editor.
  func openFile() {
    attempt { if let sequence { try widget.openFile(sequence.path, context.environment) } }
  }

  /// Shows the planned and the actual time of each step of a run.
  func show(_ run: EndedRun) throws {
    sequence = nil
    let summary = EndedRunSummary(run)
    title.set("title", to: TextSafety.sanitised(summary.title))
    title.set("subtitle", to: LocalCalendar.text(of: summary.startedAt))
    body.set("visible-child-name", to: "steps")
    for part in [edit, start, mistake, choices] { part.isVisible = false }
    length.set("label", to: LengthText.elapsed(summary.active))
    let ending = summary.outcome == .finished ? [] : [summary.outcome.rawValue]
    show(facts: ([StepText.completed(summary)] + ending).joined(separator: " · "))
    steps.removeRows()
    let records = run.records
    for record in records.prefix(DetailPage.mostSteps) {
      let step = run.snapshot.timeline.step(at: record.index)
      let planned = record.planned.map { "planned \(LengthText.elapsed($0))" }
      let outcome = record.outcome == .completed ? nil : record.outcome.rawValue
      let facts = StepText.rounds(step) + [planned, outcome].compactMap { $0 }
      let row = try Widget.row(TextSafety.sanitised(step.card.title), facts.joined(separator: " · "))
      row.addSuffix(try Widget.label(LengthText.elapsed(record.actual), classes: "numeric"))
      steps.append(row: row)
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
    rounds.set("value", to: Double(count))
    rounds.set("sensitive", to: chosen != .forever)
    // Only the last element can repeat forever.
    foreverRow.isVisible = content.canRepeatForever
    forever.set("active", to: chosen == .forever)
    var seen: Set<UUID> = []
    for card in content.elements.flatMap(\.cards) where seen.insert(card.id).inserted {
      let name = TextSafety.sanitised(card.title)
      let row = try Widget.row(name, StepText.length(card, LengthText.format))
      let toggle = try Widget.toggle("Include \(name)", isOn: !left.contains(card.id))
      toggle.on("notify::active") { [unowned self, unowned toggle] in
        if toggle.flag("active") { left.remove(card.id) } else { left.insert(card.id) }
        attempt { try showSteps() }
      }
      row.addSuffix(toggle)
      cardRows.append(row)
      switches.append(toggle)
      choicesRow.addExpanded(row)
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
      start.set("sensitive", to: true)
      mistake.isVisible = false
    } catch {
      start.set("sensitive", to: false)
      mistake.set("label", to: Message(error).text)
      mistake.isVisible = true
      more.isVisible = false
      for part in [steps, length, facts] { part.isVisible = false }
      return
    }
    let plan = SequencePlan(timeline, most: DetailPage.mostSteps)
    length.set("label", to: plan.length)
    show(facts: plan.steps)
    for planned in plan.rows {
      let row = try Widget.row(planned.title, planned.facts)
      row.set(class: "group", planned.isGroup)
      if planned.depth > 0 {
        row.addPrefix(try Widget.space(width: planned.depth * DetailPage.indentation))
      }
      if let start = planned.start {
        row.addSuffix(try Widget.label(start, classes: "numeric", "dim-label"))
      }
      steps.append(row: row)
    }
    showMore(plan.more, "row")
  }

  private func show(facts text: String) {
    facts.set("label", to: text)
    for part in [length, facts] { part.isVisible = true }
  }

  private func showMore(_ count: Int, _ noun: String) {
    more.isVisible = count > 0
    more.set("label", to: "and \(count) more \(noun)\(count == 1 ? "" : "s")")
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { onError(error) }
  }
}
