import SequencePlatform
import SequenceFiles
import SequenceRunner

extension EditorPage {
  /// Offers to restore a file that is gone, or else to edit the text.
  func showRemedy(_ session: EditorSession) {
    let isGone = session.state.sequence == nil && FileKind(of: session.path) == .nothing
    remedy.label = isGone ? translated("Restore") : translated("Edit as Text")
    remedy.setAction(isGone ? "app.undo-edit" : "app.edit-text")
    remedy.isVisible = !isGone || session.undoName != nil
  }

  func addActions() throws(Problem) {
    let rowActions: [(String, (EditorRowView) -> Void)] = [
      ("add-below", { [unowned self] in addBelow($0) }),
      ("duplicate", { [unowned self] in perform(.duplicate(targets(of: $0))) }),
      ("delete", { [unowned self] in delete($0) }),
      ("up", { [unowned self] in move($0, down: false) }),
      ("down", { [unowned self] in move($0, down: true) }),
      ("group", { [unowned self] in perform(.wrap(targets(of: $0))) }),
      ("ungroup", { [unowned self] in ungroup($0) }),
      ("close", { [unowned self] in if $0.isOpen { close($0) } else { select([]) } }),
      ("menu", { [unowned self] in showMenu(of: $0, at: $0.widget) }),
      ("paste", { [unowned self] in paste(below: $0) }),
      ("start-here", { [unowned self] in start(from: $0) }),
      ("play", { [unowned self] in play($0) }),
    ]
    for (name, act) in rowActions {
      switches[name] = try actions.add(name) { [unowned self] in
        guard let view = current else { return }
        menuRow = nil
        act(view)
      }
    }
    switches["undo"] = try actions.add("undo") { [unowned self] in
      commit()
      undo()
    }
    switches["redo"] = try actions.add("redo") { [unowned self] in redo() }
    switches["start"] = try actions.add("start") { [unowned self] in start() }
    for (name, option) in [("on-suspend", .onSuspend), ("on-lock", .onLock), ("ring", .ring)]
      as [(String, SequenceEdit.Option)]
    {
      let action = try Action.make(choice: name) { [unowned self] in
        perform(.setOption(option, $0.isEmpty ? nil : $0))
      }
      actions.add(action)
      switches[name] = action
    }
    switches["add-rests"] = try actions.add("add-rests") { [unowned self] in askRests(nil) }
  }

  func showRules() {
    let definition = self.sequence
    let rules = [
      ("on-suspend", definition?.onSuspend?.rawValue), ("on-lock", definition?.onLock?.rawValue),
      ("ring", definition?.rings == true ? "true" : nil),
    ]
    for (name, rule) in rules {
      switches[name]?.setChoice(rule ?? "")
      switches[name]?.isEnabled = definition != nil
    }
  }

  /// The actions of a row, which screen readers list.
  func addActions(of view: EditorRowView) throws(Problem) {
    let group = try ActionGroup.make()
    for (name, act) in [
      ("open", { [unowned self] in open($0) }), ("up", { [unowned self] in move($0, down: false) }),
      ("down", { [unowned self] in move($0, down: true) }), ("delete", { [unowned self] in delete($0) }),
      ("duplicate", { [unowned self] in perform(.duplicate(targets(of: $0))) }),
      ("select", { [unowned self] in toggleSelection(of: $0) }),
    ] as [(String, (EditorRowView) -> Void)] {
      try group.add(name) { [weak view] in if let view { act(view) } }
    }
    view.widget.insert(group, prefix: "row")
  }

  var current: EditorRowView? {
    menuRow ?? views.first { $0.widget.hasFocus }?.element
  }

  func isShown(_ view: EditorRowView) -> Bool { views.contains { $0.element === view } }

  func open(_ view: EditorRowView) {
    for other in views {
      if let other = other.element, other.isOpen, other !== view {
        other.commit()
        other.close()
      }
    }
    do throws(Problem) {
      try view.open()
      view.focusForm()
      // The fields have their places after the next layout.
      LoopSource.afterLayout { [weak self, weak view] in
        if let self, let view { scroller.scroll(to: view.widget) }
      }
    } catch {
      onError(error)
    }
  }

  func close(_ view: EditorRowView) {
    view.commit()
    view.close()
    view.widget.grabFocus()
  }

  private func addBelow(_ view: EditorRowView) {
    perform(.addCard(view.placeBelow), opens: true)
  }

  private func delete(_ view: EditorRowView) {
    // In a field the key removes a letter, and must not remove the card at the end of the text.
    guard !view.isWriting else { return }
    let count = targets(of: view).count
    perform(
      .delete(targets(of: view)),
      saying: count == 1
        ? translated("“{}” deleted", view.name) : plural("1 row deleted", "{} rows deleted", count: count)
    )
  }

  func move(_ view: EditorRowView, down isDown: Bool) {
    commit()
    guard let sequence = session?.state.sequence,
      let place = sequence.place(moving: movedPlaces(with: view), down: isDown)
    else { return }
    move(view, to: place)
  }

  /// - Parameter isAlone: whether its rest stays where it is.
  func move(_ view: EditorRowView, to place: EditorPlace, isAlone: Bool = false) {
    let wasSelected = targets(of: view).count > 1
    let places = movedPlaces(with: view, isAlone: isAlone)
    guard let new = perform(.move(places, to: place)), wasSelected else { return }
    select(places.indices.map { EditorPlace(list: new.list, index: new.index + $0) })
  }

