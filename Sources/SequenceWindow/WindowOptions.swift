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

  init(_ words: [String], environment: EnvironmentVariables) throws(WindowOptionError) {
    var words = words[...]
    var path: String?
    var file: String?
    var (isFullScreen, asksStop) = (false, false)
    while let word = words.popFirst() {
      switch word {
      case "--state-dir":
        guard let value = words.popFirst(), !value.isEmpty else {
          throw WindowOptionError("--state-dir needs a directory")
        }
        path = value
      case "--full-screen": isFullScreen = true
      case "--ask-stop": asksStop = true
      case let word where !word.hasPrefix("-") && !word.isEmpty && file == nil:
        file = AgentLauncher.absolute(word)
      default: throw WindowOptionError("unknown argument \(quote(word))", remedy: "see sequence help window")
      }
    }
    guard
      let directory = path.map({ StateDirectory(path: $0) }) ?? StateDirectory(environment: environment)
    else {
      throw WindowOptionError("HOME is not set, so there is no place for the run", remedy: "use --state-dir")
    }
    self.directory = directory
    let place = WindowOptions.real(directory.path)
    let isUsual = StateDirectory(ofUser: environment).map { WindowOptions.real($0.path) } == place
    let hash = StableHash.fnv1a128(Array(place.utf8))
    applicationID = isUsual ? WindowProgram.id : WindowProgram.id + ".d" + String(hash, radix: 16)
    self.isFullScreen = isFullScreen
    self.asksStop = asksStop
    self.file = file
  }

  /// The path of a directory that may be missing, without links and from the root.
  private static func real(_ path: String) -> String {
    let absolute = AgentLauncher.absolute(path)
    if let resolved = unsafe realpath(absolute, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    let parts = absolute.split(separator: "/")
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
