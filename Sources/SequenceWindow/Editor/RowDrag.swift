/// The dragging of a row of the editor: each gap between two rows is one place.
final class RowDrag {
  private let list: ListBox
  private let scroller: ScrolledWindow
  /// The row that is dragged.
  private(set) var dragged: EditorRowView?
  /// The index of the row above which it is put: the last place that was marked, because the pointer leaves the list
  /// before the drop is done.
  private var gap: Int?
  private var marked: ListRow?
  /// Scrolls while the pointer is near an edge.
  private var scrolling: LoopSource?
  /// The rows of the list, and whether a row can be put before another one.
  var rows: () -> [ListRow] = { [] }
  var canDrop: (EditorRowView, Int) -> Bool = { _, _ in false }
  var onDrop: (EditorRowView, Int) -> Void = { _, _ in }

  /// The distance from an edge at which the list scrolls, and the pixels of a step.
  private static let edge = 48.0
  private static let step = 12.0

  init(_ list: ListBox, _ scroller: ScrolledWindow) throws(ToolkitError) {
    (self.list, self.scroller) = (list, scroller)
    try list.onDrop(
      move: { [unowned self] _, y in move(to: y) }, leave: { [unowned self] in mark(nil) },
      drop: { [unowned self] in drop() })
  }

  /// Lets the user drag a row by its handle.
  func add(_ view: EditorRowView) throws(ToolkitError) {
    try view.handle.onDrag(
      label: { [weak view] in view?.name ?? "" },
      begin: { [weak self, weak view] in
        guard let self, let view else { return }
        (dragged, gap) = (view, nil)
        view.widget.set(class: "dragged", true)
      },
      end: { [weak self, weak view] in
        view?.widget.set(class: "dragged", false)
        guard let self else { return }
        mark(nil)
        // A drop comes before the end of its drag, and is done after it.
        LoopSource.afterLayout { [weak self] in self?.dragged = nil }
      })
  }

  private func move(to y: Double) -> Bool {
    guard let dragged else { return false }
    scrollIfNeeded(y)
    guard let row = list.row(at: Int(y)), let bounds = row.bounds(in: list) else {
      mark(nil)
      return false
    }
    let isLower = y > bounds.y + bounds.height / 2
    let index = min(row.index + (isLower ? 1 : 0), rows().count - 1)
    let isPossible = canDrop(dragged, index)
    mark(isPossible ? index : nil)
    return isPossible
  }

  /// Shows where the row would be put.
  private func mark(_ index: Int?) {
    gap = index ?? gap
    let row = index.flatMap { rows().indices.contains($0) ? rows()[$0] : nil }
    if marked !== row {
      marked?.set(class: "gap", false)
      row?.set(class: "gap", true)
      marked = row
    }
    if index == nil { scrolling = nil }
  }

  private func drop() {
    guard let dragged, let gap else { return }
    onDrop(dragged, gap)
  }

  private func scrollIfNeeded(_ y: Double) {
    guard let place = list.bounds(in: scroller), let height = scroller.bounds(in: scroller)?.height else {
      return
    }
    let shown = place.y + y
    let distance = shown < RowDrag.edge ? -RowDrag.step : shown > height - RowDrag.edge ? RowDrag.step : 0
    guard distance != 0 else {
      scrolling = nil
      return
    }
    guard scrolling == nil else { return }
    scrolling = LoopSource.after(milliseconds: 30) { [unowned self] in scroller.scroll(by: distance) }
  }
}
