import CSequenceAdwaita
import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner

final class RunSide {
  let frame: WindowFrame
  let control: RunControl
  private let actions: Actions
  private let timer: Stack
  private let timerPage: ViewStackPage
  private let sound: Button
  private let fullScreenButton: Button
  /// Whether the header of the window is wide enough for all buttons.
  var hasRoom = true {
    didSet { if hasRoom != oldValue { updateForeground() } }
  }
  let newTimer: MenuButton
  private let runKeys: ShortcutController
  private let strip: RunStrip
  let runPage: RunPageView
  private let quickTimer: QuickTimer
  let idlePage: IdlePage
  private let endPage: EndPage
  let fullScreen: FullScreen
  let small: SmallWindow
  /// The run that can be seen on the window, and whether its clock is running.
  var onScreen: (run: UUID?, isRunning: Bool) = (nil, false)
  private(set) var runs = ShownRuns()
  /// The run that was on the page until it ended, and when that was seen, on the boot clock; `nil` once the user has
  /// chosen a run.
  private var lastEnd: (title: String, seen: Duration)?
  var shown: ActiveRunSnapshot? { runs.run }
  /// The run whose end is on the page until the user reacts.
  private var end: EndedRun?
  /// The run whose end is on the page, as long as it rings.
  private var ringing: EndedRun?
  private var hasBegun = false
  /// The run whose buttons and keys are ready; `nil` before the first.
  private var prepared: ActiveRunSnapshot?
  private var playsSounds = false
  private var isIdle = false
  private var findings: [Finding] = []
  /// When the page has to be drawn again, on the boot clock.
  private var nextTick: Duration?
  /// When the step ends, on the boot clock, if the next one may fill the screen of a window that isn't painted.
  private var nextStep: Duration?
  /// Whether long rests fill the screen.
  private var fillsInRests = false
  private var knownProblem: Message?
  var onRefresh: () -> Void = {}
  var onIdle: () throws -> Void = {}
  /// Makes a file of the sequence of the run.
  var onSave: (SequenceDefinition) -> Void = { _ in }

  /// The time after which the store is read again if that failed.
  private static let patience = Duration.seconds(5)
  /// The shortest rest that fills the screen.
  private static let shortestRest = Duration.seconds(60)

  init(
    _ frame: WindowFrame, _ control: RunControl, _ actions: Actions, _ interface: Interface,
    _ runKeys: ShortcutController, _ application: Application
  ) throws {
    (self.frame, self.control, self.actions, self.runKeys) = (frame, control, actions, runKeys)
    timer = try interface.object("timer")
    timerPage = try interface.object("timer_page")
    sound = try interface.object("sound")
    fullScreenButton = try interface.object("full_screen")
    newTimer = try interface.object("new_timer")
    strip = try RunStrip()
    quickTimer = try QuickTimer(control.client.context.clock)
    try (interface.object("new_timer_place") as Popover).setChild(quickTimer.widget)
    runPage = try RunPageView()
    idlePage = try IdlePage(control.client.context.clock)
    endPage = try EndPage()
    for (place, page) in [
      ("strip", strip.widget), ("run", runPage.widget), ("idle", idlePage.widget), ("end", endPage.widget),
    ] as [(String, Widget)] {
      try (interface.object("\(place)_place") as Bin).setChild(page)
    }
    fullScreen = try FullScreen(
      frame.widget, page: runPage.widget,
      bars: [try interface.object("header"), try interface.object("switcher_bar")],
      controls: [runPage.controls, try interface.object("leave_full_screen")], application)
    small = try SmallWindow(frame.widget, pages: frame.leaflet, place: try interface.object("small_place"))
    // Whoever uses the mouse expects Space to pause, and not to press the button that Tab had reached.
    try frame.widget.onKey { [unowned self] key in
      endRinging()
      guard !fullScreen.ignoresKeys || key == Int(GDK_KEY_Escape) else { return true }
      if key == Int(GDK_KEY_Escape), isRunShown, runPage.showsPlan, !isWritingTimer {
        runPage.showsPlan = false
        return true
      }
      guard end != nil, isTimerShown, !isWritingTimer, endPage.isLeft(byKey: key) else { return false }
      leaveEnd()
      // These leave the full screen, too.
      return !(fullScreen.isOn && [Int(GDK_KEY_Escape), Int(GDK_KEY_F11)].contains(key))
    }
    try frame.widget.onClick(seesChildren: true) { [unowned self] _ in endRinging() }
    try endPage.widget.onClick { [unowned self] _ in if fullScreen.isOn { leaveEnd() } }
    for clicked in [runPage.widget, runPage.controls] {
      try clicked.onClick(seesChildren: true) { [unowned self] _ in
        LoopSource.soon { [unowned self] in if shown != nil { runPage.focusButton() } }
      }
    }
    connect()
  }

