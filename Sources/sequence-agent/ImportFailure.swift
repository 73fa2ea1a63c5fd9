import SequencePlatform
import SequenceRunner

/// The reason why nothing is imported, and the exit status.
struct ImportFailure: ExplainedError {
  let problem: String
  let remedy: String?
  let status: Status

  /// The exit statuses, with the same numbers as for `sequence`.
  enum Status: Int32 {
    /// The command line is wrong.
    case usage = 64
    /// The file cannot be imported.
    case data = 65
    /// Reading or writing failed.
    case inputOutput = 74
  }

  init(_ problem: String, remedy: String? = nil, _ status: Status) {
    self.problem = problem
    self.remedy = remedy
    self.status = status
  }
}
