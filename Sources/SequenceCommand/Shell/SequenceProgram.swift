import FoundationEssentials
import Glibc
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceStore

package enum SequenceProgram {
  package static let version = ProgramVersion.text

  /// Runs a command line with the machine's clocks, streams and terminal; returns the exit status.
  ///
  /// - Parameter words: the words after the program's name.
  package static func main(_ words: [String]) -> Int32 {
    // A closed pipe makes the write fail; without this, the signal would end the program.
    _ = signal(SIGPIPE, SIG_IGN)
    keepOwnerRights()
    StandardStreams.fillGaps()
    do {
      try Database.useMemoryOnDemand()
      let (clock, clockFailure) = clock()
      let context = CommandContext(
        environment: .process, clock: clock, clockFailure: clockFailure,
        print: { try writeAll(($0 + "\n").utf8, to: STDOUT_FILENO) }, printError: StandardStreams.printError,
        startAgent: { try AgentLauncher.start($0, .process) }, agentProgram: { try AgentLauncher.path() },
        hasSystemd: ServiceManager.isPresent,
        hasTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
        showsErrors: isatty(STDERR_FILENO) == 1,
        terminalColumns: TerminalSize(of: STDOUT_FILENO)?.columns)
      return run(words, in: context)
    } catch {
      let failure = Failure(error)
      StandardStreams.printError("sequence: \(TextSafety.sanitised(failure.problem.line.translation))")
      return failure.status.rawValue
    }
  }

  /// Returns the machine's clocks, and why they know no boot, if they don't: help, `check` and `doctor` need none.
  private static func clock() -> (SystemClock, Problem?) {
    do throws(Problem) { return (try SystemClock(), nil) } catch { return (.ofUnknownBoot, error) }
  }

  package static func run(_ words: [String], in context: CommandContext) -> Int32 {
    do {
      return try status(words, context).rawValue
    } catch {
      let failure = Failure(error)
      // The reader of the output closed the pipe, which is not an error.
      if let error = error as? SystemError, error.code == EPIPE { return ExitStatus.done.rawValue }
      let remedy = Guess(words, context).remedy(for: error) ?? failure.problem.remedy
      context.say(Problem(failure.problem.text, remedy: remedy))
      return failure.status.rawValue
    }
  }

  private static func status(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
    var scanner = CommandTable.scanner(words)
    var isHelp = false
    while let part = scanner.next() {
      switch part {
      case .argument("complete"): return try CompleteCommand.perform(Array(scanner.rest), context)
      case .argument(let name):
        // Options before the command mean the same as after it.
        return try perform(name, words.dropLast(scanner.rest.count + 1) + scanner.rest, context)
      case .option(let option, _) where option.name == "version":
        try context.print("sequence \(version)")
        return .done
      case .option(let option, _): isHelp = isHelp || option.name == Flag.help.name
      case .missingValue(let option): throw Failure(missingValueOf: option)
      case .unexpectedValue(let option, let text): throw Failure(unexpected: text, of: option)
      case .unknownOption(let word):
        throw Failure(
          usage: "unknown option \(quote(word))",
          remedy: "write options of a command after its name, and see sequence help")
      }
    }
    guard isHelp else {
      context.printError(HelpText.overview(width: HelpText.width(in: context.columns)))
      return .usage
    }
    try context.print(HelpText.overview(width: HelpText.width(in: context.columns)))
    return .done
  }

  private static func perform(
    _ name: String, _ words: some Collection<String>, _ context: CommandContext
  ) throws -> ExitStatus {
    let command = try CommandTable.command(named: name)
    let arguments = try ParsedArguments(Array(words), of: command)
    guard !arguments.has(.help) else {
      try context.print(HelpText.text(for: command, width: HelpText.width(in: context.columns)))
      return .done
    }
    return try command.perform(arguments, context)
  }
}
