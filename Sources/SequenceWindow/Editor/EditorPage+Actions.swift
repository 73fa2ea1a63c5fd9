import SequencePlatform
import SequenceFiles
import SequenceRunner

extension EditorPage {
  func addActions() throws(Problem) {
    let rowActions: [(String, (EditorRowView) -> Void)] = [
      ("add-below", { [unowned self] in addBelow($0) }),
      ("duplicate", { [unowned self] in perform(.duplicate($0.row.place)) }),
      ("delete", { [unowned self] in delete($0) }),
      ("up", { [unowned self] in move($0, down: false) }),
      ("down", { [unowned self] in move($0, down: true) }),
      ("group", { [unowned self] in perform(.wrap($0.row.place)) }),
      ("ungroup", { [unowned self] in ungroup($0) }),
      ("close", { [unowned self] in if $0.isOpen { close($0) } }),
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
    for (name, option) in [("on-suspend", .onSuspend), ("on-lock", .onLock)]
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

  /// The actions of a row, which screen readers list.
  func addActions(of view: EditorRowView) throws(Problem) {
    let group = try ActionGroup.make()
    for (name, act) in [
      ("open", { [unowned self] in open($0) }), ("up", { [unowned self] in move($0, down: false) }),
      ("down", { [unowned self] in move($0, down: true) }), ("delete", { [unowned self] in delete($0) }),
      ("duplicate", { [unowned self] in perform(.duplicate($0.row.place)) }),
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
    perform(.delete(view.row.place), saying: translated("“{}” deleted", view.name))
  }

  func move(_ view: EditorRowView, down isDown: Bool) {
    commit()
    guard let sequence = session?.state.sequence, let index = sequence.row(at: view.row.place),
      let place = sequence.place(movingRow: index, down: isDown)
    else { return }
    perform(.move(view.row.place, to: place))
  }

  /// The place before a row; `nil` if an element can't be moved there.
  func move(_ view: EditorRowView, beforeRow index: Int) -> EditorPlace? {
    guard isShown(view), let sequence = session?.state.sequence, let own = sequence.row(at: view.row.place),
      sequence.rows.indices.contains(index)
    else { return nil }
    let place = sequence.place(beforeRow: index)
    return sequence.canMove(own, to: place) ? place : nil
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
          "{} lines are too many. A sequence of more than {} rows is edited as text.", String(titles.count),
          String(EditorPage.mostRows)))
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
    guard let sequence = session?.state.sequence, let index = sequence.row(at: view.row.place) else { return }
    let row = view.row
    let isEditable = row.card?.isInAlias != true && row.group?.isInAlias != true
    switches["up"]?.isEnabled = isEditable && sequence.place(movingRow: index, down: false) != nil
    switches["down"]?.isEnabled = isEditable && sequence.place(movingRow: index, down: true) != nil
    switches["ungroup"]?.isEnabled = row.group?.isEditable == true
    for name in ["duplicate", "delete", "group", "add-below"] { switches[name]?.isEnabled = isEditable }
    switches["start-here"]?.isEnabled = sequence.firstStep(ofElementAt: row.place) != nil
    switches["play"]?.isEnabled = row.card != nil
  }
}
