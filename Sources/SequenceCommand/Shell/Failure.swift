import SequencePlatform
import SequenceClient
import SequenceFiles
import SequenceRunner
import SequenceStore

/// A failure as the user sees it: the problem, the remedy, and the exit status.
struct Failure: ExplainedError, Equatable {
  let problem: String
  let remedy: String?
  let status: ExitStatus

  init(_ problem: String, remedy: String? = nil, _ status: ExitStatus) {
    self.problem = problem
    self.remedy = remedy
    self.status = status
  }

  /// Converts an error of any module, with remedies in terms of the program's commands.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as TerminalError: self.init("the terminal cannot be used: \(error.problem)", .inputOutput)
    default:
      let explanation = Explanation(error)
      self.init(explanation.problem, remedy: explanation.remedy, ExitStatus(error))
    }
  }
}

extension ExitStatus {
  /// The exit status after an error.
  fileprivate init(_ error: any Error) {
    switch error {
    case is UsageError, is CardSpecError, is SequenceChoiceError, is TimelineError: self = .usage
    case RunError.invalidName, RunError.nameTaken: self = .usage
    case is RunError: self = .nothingToActOn
    case StoreError.busy, StoreError.replaced: self = .busy
    case let error as ClientError: self.init(error)
    case LoginStartError.noHome, LoginStartError.notOfSession: self = .usage
    case LoginStartError.serviceManager: self = .unavailable
    default: self = .inputOutput
    }
  }

  private init(_ error: ClientError) {
    switch error {
    case .noLibrary, .unusableName, .noStepsInOneRound, .ambiguousRun: self = .usage
    case .unknownRun: self = .nothingToActOn
    case .ambiguousSequence, .unusableFileName, .importable: self = .data
    case .file(let error, _): self = error.isUnreadable ? .inputOutput : .data
    case .unknownSequence, .fileExists, .unwritable, .missingProgram, .agentCannotRun, .runLost:
      self = .inputOutput
    }
  }
}
