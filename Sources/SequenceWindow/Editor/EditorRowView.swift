import SequencePlatform

final class EditorRowView {
  let widget: ListRow
  private(set) var row: EditorRow
  private let rails: Box
  private let title: Label
  private let facts: Label
  private let time: Label
  private let menu: Button
  private let content: Box
  /// The fields; `nil` until the row is opened for the first time.
  private var form: Box?
  let handle: Image
  private var shownDepth = 0
  private let isLarge: Bool
  var isSelected = false {
    didSet {
      guard isSelected != oldValue else { return }
      widget.set(class: "selected", isSelected)
      widget.setAccessibleSelected(isSelected)
    }
  }
  private var cardForm: CardForm?
  private var groupForm: GroupForm?
  var onMenu: (Widget) -> Void = { _ in }
  /// Selects it; with `true` the rows between it and the one before, too.
  var onSelect: (Bool) -> Void = { _ in }
  var onEdit: (SequenceEdit) -> String? = { _ in nil }
  var onChooseImage: (@escaping (String) -> Void) -> Void = { _ in }
  var onChooseSound: (@escaping (String) -> Void) -> Void = { _ in }
  var onMoreTitles: ([String]) -> Void = { _ in }
  var onAddRests: () -> Void = {}
  var cardsLasting: (Duration) -> [EditorPlace] = { _ in [] }

  /// Whether the last press was one of the pointer, in the form.
  private(set) var isFormPressed = false

  private static let indentation = 22

  /// - Parameter isLarge: whether the text is so large that the time has no room next to the title.
  init(_ row: EditorRow, isLarge: Bool) throws(Problem) {
    (self.row, self.isLarge) = (row, isLarge)
    let interface = try Interface(PackageResources.row_ui)
    widget = try interface.object("row")
    content = try interface.object("content")
    rails = try interface.object("rails")
    handle = try interface.object("handle")
    title = try interface.object("title")
    facts = try interface.object("facts")
    time = try interface.object("time")
    menu = try interface.object("menu")
    let head: Box = try interface.object("head")
    // Three clicks select a line of the note, and GTK then lets the list have the click, too.
    try head.onClick(seesChildren: true) { [weak self] _ in self?.isFormPressed = false }
    try widget.onKey { [weak self] _ in
      self?.isFormPressed = false
      return false
    }
    try head.onClickWithKey { [weak self] in self?.onSelect($0.isShift) }
    if isLarge {
      let texts: Box = try interface.object("texts")
      head.move(time, to: texts)
      texts.place(time, after: title)
      time.alignToStart()
      time.setWraps(lines: 2)
    }
    menu.onClicked { [weak self] in
      guard let self else { return }
      onMenu(menu)
    }
    try widget.onSecondaryClick { [weak self] _, _ in
      guard let self else { return }
      onMenu(menu)
    }
    try show(row)
  }

  func show(_ row: EditorRow) throws(Problem) {
    self.row = row
    try EditorRowView.showRails(rails, from: shownDepth, to: row.depth)
    shownDepth = row.depth
    switch row.content {
    case .card(let card):
      title.text = TextSafety.sanitised(card.title)
      facts.text = TextSafety.sanitised(card.facts)
      time.text = card.time
      widget.set(class: "rest", card.isRest)
      cardForm?.show(row.place, card)
    case .group(let group):
      title.text = group.title
      title.set(class: "heading", true)
      facts.text = group.facts
      time.text = group.timeText
      groupForm?.show(row.place, group)
    case .end: break
    }
    facts.isVisible = !facts.text.isEmpty
    let name = translated("Actions of {}", title.text)
    menu.setTooltip(name)
    menu.setAccessibleName(name)
  }

  static func showRails(_ rails: Box, from old: Int, to depth: Int) throws(Problem) {
    for _ in 0..<max(0, depth - old) {
      let rail = try Box.space(width: depth > 4 ? indentation / 3 : indentation)
      rail.set(class: "rail", true)
      rails.append(rail)
    }
    for _ in 0..<max(0, old - depth) { if let rail = rails.lastChild { rails.remove(rail) } }
  }

  /// - Parameter place: its place among its neighbors, for screen readers.
  func describe(_ place: String) {
    widget.setAccessibleName(
      [title.text, time.text, facts.text].filter { !$0.isEmpty }.joined(separator: ", "))
    widget.setAccessibleDescription(place)
  }

  var name: String { title.text }

  var placeBelow: EditorPlace { EditorPlace(list: row.place.list, index: row.place.index + 1) }

  // MARK: - The open row

  var isOpen: Bool { form?.isVisible == true }

  /// Shows the fields, which are made when they are first needed.
  func open() throws(Problem) {
    try makeForm()
    form?.isVisible = true
    widget.setAccessibleExpanded(true)
    widget.set(class: "open", true)
  }

