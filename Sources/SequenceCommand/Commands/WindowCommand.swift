import Platform
import SequenceClient
import Store

/// `window`: the graphical window, which is a program of its own.
enum WindowCommand {
  static let command = Command(
    "window", "open the graphical window", options: [fullScreen, orTerminal],
    discussion: [
      "The window is in a package of its own, sequence-timer-window. If it is open already, it comes to the front.",
      "Exit status: 69 if the window isn't installed.",
    ],
    examples: [
      .init("sequence window", "open the window"),
      .init("sequence window --full-screen", "show the run on the full screen"),
    ], perform: perform)

  private static let fullScreen = Flag("full-screen", "show the run on the full screen")
  private static let orTerminal = Flag(
    "or-terminal", "open a terminal if the window is not installed")

  /// Programs that open a terminal for a command, in the order they are tried.
  private static let terminals = ["xdg-terminal-exec", "x-terminal-emulator"]
  /// The live display, or a shell to start a run in.
  private static let display = "sequence attach || exec \"${SHELL:-/bin/sh}\""

  /// Replaces this process by the program; returns only by throwing.
  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    guard let program = try installedProgram("sequence-window") else {
      guard arguments.has(orTerminal), let words = terminal(environment: context.environment) else {
        throw Failure(
          "the window is not installed", remedy: "install sequence-timer-window, or use sequence attach",
          .unavailable)
      }
      try replaceThisProcess(by: words[0], words)
      return .done
    }
    var words = [program]
    if let directory = try arguments[CommandContext.stateDirectory] {
      words += ["--state-dir", directory.path]
    }
    if arguments.has(fullScreen) { words.append("--full-screen") }
    try replaceThisProcess(by: program, words)
    return .done
  }

  /// The words that open a terminal with the live display; `nil` if no terminal is found.
  static func terminal(environment: EnvironmentVariables) -> [String]? {
    for (name, separator) in zip(terminals, [[], ["-e"]]) {
      guard let program = findProgram(name, in: environment["PATH"]) else { continue }
      return [program] + separator + ["/bin/sh", "-c", display]
    }
    return nil
  }
}
