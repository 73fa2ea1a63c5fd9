import CSequenceAdwaita
import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequencePlanning
import SequenceRunner

/// The window: shows the run, the library and the history, and performs actions.
final class MainWindow {
  let widget: Window
  let control: RunControl
  private let actions: Actions
  let toasts: ToastOverlay
  let leaflet: Leaflet
  private let views: ViewStack
  private let timer: Stack
  private let timerPage: ViewStackPage
  private let switcher: ViewSwitcherTitle
  private let header: HeaderBar
  private let new: Button
  private let menuButton: MenuButton
  private let sound: Button
  private let newTimer: MenuButton
  private let runKeys: ShortcutController
  private let strip: RunStrip
  private let runPage: RunPageView
  private let quickTimer: QuickTimer
  let idlePage: IdlePage
  private let endPage: EndPage
  let library: LibraryPage
  let history: HistoryPage
  let detail: DetailPage
  let newPage: NewPage
  let editor: EditorPage
  let files: LibraryControl
  private let trials: Trials
  /// The files that were moved to the trash, by their paths.
  var trashed: [String: LibraryControl.Trashed] = [:]
  private let fullScreen: FullScreen
  /// The run that can be seen on the window, and whether its clock is running.
  private var onScreen: (run: UUID?, isRunning: Bool) = (nil, false)
  private let size: WindowSize
  private(set) var runs = ShownRuns()
  /// The run that was on the page until it ended, and when that was seen, on the boot clock; `nil` once the user has
  /// chosen a run.
  private var lastEnd: (title: String, seen: Duration)?
  private var shown: ActiveRunSnapshot? { runs.run }
  /// The run whose buttons and keys are ready; `nil` before the first.
  private var prepared: ActiveRunSnapshot?
  private var playsSounds = false
  private var isIdle = false
  /// When the page has to be drawn again, on the boot clock.
  private var nextTick: Duration?
  /// The problem of the store that the user knows.
  private var knownProblem: Message?
  /// The messages whose dialogs are open.
  private var openMessages: Set<Message> = []

  /// The width below which a centered title would be cut off, in pixels.
  private static let narrowWidth = 420
  /// The time after which the store is read again if that failed.
  private static let patience = Duration.seconds(5)

  init(_ control: RunControl, _ actions: Actions, _ application: Application) throws {
    self.control = control
    self.actions = actions
    let interface = try Interface(PackageResources.window_ui)
    widget = try interface.object("window")
    toasts = try interface.object("toasts")
    leaflet = try interface.object("leaflet")
    views = try interface.object("views")
    timer = try interface.object("timer")
    timerPage = try interface.object("timer_page")
    switcher = try interface.object("switcher_title")
    header = try interface.object("header")
    new = try interface.object("new")
    menuButton = try interface.object("menu_button")
    sound = try interface.object("sound")
    newTimer = try interface.object("new_timer")
    let shortcuts = try Interface(Shortcut.interface)
    runKeys = try shortcuts.object("run_keys")
    widget.add(controller: runKeys)
    widget.add(controller: try shortcuts.object("last_keys") as ShortcutController)
    strip = try RunStrip()
    quickTimer = try QuickTimer(control.client.context.clock)
    try (interface.object("new_timer_place") as Popover).setChild(quickTimer.widget)
    runPage = try RunPageView()
    idlePage = try IdlePage(control.client.context.clock)
    endPage = try EndPage()
    library = try LibraryPage(control.client.context)
    history = try HistoryPage()
    detail = try DetailPage(control.client.context)
    newPage = try NewPage()
    editor = try EditorPage()
    files = LibraryControl(context: control.client.context)
    trials = Trials(control.client.context)
    for (place, page) in [
      ("strip", strip.widget), ("run", runPage.widget), ("idle", idlePage.widget),
      ("end", endPage.widget),
      ("library", library.widget),
      ("history", history.widget), ("detail", detail.widget), ("new", newPage.widget),
      ("editor", editor.widget),
    ] {
      try (interface.object("\(place)_place") as Bin).setChild(page)
    }
    fullScreen = try FullScreen(
      widget, page: runPage.widget, bars: [header, try interface.object("switcher_bar")],
      controls: [runPage.controls, try interface.object("leave_full_screen")], application)
    application.setHelp(try shortcuts.object("help"), of: widget)
    size = WindowSize(control.client.store.directory)
    // Whoever uses the mouse expects Space to pause, and not to press the button that Tab had reached.
    try widget.onKey { [unowned self] key in
      // The keys of the full screen leave it at once.
      leaveEnd() && ![Int(GDK_KEY_Escape), Int(GDK_KEY_F11)].contains(key)
    }
    try endPage.widget.onClick { [unowned self] _ in leaveEnd() }
    for clicked in [runPage.widget, runPage.controls] {
      try clicked.onClick(seesChildren: true) { [unowned self] _ in
        LoopSource.soon { [unowned self] in if shown != nil { runPage.focusButton() } }
      }
    }
    attempt {
      guard let (width, height) = try size.stored() else { return }
      widget.defaultSize = (width, height)
    }
    centerTitle()
    connect()
    connectPages()
    refresh()
    control.wait(until: nil)
    examine()
  }

