import Glibc
import SequencePlatform
import SequenceClient
import SequenceStore

/// The choices of a command line of `sequence-window`.
struct WindowOptions: Equatable {
  let directory: StateDirectory
  /// The id of the application: a window of another state directory is another application.
  let applicationID: String
  let isFullScreen: Bool
  /// Whether to ask whether to stop the run.
  let asksStop: Bool
  /// The absolute path of a sequence file to show.
  let file: String?

  private enum Option: String {
    case stateDirectory = "--state-dir"
    case fullScreen = "--full-screen"
    case askStop = "--ask-stop"
  }

  init(_ words: [String], environment: EnvironmentVariables) throws(WindowOptionError) {
    var path: String?
    var file: String?
    var flags: Set<Option> = []
    for part in CommandLineScanner(words, find: { Option(rawValue: $0).map { ($0, $0 == .stateDirectory) } })
    {
      switch part {
      case .option(.stateDirectory, let value) where !value.isEmpty: path = value
      case .option(.stateDirectory, _), .missingValue:
        throw WindowOptionError("--state-dir needs a directory")
      case .option(let flag, _): flags.insert(flag)
      case .argument(let word) where !word.isEmpty && file == nil: file = absolutePath(word)
      case .argument(let word), .unknownOption(let word), .unexpectedValue(_, let word):
        throw WindowOptionError("unknown argument \(quote(word))", remedy: "see sequence help window")
      }
    }
    guard
      let directory = path.map({ StateDirectory(path: $0) }) ?? StateDirectory(environment: environment)
    else {
      throw WindowOptionError("HOME is not set, so there is no place for the run", remedy: "use --state-dir")
    }
    guard directory.isText else {
      throw WindowOptionError(
        "the state directory \(quote(directory.path)) is not UTF-8",
        remedy: "rename it, or use another one with --state-dir")
    }
    self.directory = directory
    let place = WindowOptions.real(directory.path)
    let isUsual = StateDirectory(ofUser: environment).map { WindowOptions.real($0.path) } == place
    let hash = StableHash.fnv1a128(Array(place.utf8))
    applicationID = isUsual ? WindowProgram.id : WindowProgram.id + ".d" + String(hash, radix: 16)
    isFullScreen = flags.contains(.fullScreen)
    asksStop = flags.contains(.askStop)
    self.file = file
  }

  /// The path of a directory that may be missing, without links and from the root.
  private static func real(_ path: String) -> String {
    let absolute = absolutePath(path)
    if let resolved = unsafe realpath(absolute, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    let parts = pathParts(absolute)
    guard let name = parts.last else { return absolute }
    let parent = real("/" + parts.dropLast().joined(separator: "/"))
    return parent == "/" ? "/" + name : parent + "/" + name
  }
}

/// A command line that is wrong.
struct WindowOptionError: ExplainedError, Equatable {
  let problem: String
  let remedy: String?

  init(_ problem: String, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }
}
