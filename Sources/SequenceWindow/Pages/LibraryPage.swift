import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

final class LibraryPage {
  let widget: Stack
  private let context: ClientContext
  private let list: ListBox
  private let searchLine: Box
  private let search: SearchEntry
  private let order: DropDown
  /// Whether the user has asked for the search in a short library.
  private var isSearching = false
  private let noMatch: Label
  private let schedulesPart: Box
  private let schedules: ListBox
  private let more: ListBox
  private let moreRow: ExpanderRow
  private var starterRows: [ActionRow] = []
  private var sequences: [ListedSequence] = []
  private var shown: [ListedSequence] = []
  private var rows: [Row] = []
  private var lastRuns: [String: Moment] = [:]
  private var days = LocalDays()
  private var watch: FileWatch?
  private let menu: PopoverMenu
  private let menuActions: [String: Action]
  /// The sequence whose menu is open, or was last.
  private var menuSequence: ListedSequence?
  /// Performs an action of the menu of a sequence, such as `rename`.
  var onAction: (String, ListedSequence) -> Void = { _, _ in }
  var onOpen: (ListedSequence) -> Void = { _ in }
  var onReload: () -> Void = {}
  var onError: (any Error) -> Void = { _ in }

  private struct Row: Equatable {
    let title: String
    let facts: String?
    /// The path of the file; `nil` if it has a mistake.
    let path: String?
    var look: SequenceLook?
  }

  private static let fewestForSearch = 10

  init(_ context: ClientContext) throws {
    self.context = context
    let interface = try Interface(PackageResources.library_ui)
    widget = try interface.object("library")
    list = try interface.object("sequences")
    searchLine = try interface.object("search_line")
    search = try interface.object("search")
    order = try DropDown.make([translated("Title"), translated("Last Used"), translated("Length")])
    order.setTooltip(translated("Order"))
    searchLine.append(order)
    noMatch = try interface.object("no_match")
    schedulesPart = try interface.object("schedules_part")
    schedules = try interface.object("schedules")
    more = try interface.object("more")
    moreRow = try interface.object("more_row")
    try moreRow.addExpansion()
    menu = try PopoverMenu.make(interface.object("library_menu"))
    let actions = try ActionGroup.make()
    menuActions = try LibraryPage.actions.reduce(into: [:]) { $0[$1] = try Action.make($1) { _ in } }
    for action in menuActions.values { actions.add(action) }
    list.insert(actions, prefix: "library")
    menu.setParent(list)
    let starters: ListBox = try interface.object("starters")
    for starter in Starter.allCases { starters.append(try LibraryPage.row(starter)) }
    list.onRow { [unowned self] index in
      if shown.indices.contains(index) { onOpen(shown[index]) }
    }
    for (name, action) in menuActions {
      action.on("activate") { [unowned self] in
        if let menuSequence { onAction(name, menuSequence) }
      }
    }
    let keys = try Interface(Shortcut.libraryInterface)
    list.add(controller: try keys.object("library_keys") as ShortcutController)
    let open = try Action.make("menu") { [unowned self] _ in
      if let row = list.focusedRow { showMenu(ofRow: row) }
    }
    actions.add(open)
    try list.onSecondaryClick { [unowned self] _, y in
      if let row = list.row(at: Int(y)) { showMenu(ofRow: row) }
    }
    menu.onClosed { [unowned self] in if let row = menuRow { row.grabFocus() } }
    search.onSearch { [unowned self] in showList() }
    search.onStop { [unowned self] in leaveSearch() }
    search.onActivate { [unowned self] in
      // The last letters may not have been searched for yet.
      showList()
      if !search.text.isEmpty, let first = shown.first { onOpen(first) }
    }
    order.onSelected { [unowned self] in showList() }
  }

  /// - Parameter text: the text to search for; `nil` for the one that is there.
  func focusSearch(for text: String? = nil) {
    guard !sequences.isEmpty else { return }
    isSearching = true
    if let text { search.text = text }
    searchLine.isVisible = true
    search.grabFocus()
    search.selectAll()
  }

  private func leaveSearch() {
    search.text = ""
    isSearching = false
    searchLine.isVisible = sequences.count > LibraryPage.fewestForSearch
    showList()
    list.firstRow?.grabFocus()
  }

  private static let actions = [
    "start", "edit", "schedule", "duplicate", "rename", "edit-text", "properties", "trash",
  ]
  private var menuRow: ListRow?

  private func showMenu(ofRow row: ListRow) {
    guard shown.indices.contains(row.index), let bounds = row.bounds(in: list) else { return }
    (menuSequence, menuRow) = (shown[row.index], row)
    for name in ["start", "edit", "schedule", "duplicate", "rename"] {
      menuActions[name]?.isEnabled = shown[row.index].content != nil
    }
    menu.popUp(at: bounds)
  }

  /// The sequences without a mistake, the last used first.
  var lastUsed: [ListedSequence] {
    func lastRun(_ sequence: ListedSequence) -> Moment? {
      sequence.content.flatMap { lastRuns[$0.id.uuidString] }
    }
    // Those that were never used keep the order of their titles.
    let usable = sequences.filter { $0.content != nil }
    let used = usable.compactMap { sequence in lastRun(sequence).map { (sequence, $0) } }
    return used.sorted { $0.1 > $1.1 }.map(\.0) + usable.filter { lastRun($0) == nil }
  }

