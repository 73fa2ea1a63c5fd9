import CSequenceAdwaita
import Glibc
import Platform
import SequenceRunner
import Store

/// The program `sequence-window`.
public enum WindowProgram {
  /// The name of the application on the session bus and to the desktop.
  static let id = "org.sequence_timer.sequence"

  /// Shows the window until it is closed.
  ///
  /// - Parameter words: the words after the program's name.
  /// - Returns: the exit status.
  public static func main(_ words: [String]) -> Int32 {
    do {
      let options = try WindowOptions(words, environment: .process)
      try Database.useMemoryOnDemand()
      return try run(options)
    } catch {
      // Where standard error cannot be written, there is nowhere left to say so.
      try? writeAll("sequence-window: \(ErrorText.line(error))\n".utf8, to: STDERR_FILENO)
      return (error as? WindowOptionError).map { _ in 64 } ?? 74
    }
  }

  private static func run(_ options: WindowOptions) throws -> Int32 {
    // Software rendering takes half the memory, and a page that changes once a second needs no more.
    _ = unsafe setenv("GSK_RENDERER", "cairo", 0)
    let application = try Application(id: options.applicationID)
    var window: MainWindow?
    var failure: (any Error)?
    let terminating = [SIGTERM, SIGINT].map { LoopSource.signal($0) { application.quit() } }
    defer { for source in terminating { source.cancel() } }
    application.onStartup {
      do {
        loadStyle(PackageResources.style_css)
        let actions = try Actions(application)
        let quit = try Action.make("quit") { _ in application.quit() }
        application.add(quit)
        let control = try RunControl(directory: options.directory, clock: try SystemClock())
        let made = try MainWindow(control, actions)
        application.add(window: made.widget)
        window = made
      } catch {
        failure = error
        application.quit()
      }
    }
    application.onActivate { window?.present() }
    let status = application.run()
    if let failure { throw failure }
    return status
  }
}

/// What a command line of `sequence-window` asks for.
struct WindowOptions: Equatable {
  let directory: StateDirectory
  /// The id of the application: a window of another state directory is another application.
  let applicationID: String

  init(_ words: [String], environment: EnvironmentVariables) throws(WindowOptionError) {
    var words = words[...]
    var path: String?
    while let word = words.popFirst() {
      switch word {
      case "--state-dir":
        guard let value = words.popFirst(), !value.isEmpty else {
          throw WindowOptionError("--state-dir needs a directory")
        }
        path = value
      default: throw WindowOptionError("unknown argument \(quote(word))", remedy: "see sequence help window")
      }
    }
    guard let usual = StateDirectory(environment: environment) else {
      throw WindowOptionError("HOME is not set, so there is no place for the run", remedy: "use --state-dir")
    }
    directory = path.map { StateDirectory(path: $0) } ?? usual
    let hash = StableHash.fnv1a128(directory.path.utf8)
    applicationID = directory == usual ? WindowProgram.id : WindowProgram.id + ".d" + String(hash, radix: 16)
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
