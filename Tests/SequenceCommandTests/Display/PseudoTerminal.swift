import CSequenceLinux
import Glibc
import Platform
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand
@testable import TerminalDisplay

/// A terminal without a window, with the test in the place of the user.
final class PseudoTerminal {
  /// The descriptor of the user's side.
  let person: Int32
  /// The descriptor of the program's side; held open so that the terminal outlives the programs on it.
  let program: Int32
  /// The path of the program's side.
  let path: String

  init() throws {
    // posix_openpt(3) and similar functions need _XOPEN_SOURCE; this does the same.
    person = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let (unlock, tellNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
    var (locked, number): (Int32, Int32) = (0, 0)
    try #require(ioctl(person, unlock, &locked) == 0 && ioctl(person, tellNumber, &number) == 0)
    path = "/dev/pts/\(number)"
    program = PseudoTerminal.open(path)
    try #require(program >= 0)
  }

  deinit {
    close(person)
    close(program)
  }

  /// Opens the program's side.
  static func open(_ path: String) -> Int32 { Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }

  /// The modes as text; both sides have the same modes.
  var modes: String { get throws { try TerminalModes.current(of: person).text } }

  func resize(_ columns: Int, _ rows: Int) throws {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(person, UInt(TIOCSWINSZ), &size) == 0)
  }

  func type(_ text: String) throws { try TerminalOutput.write(text, to: person) }

  /// Returns the output of programs up to a text; waits at most ten seconds for each part.
  func output(until end: String) throws -> String {
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains(end) {
      var request = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      let soFar = String(decoding: bytes, as: UTF8.self)
      try #require(poll(&request, 1, 10_000) == 1, "nothing came after \(soFar)")
      var part = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(person, &part, part.count)
      try #require(count > 0)
      bytes += part.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// Whether all output has been read.
  var isQuiet: Bool {
    var request = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 0 || request.revents & Int16(POLLIN) == 0
  }
}

extension PseudoTerminal {
  /// Starts a command of a tool on the terminal.
  func show(_ tool: Tool, _ words: [String]) throws -> pid_t {
    var environment = tool.environment
    environment["TERM"] = "xterm"
    let file = Subprocess.Stream.path(path, flags: O_RDWR)
    return try Subprocess.spawn(
      [BuiltProducts.path(of: "sequence")] + words,
      environment: environment.merging(Sanitizer.environment) { own, _ in own }.map { "\($0)=\($1)" },
      streams: (file, file, file))
  }
}

extension TerminalModes {
  /// The complete modes as text.
  fileprivate var text: String {
    let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    return "\(flags) \(characters)"
  }
}
