import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

final class EditorPage {
  let widget: Box
  private let body: Stack
  let scroller: ScrolledWindow
  let content: Box
  private let banner: Label
  private let form: SequenceForm
  private let list: ListBox
  private let length: Label
  private let facts: Label
  private let message: StatusPage
  let remedy: Button
  private let lines: Label
  private let undoButton: Button
  let menu: PopoverMenu
  private let messageBar: Box
  private let messageText: Label
  private let messageUndo: Button
  private var messageEnd: LoopSource?
  /// The length of the sequence in steps.
  private var steps = ""
  /// The row from which a selection goes to another one.
  weak var selectionStart: EditorRowView?
  let actions: ActionGroup
  let drag: RowDrag
  var switches: [String: Action] = [:]
  var session: EditorSession?
  private var watch: FileWatch?
  /// Whether rows are being placed, so that the end of a row is no edit of the user.
  private var isPlacing = false
  var views: [View] = []
  /// The row whose menu is open, or was last.
  var menuRow: EditorRowView?
  /// Whether the user knows that leaving drops a text.
  private var hasWarned = false
  var onStart: (Timeline, Int) -> Void = { _, _ in }
  var onPlay: (Card) -> Void = { _ in }
  var onSave: () -> Void = {}
  var onError: (any Error) -> Void = { _ in }

  private static let messageSeconds = 8
  /// The most rows; more take too long to make.
  static let mostRows = 500

  enum View {
    case element(EditorRowView)
    case end(EditorEndView)

    var widget: ListRow {
      switch self {
      case .element(let view): view.widget
      case .end(let view): view.widget
      }
    }

    var row: EditorRow {
      switch self {
      case .element(let view): view.row
      case .end(let view): view.row
      }
    }

    var element: EditorRowView? { if case .element(let view) = self { view } else { nil } }
  }

  init() throws {
    let interface = try Interface(PackageResources.editor_ui)
    widget = try interface.object("editor")
    body = try interface.object("editor_body")
    scroller = try interface.object("editor_scroller")
    content = try interface.object("editor_content")
    banner = try interface.object("editor_banner")
    form = try SequenceForm(interface)
    list = try interface.object("editor_rows")
    length = try interface.object("editor_length")
    facts = try interface.object("editor_facts")
    message = try interface.object("editor_message")
    remedy = try interface.object("editor_remedy")
    lines = try interface.object("editor_lines")
    messageBar = try interface.object("editor_said")
    messageText = try interface.object("editor_said_text")
    messageUndo = try interface.object("editor_said_undo")
    undoButton = try interface.object("undo")
    menu = try PopoverMenu.make(interface.object("row_menu"))
    menu.setParent(content)
    actions = try ActionGroup.make()
    drag = try RowDrag(list, scroller)
    try addActions()
    widget.insert(actions, prefix: "editor")
    let keys = try Interface(Shortcut.editorInterface)
    widget.add(controller: try keys.object("editor_keys") as ShortcutController)
    list.onRow { [unowned self] in toggle($0) }
    drag.rows = { [unowned self] in views.map(\.widget) }
    drag.label = { [unowned self] in
      let count = targets(of: $0).count
      return count == 1 ? $0.name : plural("1 row", "{} rows", count: count)
    }
    drag.canDrop = { [unowned self] in place(moving: $0, beforeRow: $1) != nil }
    drag.onDrop = { [unowned self] view, index in
      commit()
      guard let place = place(moving: view, beforeRow: index) else { return }
      move(view, to: place, isAlone: drag.isAlone)
    }
    try list.onKey { [unowned self] in select(with: $0, $1) }
    form.onEdit = { [unowned self] in change($0, nil) }
    form.onColor = { [unowned self] in perform(.setOption(.color, $0?.rawValue)) }
    menu.onClosed { [unowned self] in
      menuRow?.widget.grabFocus()
      // The action of the menu comes after it was closed; by then the menu of another row may be open.
      LoopSource.afterLayout { [weak self] in
        guard let self, !menu.isVisible else { return }
        menuRow = nil
        enableAll()
      }
    }
  }

  // MARK: - The file

  var path: String? { session?.path }

  func open(_ path: String) throws {
    close()
    session = EditorSession(path)
    hasWarned = false
    watch = try FileWatch(path) { [weak self] in self?.reload() }
    try show()
  }

  func focusTitle() { form.focusTitle() }

  func close() {
    commit()
    form.drop()
    menu.popDown()
    hideMessage()
    session = nil
    watch = nil
    // The rows' handlers need their views until they are gone.
    list.removeRows()
    views = []
  }

  func reload() {
    guard let session else { return }
    let written = views.first { $0.element?.isDirty == true }?.element
    guard session.reload() else { return }
    select([])
    showAgain()
    if let written, !views.contains(where: { $0.element === written }) {
      say(EditorFailure.changed.text(written.name))
    } else {
      say(translated("Changed in another program"))
    }
  }

  func setRunning(_ isRunning: Bool) { banner.isVisible = isRunning }

