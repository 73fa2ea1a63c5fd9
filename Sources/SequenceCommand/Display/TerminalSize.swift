/// The columns and rows of a terminal.
struct TerminalSize: Equatable, Sendable {
  /// Characters beside each other.
  var columns: Int
  /// Lines.
  var rows: Int

  /// What is taken for granted where a terminal does not tell.
  static let fallback = TerminalSize(columns: 80, rows: 24)
}
