package import FoundationEssentials
package import SequenceFiles
package import SequencePlatform
package import SequenceRunner
import SequenceStore

/// The failures of a face, in addition to those of the libraries below it.
package enum ClientError: ExplainedError, Equatable {
  case noLibrary
  case unknownSequence(String, near: [String])
  case ambiguousSequence(String, files: [String])
  case unusableFileName(String, problem: LocalizedText)
  case unusableName(String, problem: LocalizedText)
  /// A file for a new sequence exists already; the word names it on a command line.
  case fileExists(String, word: String)
  case unwritable(String, SystemError, remedy: LocalizedText?)
  /// A sequence file can't be read, or has a mistake; the name is the user's name for it.
  case file(SequenceFileError, name: String)
  /// A file is not a sequence file, but may be one that `sequence import` reads.
  case importable(name: String, path: String, format: LocalizedText)
  /// One round of a sequence has no steps, because all its cards have `skipLast`.
  case noStepsInOneRound(sequence: String)
  case missingProgram(String, places: [String])
  case missingStarter(String, places: [String])
  case agentCannotRun(Termination, message: String?)
  /// A run is neither active nor in the history.
  case runLost
  case unknownRun(String, active: [String])
  case runEnded(UUID, RunOutcome)
  case ambiguousRun(String, names: [String])

  package var problem: Problem {
    switch self {
    case .noLibrary:
      return Problem(
        "neither XDG_DATA_HOME nor HOME is set, so the library is unknown", remedy: "set HOME")
    case .unknownSequence(let word, let near):
      return Problem(
        "no file or sequence named \(quote(word))",
        remedy: near.isEmpty
          ? LocalizedText("see sequence list")
          : LocalizedText("did you mean \(alternatives(near.map(quote)))?"))
    case .ambiguousSequence(let name, let files): return SequenceLibrary.ambiguity(name, files)
    case .unusableFileName(let file, let reason):
      return Problem("this name cannot be used: \(reason)", remedy: "rename \(file)")
    case .unusableName(let word, let reason):
      return Problem("\(quote(word)) cannot be a name: \(reason)", remedy: "choose another name")
    case .fileExists(let path, let word):
      return Problem("\(path) already exists", remedy: "edit it with sequence edit \(word)")
    case .unwritable(let path, let error, let remedy):
      return Problem("\(path): cannot be written: \(error.reason)", remedy: remedy)
    case .file(let error, let name): return error.problem(inFile: name)
    case .importable(let name, let path, let format):
      return Problem(
        "\(name) is not a sequence file but may be \(format)",
        remedy: "convert it with sequence import \(path)")
    case .noStepsInOneRound(let title):
      return Problem(
        "one round of \(quote(title)) has no steps, because all its cards have skipLast",
        remedy: "choose 2 rounds or more")
    case .missingProgram(let name, let places):
      return Problem(
        "program not found: \(name) (looked for \(places.joined(separator: ", ")))",
        remedy: "reinstall sequence")
    case .missingStarter(let name, let places):
      return Problem(
        "the file of the starter \(quote(name)) is missing (looked for \(places.joined(separator: ", ")))",
        remedy: "reinstall sequence")
    case .agentCannotRun(let ending, let message):
      let cause = message.map(ClientError.parts) ?? Problem(ClientError.text(ending))
      return Problem(
        "sequence-agent cannot run: \(cause.text)", remedy: cause.remedy ?? "see sequence doctor")
    case .runLost:
      return Problem(
        "the run is missing in the store", remedy: "see sequence history, or start the run again")
    case .unknownRun(let word, let active):
      return Problem(
        "no active run is named \(quote(word))",
        remedy: active.isEmpty
          ? LocalizedText("start one with sequence timer 5m Tea")
          : LocalizedText("name one of \(alternatives(active))"))
    case .runEnded(let id, let outcome):
      let id = id.uuidString.prefix(8)
      let text =
        switch outcome {
        case .finished: LocalizedText("run \(id) has finished")
        case .stopped: LocalizedText("run \(id) was stopped")
        case .lost: LocalizedText("run \(id) is lost")
        }
      return Problem(text, remedy: "see sequence history \(id)")
    case .ambiguousRun(let word, let names):
      return Problem(
        "\(quote(word)) means several active runs",
        remedy: "write \(alternatives(names))")
    }
  }

  /// Splits a line of the agent's log without its time.
  private static func parts(_ line: String) -> Problem {
    var text = line[...]
    // The loader of programs begins its lines with the name of the program.
    if let name = text.firstIndex(of: " "), text[..<name].hasSuffix("sequence-agent:") {
      text = text[text.index(after: name)...]
    }
    guard let end = text.indices.first(where: { text[$0...].hasPrefix("; ") }) else {
      return Problem("\(text)")
    }
    return Problem("\(text[..<end])", remedy: "\(text[end...].dropFirst(2))")
  }

  private static func text(_ ending: Termination) -> LocalizedText {
    switch ending {
    case .exit(let status): LocalizedText("it ended with status \(status)")
    case .signal(let signal): LocalizedText("signal \(signal) ended it")
    }
  }
}

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
  case .damagedStoreMoved(let path, let keptRuns, let keptHistory, let lost, let incomplete):
    let active = LocalizedText.plural("1 active run", "{} active runs", count: keptRuns)
    let runs = LocalizedText.plural("1 past run", "{} past runs", count: keptHistory)
    let remedy: LocalizedText? =
      incomplete.contains("schedule") ? "set again what sequence schedule does not list" : nil
    guard !lost.isEmpty else {
      return Problem(
        "the store was damaged and was moved to \(path); recovered \(active) and \(runs)", remedy: remedy)
    }
    let names = lost.prefix(mostNames).map { LocalizedText(verbatim: quoted($0)) }
    let more = lost.count - names.count
    let rest = listed(names + (more > 0 ? [LocalizedText("\(more) more")] : []))
    return Problem(
      "the store was damaged and was moved to \(path); recovered \(active) and \(runs), lost \(rest)",
      remedy: remedy)
  }
}

