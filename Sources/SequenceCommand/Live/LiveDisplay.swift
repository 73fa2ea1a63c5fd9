import FoundationEssentials
import Glibc
import SequenceClient
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

/// The live display of a run: draws a frame whenever the displayed second changes, and handles keys.
///
/// Tab shows another run, which keys and the claim of the focus then concern. The end of the display, its exit status
/// and signals stay with the run that it began with.
///
/// In the background of its terminal it shows nothing and claims no focus, until the shell gives it the terminal.
final class LiveDisplay {
  private let follower: RunFollower
  private let context: CommandContext
  /// The terminal; `nil` before the display was first in the foreground, because the modes are those of the shell.
  private var terminal: Terminal?
  private let style: DisplayStyle
  private let pausesOnInterrupt: Bool
  private let foreground: Foreground
  private let place: DisplayPlace
  /// Whether the terminal reports the focus, so that tmux needn't be asked.
  private var reportsFocus = false
  /// The change of the shown run, on the boot clock, before which tmux was asked.
  private var askedBefore: Duration?
  private var shown: UUID
  /// The title of the run that was shown until it ended, and until when a key may have been meant for it, on the boot
  /// clock.
  private var lastEnd: (title: String, until: Duration)?
  /// Whether the shell stopped the display, and has not brought it back to the foreground since.
  private var wasStopped = false
  private var message: String?
  /// The notices that wait until the message makes room.
  private var notices: [String]
  /// The help on keys, while it replaces the run.
  private var help: KeyHelp?
  /// When the message makes room for the help on keys, on the boot clock; `nil` if a key removes it.
  private var messageEnd: Duration?

  /// How long before a change of the run tmux is asked whether its notification would be seen.
  private static let askingTime = Duration.seconds(1)
  /// How long a notice replaces the help on keys.
  private static let noticeTime = Duration.seconds(10)

  /// - Parameters:
  ///   - pausesOnInterrupt: whether Ctrl-C pauses the run, or only closes the display.
  ///   - notice: what the display says at first, instead of the help on keys.
  init(
    _ follower: RunFollower, pausesOnInterrupt: Bool, notice: String? = nil, _ context: CommandContext
  ) throws {
    self.follower = follower
    self.context = context
    self.pausesOnInterrupt = pausesOnInterrupt
    notices = notice.map { [$0] } ?? []
    shown = follower.run.runID
    style = DisplayStyle.detect(environment: context.environment)
    foreground = try Foreground(follower.client.store)
    place = DisplayPlace(context.environment, clock: context.clock)
  }

  func follow() throws -> ExitStatus {
    let ending = Result { try loop() }
    let columns = terminal?.isVisible == true ? terminal?.size.columns : nil
    let restoring = Result { try terminal?.restore() }
    // A terminal that was closed cannot be restored.
    if case .success(.signal(SIGHUP)) = ending { return .hangup }
    try restoring.get()
    switch try ending.get() {
    case .over(let ended):
      follower.client.ensureAgent()
      // In the background it would be in the middle of the user's other work.
      let table = columns.map { RunSummary.table(ended, columns: $0, glyphs: style.glyphs) } ?? []
      try context.print((table + [RunSummary.line(ended)]).joined(separator: "\n"))
      return ExitStatus(ended)
    case .left:
      let word = try LineFollowing.word(follower)
      try context.print(
        translated(
          "{name} continues; to show it again, run {command}",
          ["name": follower.run.name, "command": "sequence attach\(word)"]))
      return .done
    case .signal(let signal):
      let status = try LineFollowing.status(
        after: .signal(signal), pausesOnInterrupt: pausesOnInterrupt, follower, context)
      return status ?? .terminated
    }
  }

  private enum Ending {
    case over(EndedRun)
    case left
    case signal(Int32)
  }

