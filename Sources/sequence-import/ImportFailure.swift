/// Why nothing is imported: what is wrong, and the exit status.
struct ImportFailure: Error {
  let text: String
  let status: Status

  /// How the program ends, in the numbers of `sequence`.
  enum Status: Int32 {
    /// The command line is wrong.
    case usage = 64
    /// The file cannot be imported.
    case data = 65
    /// Reading or writing failed.
    case inputOutput = 74
  }

  init(_ text: String, _ status: Status) {
    self.text = text
    self.status = status
  }
}
