/// Why a terminal cannot be used for the display.
package enum TerminalError: Error, Equatable {
  /// Input or output is not a terminal.
  case notATerminal
  /// Another display of this process has a terminal already.
  case inUse
  /// A system call failed.
  case system(call: String, code: Int32)
}