  /// Looks for problems, as `sequence doctor` does, and shows them on the page without a run.
  private func examine() {
    let context = control.client.context
    let doctor = Doctor(environment: context.environment, clock: context.clock)
    let directory = control.client.store.base.directory
    Background.run("doctor") {
      // A warning without a remedy is the consequence of another problem.
      doctor.findings(directory).filter { $0.state == .error || $0.state != .ok && $0.advice != nil }
    } then: { [unowned self] found in
      attempt { try idlePage.show(found) }
    }
  }

  private func connect() {
    widget.on("realize") { [unowned self] in
      // The time of the next second is waited for once this one is on the screen: a window that nobody sees is not
      // painted, and doesn't wake up.
      widget.onPainted { [unowned self] in armTick() }
    }
    widget.answer("close-request") { [unowned self] in
      guard editor.canLeave(isClosing: true) else { return true }
      storeSize()
      return false
    }
    menuButton.popover?.onClosed { [unowned self] in
      // The button of a closed menu must not take Space from the run.
      if isTimerShown { LoopSource.soon { [unowned self] in focusTimer() } }
    }
    widget.on("notify::default-width") { [unowned self] in centerTitle() }
    widget.on("notify::is-active") { [unowned self] in updateForeground() }
    views.onPage { [unowned self] in refreshView() }
    leaflet.onPage { [unowned self] in
      if leaflet.page != "editor" { editor.close() }
      updateForeground()
    }
    control.onNews = { [unowned self] in refresh() }
    control.onError = { [unowned self] in show($0) }
    actions.onRunCommand = { [unowned self] in perform($0) }
    actions.onToggleSound = { [unowned self] in perform(.playSounds(!playsSounds)) }
    actions.onAskStop = { [unowned self] in askStop() }
    actions.onSave = { [unowned self] in if let shown { save(shown.sequence) } }
    actions.onNextRun = { [unowned self] in
      guard isRunShown, runs.active.count > 1 else { return }
      lastEnd = nil
      runs.chooseNext()
      refresh()
    }
    strip.onChoose = { [unowned self] in choose($0) }
    quickTimer.onStart = { [unowned self] in
      newTimer.popover?.popDown()
      start($0, RunStart(source: .timer))
    }
    newTimer.popover?.on("show") { [unowned self] in quickTimer.showLine() }
    newTimer.popover?.onClosed { [unowned self] in
      quickTimer.pause()
      updateForeground()
      if isTimerShown { LoopSource.soon { [unowned self] in focusTimer() } }
    }
    fullScreen.onChange = { [unowned self] in
      runPage.isFullScreen = fullScreen.isOn
      if !fullScreen.isOn { leaveEnd() }
      if fullScreen.isOn { show(view: "timer") }
    }
  }