  /// The place before a row; `nil` if what moves with an element can't be moved there.
  func place(moving view: EditorRowView, beforeRow index: Int) -> EditorPlace? {
    guard isShown(view), let sequence = session?.state.sequence, sequence.rows.indices.contains(index) else {
      return nil
    }
    let place = sequence.place(beforeRow: index)
    return sequence.canMove(movedPlaces(with: view, isAlone: drag.isAlone), to: place) ? place : nil
  }

  /// The elements that move with one: those that are selected with it, and the rests of all of them.
  private func movedPlaces(with view: EditorRowView, isAlone: Bool = false) -> [EditorPlace] {
    let places = targets(of: view)
    guard !isAlone, let sequence = session?.state.sequence else { return places }
    return places.flatMap { place in
      sequence.withRest(place).filter { $0 == place || !places.contains($0) }
    }
  }

  private func ungroup(_ view: EditorRowView) {
    if view.row.group != nil {
      perform(.ungroup(view.row.place))
    } else if let group = view.row.place.group {
      perform(.ungroup(group))
    }
  }

  private func paste(below view: EditorRowView) {
    guard !view.isWriting else { return }
    widget.readClipboard { [weak self, weak view] text in
      guard let self, let view else { return }
      let titles = EditorText.titles(text)
      addCards(titles, below: view)
    }
  }

  func addCards(_ titles: [String], below view: EditorRowView) {
    guard !titles.isEmpty, isShown(view) else { return }
    guard views.count + titles.count <= EditorPage.mostRows else {
      return say(
        translated(
          "{count} lines are too many. A sequence of more than {most} rows is edited as text.",
          ["count": String(titles.count), "most": String(EditorPage.mostRows)]))
    }
    perform(.addCards(titles, view.placeBelow))
  }

  func choose(_ title: String, into folder: String, _ handler: @escaping (String) -> Void) {
    guard let session else { return }
    widget.window?.chooseFile(title, accept: translated("Choose")) { [weak self] chosen in
      do {
        handler(try MediaCopy.copy(chosen, into: folder, beside: session.path))
      } catch {
        self?.onError(error)
      }
    }
  }

  func askRests(_ group: EditorPlace?) {
    commit()
    let (asked, path) = (self.group(at: group), self.path)
    widget.window?.askText(
      translated("Add Rests Between Cards"), translated("A rest follows each card but the last."),
      name: translated("Time"), text: "10 s", answer: translated("Add"),
      mistake: { text in if case .mistake(let mistake) = EditorText.duration(text) { mistake } else { nil } }
    ) { [weak self] text in self?.addRests(group, asked, path, text) }
  }

  private func addRests(_ group: EditorPlace?, _ asked: EditedGroup?, _ path: String?, _ text: String) {
    guard case .value(let length) = EditorText.duration(text) else { return }
    guard path == self.path, self.group(at: group) == asked else {
      return say(EditorFailure.changed.text(nil))
    }
    perform(.addRests(group, length))
  }

  private func group(at place: EditorPlace?) -> EditedGroup? {
    guard let place, let sequence = session?.state.sequence else { return nil }
    return sequence.group(at: place)
  }

  /// Starts the sequence from the first step of a row, so that the steps before it are neither run nor recorded.
  private func start(from view: EditorRowView) {
    commit()
    guard let sequence = session?.state.sequence,
      let step = sequence.firstStep(ofElementAt: view.row.place)
    else { return }
    onStart(sequence.parsed.timeline, step)
  }

  private func play(_ view: EditorRowView) {
    commit()
    if let card = session?.state.sequence?.card(at: view.row.place) { onPlay(card) }
  }

  private func start() {
    commit()
    if let sequence = session?.state.sequence { onStart(sequence.parsed.timeline, 0) }
  }

  // MARK: - The menu of a row

  func showMenu(of view: EditorRowView, at button: Widget) {
    if !view.isSelected { select([]) }
    menuRow = view
    enable(for: view)
    if let bounds = button.bounds(in: content) { menu.popUp(at: bounds) }
  }

  /// Lets the keys act on any row; an action leaves a row that it can't change.
  func enableAll() {
    for name in ["up", "down", "ungroup", "duplicate", "delete", "group", "add-below", "start-here", "play"] {
      switches[name]?.isEnabled = true
    }
  }

  func enable(for view: EditorRowView) {
    guard let sequence = session?.state.sequence else { return }
    let row = view.row
    let places = targets(of: view)
    let isSingle = places.count == 1
    let isEditable = views.allSatisfy {
      !places.contains($0.row.place) || $0.row.card?.isInAlias != true && $0.row.group?.isInAlias != true
    }
    for (name, isDown) in [("up", false), ("down", true)] {
      switches[name]?.isEnabled =
        isEditable && sequence.place(moving: movedPlaces(with: view), down: isDown) != nil
    }
    switches["ungroup"]?.isEnabled = isSingle && row.group?.isEditable == true
    for name in ["duplicate", "delete", "group"] { switches[name]?.isEnabled = isEditable }
    switches["add-below"]?.isEnabled = isEditable && isSingle
    switches["start-here"]?.isEnabled = isSingle && sequence.firstStep(ofElementAt: row.place) != nil
    switches["play"]?.isEnabled = isSingle && row.card != nil
  }
}