  func close() {
    cardForm?.dropOthers()
    form?.isVisible = false
    widget.setAccessibleExpanded(false)
    widget.set(class: "open", false)
  }

  private func makeForm() throws(Problem) {
    switch row.content {
    case .card(let card) where cardForm == nil:
      let form = try CardForm(row.place, card, isLarge: isLarge)
      form.onEdit = { [weak self] in self?.onEdit($0) ?? nil }
      form.onChooseImage = { [weak self] in self?.onChooseImage($0) }
      form.onChooseSound = { [weak self] in self?.onChooseSound($0) }
      form.cardsLasting = { [weak self] in self?.cardsLasting($0) ?? [] }
      form.onMoreTitles = { [weak self] in self?.onMoreTitles($0) }
      cardForm = form
      try place(form.widget)
    case .group(let group) where groupForm == nil:
      let form = try GroupForm(row.place, group, isLarge: isLarge)
      form.onEdit = { [weak self] in self?.onEdit($0) ?? nil }
      form.onAddRests = { [weak self] in self?.onAddRests() }
      groupForm = form
      try place(form.widget)
    case .card, .group, .end: break
    }
  }

  private func place(_ form: Box) throws(Problem) {
    form.set(class: "form", true)
    // A click between the fields must not close the row.
    try form.onClick(isLast: true) { _ in }
    try form.onClick(seesChildren: true) { [weak self] _ in self?.isFormPressed = true }
    content.append(form)
    self.form = form
  }

  func focusForm() {
    cardForm?.focusTitle()
    groupForm?.focus()
  }

  func commit() {
    cardForm?.commit()
    groupForm?.commit()
  }

  var isDirty: Bool { isOpen && cardForm?.isDirty == true }

  var isWriting: Bool { isOpen && form?.hasFocus == true }
}

final class EditorEndView {
  let widget: ListRow
  private(set) var row: EditorRow
  private let rails: Box
  private let card: Button
  private var shownDepth = 0
  var onAddCard: () -> Void = {}
  var onAddGroup: () -> Void = {}

  init(_ row: EditorRow, isLarge: Bool) throws(Problem) {
    self.row = row
    let interface = try Interface(PackageResources.end_ui)
    widget = try interface.object("row")
    rails = try interface.object("rails")
    card = try interface.object("card")
    (try interface.object("buttons") as Box).setVertical(isLarge)
    card.onClicked { [weak self] in self?.onAddCard() }
    let group: Button = try interface.object("group")
    group.onClicked { [weak self] in self?.onAddGroup() }
    group.isVisible = row.content == .end(isSequence: true)
    try show(row)
  }

  func show(_ row: EditorRow) throws(Problem) {
    self.row = row
    try EditorRowView.showRails(rails, from: shownDepth, to: row.depth)
    shownDepth = row.depth
  }

  /// - Parameter group: the title of the group; `nil` for the sequence.
  func describe(_ group: String?) {
    widget.setAccessibleName(group.map { translated("End of {}", $0) } ?? translated("End of the sequence"))
    card.setAccessibleName(group.map { translated("Add card to {}", $0) } ?? translated("Add card"))
  }
}

/// The dragging of a row of the editor: each gap between two rows is one place.
final class RowDrag {
  private let list: ListBox
  private let scroller: ScrolledWindow
  private(set) var dragged: EditorRowView?
  /// Whether the dragged card leaves its rest where it is, because Alt is held.
  private(set) var isAlone = false
  /// The index of the row above which it is put: the last place that was marked, because the pointer leaves the list
  /// before the drop is done.
  private var gap: Int?
  private var marked: ListRow?
  private var scrolling: LoopSource?
  var rows: () -> [ListRow] = { [] }
  var label: (EditorRowView) -> String = { $0.name }
  var canDrop: (EditorRowView, Int) -> Bool = { _, _ in false }
  var onDrop: (EditorRowView, Int) -> Void = { _, _ in }

  /// The distance from an edge at which the list scrolls, and the pixels of a step.
  private static let edge = 48.0
  private static let step = 12.0

  init(_ list: ListBox, _ scroller: ScrolledWindow) throws(Problem) {
    (self.list, self.scroller) = (list, scroller)
    try list.onDrop(
      move: { [unowned self] _, y in move(to: y) }, leave: { [unowned self] in mark(nil) },
      drop: { [unowned self] in drop() })
  }

  func add(_ view: EditorRowView) throws(Problem) {
    try view.handle.onDrag(
      label: { [weak self, weak view] in view.flatMap { self?.label($0) } ?? "" },
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
    isAlone = list.heldKeys.isAlt
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