  private func connectPages() {
    idlePage.onStart = { [unowned self] in start($0, RunStart(source: $1)) }
    detail.onStart = { [unowned self] in start($0, RunStart()) }
    detail.onError = { [unowned self] in show($0) }
    library.onError = { [unowned self] in show($0) }
    library.onAction = { [unowned self] in perform($0, on: $1) }
    library.onOpen = { [unowned self] in open($0) }
    library.onReload = { [unowned self] in
      // The file of the sequence that is shown may have been saved.
      if let path = detail.sequence?.path, let sequence = library.sequence(at: path) {
        attempt { try detail.show(sequence) }
      }
    }
    newPage.onCreate = { [unowned self] make in
      attempt { try openEditor(try make(files), isNew: true) }
    }
    editor.onStart = { [unowned self] in start($0, RunStart(firstStep: $1)) }
    editor.onError = { [unowned self] in show($0) }
    editor.onPlay = { [unowned self] card in
      if !trials.play(card, control.client.configuration()) {
        editor.say(translated("This card has no sound"))
      }
    }
    trials.onProblem = { [unowned self] in show($0) }
    editor.onSave = { [unowned self] in
      // The library shows the changes of its files.
      guard let path = editor.path, library.sequence(at: path) == nil else { return }
      attempt { try detail.show(ListedSequence(file: path)) }
    }
    history.onOpen = { [unowned self] summary in
      attempt {
        guard let id = UUID(uuidString: summary.runID),
          let run = try control.client.store.endedRun(id: id)
        else { return }
        try detail.show(run)
        leaflet.page = "detail"
      }
    }
  }

  /// Centers the title of the page in the window, or in the room between the buttons if that is narrow.
  private func centerTitle() {
    header.setTitleCentered(inWindow: widget.defaultSize.width >= MainWindow.narrowWidth)
  }

  func storeSize() {
    do throws(SystemError) {
      // GTK keeps the size from before the full screen in these.
      try size.store(width: widget.defaultSize.width, height: widget.defaultSize.height)
    } catch {
      // The window closes, and can't show it.
      WindowProgram.log(error)
    }
  }

  func present() {
    widget.present()
    // A window that is shown chooses its first button.
    LoopSource.soon { [unowned self] in focusTimer() }
  }

  /// Whether the user is writing a timer below the button *New Timer*.
  private var isWritingTimer: Bool { newTimer.popover?.isVisible == true }

  private func focusTimer() {
    // Whatever ends meanwhile must not get the rest of the text.
    guard !isWritingTimer else { return }
    if shown == nil { idlePage.focusField() } else { runPage.focusButton() }
  }

  // MARK: - The run

  private func refresh() {
    do {
      let status = try control.status()
      let isSeen = isRunShown && widget.isActive
      let before = runs
      let ended = try runs.update(status, isSeen: isSeen) { try control.end(of: $0) }
      if shown?.runID != before.run?.runID {
        // The user of a run that was started since means that one.
        let isOlder = before.active.contains { $0.runID == shown?.runID }
        lastEnd = ended.flatMap {
          isOlder ? (TextSafety.sanitised($0.snapshot.sequence.title), status.reading.boot) : nil
        }
      }
      // A paused run doesn't stop the clocks of the others.
      nextTick = runs.active.compactMap { status.status(of: $0.runID).nextTick }.min()
      try strip.show(runs, status)
      if let shown, let page = RunView(status.status(of: shown.runID)) {
        if isSeen, let ended, ended.outcome == .finished {
          toasts.toast(IdlePage.result(EndedRunSummary(ended)))
        }
        show(shown, page)
      } else {
        try showIdle(after: ended)
      }
      knownProblem = nil
    } catch {
      // A store that stays unreadable is one problem, however often it is read.
      let problem = Message(error)
      if problem != knownProblem { show(problem) }
      knownProblem = problem
      control.wait(until: control.client.context.clock.now().boot + MainWindow.patience)
    }
    updateForeground()
    if editor.path != nil { showEditorState() }
  }

  private func show(_ run: ActiveRunSnapshot, _ page: RunView) {
    let isNew = run.runID != prepared?.runID
    if isNew || run.options != prepared?.options { showSound(control.playsSounds(run)) }
    prepared = run
    isIdle = false
    runPage.show(page)
    actions.enable(for: page, canSave: run.source != .file)
    widget.title = page.windowTitle
    timer.page = "run"
    if isNew { focusTimer() }
  }

  private func showSound(_ isOn: Bool) {
    playsSounds = isOn
    sound.setIcon(isOn ? "audio-volume-high-symbolic" : "audio-volume-muted-symbolic")
    let name = isOn ? "Mute This Run" : "Play Sounds in This Run"
    sound.setTooltip(name + " (M)")
    sound.setAccessibleName(name)
  }

