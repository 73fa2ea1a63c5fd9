import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The button of the strip that opens a list of many runs.
final class RunList {
  let widget: MenuButton
  private let count: Label
  private let title: Label
  private let time: Label
  private let list: ListBox
  private var rows: [RunRow] = []
  private var items: [RunStrip.Item] = []
  var onChoose: (UUID) -> Void = { _ in }
  /// Pauses or resumes a run.
  var onToggle: (UUID) -> Void = { _ in }
  var onClosed: () -> Void = {}

  init(_ interface: Interface) throws(Problem) {
    widget = try interface.object("strip_list")
    count = try interface.object("strip_count")
    title = try interface.object("strip_title")
    time = try interface.object("strip_time")
    list = try interface.object("strip_rows")
    list.onRow { [unowned self] in choose($0) }
    widget.popover?.onClosed { [unowned self] in onClosed() }
  }

  /// - Parameter page: the run on the page.
  func show(_ items: [RunStrip.Item], page: UUID?) throws(Problem) {
    if !items.elementsEqual(self.items, by: { $0.looksLike($1) }) {
      list.removeRows()
      rows = []
      for (place, item) in items.enumerated() {
        let row = try RunRow(item)
        row.onToggle = { [unowned self] in onToggle(item.id) }
        try row.widget.addOpening { [unowned self] in choose(place) }
        list.append(row.widget)
        rows.append(row)
      }
    }
    self.items = items
    for (row, item) in zip(rows, items) { row.show(item, isOnPage: item.id == page) }
    showButton(page)
  }

  /// Shows the run that needs the user first on the button: the last that has ended or, among the others, the next to end.
  private func showButton(_ page: UUID?) {
    let ended = items.last { $0.view == nil }
    let left = items.filter { $0.id != page }.compactMap { item in
      item.view.flatMap { $0.isPaused ? nil : $0.position.remaining }.map { (item, $0) }
    }
    let first = ended ?? left.min { $0.1 < $1.1 }?.0
    count.text = plural("{} run", "{} runs", count: items.count)
    title.text = first?.title ?? ""
    time.text = first?.time ?? ""
    for label in [title, time] { label.isVisible = first != nil }
    widget.set(class: "ended", ended != nil)
    let name = [count.text, title.text, time.text].filter { !$0.isEmpty }.joined(separator: ", ")
    widget.setAccessibleName(name)
  }

  private func choose(_ place: Int) {
    guard items.indices.contains(place) else { return }
    widget.popover?.popDown()
    onChoose(items[place].id)
  }
}

private final class RunRow {
  let widget: ListRow
  private let ring: DrawingArea
  private let title: Label
  private let facts: Label
  private let time: Label
  private let toggle: Button
  private var item: RunStrip.Item
  var onToggle: () -> Void = {}

  init(_ item: RunStrip.Item) throws(Problem) {
    self.item = item
    let interface = try Interface(PackageResources.run_row_ui)
    widget = try interface.object("run_row")
    ring = try interface.object("run_row_ring")
    title = try interface.object("run_row_title")
    facts = try interface.object("run_row_facts")
    time = try interface.object("run_row_time")
    toggle = try interface.object("run_row_toggle")
    let place: Bin = try interface.object("run_row_badge")
    place.isVisible = item.look != nil
    place.setChild(try item.look?.badge())
    Canvas.draw(ring) { [weak self] canvas in self?.drawRing(on: canvas) }
    toggle.onClicked { [weak self] in self?.onToggle() }
  }

  func show(_ new: RunStrip.Item, isOnPage: Bool) {
    item = new
    title.text = new.title
    let step = new.view.map { $0.title == new.title ? $0.stateWords : [$0.title] + $0.stateWords }
    facts.text = (step ?? []).joined(separator: " · ")
    facts.isVisible = !facts.text.isEmpty
    time.text = new.time
    widget.set(class: "current", isOnPage)
    widget.setAccessibleName(new.name)
    toggle.isVisible = new.view != nil
    if let view = new.view {
      toggle.setIcon(view.isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
      let name = view.isPaused ? translated("Resume {}", new.title) : translated("Pause {}", new.title)
      toggle.setTooltip(name)
      toggle.setAccessibleName(name)
    }
    ring.queueDraw()
  }

  private func drawRing(on canvas: Canvas) {
    if let view = item.view {
      Ring(page: view, steps: nil).drawSmall(on: canvas)
    } else {
      Ring.drawEnd(item.look?.color, on: canvas)
    }
  }
}
