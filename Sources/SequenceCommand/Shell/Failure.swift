import Platform
import Presentation
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

  /// The failure that any error of the program means, with remedies in terms of the program's commands.
  ///
  /// - Parameter isDone: whether what the user asked for was done before.
  init(_ error: any Error, isDone: Bool = false) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError: self.init(error.problem, remedy: error.remedy, .usage)
    case let error as CardSpecError: self.init(error.problem, remedy: error.remedy, .usage)
    case let error as RunError: self.init(error)
    case let error as StoreError: self.init(error, isDone: isDone)
    case let error as LoginStartError: self.init(error)
    case let error as TerminalError: self.init("the terminal cannot be used: \(error.problem)", .inputOutput)
    case let error as any ExplainedError: self.init(error.problem, remedy: error.remedy, .inputOutput)
    default: self.init("\(error)", .inputOutput)
    }
  }

  private init(_ error: StoreError, isDone: Bool) {
    let unchanged = isDone ? "" : "; nothing was changed"
    switch error {
    case .inaccessible:
      self.init(
        error.problem, remedy: "check its rights, or name another with --state-dir", .inputOutput)
    case .busy: self.init(error.problem, remedy: error.remedy, .busy)
    case .full, .inputOutput:
      self.init(error.problem + unchanged, remedy: error.remedy, .inputOutput)
    case .readOnly:
      self.init(error.problem + unchanged, remedy: "name another with --state-dir", .inputOutput)
    case .damaged, .unexpected: self.init(error.problem, remedy: error.remedy, .inputOutput)
    case .newer: self.init("\(error.problem); it was left untouched", remedy: "update sequence", .inputOutput)
    case .foreign:
      self.init(
        "\(error.problem); it was left untouched", remedy: "name another place with --state-dir",
        .inputOutput)
    case .replaced: self.init(error.problem + unchanged, remedy: error.remedy, .busy)
    }
  }

  private init(_ error: RunError) {
    let goOn = "go on with sequence next"
    let (problem, remedy): (String, String?) =
      switch error {
      case .noActiveRun: (error.problem, "start one with sequence start FILE")
      case .runActive: (error.problem, "end it with sequence stop, or start with --replace")
      case .alreadyPaused, .notSuspended: (error.problem, "go on with sequence resume")
      case .alreadyRunning: (error.problem, "pause it with sequence pause")
      case .nothingToExtend, .shortenedTooMuch: (error.problem, goOn)
      case .extendedTooMuch: (error.problem, error.remedy)
      case .runPassed: (error.problem, "see sequence status")
      case .stepPassed: ("\(error.problem); nothing was changed", nil)
      }
    self.init(problem, remedy: remedy, .nothingToActOn)
  }
}

extension Failure {
  private init(_ error: LoginStartError) {
    switch error {
    case .noHome:
      self.init(
        "neither XDG_CONFIG_HOME nor HOME is an absolute path, so there is no place for the file",
        remedy: "set HOME", .usage)
    case .foreign(let path):
      self.init(
        "\(path) was not written by sequence agent install and was left alone",
        remedy: "move it away and try again", .inputOutput)
    case .notAFile(let path):
      self.init(
        "\(path) is a link or no file at all and was left alone", remedy: "move it away and try again",
        .inputOutput)
    case .unwritable(let path):
      self.init(
        "\(quote(path)) has control characters in it, which cannot be written down for a login",
        remedy: "rename it", .inputOutput)
    case .serviceManager(let error, let unit):
      self.init("\(error.text); \(unit.state)", remedy: unit.remedy, .unavailable)
    case .system(let error): self.init(error.problem, .inputOutput)
    }
  }
}

extension ServiceManagerError {
  /// What is wrong.
  fileprivate var text: String {
    switch self {
    case .missing(let program): "\(program) is in no directory of PATH"
    case .failed(let command, let reason): "\(command) failed: \(reason)"
    case .system(let error): error.problem
    }
  }
}

extension LoginStartError.Unit {
  /// What was done.
  fileprivate var state: String {
    switch self {
    case .isInPlace(let path): "\(path) is in its place but may not be enabled"
    case .isLeft(let path): "\(path) was left in its place"
    case .isGone(let path): "\(path) was disabled and removed"
    }
  }

  /// What to do.
  fileprivate var remedy: String {
    switch self {
    case .isInPlace: "try sequence agent install again"
    case .isLeft: "try sequence agent uninstall again"
    case .isGone: "run systemctl --user daemon-reload"
    }
  }
}