  private func showIdle(after ended: EndedRun?) throws {
    guard !isIdle else { return }
    isIdle = true
    prepared = nil
    actions.enable(for: nil)
    widget.title = "Sequence"
    idlePage.show(ended)
    try idlePage.refreshRecent(control.client)
    if let ended, fullScreen.isOn, isTimerShown {
      endPage.show(ended, height: widget.height)
      timer.page = "end"
    } else {
      timer.page = "idle"
    }
    if isTimerShown { focusTimer() }
    if views.page == "history" { try history.refresh(control.client) }
  }

  /// Goes on from the page of a run that has ended.
  ///
  /// - Returns: whether it was shown.
  @discardableResult
  private func leaveEnd() -> Bool {
    guard timer.page == "end" else { return false }
    timer.page = "idle"
    focusTimer()
    return true
  }

  private func armTick() {
    guard let due = nextTick else { return }
    nextTick = nil
    control.wait(until: due)
  }

  private func perform(_ command: RunCommand) {
    guard !hasJustEnded() else { return }
    attempt {
      guard let shown else { throw RunError.noActiveRun }
      try control.perform(command, on: shown)
    }
    refresh()
  }

  /// Whether the run that the user means may have ended a moment ago; says so.
  private func hasJustEnded() -> Bool {
    guard let lastEnd, shown != nil,
      control.client.context.clock.now().boot - lastEnd.seen < OpenRunStore.momentAfterEnd
    else { return false }
    toasts.toast("“\(lastEnd.title)” has just ended, so nothing was changed")
    return true
  }

  /// Stops the run if the user agrees: a stopped run can't be continued.
  private func askStop() {
    guard let run = shown, !hasJustEnded() else { return }
    let title = TextSafety.sanitised(run.sequence.title)
    widget.ask("Stop “\(title)”?", "The run can’t be continued after that.", answer: "Stop") {
      [unowned self] in
      // Another run may be on the page by now.
      attempt { try control.perform(.stop, on: run) }
      refresh()
    }
  }

  /// Shows a run whose button in the strip was pressed, or says how it ended.
  private func choose(_ id: UUID) {
    lastEnd = nil
    if let ended = runs.see(id) {
      toasts.toast(IdlePage.result(EndedRunSummary(ended)))
    } else {
      runs.choose(id)
    }
    refresh()
  }

  /// Starts a sequence; if another one is active, the user is asked first.
  private func start(_ timeline: Timeline, _ start: RunStart) {
    let new = TextSafety.sanitised(timeline.definition.title)
    let asked = runs.active.map(\.runID)
    /// Stops the run in the way, unless other runs are active now than when the user was asked.
    func replace() {
      refresh()
      guard runs.active.map(\.runID) == asked else { return self.start(timeline, start) }
      var replacing = start
      replacing.isReplacing = true
      attempt { try begin(timeline, replacing) }
    }
    attempt {
      do {
        try begin(timeline, start)
      } catch RunError.runActive(let title) {
        let active = TextSafety.sanitised(title)
        var beside = start
        beside.isBeside = true
        widget.ask(
          "“\(active)” Is Active", "Start “\(new)” beside it, or stop “\(active)” first?",
          other: ("Start Beside", { [unowned self, beside] in attempt { try begin(timeline, beside) } }),
          answer: "Stop and Start"
        ) { replace() }
      } catch RunError.sequenceActive(let title) {
        widget.ask(
          "“\(TextSafety.sanitised(title))” Is Active",
          "A sequence can have one run. To start it again stops that run.", answer: "Stop and Start"
        ) { replace() }
      }
    }
  }

  private func begin(_ timeline: Timeline, _ start: RunStart) throws {
    let id = try control.start(timeline, start)
    leaflet.page = "main"
    show(view: "timer")
    refresh()
    lastEnd = nil
    if let id, id != shown?.runID { choose(id) }
  }

  private var isRunShown: Bool { shown != nil && isTimerShown }

  /// Whether the page of the run, or of the quick timer, is shown.
  private var isTimerShown: Bool {
    views.page == "timer" && leaflet.page == "main"
  }