  private func loop() throws -> Ending {
    while true {
      let status: RunStatus
      switch try follower.state() {
      case .over(let ended):
        if Terminal.control() == .own { try suppressDue(of: ended.snapshot) }
        return .over(ended)
      case .active(_, let now): status = now
      }
      guard let run = try shownRun(status) else { continue }
      let terminal: Terminal?
      switch Terminal.control() {
      case .own:
        terminal = try showDisplay()
        try foreground.show(place.isRemote ? nil : run.runID)
      case .background:
        try hideDisplay()
        terminal = nil
      case .closed: return .signal(SIGHUP)
      }
      if let notice = try follower.desktopNotice() {
        notices.append(notice)
        if terminal == nil { context.printError("sequence: \(TextSafety.sanitised(notice))") }
      }
      if let end = messageEnd, status.reading.boot >= end { (message, messageEnd) = (nil, nil) }
      if message == nil, !notices.isEmpty {
        (message, messageEnd) = (notices.removeFirst(), status.reading.boot + LiveDisplay.noticeTime)
      }
      if let terminal, let view = RunView(status.status(of: run.runID)) {
        let (others, size) = (LiveDisplay.others(run, status).compactMap(RunView.init), terminal.size)
        let lines = DisplayFrame.lines(
          view, others: others, message: message, help: help, size: size, style: terminal.style)
        try terminal.draw(lines, title: DisplayFrame.title(view, style), for: size)
      }

      let keyEnd = terminal?.keyEnd
      let tick = LiveDisplay.nextTick(run, status)
      let question = terminal == nil ? nil : try askAheadOfChange(run, status)
      switch try follower.wait(
        until: [tick, keyEnd, messageEnd, question].compactMap { $0 }.min(), input: terminal?.input)
      {
      case .input:
        if let terminal, let ending = try readKeys(terminal, run, status) { return ending }
      case .signal(SIGWINCH), .signal(SIGCONT): break
      case .signal(SIGTSTP): try stop()
      // A shell that is left ends its stopped jobs this way, with their terminal.
      case .signal(SIGTERM) where wasStopped && Terminal.control() != .own: return .signal(SIGHUP)
      case .signal(let signal): return .signal(signal)
      case .other:
        if let keyEnd, context.clock.now().boot >= keyEnd, terminal?.endKey() == true { help = nil }
      }
    }
  }

  /// Returns the run to show; `nil` if it has just ended, so that the run of the display is to be shown again.
  private func shownRun(_ status: RunStatus) throws -> ActiveRunSnapshot? {
    if let run = status.status(of: shown).run { return run }
    if let ended = try follower.client.store.endedRun(id: shown) {
      if Terminal.control() == .own { try suppressDue(of: ended.snapshot) }
      (message, messageEnd) = (RunSummary.line(ended), status.reading.boot + LiveDisplay.noticeTime)
      lastEnd = (ended.snapshot.sequence.title, status.reading.boot + RunStore.momentAfterEnd)
    }
    try show(follower.run.runID)
    return nil
  }

  /// An end that rings is told to the user by its notification, too.
  private func suppressDue(of ended: ActiveRunSnapshot) throws {
    if !follower.client.rings(ended) { try foreground.suppressDue(of: ended) }
  }

  /// Shows a run, and claims it instead of the one before if that is claimed.
  private func show(_ run: UUID) throws {
    shown = run
    if foreground.claimed != nil { try foreground.claim(run) }
  }

  /// The other runs in the order of their starts, beginning after the one that is shown.
  private static func others(_ run: ActiveRunSnapshot, _ status: RunStatus) -> [RunStatus] {
    let runs = status.runsByStart
    guard let place = runs.firstIndex(where: { $0.runID == run.runID }) else { return [] }
    return (runs[(place + 1)...] + runs[..<place]).map { status.status(of: $0.runID) }
  }

  /// When another second has to be shown, of the run or of the line with the others.
  private static func nextTick(_ run: ActiveRunSnapshot, _ status: RunStatus) -> Duration? {
    let ofOthers = others(run, status).map { VisibleClocks.time.nextChange(of: $0) }
    return ([VisibleClocks.all.nextChange(of: status.status(of: run.runID))] + ofOthers).compactMap { $0 }
      .min()
  }

  private func showDisplay() throws -> Terminal {
    if let terminal, terminal.isVisible { return terminal }
    let terminal = try terminal ?? Terminal(style: style, isRemote: place.isRemote, clock: context.clock)
    self.terminal = terminal
    try terminal.resumeAfterSuspend()
    wasStopped = false
    // A terminal counts as focused until it reports otherwise; some never report it.
    try claim()
    return terminal
  }

  private func claim() throws {
    if reportsFocus ? !place.isRemote : try place.isSeen() {
      try foreground.claim(shown)
    } else {
      try foreground.release()
    }
  }

  /// Asks tmux shortly before the next change of the run; returns when it has to be asked, on the boot clock.
  private func askAheadOfChange(_ run: ActiveRunSnapshot, _ status: RunStatus) throws -> Duration? {
    let kinds: Set<RunEvent.Name> = [.stepEnd, .goal, .reminder, .overtime]
    guard place.isInTmux, !reportsFocus,
      let change = run.agenda(after: status.reading).first(ofKinds: kinds)?.at.boot, change != askedBefore
    else { return nil }
    let time = change - LiveDisplay.askingTime
    guard status.reading.boot >= time else { return time }
    askedBefore = change
    try claim()
    return nil
  }

