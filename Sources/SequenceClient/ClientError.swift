package import FoundationEssentials
package import SequenceFiles
package import SequencePlatform
package import SequenceRunner

/// The failures of a face, in addition to those of the libraries below it.
package enum ClientError: ExplainedError, Equatable {
  case noLibrary
  case unknownSequence(String, near: [String])
  case ambiguousSequence(String, files: [String])
  case unusableFileName(String, problem: String)
  case unusableName(String, problem: String)
  /// A file for a new sequence exists already; the word names it on a command line.
  case fileExists(String, word: String)
  case unwritable(String, SystemError, remedy: String?)
  /// A sequence file can't be read, or has a mistake; the name is the user's name for it.
  case file(SequenceFileError, name: String)
  /// A file is not a sequence file, but may be one that `sequence import` reads.
  case importable(name: String, path: String, format: String)
  /// One round of a sequence has no steps, because all its cards have `skipLast`.
  case noStepsInOneRound(sequence: String)
  case missingProgram(String, places: [String])
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
        remedy: near.isEmpty ? "see sequence list" : "did you mean \(alternatives(near.map(quote)))?")
    case .ambiguousSequence(let name, let files):
      return Problem(
        "several files are named \(quote(name)): \(files.joined(separator: ", "))",
        remedy: "rename one of them")
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
          ? "start one with sequence run FILE" : "name one of \(alternatives(active))")
    case .runEnded(let id, let outcome):
      let id = id.uuidString.prefix(8)
      let text =
        switch outcome {
        case .finished: "has finished"
        case .stopped: "was stopped"
        case .lost: "is lost"
        }
      return Problem("run \(id) \(text)", remedy: "see sequence history \(id)")
    case .ambiguousRun(let word, let names):
      return Problem(
        "several active runs have an ID that begins with \(quote(word))",
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
      return Problem(String(text))
    }
    return Problem(String(text[..<end]), remedy: String(text[end...].dropFirst(2)))
  }

  private static func text(_ ending: Termination) -> String {
    switch ending {
    case .exit(let status): "it ended with status \(status)"
    case .signal(let signal): "signal \(signal) ended it"
    }
  }
}