  func sequence(named name: String) -> ListedSequence? { sequences.first { $0.name == name } }

  func sequence(at path: String) -> ListedSequence? { sequences.first { $0.path == path } }

  /// Reads the library and the last runs, and follows changes of the files from now on.
  func refresh(_ client: Client) {
    do {
      let library = try context.library()
      if let watch {
        try watch.renew()
      } else {
        watch = try FileWatch(library.path, isDirectory: true) { [unowned self, unowned client] in
          refresh(client)
        }
      }
      sequences = LibraryPage.sorted(try ListedSequence.all(of: library))
      days = LocalDays(client.configuration())
      lastRuns = try client.store.lastStarts(of: sequences.compactMap { $0.content?.id.uuidString })
      widget.page = sequences.isEmpty ? "empty" : "list"
      searchLine.isVisible = isSearching || sequences.count > LibraryPage.fewestForSearch
      if !searchLine.isVisible { search.text = "" }
      try showStarters()
      try show(client.schedules())
      showList()
      onReload()
    } catch {
      onError(error)
    }
  }

  private static func row(_ starter: Starter) throws -> ActionRow {
    let row = try ActionRow.make(starter.title, starter.summary)
    let add = try Button.make(label: translated("Add"))
    add.setAccessibleName(translated("Add {}", starter.title))
    add.setAction("app.add-starter", starter.rawValue)
    row.addSuffix(add)
    return row
  }

  private func showStarters() throws {
    for row in starterRows { moreRow.removeExpanded(row) }
    let names = Set(sequences.map(\.name))
    starterRows = try Starter.allCases.filter { !names.contains($0.rawValue) }.map(LibraryPage.row)
    for row in starterRows { moreRow.add(row) }
    more.isVisible = !starterRows.isEmpty
  }

  private func show(_ found: [Schedule]) throws {
    schedules.removeRows()
    schedulesPart.isVisible = !found.isEmpty
    let now = context.clock.now().wall
    for schedule in found {
      let title = TextSafety.sanitised(schedule.title)
      let row = try ActionRow.make(title, ScheduleForm.facts(of: schedule, now: now))
      row.addPrefix(try Image.make(icon: "alarm-symbolic"))
      let remove = try Button.make(
        icon: "user-trash-symbolic", translated("Remove the Schedule of “{}”", title))
      remove.setAction("app.remove-schedule", "\(schedule.number)")
      row.addSuffix(remove)
      schedules.append(row)
    }
  }

  private var ordered: [ListedSequence] {
    switch order.selected {
    case 1: lastUsed + sequences.filter { $0.content == nil }
    case 2: LibraryPage.sortedByLength(sequences)
    default: sequences
    }
  }

  private func showList() {
    shown = ordered.matching(search.text)
    let new = shown.map(row)
    // Rows that are the same keep the focus and the place to which the list is scrolled.
    if new != rows {
      rows = new
      list.removeRows()
      do {
        for row in rows { list.append(try LibraryPage.widget(of: row)) }
      } catch {
        onError(error)
      }
    }
    list.isVisible = !shown.isEmpty
    noMatch.isVisible = shown.isEmpty
  }

  static func sorted(_ sequences: [ListedSequence]) -> [ListedSequence] {
    sequences.sorted { NameOrder.precedes($0.content?.title ?? $0.name, $1.content?.title ?? $1.name) }
  }

  /// The shortest first; those of one length, and those with a mistake, keep their order.
  static func sortedByLength(_ sequences: [ListedSequence]) -> [ListedSequence] {
    sequences.enumerated().sorted { first, second in
      let lengths = [first, second].map { $0.element.length?.countdowns ?? .seconds(Int.max) }
      return lengths[0] == lengths[1] ? first.offset < second.offset : lengths[0] < lengths[1]
    }.map(\.element)
  }

  private func row(_ sequence: ListedSequence) -> Row {
    guard let content = sequence.content, let length = sequence.length else {
      return Row(title: TextSafety.sanitised(sequence.name), facts: sequence.mistakeText, path: nil)
    }
    let lastRun = lastRuns[content.id.uuidString].map {
      translated("last run {}", RelativeDay.text($0, now: context.clock.now().wall, days))
    }
    let others = sequences.sharingID(with: sequence).map { translated("same ID as “{}”", $0.name) }
    let facts = [length.stepsText, length.timeText(LengthText.format), lastRun].compactMap { $0 } + others
    return Row(
      title: TextSafety.sanitised(content.title), facts: facts.joined(separator: " · "), path: sequence.path,
      look: SequenceLook(content))
  }

  private static func widget(of row: Row) throws -> ActionRow {
    let widget = try ActionRow.make(row.title, row.facts, isActivatable: true)
    if let look = row.look { widget.addPrefix(try look.badge()) }
    if let path = row.path {
      let start = try Button.make(icon: "media-playback-start-symbolic", translated("Start {}", row.title))
      start.setAction("app.start-sequence", path)
      widget.addSuffix(start)
    } else {
      widget.addSuffix(try Image.make(icon: "dialog-warning-symbolic"))
    }
    return widget
  }
}