  private func hideDisplay() throws {
    try foreground.release()
    try foreground.show(nil)
    try terminal?.yield()
  }

  /// Restores the terminal for the shell while the program is stopped.
  private func stop() throws {
    try foreground.release()
    try foreground.show(nil)
    try terminal?.suspend()
    _ = raise(SIGSTOP)
    wasStopped = true
  }

  private func readKeys(
    _ terminal: Terminal, _ run: ActiveRunSnapshot, _ status: RunStatus
  ) throws -> Ending? {
    switch try terminal.read() {
    case .closed: return .signal(SIGHUP)
    case .keys(let keys):
      var hasSwitched = false
      for key in keys {
        if key == .leave { return .left }
        // The user hasn't seen yet what they would change.
        if hasSwitched, ![.focusGained, .focusLost].contains(key) { continue }
        if key == .help {
          showHelp(of: run, status, terminal.size)
          continue
        }
        if key != .focusGained, key != .focusLost { (message, messageEnd, help) = (nil, nil, nil) }
        if key == .nextRun {
          if let next = LiveDisplay.others(run, status).first?.run { try show(next.runID) }
          (hasSwitched, lastEnd) = (true, nil)
          continue
        }
        try act(key, on: run)
      }
      return nil
    }
  }

  /// Shows the help on keys or its next page, or closes it after the last one.
  private func showHelp(of run: ActiveRunSnapshot, _ status: RunStatus, _ size: TerminalSize) {
    let others = LiveDisplay.others(run, status).compactMap(RunView.init)
    guard let view = RunView(status.status(of: run.runID)) else { return }
    let frame = DisplayFrame(view, others: others, message: nil, size: size, style: style)
    if let help { self.help = help.next(frame) } else { help = KeyHelp(pausesOnInterrupt: pausesOnInterrupt) }
  }

  private func act(_ key: DisplayKey, on run: ActiveRunSnapshot) throws {
    let command: RunCommand
    switch key {
    case .toggle: command = .toggle
    case .count: command = .resume(countingSuspend: true)
    case .next: command = .next
    case .skip: command = .skip
    case .back: command = .back
    case .extend: command = .extend(RunButton.extensionStep)
    case .shorten: command = .extend(.zero - RunButton.extensionStep)
    case .redraw:
      terminal?.invalidate()
      return
    case .focusGained:
      reportsFocus = true
      return try claim()
    case .focusLost:
      reportsFocus = true
      return try foreground.release()
    case .leave, .nextRun, .help, .background, .answered: return
    }
    if let lastEnd, context.clock.now().boot < lastEnd.until {
      message = translated("{} has just ended, so nothing was changed", quote(lastEnd.title))
      return
    }
    do {
      try follower.perform(command, on: run.runID, onStep: run.log.count)
    } catch let error where error is RunError || error is StoreError {
      // A refused key shows its reason, and the run continues. A store that cannot be read ends the display at the next
      // status.
      message = Failure(error).description
    }
  }
}

/// Where a live display is, as far as that decides whether its user can see it.
struct DisplayPlace {
  private let environment: EnvironmentVariables
  private let clock: any ClockSource
  /// The words that ask tmux about the pane of the display; `nil` outside of tmux.
  private let question: [String]?
  /// Whether the terminal is on another computer, whose user doesn't see the desktop of this one.
  let isRemote: Bool

  private static let limit = Duration.milliseconds(500)

  init(_ environment: EnvironmentVariables, clock: any ClockSource) {
    self.environment = environment
    self.clock = clock
    isRemote = environment["SSH_CONNECTION"]?.isEmpty == false
    guard environment["TMUX"]?.isEmpty == false, let pane = environment["TMUX_PANE"],
      let program = findProgram("tmux", in: environment["PATH"])
    else {
      question = nil
      return
    }
    let format = "#{session_attached} #{window_active} #{?window_zoomed_flag,#{pane_active},1}"
    question = [program, "display-message", "-p", "-t", pane, format]
  }

  /// Whether tmux has to be asked, because the terminal may not report the focus.
  var isInTmux: Bool { question != nil }

  /// Whether the user can see the display, as far as that is known.
  ///
  /// It takes up to half a second in tmux. If tmux doesn't answer, they can't.
  func isSeen() throws(SystemError) -> Bool {
    guard !isRemote else { return false }
    guard let question else { return true }
    let answer = try BoundedProcess(
      question, environment: environment, within: DisplayPlace.limit, by: clock, until: { $0.hasSuffix("\n") }
    )
    let parts = answer.output.split { $0.isWhitespace }
    return parts.count == 3 && !parts.contains("0")
  }
}
