import SequencePlatform
package import SequenceRunner
import SequenceStore

/// A problem and its remedy in the words that every face shows: of an error, or as a warning.
package struct Explanation: ExplainedError, Equatable {
  package let problem: String
  package let remedy: String?

  /// The words that an error ends with if the action of the user has had no effect.
  package static let nothingChanged = "nothing was changed"

  package init(_ problem: String, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }

  /// Explains any error of the program, with remedies in terms of the program's commands.
  ///
  /// - Parameter isDone: whether the action of the user had succeeded before.
  package init(_ error: any Error, isDone: Bool = false) {
    switch error {
    case let error as Explanation: self = error
    case let error as RunError: self.init(error, of: nil)
    case let error as StoreError: self.init(error, isDone: isDone)
    case let error as any ExplainedError: self.init(error.problem, remedy: error.remedy)
    default: self.init("\(error)")
    }
  }

  /// Explains a notice of the store.
  package init(_ notice: StoreNotice) {
    switch notice {
    case .damagedStoreMoved(let path, let keptRuns, let keptHistory, let lost):
      let active = keptRuns == 1 ? "1 active run" : "\(keptRuns) active runs"
      let runs = keptHistory == 1 ? "1 past run" : "\(keptHistory) past runs"
      let names = lost.prefix(Explanation.mostNames).map(quoted)
      let others = lost.count > names.count ? ["\(lost.count - names.count) more"] : []
      let rest = lost.isEmpty ? "" : ", lost \((names + others).joined(separator: ", "))"
      self.init("the store was damaged and was moved to \(path); recovered \(active) and \(runs)\(rest)")
    }
  }

  /// How many lost runs are named.
  private static let mostNames = 5

  private init(_ error: StoreError, isDone: Bool) {
    let unchanged = isDone ? "" : ", so \(Explanation.nothingChanged)"
    switch error {
    case .inaccessible:
      self.init(error.problem, remedy: "check its permissions, or use another directory with --state-dir DIR")
    case .noHome: self.init(error.problem, remedy: "set HOME, or add --state-dir DIR")
    case .busy, .damaged, .unexpected: self.init(error.problem, remedy: error.remedy)
    case .full, .inputOutput, .replaced: self.init(error.problem + unchanged, remedy: error.remedy)
    case .readOnly: self.init(error.problem + unchanged, remedy: "use another directory with --state-dir DIR")
    case .newer: self.init("\(error.problem), so it was not changed", remedy: "update sequence")
    case .foreign:
      self.init(
        "\(error.problem), so it was not changed", remedy: "use another directory with --state-dir DIR")
    }
  }

  /// Explains why a command was refused.
  ///
  /// - Parameter run: the name of the run that the remedies name; `nil` if no other run is active.
  package init(_ error: RunError, of run: String?) {
    let run = run.map { " \($0)" } ?? ""
    let next = "to complete the step, run sequence next\(run)"
    let (problem, remedy): (String, String?) =
      switch error {
      case .noActiveRun: (error.problem, "start one with sequence run FILE")
      case .runActive: (error.problem, "add --beside to run both, or --replace to stop it first")
      case .sequenceActive:
        (error.problem, "a sequence can have one run, so add --replace to stop that one first")
      case .nameTaken(let name):
        (error.problem, "choose another name, or stop that run with sequence stop \(name)")
      case .invalidName, .noSuchStep: (error.problem, error.remedy)
      case .tooManyRuns: (error.problem, "stop one of them with sequence stop RUN")
      case .justEnded: (error.problem, "name the run: see sequence status")
      case .alreadyPaused, .notSuspended: (error.problem, "to continue it, run sequence resume\(run)")
      case .alreadyRunning: (error.problem, "to pause it, run sequence pause\(run)")
      case .nothingToExtend, .shortenedTooMuch: (error.problem, next)
      case .extendedTooMuch: (error.problem, error.remedy)
      case .runPassed: (error.problem, "see sequence status")
      case .stepPassed: ("\(error.problem), so \(Explanation.nothingChanged)", nil)
      }
    self.init(problem, remedy: remedy)
  }
}
