import CSequenceLinux
import Glibc
import SequencePlatform

/// Control of the terminal while the display is visible; restores it afterwards.
///
/// The terminal is restored by `restore()` when the display ends, and by `TerminalRescue` on a fatal signal.
/// SIGKILL leaves it unrestored; the command `reset` repairs it. A process has at most one `Terminal`, used
/// by the thread of its main loop.
final class Terminal {
  private let output: Int32
  /// The descriptor of the keyboard; wait until it is readable, then call `read()`.
  let input: Int32
  private let saved: TerminalModes
  private let display: TerminalModes
  private var state = State.up(shown: nil, size: .fallback)

  private enum State {
    /// The display is visible. `shown` has its lines, and is `nil` after a resize or a failed write.
    case up(shown: [String]?, size: TerminalSize)
    /// The shell controls the terminal until the program is continued.
    case suspended
    /// The terminal was restored for good.
    case restored
  }

  /// Starts the display: keys arrive immediately and without echo, on an empty screen.
  ///
  /// - Throws: `Problem` unless both descriptors are terminals and the process has no other `Terminal`.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(Problem) {
    guard isatty(input) == 1, isatty(output) == 1 else {
      throw Terminal.problem("standard input or output is not a terminal")
    }
    let saved = try TerminalModes.current(of: input)
    try TerminalRescue.arm(input: input, output: output, modes: saved)
    self.input = input
    self.output = output
    self.saved = saved
    display = saved.forKeys
    // From here on, `deinit` undoes all changes if this throws.
    try enter()
  }

  /// The problem of a terminal that can't be used.
  static func problem(_ reason: String) -> Problem { Problem("the terminal cannot be used: \(reason)") }

  /// The problem of a terminal for which a system call failed.
  static func problem(of call: String, code: Int32) -> Problem {
    problem(SystemError(call: call, code: code).problem.text)
  }

  /// Which program the shell has given the terminal to.
  enum Control {
    /// This one, or the terminal isn't under job control.
    case own
    /// Another one: this one is in the background, and would be stopped if it changed the terminal.
    case background
    /// None, because the terminal was closed.
    case closed
  }

  /// Whether the shell has given a terminal to this program.
  static func control(of input: Int32 = STDIN_FILENO) -> Control {
    let group = tcgetpgrp(input)
    if group >= 0 { return group == getpgrp() ? .own : .background }
    // The only other failure is that of a terminal that doesn't control this program.
    return errno == EIO ? .closed : .own
  }

  deinit {
    // Callers that need to know about a failure call `restore()` before.
    try? restore()
  }

  /// Whether the display is visible.
  var isVisible: Bool {
    switch state {
    case .up: true
    case .suspended, .restored: false
    }
  }

  /// The current size of the terminal.
  var size: TerminalSize { TerminalSize(of: output) ?? .fallback }

  /// Shows lines that were rendered for a size; writes only changed lines, or all if the size has changed.
  ///
  /// Writes nothing while suspended or after `restore()`.
  func draw(_ lines: [String], for size: TerminalSize) throws(Problem) {
    guard case .up(let shown, let shownSize) = state else { return }
    let text = ScreenSequences.update(from: size == shownSize ? shown : nil, to: lines)
    guard !text.isEmpty else { return }
    state = .up(shown: nil, size: size)
    try TerminalOutput.write(text, to: output)
    state = .up(shown: lines, size: size)
  }

  /// Makes the next `draw` write every line.
  func invalidate() {
    guard case .up(_, let size) = state else { return }
    state = .up(shown: nil, size: size)
  }

  /// Restores the terminal for the shell; the caller then stops the program.
  func suspend() throws(Problem) {
    guard case .up = state else { return }
    state = .suspended
    try leave()
  }

  /// Ends the display without changing the modes, which the shell has set: the program is in the background.
  func yield() throws(Problem) {
    guard case .up = state else { return }
    state = .suspended
    try TerminalOutput.write(ScreenSequences.leave, to: output)
  }

  /// Starts the display again after the program was continued; the caller then draws.
  ///
  /// Does nothing while the display is visible.
  func resumeAfterSuspend() throws(Problem) {
    guard case .suspended = state else { return }
    state = .up(shown: nil, size: .fallback)
    try enter()
  }

  /// Restores the terminal for good; a second call does nothing.
  ///
  /// A failure does not prevent later steps; the first failure is thrown.
  func restore() throws(Problem) {
    let former = state
    state = .restored
    switch former {
    case .restored: return
    case .up, .suspended: break
    }
    defer { TerminalRescue.disarm() }
    if case .up = former { try leave() }
  }

  private func enter() throws(Problem) {
    try display.apply(to: input)
    try TerminalOutput.write(ScreenSequences.enter, to: output)
  }

  private func leave() throws(Problem) {
    let written = Result { () throws(Problem) in
      try TerminalOutput.write(ScreenSequences.leave, to: output)
    }
    try saved.apply(to: input)
    try written.get()
  }
}