  private func connect() {
    frame.widget.on("realize") { [unowned self] in
      // The time of the next second is waited for once this one is on the screen: a window that nobody sees is not
      // painted, and doesn't wake up.
      frame.widget.onPainted { [unowned self] in
        armTick()
        examine()
      }
    }
    frame.widget.on("notify::is-active") { [unowned self] in
      updateForeground()
      if frame.widget.isActive { endRinging() }
    }
    control.onNews = { [unowned self] in refresh() }
    control.onError = { [unowned self] in frame.show($0) }
    actions.onRunCommand = { [unowned self] in perform($0) }
    actions.onToggleSound = { [unowned self] in perform(.playSounds(!playsSounds)) }
    actions.onAskStop = { [unowned self] in askStop() }
    actions.onSave = { [unowned self] in if let shown { onSave(shown.sequence) } }
    actions.onShowSteps = { [unowned self] in if isRunShown, !small.isShown { runPage.showsPlan.toggle() } }
    runPage.onError = { [unowned self] in frame.show($0) }
    actions.onNextRun = { [unowned self] in
      guard isRunShown, runs.active.count > 1 else { return }
      lastEnd = nil
      runs.chooseNext()
      refresh()
    }
    strip.onChoose = { [unowned self] in choose($0) }
    strip.list.onToggle = { [unowned self] id in
      frame.attempt {
        if let run = runs.active.first(where: { $0.runID == id }) { try control.perform(.toggle, on: run) }
      }
      refresh()
    }
    strip.list.onClosed = { [unowned self] in
      if isTimerShown { LoopSource.soon { [unowned self] in focusTimer() } }
    }
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
    small.page.onCommand = { [unowned self] in perform($0) }
    small.page.onDone = { [unowned self] in leaveEnd() }
    fullScreen.onFill = { [unowned self] in small.isFullScreen = true }
    fullScreen.onChange = { [unowned self] in
      small.isFullScreen = fullScreen.isOn
      runPage.isFullScreen = fullScreen.isOn
      endPage.isFullScreen = fullScreen.isOn
      if fullScreen.isOn { frame.show(view: "timer") }
    }
    idlePage.onStart = { [unowned self] in start($0, RunStart(source: $1), labels: $2) }
    endPage.onStart = { [unowned self] in start($0, RunStart(source: $1), labels: $2) }
    endPage.onDone = { [unowned self] in leaveEnd() }
    endPage.onError = { [unowned self] in frame.show($0) }
  }

  /// Looks for problems once, after the first frame, which the programs for it would delay.
  private func examine() {
    guard !isExamined else { return }
    isExamined = true
    let context = control.client.context
    let doctor = Doctor(environment: context.environment, clock: context.clock)
    let directory = control.client.store.base.directory
    Background.run("doctor") {
      // A warning without a remedy is the consequence of another problem.
      doctor.findings(directory).filter { $0.state == .error || $0.state != .ok && $0.advice != nil }
    } then: { [unowned self] found in
      findings = found
      showNews()
    }
  }

  /// Shows what the user should know before a start: a problem, or else the next schedule.
  func showNews() {
    frame.attempt {
      try idlePage.show(findings, next: control.client.nextSchedule())
    }
  }

  private var isExamined = false

  private var isWritingTimer: Bool { newTimer.popover?.isVisible == true }

  func focusTimer() {
    // Whatever ends meanwhile must not get the rest of the text.
    guard !isWritingTimer else { return }
    if small.isShown {
      small.page.focus()
    } else if end != nil {
      endPage.focus()
    } else if shown == nil {
      idlePage.focusField()
    } else {
      runPage.focusButton()
    }
  }

  // MARK: - The run

