import CSequenceLinux
import Glibc

/// The columns and rows of a terminal.
struct TerminalSize: Equatable, Sendable {
  /// The number of characters in a line.
  var columns: Int
  /// The number of lines.
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
