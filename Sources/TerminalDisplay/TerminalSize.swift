import CSequenceLinux
import Glibc

/// The columns and rows of a terminal.
package struct TerminalSize: Equatable, Sendable {
  /// Characters beside each other.
  package var columns: Int
  /// Lines.
  package var rows: Int

  /// What is taken for granted where a terminal does not tell.
  package static let fallback = TerminalSize(columns: 80, rows: 24)
}

extension TerminalSize {
  /// The size of the terminal of a descriptor; `nil` if there is none, or it does not tell.
  package init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