  /// The user looks at the run while the window has the focus and shows it.
  private func updateForeground() {
    let isRunShown = isRunShown
    sound.isVisible = isRunShown
    newTimer.isVisible = isRunShown || isWritingTimer
    timerPage.setNeedsAttention((shown != nil || runs.isStripNeeded) && !isTimerShown)
    // Keys act only on a run that is seen.
    runKeys.isEnabled = isRunShown
    control.setForeground(isRunShown && widget.isActive ? shown?.runID : nil)
    keepScreenOn(isRunShown && !widget.isMinimized ? shown : nil)
  }

  /// Keeps the screen on while the window shows a run that isn't paused: on the full screen, or always.
  private func keepScreenOn(_ visible: ActiveRunSnapshot?) {
    let now = (visible?.runID, visible?.isPaused == false)
    // The configuration isn't read each second.
    guard now != onScreen else { return }
    onScreen = now
    let isConfigured = control.setShown(visible?.runID)
    fullScreen.keepsScreenOn = now.1
    fullScreen.keepsScreenOnAlways = now.1 && isConfigured
  }

  // MARK: - Actions

  /// Shows one of the three views: `timer`, `library` or `history`.
  func show(view name: String) {
    guard ["timer", "library", "history"].contains(name) else { return }
    leaflet.page = "main"
    views.page = name
  }

  /// Starts a quick timer, as if the user had written it into the field.
  func startQuickTimer(_ text: String) {
    guard shown != nil else { return idlePage.start(text) }
    attempt { start(try CardSpec.timer(text), RunStart(source: .timer)) }
  }

  /// Lets the user write a quick timer; the full screen has no place for it.
  func openQuickTimer() {
    guard !fullScreen.isOn else { return }
    leaflet.page = "main"
    show(view: "timer")
    if isRunShown { newTimer.popUp() } else { focusTimer() }
  }

  func showRun(named name: String) {
    attempt {
      guard let run = runs.active.first(where: { $0.name == name }) else {
        return show(Message("No run is named “\(TextSafety.sanitised(name))”"))
      }
      leaflet.page = "main"
      show(view: "timer")
      choose(run.runID)
    }
  }

  /// Starts a sequence.
  ///
  /// - Parameter word: the path of its file, or its name in the library.
  func startSequence(_ word: String) {
    attempt {
      let context = control.client.context
      // A file in the working directory, which the user doesn't see, may have the same name.
      let file = try SequenceLookup(library: try context.library()) { _ in .nothing }.find(word)
      try SequenceSource.requireRegular(file.path)
      start(try SequenceSource(file.path, context).timeline, RunStart())
    }
  }

  /// Shows the page of a sequence.
  ///
  /// - Parameter name: its name in the library, or the absolute path of its file.
  func openSequence(named name: String) {
    show(view: "library")
    library.refresh(control.client)
    let file = isAbsolute(name) ? ListedSequence(file: name) : nil
    if let sequence = library.sequence(named: name) ?? file { open(sequence) }
  }

  func toggleFullScreen() { fullScreen.toggle() }

  func enterFullScreen() { fullScreen.isOn = true }

  func leaveFullScreen() { fullScreen.isOn = false }

  func applyConfiguration() {
    onScreen = (nil, false)
    if let shown { showSound(control.playsSounds(shown)) }
    updateForeground()
  }

  func showAbout() {
    widget.showAbout(
      name: "Sequence", version: ProgramVersion.text, icon: "sequence",
      comments: "A timer for anything that has more than one step")
  }

  // MARK: -

  func open(_ sequence: ListedSequence) {
    attempt {
      try detail.show(sequence)
      leaflet.page = "detail"
      updateForeground()
    }
  }

  private func refreshView() {
    let name = views.page
    switch name {
    case "library": library.refresh(control.client)
    case "history": attempt { try history.refresh(control.client) }
    // The tab that was clicked must not take the keys of the run.
    case "timer": focusTimer()
    default: break
    }
    new.isVisible = name == "library"
    switcher.setTitle(name.capitalizedFirst)
    updateForeground()
  }

  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { show(error) }
  }

  func show(_ error: any Error) { show(Message(error)) }

  func show(_ warning: Explanation) { show(Message(warning: warning)) }

  /// Shows one line for some seconds, and anything longer until the user closes it.
  func show(_ message: Message) {
    guard let body = message.body else { return toasts.toast(message.heading) }
    guard openMessages.insert(message).inserted else { return }
    widget.inform(message.heading, body) { [unowned self] in openMessages.remove(message) }
  }
}
