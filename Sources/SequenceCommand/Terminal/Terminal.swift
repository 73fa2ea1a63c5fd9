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

  static func problem(_ reason: String) -> Problem { Problem("the terminal cannot be used: \(reason)") }

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

  var isVisible: Bool {
    switch state {
    case .up: true
    case .suspended, .restored: false
    }
  }

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

enum TerminalOutput {
  /// Writes a text, in one system call if possible.
  static func write(_ text: String, to descriptor: Int32) throws(Problem) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // Another program on the same terminal may have made it non-blocking.
        try wait(until: Int16(POLLOUT), descriptor)
      } else if errno != EINTR {
        throw Terminal.problem(of: "write", code: errno)
      }
    }
  }

  private static func wait(until event: Int16, _ descriptor: Int32) throws(Problem) {
    var request = pollfd(fd: descriptor, events: event, revents: 0)
    while unsafe poll(&request, 1, -1) < 0 {
      guard errno == EINTR else { throw Terminal.problem(of: "poll", code: errno) }
    }
  }
}

extension Terminal {
  enum Input: Equatable {
    case bytes([UInt8])
    case closed
  }

  func read() throws(Problem) -> Input {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(input, buffer.baseAddress, buffer.count)
    }
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    if count == 0 { return .closed }
    switch errno {
    case EINTR, EAGAIN: return .bytes([])
    case EIO: return .closed
    default: throw Terminal.problem(of: "read", code: errno)
    }
  }
}

/// The kernel's settings for the input and output of a terminal.
struct TerminalModes {
  private(set) var settings: termios

  static func current(of descriptor: Int32) throws(Problem) -> TerminalModes {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      throw Terminal.problem(of: "tcgetattr", code: errno)
    }
    return TerminalModes(settings: settings)
  }

  func apply(to descriptor: Int32) throws(Problem) {
    var settings = settings
    while unsafe tcsetattr(descriptor, TCSANOW, &settings) != 0 {
      guard errno == EINTR else { throw Terminal.problem(of: "tcsetattr", code: errno) }
    }
  }

  /// The same modes, with every key delivered immediately and without echo.
  ///
  /// The keys that send signals stay enabled: the main loop handles Ctrl-C and Ctrl-Z. Ctrl-S no longer stops
  /// the output, because that would stop the program too.
  var forKeys: TerminalModes {
    var modes = self
    modes.settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    modes.settings.c_iflag &= ~tcflag_t(IXON)
    unsafe withUnsafeMutableBytes(of: &modes.settings.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
    return modes
  }
}

struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int

  /// The size that is assumed if a terminal does not report its size.
  static let fallback = TerminalSize(columns: 80, rows: 24)
}

extension TerminalSize {
  /// Reads the size of the terminal of a descriptor; `nil` if it is not a terminal or does not report its
  /// size.
  init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}

/// The escape sequences that the display writes in addition to its text.
enum ScreenSequences {
  /// Starts the display: alternate screen, hidden cursor, no line wrap, focus reports, marked pastes.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1004h\u{1B}[?2004h"
  /// Undoes all changes of `enter` and `update(from:to:)`; the alternate screen is left last.
  static let leave =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Returns the text that changes the screen from some lines to others; empty if they are equal.
  ///
  /// Without old lines the whole screen is drawn. A line is erased before it is written, because erasing
  /// afterwards would remove the last character of a line that is as wide as the screen. The terminal is
  /// asked to show the update at once (private mode 2026); terminals without this mode ignore that.
  static func update(from old: [String]?, to new: [String]) -> String {
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<max(old?.count ?? 0, new.count) {
      let line = row < new.count ? new[row] : ""
      if let old, row < old.count ? old[row] == line : line.isEmpty { continue }
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    return text.isEmpty ? "" : "\u{1B}[?2026h\(text)\u{1B}[?2026l"
  }
}
