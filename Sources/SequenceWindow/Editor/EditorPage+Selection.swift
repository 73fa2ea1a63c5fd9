import CSequenceAdwaita

/// The row with the focus, and several rows that are changed at once.
///
/// A group is selected with all that is in it. An action is about the selected rows if the row that it begins at is one
/// of them, else about that row alone.
extension EditorPage {
  func toggle(_ index: Int) {
    guard views.indices.contains(index), let view = views[index].element,
      !view.isFormPressed
    else { return }
    if !view.isSelected { select([]) }
    selectionStart = view
    if view.isOpen { close(view) } else { open(view) }
  }

  func focus(_ place: EditorPlace, opens: Bool) {
    guard let sequence = session?.state.sequence else { return }
    let index = sequence.row(at: place) ?? sequence.rows.firstIndex { $0.place == place }
    guard let index = index ?? (views.isEmpty ? nil : views.count - 1), views.indices.contains(index) else {
      return
    }
    if opens, let view = views[index].element {
      open(view)
    } else if views[index].element?.isWriting != true {
      let row = views[index].widget
      // GTK scrolls to a row with the focus by the places of the rows before the edit.
      scroller.keepPosition { row.grabFocus() }
      LoopSource.afterLayout { [weak self, weak row] in if let self, let row { scroller.scroll(to: row) } }
    }
  }

  private var elements: [EditorRowView] { views.compactMap(\.element) }

  /// The elements that an action of a row is about, in the order of the file, and none of them in another one.
  func targets(of view: EditorRowView) -> [EditorPlace] {
    guard view.isSelected else { return [view.row.place] }
    let places = elements.filter(\.isSelected).map(\.row.place)
    return places.filter { place in !places.contains { place.list.starts(with: $0.path) } }
  }

  /// The selected cards that have one length, which can be changed.
  var selectedCards: [EditorPlace] {
    elements.filter { $0.isSelected && $0.row.card?.length != nil }.map(\.row.place)
  }

  func select(_ places: some Collection<EditorPlace>) {
    for view in elements {
      let place = view.row.place
      view.isSelected = places.contains { $0 == place || place.list.starts(with: $0.path) }
    }
    if places.isEmpty { selectionStart = nil }
    showFacts()
  }

  /// Selects the rows between the start of the selection, or the row with the focus, and another one.
  func select(to view: EditorRowView) {
    let rows = elements
    let start = selectionStart ?? rows.first { $0.widget.hasFocus } ?? view
    guard let first = rows.firstIndex(where: { $0 === start }),
      let last = rows.firstIndex(where: { $0 === view })
    else { return }
    select(rows[min(first, last)...max(first, last)].map(\.row.place))
    selectionStart = start
    view.widget.grabFocus()
  }

  func toggleSelection(of view: EditorRowView) {
    let place = view.row.place
    var places = elements.filter(\.isSelected).map(\.row.place)
    if view.isSelected {
      // With what is in it, and with the groups around it.
      places.removeAll { $0 == place || $0.list.starts(with: place.path) || place.list.starts(with: $0.path) }
    } else {
      places.append(place)
    }
    select(places)
    selectionStart = view
    view.widget.grabFocus()
  }

  /// Returns whether a key changes the selection and nothing else.
  func select(with key: Int, _ held: HeldKeys) -> Bool {
    guard let index = views.firstIndex(where: { $0.widget.hasFocus }), let view = views[index].element,
      !view.isWriting
    else { return false }
    switch Int32(key) {
    case GDK_KEY_Up, GDK_KEY_Down:
      if held.isEmpty { select([]) }
      guard held.isShift, !held.isControl, !held.isAlt else { return false }
      let isUp = Int32(key) == GDK_KEY_Up
      let next =
        isUp ? views[..<index].last { $0.element != nil } : views[(index + 1)...].first { $0.element != nil }
      if let next = next?.element { select(to: next) }
    case GDK_KEY_Home, GDK_KEY_End, GDK_KEY_Page_Up, GDK_KEY_Page_Down, GDK_KEY_Tab:
      if held.isEmpty { select([]) }
      return false
    case GDK_KEY_space where held.isControl: toggleSelection(of: view)
    case GDK_KEY_a where held.isControl: select(elements.map(\.row.place))
    default: return false
    }
    return true
  }
}
