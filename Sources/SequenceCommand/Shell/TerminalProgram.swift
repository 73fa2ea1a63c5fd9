import Glibc
import SequencePlatform
import SequenceRunner

/// Runs programs that use the terminal, such as an editor.
enum TerminalProgram {
  /// The signals that keys send to all processes in the terminal; only the program in the foreground handles them.
  private static let keys = [SIGINT, SIGQUIT]

  /// Runs a program with the streams of this process, and waits until it ends.
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
