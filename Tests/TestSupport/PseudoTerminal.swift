import CSequenceLinux
import Glibc
import SequencePlatform

/// A terminal without a window, with the test in the place of the user.
package final class PseudoTerminal {
  /// The descriptor of the user's side.
  package let person: Int32
  /// The descriptor of the program's side; held open so that the terminal outlives the programs on it.
  package let program: Int32
  package let path: String

  package init() throws {
    // posix_openpt(3) and similar functions need _XOPEN_SOURCE; this does the same.
    let person = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let (unlock, tellNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
    self.person = person
    var (locked, number): (Int32, Int32) = (0, 0)
    _ = try SystemError.check("unlock a terminal") { ioctl(person, unlock, &locked) }
    _ = try SystemError.check("number a terminal") { ioctl(person, tellNumber, &number) }
    path = "/dev/pts/\(number)"
    program = PseudoTerminal.open(path)
    guard program >= 0 else { throw SystemError(call: "open \(path)", code: errno) }
  }

  deinit {
    close(person)
    close(program)
  }

  /// Opens the program's side.
  package static func open(_ path: String) -> Int32 { Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }

  package func resize(_ columns: Int, _ rows: Int) throws {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = try SystemError.check("resize a terminal") { ioctl(person, UInt(TIOCSWINSZ), &size) }
  }

  package func type(_ text: String) throws { try writeAll(Array(text.utf8), to: person) }

  /// Returns the output of programs up to a text; waits at most ten seconds for each part, and two minutes for all.
  package func output(until end: String) throws -> String {
    var bytes: [UInt8] = []
    // A display that never shows the text draws something else each second.
    let limit = ContinuousClock.now + .seconds(120)
    while !String(decoding: bytes, as: UTF8.self).contains(end) {
      var request = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      let soFar = String(decoding: bytes, as: UTF8.self)
      guard ContinuousClock.now < limit, poll(&request, 1, 10_000) == 1 else {
        throw TestSupportError("no output after \(soFar)")
      }
      var part = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(person, &part, part.count)
      guard count > 0 else { throw TestSupportError("the output ended after \(soFar)") }
      bytes += part.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  package var isQuiet: Bool {
    var request = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 0 || request.revents & Int16(POLLIN) == 0
  }
}
