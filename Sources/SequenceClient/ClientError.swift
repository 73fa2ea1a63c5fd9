import Platform
package import SequenceFiles

/// The failures of a face beside those of the libraries below it.
package enum ClientError: ExplainedError, Equatable {
  /// No environment variable names a place for the library.
  case noLibrary
  /// Neither a file nor a sequence of the library has this name.
  case unknownSequence(String, near: [String])
  /// Several files of the library have the same name.
  case ambiguousSequence(String, files: [String])
  /// A file of the library has a name that can't be a sequence's.
  case unusableFileName(String, problem: String)
  /// A name can't be that of a new sequence.
  case unusableName(String, problem: String)
  /// A file for a new sequence exists already; the word names it on a command line.
  case fileExists(String, word: String)
  /// A sequence file can't be read, or has a mistake; the name is the user's name for it.
  case file(SequenceFileError, name: String)
  /// A file is not a sequence file, but may be one that `sequence-import` reads.
  case importable(name: String, path: String, format: String)
  /// One round of a sequence has no steps, because all its cards have `skipLast`.
  case noStepsInOneRound(sequence: String)
  /// A program of the same installation is missing.
  case missingProgram(String, places: [String])
  /// A run is neither active nor in the history.
  case runLost

  package var problem: String {
    switch self {
    case .noLibrary: "neither XDG_DATA_HOME nor HOME is set, so there is no place for sequences"
    case .unknownSequence(let word, _):
      "there is no file \(quote(word)) here, and no sequence of that name in the library"
    case .ambiguousSequence(let name, let files):
      "\(quote(name)) is the name of \(files.joined(separator: " and of "))"
    case .unusableFileName(_, let problem): "no sequence can be called so: \(problem)"
    case .unusableName(let word, let problem): "\(quote(word)) cannot be the name of a sequence: \(problem)"
    case .fileExists(let path, _): "\(path) is there already and was left alone"
    case .file(let error, let name): error.problem(inFile: name)
    case .importable(let name, _, let format): "\(name) is no sequence file, but may be \(format)"
    case .noStepsInOneRound(let title):
      "one round of \(quote(title)) has no steps, because all its cards have skipLast"
    case .missingProgram(let name, let places):
      "\(name) is neither \(places.joined(separator: " nor "))"
    case .runLost: "the run is gone from the store"
    }
  }

  package var remedy: String? {
    switch self {
    case .noLibrary: "set HOME"
    case .unknownSequence(_, let near):
      near.isEmpty
        ? "see sequence list, and sequence new to begin one"
        : "did you mean \(near.map(quote).joined(separator: " or "))?"
    case .ambiguousSequence: "rename one of them"
    case .unusableFileName(let file, _): "rename \(file)"
    case .unusableName: "choose another"
    case .fileExists(_, let word): "sequence edit \(word) edits it"
    case .file(let error, _): error.remedy
    case .importable(_, let path, _): "convert it with sequence import \(path)"
    case .noStepsInOneRound: "choose 2 rounds or more"
    case .missingProgram: "install it beside sequence"
    case .runLost: "see sequence history"
    }
  }
}
