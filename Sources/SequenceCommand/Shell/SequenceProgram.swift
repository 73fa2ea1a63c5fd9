import FoundationEssentials
import Glibc
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceStore
import SequenceTerminal

/// The program `sequence`: performs a command line and returns its exit status.
package enum SequenceProgram {
  /// The version of the program and of its libraries.
  package static let version = ProgramVersion.text
  /// The date of the version, for the manual.
  static let date = "2026-11-21"

  /// Runs a command line with the machine's clocks, streams and terminal.
  ///
  /// - Parameter words: the words after the program's name.
  /// - Returns: the exit status.
  package static func main(_ words: [String]) -> Int32 {
    let printError = { (text: String) -> Void in
      // If standard error cannot be written, nothing is left to report it to.
      try? writeAll((text + "\n").utf8, to: STDERR_FILENO)
    }
    // A closed pipe makes the write fail; without this, the signal would end the program.
    _ = signal(SIGPIPE, SIG_IGN)
    keepOwnerRights()
    StandardStreams.fillGaps()
    do {
      try Database.useMemoryOnDemand()
      let context = CommandContext(
        environment: .process, clock: try SystemClock(),
        print: { try writeAll(($0 + "\n").utf8, to: STDOUT_FILENO) }, printError: printError,
        startAgent: { try AgentLauncher.start($0, .process) }, agentProgram: { try AgentLauncher.path() },
        hasSystemd: ServiceManager.isPresent,
        hasTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
        terminalColumns: TerminalSize(of: STDOUT_FILENO)?.columns)
      return run(words, in: context)
    } catch {
      let failure = Failure(error)
      printError("sequence: \(TextSafety.sanitised(failure.description))")
      return failure.status.rawValue
    }
  }

  /// Runs a command line in an environment of the caller.
  ///
  /// - Returns: the exit status.
  package static func run(_ words: [String], in context: CommandContext) -> Int32 {
    do {
      return try status(words, context).rawValue
    } catch {
      let failure = Failure(error)
      // The reader of the output closed the pipe, which is not an error.
      if let error = error as? SystemError, error.code == EPIPE { return ExitStatus.done.rawValue }
      context.say(failure)
      return failure.status.rawValue
    }
  }

  private static func status(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
    guard let name = words.first else {
      context.printError(HelpText.overview(width: context.helpWidth))
      return .usage
    }
    switch name {
    case "--help", "-h":
      try context.print(HelpText.overview(width: context.helpWidth))
      return .done
    case "--version", "-V":
      try context.print("sequence \(version)")
      return .done
    case "complete": return try CompleteCommand.perform(Array(words.dropFirst()), context)
    case "manual": return try ManualCommand.perform(Array(words.dropFirst()), context)
    default: break
    }
    let command = try CommandTable.command(named: name)
    let arguments = try ParsedArguments(Array(words.dropFirst()), of: command)
    guard !arguments.has(.help) else {
      try context.print(HelpText.text(for: command, width: context.helpWidth))
      return .done
    }
    return try command.perform(arguments, context)
  }
}