private let mostNames = 5

private func explained(_ error: StoreError, isDone: Bool) -> Problem {
  let (text, remedy) = (error.problem.text, error.problem.remedy)
  let unchanged: LocalizedText = isDone ? text : "\(text), so nothing was changed"
  return switch error {
  case .inaccessible:
    Problem(text, remedy: "check its permissions, or use another directory with --state-dir DIR")
  case .noHome: Problem(text, remedy: "set HOME, or add --state-dir DIR")
  case .busy, .damaged, .unexpected, .unsuitable: error.problem
  case .full, .inputOutput, .replaced: Problem(unchanged, remedy: remedy)
  case .readOnly: Problem(unchanged, remedy: "use another directory with --state-dir DIR")
  case .newer: Problem("\(text), so it was not changed", remedy: "update sequence")
  case .foreign:
    Problem("\(text), so it was not changed", remedy: "use another directory with --state-dir DIR")
  }
}

/// - Parameters:
///   - run: the name of the run that the command was meant for; `nil` if it is unknown.
///   - isAlone: whether no other run is active, so that the remedies need no name.
package func explained(_ error: RunError, of run: String?, isAlone: Bool = false) -> Problem {
  let problem = run.map { error.problem(of: "\($0)") } ?? error.problem
  let text = problem.text
  let run = isAlone ? "" : run.map { " \($0)" } ?? ""
  let remedy: LocalizedText? =
    switch error {
    case .noActiveRun: LocalizedText("start one with sequence timer 5m Tea")
    case .runActive: LocalizedText("add --beside to run both, or --replace to stop it first")
    case .sequenceActive:
      LocalizedText("a sequence can have one run, so add --replace to stop that one first")
    case .nameTaken(let name):
      LocalizedText("choose another name, or stop that run with sequence stop \(name)")
    case .tooManyRuns: LocalizedText("stop one of them with sequence stop RUN")
    case .justEnded: LocalizedText("name the run: see sequence status")
    case .alreadyPaused, .notSuspended: LocalizedText("to continue it, run sequence resume\(run)")
    case .alreadyRunning: LocalizedText("to pause it, run sequence pause\(run)")
    case .nothingToExtend, .shortenedTooMuch: LocalizedText("to complete the step, run sequence next\(run)")
    case .tooEarly:
      problem.remedy.map { LocalizedText("\($0), or let sequence schedule NAME --until TIME start it") }
    case .invalidName, .noSuchStep, .extendedTooMuch, .endlessUntil: problem.remedy
    case .runPassed: LocalizedText("see sequence status")
    case .stepPassed: nil
    }
  if case .stepPassed = error { return Problem("\(text), so nothing was changed") }
  return Problem(text, remedy: remedy)
}
