import SequencePlatform
import SequenceClient
import SequenceStore

enum WindowCommand {
  static let command = Command(
    "window", "open the graphical window", argument: file, options: [fullScreen, askStop, orTerminal],
    discussion: [
      "The window is in a package of its own, sequence-timer-window. If it is open already, it comes to the front.",
      "Exit status: 69 if the window isn't installed, or if there is no display.",
    ],
    examples: [
      .init("sequence window", "open the window"),
      .init("sequence window tea.yaml", "show the sequence of a file"),
      .init("sequence window tabata", "show a sequence of your library"),
      .init("sequence window --full-screen", "show the run on the full screen"),
    ], perform: perform)

  private static let file = Argument<String>("FILE|NAME", isOptional: true, kind: .sequence)
  private static let fullScreen = Flag("full-screen", "show the run on the full screen")
  private static let askStop = Flag("ask-stop", "ask whether to stop the run")
  private static let orTerminal = Flag(
    "or-terminal", "open a terminal if the window is not installed")

  /// Programs that open a terminal for a command, in the order they are tried.
  private static let terminals = ["xdg-terminal-exec", "x-terminal-emulator"]
  /// The live display, or a shell to start a run in.
  private static let display = "sequence attach || exec \"${SHELL:-/bin/sh}\""
  private static let question =
    "[ -n \"$(sequence status --format '{run.id}')\" ] && printf 'Stop the run? [y/N] ' && read -r answer "
    + "&& case $answer in [yY]*) sequence stop;; esac"
  private static let plan =
    "sequence check \"$2\" && printf 'Start it? [y/N] ' && read -r answer "
    + "&& case $answer in [yY]*) exec sequence run \"$2\";; esac || exec \"${SHELL:-/bin/sh}\""
  /// The state directory, for the commands above and in the shell; a terminal may not pass on its environment.
  private static let state = "[ -z \"${1:-}\" ] || export SEQUENCE_STATE_DIR=\"$1\"; "

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let path = try arguments[file].map(context.clientContext.sequencePath)
    if path != nil, arguments.has(askStop) {
      throw Failure(usage: "a FILE and --ask-stop cannot be combined", remedy: "remove one of them")
    }
    guard let program = try installedProgram("sequence-window") else {
      guard arguments.has(orTerminal),
        let words = terminal(
          environment: context.environment, try arguments[CommandContext.stateDirectory],
          asksStop: arguments.has(askStop), file: path)
      else {
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
    for flag in [fullScreen, askStop] where arguments.has(flag) { words.append("--" + flag.name) }
    if let path { words.append(absolutePath(path)) }
    try replaceThisProcess(by: program, words)
    return .done
  }

  /// The words that open a terminal with the live display; `nil` if no terminal is found.
  ///
  /// - Parameters:
  ///   - asksStop: whether to ask whether to stop the run instead.
  ///   - file: the sequence file to show instead.
  static func terminal(
    environment: EnvironmentVariables, _ directory: StateDirectory? = nil, asksStop: Bool = false,
    file: String? = nil
  ) -> [String]? {
    let script = state + (file != nil ? plan : asksStop ? question : display)
    var place = directory.map { ["sequence", absolutePath($0.path)] } ?? []
    if let file { place = (place.isEmpty ? ["sequence", ""] : place) + [absolutePath(file)] }
    for (name, separator) in zip(terminals, [[], ["-e"]]) {
      guard let program = findProgram(name, in: environment["PATH"]) else { continue }
      return [program] + separator + ["/bin/sh", "-c", script] + place
    }
    return nil
  }
}