  /// The id of the sequence; `nil` if the file has a mistake.
  var sequence: SequenceDefinition? { session?.state.sequence?.parsed.definition }

  // MARK: - Showing

  private func showAgain() {
    do { try show() } catch { onError(error) }
  }

  private func show() throws {
    guard let session else { return }
    switch session.state {
    case .unreadable(let error, let bytes): showMistake(error, bytes)
    case .tooLarge(let error): showMistake(error, [])
    case .editing(let sequence) where sequence.rows.count > EditorPage.mostRows:
      message.setTitle(translated("A Long Sequence"))
      let count = sequence.rows.count { $0.card != nil }
      message.setDescription(
        plural("This sequence has 1 card.", "This sequence has {} cards.", count: count) + " "
          + translated("Sequences of more than {} rows are edited as text.", String(EditorPage.mostRows)))
      lines.isVisible = false
      body.page = "message"
    case .editing where !session.isWritable:
      message.setTitle(translated("The File Is Read-Only"))
      message.setDescription(translated("Its permissions don’t let you write to it."))
      lines.isVisible = false
      body.page = "message"
    case .editing(let sequence):
      body.page = "rows"
      try show(sequence)
    }
    showRules()
    showUndo()
    showRemedy(session)
  }

  private func showMistake(_ error: SequenceFileError, _ bytes: [UInt8]) {
    message.setTitle(
      bytes.isEmpty && error.isUnreadable
        ? translated("The File Can’t Be Read") : translated("The File Has a Mistake"))
    let place = error.position.map { translated("Line {}: ", String($0.line)) } ?? ""
    message.setDescription(place + Message.sentences(error.problem))
    let around = MistakeLines.text(around: error, of: bytes)
    lines.text = around ?? ""
    lines.isVisible = around != nil
    body.page = "message"
  }

  private func show(_ sequence: EditedSequence) throws(Problem) {
    form.show(sequence.parsed.definition)
    let plan = SequencePlan(sequence.parsed.timeline, most: 0)
    length.text = plan.length
    steps = plan.steps
    showFacts()
    try place(sequence.rows)
    describe(sequence.rows)
  }

  func showFacts() {
    let count = views.count { $0.element?.isSelected == true }
    facts.text = count > 1 ? plural("1 row selected", "{} rows selected", count: count) : steps
  }

  /// Gives each row its widgets: those that it had before, if they can be found.
  private func place(_ rows: [EditorRow]) throws(Problem) {
    isPlacing = true
    // The focus leaves a row that is moved, and GTK scrolls to the next one.
    let position = scroller.position
    defer {
      isPlacing = false
      scroller.position = position
    }
    let focused = views.first { $0.widget.hasFocus }
    let focus = focused?.element?.isWriting == true ? nil : focused
    let kept = RowMatching.match(views.map(\.row), rows)
    var placed: [View] = []
    for (row, old) in zip(rows, kept) {
      if let old {
        let view = views[old]
        switch view {
        case .element(let view): try view.show(row)
        case .end(let view): try view.show(row)
        }
        placed.append(view)
      } else {
        placed.append(try makeView(row))
      }
    }
    if let menuRow, !placed.contains(where: { $0.element === menuRow }) {
      menu.popDown()
      self.menuRow = nil
    }
    let used = Set(kept.compactMap(\.self))
    for index in views.indices where !used.contains(index) { list.remove(views[index].widget) }
    for (index, view) in placed.enumerated() where view.widget.index != index {
      if view.widget.index >= 0 { list.remove(view.widget) }
      list.insert(view.widget, at: index)
    }
    views = placed
    if let focus, placed.contains(where: { $0.widget === focus.widget }), !focus.widget.hasFocus {
      focus.widget.grabFocus()
    }
  }

  private func makeView(_ row: EditorRow) throws(Problem) -> View {
    let isLarge = widget.hasLargeText
    guard !row.isEnd else {
      let view = try EditorEndView(row, isLarge: isLarge)
      view.onAddCard = { [unowned self, unowned view] in perform(.addCard(view.row.place), opens: true) }
      view.onAddGroup = { [unowned self, unowned view] in perform(.addGroup(view.row.place), opens: true) }
      return .end(view)
    }
    let view = try EditorRowView(row, isLarge: isLarge)
    view.onMenu = { [unowned self, unowned view] in showMenu(of: view, at: $0) }
    view.onSelect = { [unowned self, unowned view] extends in
      if extends { select(to: view) } else { toggleSelection(of: view) }
    }
    view.cardsLasting = { [unowned self] in session?.state.sequence?.cards(lasting: $0) ?? [] }
    view.onEdit = { [unowned self, unowned view] in change($0, view) }
    view.onMoreTitles = { [unowned self, unowned view] titles in
      addCards(titles, below: view)
    }
    view.onChooseImage = { [unowned self] in choose(translated("Choose a Picture"), into: "pictures", $0) }
    view.onChooseSound = { [unowned self] in choose(translated("Choose a Sound"), into: "sounds", $0) }
    view.onAddRests = { [unowned self, unowned view] in askRests(view.row.place) }
    try addActions(of: view)
    try drag.add(view)
    return .element(view)
  }

