import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore

struct Failure: ExplainedError, Equatable {
  let problem: Problem
  let status: ExitStatus

  init(_ problem: Problem, _ status: ExitStatus) {
    self.problem = problem
    self.status = status
  }

  init(_ text: LocalizedText, remedy: LocalizedText? = nil, _ status: ExitStatus) {
    self.init(Problem(text, remedy: remedy), status)
  }

  init(usage text: LocalizedText, remedy: LocalizedText? = nil) {
    self.init(Problem(text, remedy: remedy), .usage)
  }

  init(missingValueOf option: any OptionSpec) {
    let value =
      if case .choice(let values)? = option.kind { alternatives(values).translation } else { option.value }
    let usage = [option.name, value].compactMap { $0 }.joined(separator: " ")
    self.init(usage: "--\(option.name) needs a value", remedy: "write --\(usage)")
  }

  init(unexpected value: String, of option: any OptionSpec) {
    self.init(usage: "--\(option.name) takes no value", remedy: "remove \(quote("=" + value))")
  }

  init(_ error: any Error) {
    self = error as? Failure ?? Failure(explained(error), ExitStatus(error))
  }
}

extension ExitStatus {
  fileprivate init(_ error: any Error) {
    switch error {
    case is SequenceChoiceError, is TimelineError: self = .usage
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
    case .unknownRun, .runEnded: self = .nothingToActOn
    case .ambiguousSequence, .unusableFileName, .importable: self = .data
    case .file(let error, _): self = error.isUnreadable ? .inputOutput : .data
    case .unknownSequence, .fileExists, .unwritable, .missingProgram, .missingStarter, .agentCannotRun,
      .runLost:
      self = .inputOutput
    }
  }
}

/// The exit status of a command, which is a contract with scripts.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// The command succeeded; for a command that follows a run: the run finished.
  case done = 0
  /// No run is active, or it is in the wrong state.
  case nothingToActOn = 1
  /// `timer`, `run`, `attach`, `wait`: the run was stopped early.
  case stopped = 3
  /// The command line is wrong.
  case usage = 64
  /// The sequence file is wrong.
  case data = 65
  /// A requested service is unavailable.
  case unavailable = 69
  /// Reading or writing failed.
  case inputOutput = 74
  /// Another process keeps the store busy.
  case busy = 75
  /// Killed by SIGHUP, SIGINT or SIGTERM.
  case hangup = 129
  case interrupted = 130
  /// `run`, `attach`: the reader of the output is gone (the status of a program that SIGPIPE kills); the run continues.
  case unread = 141
  case terminated = 143

  init(_ ended: EndedRun) { self = ended.outcome == .finished ? .done : .stopped }
}
