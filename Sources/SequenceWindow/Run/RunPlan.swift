import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The steps of a run before and after the current one, as rows.
struct RunPlan: Equatable {
  struct Row: Equatable {
    let index: Int
    let title: String
    /// Its rounds, and its start if that is known or its outcome.
    let facts: String
    /// The time that it took, or its length.
    let time: String
    let state: State
    let note: String?
    let image: String?
  }

  enum State {
    case completed
    case skipped
    case current
    case ahead

    var icon: String? {
      switch self {
      case .completed: "object-select-symbolic"
      case .skipped: "media-skip-forward-symbolic"
      case .current: "media-playback-start-symbolic"
      case .ahead: nil
      }
    }

    /// For screen readers; the icon tells others.
    var word: String {
      switch self {
      case .completed: translated("completed")
      case .skipped: translated("skipped")
      case .current: translated("current step")
      case .ahead: translated("ahead")
      }
    }
  }

  let rows: [Row]
  /// The number of steps after the rows; `nil` for endless ones.
  let more: Int?

  /// The rows stay the same for as many steps, and there are at least as many before and twice as many after the current
  /// one.
  private static let block = 50

  /// - Complexity: O(entries of the log).
  init(_ run: ActiveRunSnapshot, at now: Moment) {
    let (timeline, current) = (run.timeline, run.log.count)
    let first = run.firstStep + max(0, (current - run.firstStep) / RunPlan.block - 1) * RunPlan.block
    let end = min(timeline.end, first + 4 * RunPlan.block)
    let past = run.log.records(from: first, in: timeline).map { record in
      let step = timeline.step(at: record.index)
      return Row(
        step, [], time: LengthText.elapsed(record.actual),
        record.outcome == .skipped ? .skipped : .completed)
    }
    let chain = run.chain
    // No later start is known than that of a step that waits.
    let lastKnown = timeline.firstStop(from: current) ?? .max
    let rest = (current..<end).map { index in
      let step = run.step(at: index)
      let target = index == current ? run.target : step.timing.target
      let start = index > current && index <= lastKnown ? chain : nil
      let facts = [
        start.map { chain in
          let start = chain.since.wall.advanced(by: chain.time(ofStepAt: index, elapsed: .zero))
          return translated("at {}", LocalTime.clock(of: start, now: now))
        }, step.timing.endsByItself ? nil : translated("waits for you"),
      ]
      return Row(
        step, facts.compactMap { $0 }, time: target.map(LengthText.format) ?? "",
        index == current ? .current : .ahead)
    }
    rows = past + rest
    more = timeline.count.map { $0 - end }
  }
}

extension RunPlan.Row {
  fileprivate init(_ step: Step, _ facts: [String], time: String, _ state: RunPlan.State) {
    let rounds = StepText.rounds(step).joined(separator: ", ").capitalizedFirst
    self.init(
      index: step.index, title: TextSafety.sanitised(step.card.title),
      facts: ((rounds.isEmpty ? [] : [rounds]) + facts).joined(separator: " · ").capitalizedFirst,
      time: time, state: state, note: step.card.note.map(TextSafety.sanitised), image: step.card.image)
  }

  /// The row for screen readers.
  var name: String { [title, time, state.word, facts].filter { !$0.isEmpty }.joined(separator: ", ") }

  var hasContent: Bool { note != nil || image != nil }
}

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
