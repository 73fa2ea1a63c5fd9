import Glibc
import Platform
import SequenceRunner

/// Programs that have the terminal until they end, such as an editor.
enum ForegroundProcess {
  /// The signals that the keys of a terminal send to all that run in it, and that are the program's meanwhile.
  private static let keys = [SIGINT, SIGQUIT]

  /// Runs a program with the streams of this process, and waits for its end.
  ///
  /// - Parameter words: the path of the program, and its arguments.
  static func run(
    _ words: [String], environment: EnvironmentVariables
  ) throws(SystemError) -> Termination {
    let handlers = keys.map { key in (key, signal(key, SIG_IGN)) }
    defer { for handler in handlers { _ = signal(handler.0, handler.1) } }
    let process = try Subprocess(
      words, environment: environment.entries,
      streams: (.descriptor(STDIN_FILENO), .descriptor(STDOUT_FILENO), .descriptor(STDERR_FILENO)),
      session: .shared)
    return try process.wait()
  }
}
