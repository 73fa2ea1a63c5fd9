import SequencePlatform

/// The reason why a terminal cannot be used for the display.
enum TerminalError: ExplainedError, Equatable {
  /// Input or output is not a terminal.
  case notATerminal
  /// Another display of this process already uses the terminal.
  case inUse
  /// A system call failed.
  case system(call: String, code: Int32)

  var problem: String {
    switch self {
    case .notATerminal: "standard input or output is not a terminal"
    case .inUse: "another display of this process uses it"
    case .system(let call, let code): SystemError(call: call, code: code).problem
    }
  }
}
