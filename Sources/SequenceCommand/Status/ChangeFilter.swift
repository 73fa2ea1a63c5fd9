import SequenceRunner

/// Tells of each look at a run whether there is something new to print.
struct ChangeFilter {
  private let form: StatusForm
  private var shown: String?

  init(_ form: StatusForm) {
    self.form = form
  }

  /// The line to print; `nil` if it would say what was printed last.
  mutating func line(_ status: RunStatus) throws -> String? {
    let line = try form.line(status)
    // In JSON every reading differs; what counts is whether the shown second or the state does.
    let key = if case .json = form { StatusText.key(status) } else { line }
    guard key != shown else { return nil }
    shown = key
    return line
  }
}
