package import SequencePlatform
package import SequenceRunner
import SequenceStore

/// The words that an error ends with if the action of the user has had no effect.
package let nothingChanged = "nothing was changed"

/// - Parameter isDone: whether the action of the user had succeeded before.
package func explained(_ error: any Error, isDone: Bool = false) -> Problem {
  switch error {
  case let error as RunError: explained(error, of: nil)
  case let error as StoreError: explained(error, isDone: isDone)
  case let error as any ExplainedError: error.problem
  default: Problem("\(error)")
  }
}

package func explained(_ notice: StoreNotice) -> Problem {
  switch notice {
  case .damagedStoreMoved(let path, let keptRuns, let keptHistory, let lost):
    let active = keptRuns == 1 ? "1 active run" : "\(keptRuns) active runs"
    let runs = keptHistory == 1 ? "1 past run" : "\(keptHistory) past runs"
    let names = lost.prefix(mostNames).map(quoted)
    let others = lost.count > names.count ? ["\(lost.count - names.count) more"] : []
    let rest = lost.isEmpty ? "" : ", lost \((names + others).joined(separator: ", "))"
    return Problem("the store was damaged and was moved to \(path); recovered \(active) and \(runs)\(rest)")
  }
}

private let mostNames = 5

private func explained(_ error: StoreError, isDone: Bool) -> Problem {
  let (text, remedy) = (error.problem.text, error.problem.remedy)
  let unchanged = isDone ? "" : ", so \(nothingChanged)"
  return switch error {
  case .inaccessible:
    Problem(text, remedy: "check its permissions, or use another directory with --state-dir DIR")
  case .noHome: Problem(text, remedy: "set HOME, or add --state-dir DIR")
  case .busy, .damaged, .unexpected, .unsuitable: error.problem
  case .full, .inputOutput, .replaced: Problem(text + unchanged, remedy: remedy)
  case .readOnly: Problem(text + unchanged, remedy: "use another directory with --state-dir DIR")
  case .newer: Problem("\(text), so it was not changed", remedy: "update sequence")
  case .foreign:
    Problem("\(text), so it was not changed", remedy: "use another directory with --state-dir DIR")
  }
}

/// - Parameters:
///   - run: the name of the run that the command was meant for; `nil` if it is unknown.
///   - isAlone: whether no other run is active, so that the remedies need no name.
package func explained(_ error: RunError, of run: String?, isAlone: Bool = false) -> Problem {
  let problem = run.map(error.problem) ?? error.problem
  let text = problem.text
  let run = isAlone ? "" : run.map { " \($0)" } ?? ""
  let remedy: String? =
    switch error {
    case .noActiveRun: "start one with sequence run FILE"
    case .runActive: "add --beside to run both, or --replace to stop it first"
    case .sequenceActive: "a sequence can have one run, so add --replace to stop that one first"
    case .nameTaken(let name): "choose another name, or stop that run with sequence stop \(name)"
    case .tooManyRuns: "stop one of them with sequence stop RUN"
    case .justEnded: "name the run: see sequence status"
    case .alreadyPaused, .notSuspended: "to continue it, run sequence resume\(run)"
    case .alreadyRunning: "to pause it, run sequence pause\(run)"
    case .nothingToExtend, .shortenedTooMuch: "to complete the step, run sequence next\(run)"
    case .invalidName, .noSuchStep, .extendedTooMuch: problem.remedy
    case .runPassed: "see sequence status"
    case .stepPassed: nil
    }
  if case .stepPassed = error { return Problem("\(text), so \(nothingChanged)") }
  return Problem(text, remedy: remedy)
}