  func refresh() {
    do {
      let status = try control.status()
      let before = runs
      var ended = try runs.update(status) { try control.end(of: $0) }
      if shown?.runID != before.run?.runID {
        // The user of a run that was started since means that one.
        let isOlder = before.active.contains { $0.runID == shown?.runID }
        lastEnd = ended.flatMap {
          isOlder ? (TextSafety.sanitised($0.snapshot.sequence.title), status.reading.boot) : nil
        }
        // A run that has begun on an empty page takes it.
        if before.run == nil { keepEnd() }
      }
      if !hasBegun {
        hasBegun = true
        for end in try control.unseenEnds() { runs.keep(end) }
        if shown == nil { ended = runs.unseen.last.flatMap { runs.see($0.runID) } }
      }
      if let ended, ended.outcome == .finished {
        keepEnd()
        show(ended)
      }
      // A paused run doesn't stop the clocks of the others.
      nextTick = runs.active.compactMap { run in
        VisibleClocks.all.nextChange(of: status.status(of: run.runID))
      }.min()
      nextStep = shown.flatMap { fillsInRests ? status.status(of: $0.runID).nextChange : nil }
      try strip.show(runs, status)
      if let shown, let page = RunView(status.status(of: shown.runID)) {
        frame.widget.title = end.map(EndPage.windowTitle) ?? page.windowTitle
        show(shown, page, at: status.reading.wall)
      } else {
        frame.widget.title = end.map(EndPage.windowTitle) ?? "Sequence"
        try showIdle(after: ended)
      }
      knownProblem = nil
    } catch {
      // A store that stays unreadable is one problem, however often it is read.
      let problem = Message(error)
      if problem != knownProblem { frame.show(problem) }
      knownProblem = problem
      control.wait(until: control.client.context.clock.now().boot + RunSide.patience)
    }
    updateForeground()
    if let nextStep { control.wait(until: nextStep) }
    onRefresh()
  }

  private func show(_ run: ActiveRunSnapshot, _ page: RunView, at now: Moment) {
    let isNew = run.runID != prepared?.runID
    if isNew || run.options != prepared?.options { showSound(control.playsSounds(run)) }
    prepared = run
    isIdle = false
    // The answers to a question have no room in the small window.
    if page.suspendText != nil, runPage.shown?.suspendText == nil { small.isOn = false }
    runPage.show(page, of: run, at: now)
    if end == nil { small.page.show(page) }
    actions.enable(for: page, canSave: run.source != .file)
    if isNew || timer.page != (end == nil ? "run" : "end") { showPage() }
  }

  func showSound(_ isOn: Bool) {
    playsSounds = isOn
    sound.setIcon(isOn ? "audio-volume-high-symbolic" : "audio-volume-muted-symbolic")
    let name = isOn ? translated("Mute This Run") : translated("Play Sounds in This Run")
    sound.setTooltip(name + " (M)")
    sound.setAccessibleName(name)
  }

  private func showIdle(after ended: EndedRun?) throws {
    guard !isIdle else { return }
    isIdle = true
    prepared = nil
    actions.enable(for: nil)
    idlePage.show(ended)
    try idlePage.refreshRecent(control.client)
    showNews()
    showPage()
    try onIdle()
  }

  private func show(_ ended: EndedRun) {
    (end, ringing) = (ended, control.rings(ended) ? ended : nil)
    endPage.show(ended)
    small.page.show(ended)
  }

  /// Ends the ringing of the run on the page, because the user has come: it rings even if its window had the focus all along.
  func endRinging() {
    guard let ended = ringing, isTimerShown else { return }
    ringing = nil
    frame.attempt { try control.see(ended) }
  }

  /// Puts the end of a run aside, so that it waits in the strip.
  private func keepEnd() {
    guard let end else { return }
    runs.keep(end)
    self.end = nil
  }

  /// Leaves the end of a run: the user has reacted.
  func leaveEnd() {
    guard let ended = end else { return }
    (end, ringing) = (nil, nil)
    if let page = runPage.shown { small.page.show(page) }
    frame.attempt { try control.see(ended) }
    showPage()
    refresh()
  }

  private func showPage() {
    timer.page = end != nil ? "end" : shown != nil ? "run" : "idle"
    if isTimerShown { focusTimer() }
  }

  private func armTick() {
    guard let due = nextTick else { return }
    nextTick = nil
    control.wait(until: due)
  }

  private func perform(_ command: RunCommand) {
    guard !hasJustEnded() else { return }
    frame.attempt {
      guard let shown else { throw RunError.noActiveRun }
      try control.perform(command, on: shown)
    }
    refresh()
  }

  /// Whether the run that the user means may have ended a moment ago; says so.
  private func hasJustEnded() -> Bool {
    guard let lastEnd, shown != nil,
      control.client.context.clock.now().boot - lastEnd.seen < RunStore.momentAfterEnd
    else { return false }
    frame.toasts.toast(
      translated("“{}” has just ended, so nothing was changed", lastEnd.title))
    return true
  }

