import SequencePlatform
import SequenceRunner

/// The list of the steps of a run, which shows notes and pictures and changes nothing.
final class RunPlanList {
  private let scroller: ScrolledWindow
  private let list: ListBox
  private let more: Label
  private var rows: [StepRow] = []
  private var plan: RunPlan?
  private var run: ActiveRunSnapshot?
  /// Whether the current step is shown as soon as the rows have their places.
  private var isSeeking = false

  init(_ interface: Interface) throws(Problem) {
    scroller = try interface.object("plan_scroller")
    list = try interface.object("plan_rows")
    more = try interface.object("plan_more")
    list.onRow { [unowned self] in rows[$0].toggle() }
    scroller.onContentHeight { [unowned self] in
      if isSeeking { LoopSource.soon { [weak self] in self?.scroll() } }
    }
  }

  func show(_ run: ActiveRunSnapshot, at now: Moment) throws(Problem) {
    let new = RunPlan(run, at: now)
    guard new != plan else { return }
    let isSame =
      run.runID == self.run?.runID && run.timeline.definition == self.run?.timeline.definition
      && new.rows.map(\.index) == plan?.rows.map(\.index)
    (plan, self.run) = (new, run)
    if !isSame {
      list.removeRows()
      rows = []
      for row in new.rows {
        let view = try StepRow(row)
        list.append(view.widget)
        rows.append(view)
      }
    }
    for (view, row) in zip(rows, new.rows) where view.row != row || !isSame { view.show(row) }
    more.isVisible = new.more != 0
    more.text =
      new.more.map { plural("and {} more step", "and {} more steps", count: $0) }
      ?? translated("and so on, until you stop it")
  }

  /// Gives the current step the focus, and shows it with the steps after it.
  func focusCurrent() {
    current?.grabFocus()
    if current.map({ $0.height > 0 }) == true { scroll() } else { isSeeking = true }
  }

  private var current: ListRow? { rows.first { $0.row.state == .current }?.widget }

  private func scroll() {
    isSeeking = false
    // Not `scroll(to:)`, which shows no more than the row.
    if let bounds = current?.bounds(in: scroller) {
      scroller.scroll(by: bounds.y - Double(scroller.height) / 3)
    }
  }
}

private final class StepRow {
  let widget: ListRow
  private(set) var row: RunPlan.Row
  private let icon: Image
  private let title: Label
  private let facts: Label
  private let time: Label
  private let content: Box
  private let note: Label
  private let picture: Picture

  init(_ row: RunPlan.Row) throws(Problem) {
    self.row = row
    let interface = try Interface(PackageResources.step_ui)
    widget = try interface.object("step")
    icon = try interface.object("step_icon")
    title = try interface.object("step_title")
    facts = try interface.object("step_facts")
    time = try interface.object("step_time")
    content = try interface.object("step_content")
    note = try interface.object("step_note")
    picture = try interface.object("step_picture")
    (try interface.object("step_arrow") as Image).isVisible = row.hasContent
    widget.setActivatable(row.hasContent)
    guard row.hasContent else { return }
    widget.setAccessibleExpanded(false)
    try widget.addOpening { [weak self] in self?.toggle() }
  }

  func show(_ new: RunPlan.Row) {
    row = new
    title.text = new.title
    facts.text = new.facts
    facts.isVisible = !new.facts.isEmpty
    time.text = new.time
    icon.setIcon(new.state.icon ?? "")
    widget.set(class: "current", new.state == .current)
    widget.setAccessibleName(new.name)
    if let text = new.note { widget.setAccessibleDescription(text) }
  }

  func toggle() {
    guard row.hasContent else { return }
    let isOpen = !content.isVisible
    note.text = row.note ?? ""
    note.isVisible = row.note != nil
    if isOpen { picture.show(row.image) { [weak self] in self?.picture.isVisible = $0 } }
    content.isVisible = isOpen
    widget.setAccessibleExpanded(isOpen)
    widget.set(class: "open", isOpen)
  }
}
