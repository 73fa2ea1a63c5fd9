import Glibc
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner
import SequenceStore
import SequenceTerminal

/// The live display of a run: draws a frame whenever the displayed second changes, and handles keys.
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
  /// Whether the shell stopped the display, and has not brought it back to the foreground since.
  private var wasStopped = false
  private var keys = KeyReader()
  private var message: String?
  /// When the message makes room for the help on keys, on the boot clock; `nil` if a key removes it.
  private var messageEnd: Duration?

  /// The time that `+` adds and `-` subtracts.
  private static let extensionStep = Duration.seconds(30)
  /// How long a notice replaces the help on keys.
  private static let noticeTime = Duration.seconds(10)
  /// The time after which an escape byte counts as the escape key, and not as the start of another key.
  private static let keyPause = Duration.milliseconds(50)

  /// - Parameter pausesOnInterrupt: whether Ctrl-C pauses the run, or only closes the display.
  init(_ follower: RunFollower, pausesOnInterrupt: Bool, _ context: CommandContext) throws {
    self.follower = follower
    self.context = context
    self.pausesOnInterrupt = pausesOnInterrupt
    style = DisplayStyle.detect(environment: context.environment)
    foreground = try Foreground(follower.client.store)
  }

  /// Shows the run until it ends or the user leaves, and restores the terminal in any case.
  func follow() throws -> ExitStatus {
    let ending = Result { try loop() }
    let restoring = Result { try terminal?.restore() }
    // A terminal that was closed cannot be restored.
    if case .success(.signal(SIGHUP)) = ending { return .hangup }
    try restoring.get()
    switch try ending.get() {
    case .over(let ended):
      follower.client.ensureAgent()
      try context.print(LiveDisplay.summary(ended))
      return ended.outcome == .finished ? .done : .stopped
    case .left:
      try context.print("The run continues; to show it again, run sequence attach.")
      return .done
    case .signal(let signal):
      let status = try LineFollowing.status(
        after: .signal(signal), pausesOnInterrupt: pausesOnInterrupt, follower, context)
      return status ?? .terminated
    }
  }

  private enum Ending {
    case over(EndedRun)
    /// The user closed the display.
    case left
    case signal(Int32)
  }

  private func loop() throws -> Ending {
    while true {
      let shown: ActiveRunSnapshot
      let status: RunStatus
      switch try follower.state() {
      case .over(let ended):
        if Terminal.control() == .own { try foreground.suppressDue(of: ended.snapshot) }
        return .over(ended)
      case .active(let run, let now): (shown, status) = (run, now)
      }
      let terminal: Terminal?
      switch Terminal.control() {
      case .own: terminal = try showDisplay()
      case .background:
        try hideDisplay()
        terminal = nil
      case .closed: return .signal(SIGHUP)
      }
      if let notice = try follower.desktopNotice() {
        (message, messageEnd) = (notice, status.reading.boot + LiveDisplay.noticeTime)
        if terminal == nil { context.printError("sequence: \(TextSafety.sanitised(notice))") }
      }
      if let end = messageEnd, status.reading.boot >= end { (message, messageEnd) = (nil, nil) }
      if let terminal {
        let (view, size) = (RunView(shown, at: status.reading), terminal.size)
        try terminal.draw(DisplayFrame.lines(view, message: message, size: size, style: style), for: size)
      }

      let settle = keys.isAmidSequence ? status.reading.boot + LiveDisplay.keyPause : nil
      switch try follower.wait(
        until: [status.nextTick, settle, messageEnd].compactMap { $0 }.min(), input: terminal?.input)
      {
      case .input:
        if let terminal, let ending = try readKeys(terminal, onStep: shown.log.count) { return ending }
      case .signal(SIGWINCH), .signal(SIGCONT): break
      case .signal(SIGTSTP): try stop()
      // A shell that is left ends its stopped jobs this way, with their terminal.
      case .signal(SIGTERM) where wasStopped && Terminal.control() != .own: return .signal(SIGHUP)
      case .signal(let signal): return .signal(signal)
      case .other: if settle != nil { keys.settle() }
      }
    }
  }

  /// Shows the display and claims the focus, if it isn't visible yet: the program is in the foreground.
  private func showDisplay() throws -> Terminal {
    if let terminal, terminal.isVisible { return terminal }
    let terminal = try terminal ?? Terminal()
    self.terminal = terminal
    try terminal.resumeAfterSuspend()
    wasStopped = false
    // A terminal counts as focused until it reports otherwise; some never report it.
    try foreground.claim(follower.run.runID)
    return terminal
  }

  /// Hides the display, if it is visible: the shell has continued the program in the background.
  private func hideDisplay() throws {
    try foreground.release()
    try terminal?.yield()
  }

  /// Restores the terminal for the shell while the program is stopped.
  private func stop() throws {
    try foreground.release()
    try terminal?.suspend()
    _ = raise(SIGSTOP)
    wasStopped = true
  }

  private func readKeys(_ terminal: Terminal, onStep step: Int) throws -> Ending? {
    switch try terminal.read() {
    case .closed: return .signal(SIGHUP)
    case .bytes(let bytes):
      for key in keys.keys(in: bytes) {
        if key == .leave { return .left }
        if key != .focusGained, key != .focusLost { (message, messageEnd) = (nil, nil) }
        try act(key, onStep: step)
      }
      return nil
    }
  }

  private func act(_ key: DisplayKey, onStep step: Int) throws {
    let command: RunCommand
    switch key {
    case .toggle: command = .toggle
    case .count: command = .resume(countingSuspend: true)
    case .next: command = .next
    case .skip: command = .skip
    case .back: command = .back
    case .extend: command = .extend(LiveDisplay.extensionStep)
    case .shorten: command = .extend(.zero - LiveDisplay.extensionStep)
    case .redraw:
      terminal?.invalidate()
      return
    case .focusGained: return try foreground.claim(follower.run.runID)
    case .focusLost: return try foreground.release()
    case .leave: return
    }
    do {
      try follower.perform(command, onStep: step)
    } catch let error where error is RunError || error is StoreError {
      // A refused key shows its reason, and the run continues. A store that cannot be read ends the display at the next
      // status.
      message = Failure(error).description
    }
  }

  private static func summary(_ ended: EndedRun) -> String {
    let summary = EndedRunSummary(ended)
    return TextSafety.sanitised(
      "\(summary.title) is \(summary.outcome.rawValue): \(StepText.completed(summary)) "
        + "completed in \(ClockText.elapsed(summary.active))")
  }
}
