package import SequencePlatform
import SequenceClient
import SequenceConfiguration
import SequenceRunner
package import SequenceStore

/// The environment of a command, which the program hands over and tests replace.
package struct CommandContext {
  let clientContext: ClientContext
  /// Why the clock knows no boot, so that no run can be read; `nil` usually.
  private let clockFailure: Problem?
  package let print: (String) throws -> Void
  package let printError: (String) -> Void
  package let agentProgram: @Sendable () throws -> String
  package let hasSystemd: Bool
  package let unitDirectories: [String]
  package var hasTerminal: Bool
  package let showsErrors: Bool
  /// The columns of the terminal, or the usual ones without a terminal.
  let columns: Int

  package init(
    environment: EnvironmentVariables, clock: any ClockSource, clockFailure: Problem? = nil,
    print: @escaping (String) throws -> Void,
    printError: @escaping (String) -> Void, startAgent: @escaping (StateDirectory) throws -> Int32,
    agentProgram: @escaping @Sendable () throws -> String, hasSystemd: Bool,
    unitDirectories: [String]? = nil,
    hasTerminal: Bool, showsErrors: Bool = false, terminalColumns: Int? = nil
  ) {
    clientContext = ClientContext(
      environment: environment, clock: clock, startAgent: startAgent,
      warn: { printError(CommandContext.line($0)) })
    self.clockFailure = clockFailure
    self.print = print
    self.printError = printError
    self.agentProgram = agentProgram
    self.hasSystemd = hasSystemd
    self.unitDirectories = unitDirectories ?? AgentInstallation.unitDirectories
    self.hasTerminal = hasTerminal
    self.showsErrors = showsErrors
    columns = terminalColumns ?? TerminalSize.fallback.columns
  }

  package var environment: EnvironmentVariables { clientContext.environment }
  package var clock: any ClockSource { clientContext.clock }

  static let stateDirectory = Option<StateDirectory>(
    "state-dir", "DIR", "use this state directory (default: ~/.local/state/sequence)", kind: .directory
  ) { path throws(Failure) in
    guard !path.isEmpty else {
      throw Failure(usage: "--state-dir needs a path", remedy: "write --state-dir DIR")
    }
    return StateDirectory(path: path)
  }

  func directory(_ arguments: ParsedArguments) throws(Failure) -> StateDirectory {
    let named = try arguments[CommandContext.stateDirectory] ?? StateDirectory(environment: environment)
    guard let directory = named else {
      throw Failure(usage: StoreError.noHome.problem.text, remedy: "set HOME, or add --state-dir DIR")
    }
    guard directory.isText else {
      throw Failure(
        usage: "the state directory \(quote(directory.path)) is not UTF-8",
        remedy: "rename it, or add --state-dir DIR with another one")
    }
    return directory
  }

  var agentInstallation: AgentInstallation {
    AgentInstallation(
      environment: environment, clock: clock, hasSystemd: hasSystemd, unitDirectories: unitDirectories)
  }

  func client(_ arguments: ParsedArguments) throws -> Client {
    if let clockFailure { throw clockFailure }
    return try Client(in: try directory(arguments), clientContext)
  }

  /// Reads the active runs for a command that works without them, and creates no store.
  func activeRuns(_ arguments: ParsedArguments) -> [ActiveRunSnapshot] {
    do {
      return try reader(arguments)?.peek().runs ?? []
    } catch {
      say(Failure(error))
      return []
    }
  }

  /// The store for a command that works without it, and creates none; `nil` if there is none.
  func reader(_ arguments: ParsedArguments) throws -> RunStore? {
    let directory: StateDirectory
    do {
      if let clockFailure { throw clockFailure }
      directory = try self.directory(arguments)
    } catch is Failure {
      // Without a place for a store there is none.
      return nil
    }
    return try CompleteStore.inspect(directory, clock: clock)
  }

  func say(_ text: any ExplainedError) { printError(CommandContext.line(text)) }

  private static func line(_ text: any ExplainedError) -> String {
    "sequence: \(TextSafety.sanitised(text.problem.line.translation))"
  }
}