  private func askStop() {
    guard let run = shown, !hasJustEnded() else { return }
    let title = TextSafety.sanitised(run.sequence.title)
    frame.widget.ask(
      translated("Stop “{}”?", title), translated("The run can’t be continued after that."),
      answer: translated("Stop")
    ) { [unowned self] in
      // Another run may be on the page by now.
      frame.attempt { try control.perform(.stop, on: run) }
      refresh()
    }
  }

  func choose(_ id: UUID) {
    lastEnd = nil
    keepEnd()
    if let ended = runs.see(id) {
      show(ended)
      endRinging()
    } else {
      runs.choose(id)
    }
    showPage()
    refresh()
  }

  func start(_ timeline: Timeline, _ start: RunStart, labels: [String] = []) {
    let new = TextSafety.sanitised(timeline.definition.title)
    let asked = runs.active.map(\.runID)
    /// Stops the run in the way, unless other runs are active now than when the user was asked.
    func replace() {
      refresh()
      guard runs.active.map(\.runID) == asked else {
        return self.start(timeline, start, labels: labels)
      }
      var replacing = start
      replacing.isReplacing = true
      frame.attempt { try begin(timeline, replacing, labels) }
    }
    frame.attempt {
      do {
        try begin(timeline, start, labels)
      } catch RunError.runActive(let title) {
        let active = TextSafety.sanitised(title)
        var beside = start
        beside.isBeside = true
        frame.widget.ask(
          translated("“{}” Is Active", active),
          translated("Start “{new}” beside it, or stop “{active}” first?", ["new": new, "active": active]),
          other: (
            translated("Start Beside"),
            { [unowned self, beside] in frame.attempt { try begin(timeline, beside, labels) } }
          ),
          answer: translated("Stop and Start")
        ) { replace() }
      } catch RunError.sequenceActive(let title) {
        frame.widget.ask(
          translated("“{}” Is Active", TextSafety.sanitised(title)),
          translated("A sequence can have one run. To start it again stops that run."),
          answer: translated("Stop and Start")
        ) { replace() }
      }
    }
  }

  private func begin(_ timeline: Timeline, _ start: RunStart, _ labels: [String]) throws {
    let id = try control.start(timeline, start, labels: labels)
    frame.leaflet.page = "main"
    frame.show(view: "timer")
    leaveEnd()
    refresh()
    lastEnd = nil
    if let id, id != shown?.runID { choose(id) }
  }

  var isRunShown: Bool { shown != nil && end == nil && isTimerShown }

  var isTimerShown: Bool {
    frame.views.page == "timer" && frame.leaflet.page == "main"
  }

  func updateForeground() {
    let isRunShown = isRunShown
    let hasSmallPage = shown != nil || end != nil
    actions.smallWindow.isEnabled = hasSmallPage
    if small.isOn, !hasSmallPage || !isTimerShown { small.isOn = false }
    sound.isVisible = isRunShown
    fullScreenButton.isVisible = isRunShown && hasRoom
    newTimer.isVisible = isRunShown || isWritingTimer
    timerPage.setNeedsAttention((shown != nil || runs.isStripNeeded) && !isTimerShown)
    // Keys act only on a run that is seen.
    runKeys.isEnabled = isRunShown
    control.setForeground(isRunShown && frame.widget.isActive ? shown?.runID : nil)
    keepScreenOn(isRunShown && !frame.widget.isMinimized ? shown : nil)
    fullScreen.follow(isRunShown && !isWritingTimer ? longRest : nil)
  }

  /// The current step of the run on the page, if it is a rest that is to fill the screen.
  private var longRest: FullScreen.Rest? {
    guard fillsInRests, let page = runPage.shown, page.runID == shown?.runID, page.isRest, !page.isPaused,
      let length = page.position.target, length >= RunSide.shortestRest
    else { return nil }
    return FullScreen.Rest(run: page.runID, step: page.position.step.index)
  }

  private func keepScreenOn(_ visible: ActiveRunSnapshot?) {
    let now = (visible?.runID, visible?.isPaused == false)
    // The configuration isn't read each second.
    guard now != onScreen else { return }
    onScreen = now
    let configured = control.setShown(visible?.runID)
    fullScreen.keepsScreenOn = now.1
    fullScreen.keepsScreenOnAlways = now.1 && configured.keepsScreenOn
    fillsInRests = configured.fillsInRests
  }
}
