import SequenceRunner

/// Drops lines that are equal to the last printed line.
struct ChangeFilter {
  private let form: StatusForm
  private var shown: String?

  init(_ form: StatusForm) {
    self.form = form
  }

  /// The line to print; `nil` if it equals the last one.
  mutating func line(_ status: RunStatus) throws -> String? {
    let line = try form.line(status)
    // In JSON every reading differs, so the displayed second and the state are compared.
    let key = if case .json = form { StatusText.key(status) } else { line }
    guard key != shown else { return nil }
    shown = key
    return line
  }
}