  /// Names the rows for screen readers, with their groups and their places in them.
  private func describe(_ rows: [EditorRow]) {
    var groups: [[YAMLNode.Step]: EditedGroup] = [:]
    var counts: [[YAMLNode.Step]: Int] = [:]
    for row in rows {
      if let group = row.group { groups[row.place.inner] = group }
      if row.isEnd { counts[row.place.list] = row.place.index }
    }
    for view in views {
      let row = view.row
      let group = groups[row.place.list]?.title
      switch view {
      case .end(let view): view.describe(group)
      case .element(let view):
        let place = translated(
          "{number} of {count}",
          ["number": String(row.place.index + 1), "count": String(counts[row.place.list] ?? 0)])
        view.describe(group.map { translated("in {}", $0) + ", " + place } ?? place)
      }
    }
  }

  private func showUndo() {
    let (undo, redo) = (session?.undoName, session?.redoName)
    switches["undo"]?.isEnabled = undo != nil
    switches["redo"]?.isEnabled = redo != nil
    let name = undo.map { translated("Undo {} (Ctrl+Z)", $0) } ?? translated("Undo (Ctrl+Z)")
    undoButton.setTooltip(name)
    undoButton.setAccessibleName(undo.map { translated("Undo {}", $0) } ?? translated("Undo"))
  }

  // MARK: - Edits

  /// Returns the reason if the edit was not done.
  private func change(_ edit: SequenceEdit, _ view: EditorRowView?) -> String? {
    guard let session else { return nil }
    // A row that is removed, or was, has no place any more.
    if let view, isPlacing || !isShown(view) { return nil }
    var edit = edit
    if let view, view.isSelected, case .setLength([view.row.place], let length) = edit {
      edit = .setLength(selectedCards, length)
    }
    do throws(EditorFailure) {
      let (_, wasChanged) = try session.perform(edit)
      finish(wasChanged)
      return nil
    } catch {
      let text = error.text(view?.name)
      if error == .changed || error == .unreadable {
        showAgain()
        say(text)
      }
      return text
    }
  }

  /// Returns the new place of the element that the edit is about; `nil` if it was not done.
  ///
  /// - Parameter text: a message with a button that undoes the edit.
  @discardableResult
  func perform(
    _ makeEdit: @autoclosure () -> SequenceEdit, opens: Bool = false, saying text: String? = nil
  ) -> EditorPlace? {
    // It may add rows, so places are read after it.
    commit()
    guard let session else { return nil }
    let edit = makeEdit()
    let title = views.first { $0.row.place == edit.place && !$0.row.isEnd }?.element?.name
    do throws(EditorFailure) {
      let (place, wasChanged) = try session.perform(edit)
      select([])
      finish(wasChanged)
      if let place { focus(place, opens: opens) }
      if let text { say(text, undo: true) }
      return place
    } catch {
      showAgain()
      say(error.text(title))
      return nil
    }
  }

  private func finish(_ wasChanged: Bool) {
    hasWarned = false
    hideMessage()
    showAgain()
    onSave()
    if wasChanged { say(translated("Changed in another program, too")) }
  }

  /// - Parameter undo: whether the message has a button that undoes the last edit.
  func say(_ text: String, undo: Bool = false) {
    messageText.text = TextSafety.sanitised(text)
    messageUndo.isVisible = undo
    messageBar.isVisible = true
    messageBar.announce(messageText.text)
    messageEnd = LoopSource.after(seconds: EditorPage.messageSeconds) { [unowned self] in hideMessage() }
  }

  private func hideMessage() {
    messageEnd = nil
    messageBar.isVisible = false
  }

  func commit() {
    form.commit()
    for view in views { if let view = view.element, view.isOpen { view.commit() } }
  }

  /// Takes over the texts that the user is writing; returns `false` once if that is impossible, to warn the user.
  func canLeave(isClosing: Bool = false) -> Bool {
    commit()
    let isDirty = form.isDirty || views.contains { $0.element?.isDirty == true }
    guard isDirty, !hasWarned, session?.state.sequence != nil else { return true }
    hasWarned = true
    say(
      isClosing
        ? translated("A text can’t be saved. Close the window again to drop it.")
        : translated("A text can’t be saved. Go back again to drop it."))
    return false
  }

  func undo() { step { session throws(EditorFailure) in try session.undo() } }

  func redo() { step { session throws(EditorFailure) in try session.redo() } }

  private func step(_ body: (EditorSession) throws(EditorFailure) -> EditorPlace?) {
    guard let session else { return }
    do throws(EditorFailure) {
      let place = try body(session)
      select([])
      finish(false)
      if let place { focus(place, opens: false) }
    } catch {
      showAgain()
      say(error.text(nil))
    }
  }
}
