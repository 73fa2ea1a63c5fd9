import CSequenceLinux
import Glibc

/// Owns the terminal while the display is up, and gives it back as it was.
///
/// The terminal is restored by `restore()` when the display ends, and by `TerminalRescue` on a fatal signal. After SIGKILL
/// it stays as it is; `reset` repairs it. A process has one `Terminal` at a time, for the thread of its main loop.
package final class Terminal {
  private let output: Int32
  /// Where keys come from; wait until it is readable, then call `read()`.
  package let input: Int32
  private let saved: TerminalModes
  private let display: TerminalModes
  private var state = State.up(shown: nil, size: .fallback)

  private enum State {
    /// The display has the terminal; the lines are those on it, unknown after a resize or a failed write.
    case up(shown: [String]?, size: TerminalSize)
    /// The terminal is the shell's until the program goes on.
    case suspended
    /// It has been given back for good.
    case restored
  }

  /// Takes the terminal: keys come at once and unseen, and the screen is an empty one.
  ///
  /// - Throws: `TerminalError.notATerminal` unless both are terminals; `.inUse` if another has one.
  package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(TerminalError) {
    guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
    let saved = try TerminalModes.current(of: input)
    try TerminalRescue.arm(input: input, output: output, modes: saved)
    self.input = input
    self.output = output
    self.saved = saved
    display = saved.forKeys
    // From here on `deinit` undoes everything if this fails.
    try enter()
  }

  deinit {
    // Who wants to know of a failure has called `restore()` before.
    try? restore()
  }

  /// The size of the terminal now.
  package var size: TerminalSize { TerminalSize(of: output) ?? .fallback }

  /// Shows lines that were made for a size; writes what has changed, all of it if the size has.
  ///
  /// While suspended or restored nothing is written.
  package func draw(_ lines: [String], for size: TerminalSize) throws(TerminalError) {
    guard case .up(let shown, let shownSize) = state else { return }
    let text = ScreenSequences.update(from: size == shownSize ? shown : nil, to: lines)
    guard !text.isEmpty else { return }
    state = .up(shown: nil, size: size)
    try TerminalOutput.write(text, to: output)
    state = .up(shown: lines, size: size)
  }

  /// Makes the next `draw` draw everything.
  package func invalidate() {
    guard case .up(_, let size) = state else { return }
    state = .up(shown: nil, size: size)
  }

  /// Gives the terminal to the shell for as long as the program is stopped; then stop it.
  package func suspend() throws(TerminalError) {
    guard case .up = state else { return }
    state = .suspended
    try leave()
  }

  /// Takes the terminal again after the program was continued; then draw.
  package func resumeAfterSuspend() throws(TerminalError) {
    guard case .suspended = state else { return }
    state = .up(shown: nil, size: .fallback)
    try enter()
  }

  /// Gives the terminal back for good; the second time does nothing.
  ///
  /// Everything is tried, whatever fails before it; the first failure is thrown.
  package func restore() throws(TerminalError) {
    let former = state
    state = .restored
    switch former {
    case .restored: return
    case .up, .suspended: break
    }
    defer { TerminalRescue.disarm() }
    if case .up = former { try leave() }
  }

  private func enter() throws(TerminalError) {
    try display.apply(to: input)
    try TerminalOutput.write(ScreenSequences.enter, to: output)
  }

  private func leave() throws(TerminalError) {
    let written = Result { () throws(TerminalError) in
      try TerminalOutput.write(ScreenSequences.leave, to: output)
    }
    try saved.apply(to: input)
    try written.get()
  }
}
