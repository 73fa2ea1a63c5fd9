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
  private let clock: any ClockSource
  private let saved: TerminalModes
  private let display: TerminalModes
  /// The capabilities of the terminal, with the background as soon as the terminal has told it.
  private(set) var style: DisplayStyle
  private var state = State.up(shown: nil, size: .fallback)
  private var keys = KeyReader()
  /// When the last bytes came, on the boot clock.
  private var lastInput = Duration.zero
  /// Until when the end of the display waits for answers to its questions, on the boot clock; `nil` after them.
  private var answerLimit: Duration?
  private let answerTime: Duration

  /// The time after which an escape byte counts as the escape key, and not as the start of another key.
  private static let keyPause = Duration.milliseconds(50)
  /// How long the two halves of an answer may be apart, and how long a terminal that is far away may take to answer.
  private static let longestAnswer = Duration.seconds(1)
  /// A terminal on this computer answers in a few milliseconds, or never.
  private static let nearAnswer = Duration.milliseconds(250)

  private enum State {
    /// The display is visible. `shown` has its lines and title, and is `nil` after a resize or a failed write.
    case up(shown: ScreenSequences.Contents?, size: TerminalSize)
    /// The shell controls the terminal until the program is continued.
    case suspended
    /// The terminal was restored for good.
    case restored
  }

  /// Starts the display: keys arrive immediately and without echo, on an empty screen.
  ///
  /// - Parameter isRemote: whether the terminal is on another computer.
  /// - Throws: `Problem` unless both descriptors are terminals and the process has no other `Terminal`.
  init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, style: DisplayStyle = .plain,
    isRemote: Bool = false, clock: any ClockSource
  ) throws(Problem) {
    guard isatty(input) == 1, isatty(output) == 1 else {
      throw Terminal.problem("standard input or output is not a terminal")
    }
    let saved = try TerminalModes.current(of: input)
    try TerminalRescue.arm(
      input: input, output: output, modes: saved, text: ScreenSequences.leave(style))
    self.input = input
    self.output = output
    self.saved = saved
    self.style = style
    self.clock = clock
    answerTime = isRemote ? Terminal.longestAnswer : Terminal.nearAnswer
    display = saved.forKeys
    // From here on, `deinit` undoes all changes if this throws.
    try enter()
  }

  static func problem(_ reason: LocalizedText) -> Problem {
    Problem("the terminal cannot be used: \(reason)")
  }

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

  /// Shows lines that were rendered for a size, and a title; writes only changes, or everything if the size has changed.
  ///
  /// Writes nothing while suspended or after `restore()`.
  func draw(_ lines: [String], title: String = "", for size: TerminalSize) throws(Problem) {
    guard case .up(let shown, let shownSize) = state else { return }
    let contents = ScreenSequences.Contents(lines: lines, title: style.takesStrings ? title : "")
    let text = ScreenSequences.update(from: size == shownSize ? shown : nil, to: contents)
    guard !text.isEmpty else { return }
    state = .up(shown: nil, size: size)
    try TerminalOutput.write(text, to: output)
    state = .up(shown: contents, size: size)
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
    try TerminalOutput.write(ScreenSequences.leave(style), to: output)
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
    try TerminalOutput.write(ScreenSequences.enter(style), to: output)
    if ScreenSequences.asks(style) { answerLimit = clock.now().boot + answerTime }
  }

  private func leave() throws(Problem) {
    let written = Result { () throws(Problem) in
      try TerminalOutput.write(ScreenSequences.leave(style), to: output)
      try awaitAnswers()
    }
    try saved.apply(to: input)
    try written.get()
  }

  /// Waits for the answers of the terminal, which would otherwise be input of the shell.
  ///
  /// They come before any key that the user pressed after having seen the display, so this takes time only if the display
  /// ends by itself within the time limit.
  private func awaitAnswers() throws(Problem) {
    while let limit = answerLimit {
      let left = limit - clock.now().boot
      guard left > .zero, try TerminalOutput.wait(until: Int16(POLLIN), input, atMost: left),
        try read() != .closed
      else { break }
    }
    answerLimit = nil
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
        _ = try wait(until: Int16(POLLOUT), descriptor)
      } else if errno != EINTR {
        throw Terminal.problem(of: "write", code: errno)
      }
    }
  }

  /// Waits until a descriptor is ready; returns whether it is.
  ///
  /// - Parameter limit: the longest time to wait; `nil` for none. A signal may end the wait earlier, but not before the
  ///   descriptor is ready.
  fileprivate static func wait(
    until event: Int16, _ descriptor: Int32, atMost limit: Duration? = nil
  ) throws(Problem) -> Bool {
    var request = pollfd(fd: descriptor, events: event, revents: 0)
    let milliseconds = limit.map { Int32(clamping: $0.nanoseconds / 1_000_000 + 1) } ?? -1
    while true {
      let count = unsafe poll(&request, 1, milliseconds)
      if count >= 0 { return count > 0 }
      guard errno == EINTR else { throw Terminal.problem(of: "poll", code: errno) }
    }
  }
}

extension Terminal {
  enum Input: Equatable {
    /// The keys; empty if none are complete.
    case keys([DisplayKey])
    case closed
  }

  /// Reads keys, and takes note of the answers of the terminal; call it when `input` is readable.
  func read() throws(Problem) -> Input {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(input, buffer.baseAddress, buffer.count)
    }
    if count > 0 {
      lastInput = clock.now().boot
      return .keys(keys.keys(in: bytes.prefix(count)).filter { !isAnswer($0) })
    }
    if count == 0 { return .closed }
    switch errno {
    case EINTR, EAGAIN: return .keys([])
    case EIO: return .closed
    default: throw Terminal.problem(of: "read", code: errno)
    }
  }

  private func isAnswer(_ key: DisplayKey) -> Bool {
    if case .background(let color) = key {
      style.background = color
      return true
    }
    guard key == .answered else { return false }
    answerLimit = nil
    return true
  }

  /// When an incomplete key is over, on the boot clock: call `endKey()` then; `nil` without one.
  ///
  /// The rest of an answer, which a slow connection may have divided, must not count as keys.
  var keyEnd: Duration? {
    guard keys.isAmidSequence else { return nil }
    let isAnswer = answerLimit != nil && keys.isAmidAnswer
    return lastInput + (isAnswer ? Terminal.longestAnswer : Terminal.keyPause)
  }

  /// Ends an incomplete key; returns whether it was the escape key.
  func endKey() -> Bool { keys.endSequence() }
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
