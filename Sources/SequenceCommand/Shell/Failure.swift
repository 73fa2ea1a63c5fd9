import Platform
import SequenceClient
import SequenceFiles
import SequenceRunner
import Store
import TerminalDisplay

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
    case let error as LoginStartError: self.init(error)
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
    case is RunError: self = .nothingToActOn
    case StoreError.busy, StoreError.replaced: self = .busy
    case let error as ClientError: self.init(error)
    default: self = .inputOutput
    }
  }

  private init(_ error: ClientError) {
    switch error {
    case .noLibrary, .unusableName, .noStepsInOneRound: self = .usage
    case .ambiguousSequence, .unusableFileName, .importable: self = .data
    case .file(let error, _): self = error.isUnreadable ? .inputOutput : .data
    case .unknownSequence, .fileExists, .missingProgram, .runLost: self = .inputOutput
    }
  }
}

extension Failure {
  private init(_ error: LoginStartError) {
    switch error {
    case .noHome:
      self.init(
        "neither XDG_CONFIG_HOME nor HOME is an absolute path, so the directory for the file is unknown",
        remedy: "set HOME", .usage)
    case .foreign(let path):
      self.init(
        "\(path) was not written by sequence agent install, so it was not changed",
        remedy: "move it to another place and try again", .inputOutput)
    case .notAFile(let path):
      self.init(
        "\(path) is not a regular file, so it was not changed",
        remedy: "move it to another place and try again", .inputOutput)
    case .unwritable(let path):
      self.init(
        "\(quote(path)) contains control characters, so the agent cannot be started from it",
        remedy: "rename it", .inputOutput)
    case .serviceManager(let error, let unit):
      self.init("\(error.text), and \(unit.state)", remedy: unit.remedy, .unavailable)
    case .system(let error): self.init(error.problem, .inputOutput)
    }
  }
}

extension ServiceManagerError {
  /// The problem.
  fileprivate var text: String {
    switch self {
    case .missing(let program): "program not found: \(program)"
    case .failed(let command, let reason): "\(command) failed: \(reason)"
    case .system(let error): error.problem
    }
  }
}

extension LoginStartError.Unit {
  /// The state in words.
  fileprivate var state: String {
    switch self {
    case .isInPlace(let path): "\(path) was written but may not be enabled"
    case .isLeft(let path): "\(path) was not removed"
    case .isGone(let path): "\(path) was disabled and removed"
    }
  }

  /// The command to run next.
  fileprivate var remedy: String {
    switch self {
    case .isInPlace: "run sequence agent install again"
    case .isLeft: "run sequence agent uninstall again"
    case .isGone: "run systemctl --user daemon-reload"
    }
  }
}
