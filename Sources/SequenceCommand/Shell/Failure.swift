import Platform
import Presentation
import SequenceFiles
import SequenceRunner
import Store
import TerminalDisplay

/// A failure as the user sees it: what is wrong and what to do, and the exit status.
struct Failure: Error, Equatable {
  let text: String
  let status: ExitStatus

  init(_ text: String, _ status: ExitStatus) {
    self.text = text
    self.status = status
  }

  /// What any error of the program means for the user: the one place where errors become words.
  ///
  /// - Parameter isDone: whether what the user asked for was done before.
  init(_ error: any Error, isDone: Bool = false) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError: self.init(error.text, .usage)
    case let error as RunError: self.init(error.text, .nothingToActOn)
    case let error as StoreError: self.init(error, isDone ? "" : "nothing was changed; ")
    case let error as LoginStartError: self.init(error)
    case let error as CardSpecError: self.init(error.text, .usage)
    case let error as SystemError: self.init(error.text, .inputOutput)
    case let error as TerminalError: self.init("the terminal cannot be used: \(error)", .inputOutput)
    case ClockError.bootIDUnreadable(let path, let reason):
      self.init("the boot id cannot be read from \(path): \(reason)", .inputOutput)
    default: self.init("\(error)", .inputOutput)
    }
  }

  /// - Parameter unchanged: what is said of the store where the error leaves it as it was.
  private init(_ error: StoreError, _ unchanged: String) {
    switch error {
    case .inaccessible(let path, let reason):
      self.init(
        "\(path) cannot be used: \(reason); check its rights, or name another with --state-dir", .inputOutput)
    case .busy(let path): self.init("\(path) is kept busy by another process; try again", .busy)
    case .full(let path):
      self.init(
        "there is no room left for \(path); \(unchanged)free some and try again", .inputOutput)
    case .readOnly(let path):
      self.init("\(path) cannot be written; \(unchanged)name another with --state-dir", .inputOutput)
    case .inputOutput(let path, let reason):
      self.init("\(path): \(reason); \(unchanged)check the disk", .inputOutput)
    case .damaged(let path, let reason):
      self.init("\(path) is damaged: \(reason); move it away and try again", .inputOutput)
    case .newer(let path, let component, let found, let known):
      self.init(
        "\(path) was made by a newer version (\(component) \(found), this one knows \(known)); "
          + "it was left untouched; update sequence", .inputOutput)
    case .foreign(let path):
      self.init(
        "\(path) belongs to another program; it was left untouched; name another place with --state-dir",
        .inputOutput)
    case .replaced(let path):
      self.init("\(path) was replaced by another process; \(unchanged)try again", .busy)
    case .unexpected(let path, let reason): self.init("\(path): \(reason); please report this", .inputOutput)
    }
  }
}

extension Failure {
  private init(_ error: LoginStartError) {
    switch error {
    case .noHome:
      self.init(
        "neither XDG_CONFIG_HOME nor HOME is an absolute path, so there is no place for the file; set HOME",
        .usage)
    case .foreign(let path):
      self.init(
        "\(path) was not written by sequence agent install and was left alone; move it away and try again",
        .inputOutput)
    case .notAFile(let path):
      self.init(
        "\(path) is a link or no file at all and was left alone; move it away and try again", .inputOutput)
    case .unwritable(let path):
      self.init(
        "\(quote(path)) has control characters in it, which cannot be written down for a login; rename it",
        .inputOutput)
    case .serviceManager(let error, let unit): self.init("\(error.text); \(unit.text)", .unavailable)
    case .system(let error): self.init(error.text, .inputOutput)
    }
  }
}

extension SystemError {
  fileprivate var text: String { "\(call) failed: \(reason)" }
}

extension ServiceManagerError {
  /// What is wrong.
  fileprivate var text: String {
    switch self {
    case .missing(let program): "\(program) is in no directory of PATH"
    case .failed(let command, let reason): "\(command) failed: \(reason)"
    case .system(let error): error.text
    }
  }
}

extension LoginStartError.Unit {
  /// What was done; what to do.
  fileprivate var text: String {
    switch self {
    case .isInPlace(let path):
      "\(path) is in its place but may not be enabled; try sequence agent install again"
    case .isLeft(let path): "\(path) was left in its place; try sequence agent uninstall again"
    case .isGone(let path): "\(path) was disabled and removed; run systemctl --user daemon-reload"
    }
  }
}

extension RunError {
  /// What is wrong; what to do about it.
  fileprivate var text: String {
    switch self {
    case .noActiveRun: "no run is active; start one with sequence start FILE"
    case .runActive(let title):
      "a run of \(quote(title)) is active; end it with sequence stop, or start with --replace"
    case .alreadyPaused: "the run is paused already; go on with sequence resume"
    case .alreadyRunning: "the run is running already; pause it with sequence pause"
    case .noAbsence: "the run was not paused because the machine was away; go on with sequence resume"
    case .nothingToExtend(let title):
      "\(quote(title)) has no duration and no goal to move; go on with sequence next"
    case .shortenedTooMuch(let most) where most == .zero:
      "the step is past its time, so it cannot be shortened; go on with sequence next"
    case .shortenedTooMuch(let most):
      "only \(ClockText.remaining(most)) is left, so it cannot be shortened by more; go on with sequence next"
    case .extendedTooMuch: "a step lasts 30d at most; extend it by less"
    case .runPassed: "that run is over; see sequence status"
    case .stepPassed(let expected, let current):
      "the run is not at step \(expected) any more but at step \(current); nothing was changed"
    }
  }
}
