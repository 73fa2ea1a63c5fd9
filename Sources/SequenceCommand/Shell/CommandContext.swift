import Glibc
import NotificationLedger
public import Platform
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
public import Store

/// The environment of a command, which the program hands over and tests replace.
public struct CommandContext {
  /// The environment variables.
  public let environment: EnvironmentVariables
  /// Where moments are read from.
  public let clock: any ClockSource
  /// Prints a text and a line feed to standard output.
  public let print: (String) throws -> Void
  /// Prints a text and a line feed to standard error.
  public let printError: (String) -> Void
  /// Starts the agent for a state directory, and returns its process.
  public let startAgent: (StateDirectory) throws -> Int32
  /// Where the program of the agent is.
  public let agentProgram: () throws -> String
  /// Whether systemd is what manages services.
  public let hasSystemd: Bool
  /// Where systemd looks for units of all users, the first first.
  public let unitDirectories: [String]
  /// Whether there is a terminal to show a live display on.
  public let hasTerminal: Bool

  /// The environment of a command.
  public init(
    environment: EnvironmentVariables, clock: any ClockSource, print: @escaping (String) throws -> Void,
    printError: @escaping (String) -> Void, startAgent: @escaping (StateDirectory) throws -> Int32,
    agentProgram: @escaping () throws -> String, hasSystemd: Bool,
    unitDirectories: [String] = [
      "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user",
    ],
    hasTerminal: Bool
  ) {
    self.environment = environment
    self.clock = clock
    self.print = print
    self.printError = printError
    self.startAgent = startAgent
    self.agentProgram = agentProgram
    self.hasSystemd = hasSystemd
    self.unitDirectories = unitDirectories
    self.hasTerminal = hasTerminal
  }

  static let stateDirectory = Option<StateDirectory>(
    "state-dir", "DIR", "the directory that holds the run and the history", kind: .directory
  ) { path throws(UsageError) in
    guard !path.isEmpty else { throw UsageError("--state-dir needs a directory") }
    return StateDirectory(path: path)
  }

  /// The state directory that a command line asks for.
  func directory(_ arguments: ParsedArguments) throws(UsageError) -> StateDirectory {
    if let directory = try arguments[CommandContext.stateDirectory] { return directory }
    guard let directory = StateDirectory(environment: environment) else {
      throw UsageError(
        "HOME is not set, so there is no place for the run", remedy: "name one with --state-dir")
    }
    return directory
  }

  /// The store that a command line asks for; what happens to it, now or later, is said.
  func store(_ arguments: ParsedArguments) throws -> RunStore {
    let store = try RunStore.complete(in: try directory(arguments), clock: clock)
    for notice in store.notices { say(notice) }
    store.onNotice = say
    // An agent of the earlier version ends now, whatever this command is about.
    if store.database.wasMigrated { ensureAgent(store) }
    return store
  }

  /// Starts an agent if there is something to do for it, and none is there that will see what was changed.
  ///
  /// A held lock doesn't say that an agent is there: it may have been asked to end, or be killed and not gone yet. So the
  /// agent is asked. A new agent waits until the one before it has ended.
  ///
  /// A failure is printed and doesn't change the exit status, because the command itself is done by now.
  ///
  /// - Returns: the agent; `nil` if none is needed, or none could be started.
  @discardableResult
  func ensureAgent(_ store: RunStore) -> AgentPresence? {
    do {
      guard try !store.repairing({ try store.isAtRest() }) || isWantedByConfiguration(store) else {
        return nil
      }
      switch try PresenceSocket.ask(path: store.directory.agentSocketPath) {
      case .present(let process): return AgentPresence(process: process, isNew: false)
      case .silent(let process):
        let name = process.map { "the agent (process \($0))" } ?? "the agent"
        say(
          Failure(
            "\(name) does not answer, so notifications may be late",
            remedy: "end it with kill -KILL if it stays so", .done))
        return process.map { AgentPresence(process: $0, isNew: false) }
      case .absent:
        // An agent that cannot open its lock would say so in its log only.
        _ = try FileLock(path: store.directory.agentLockPath)
        return AgentPresence(process: try startAgent(store.directory), isNew: true)
      }
    } catch {
      say(Failure(Failure(error, isDone: true).description, remedy: "notifications will not be shown", .done))
      return nil
    }
  }

  /// Whether hooks or cues subscribe to events of the active run, or its countdown keeps the machine awake; a mistake in
  /// the configuration is printed.
  private func isWantedByConfiguration(_ store: RunStore) throws -> Bool {
    let status = try store.settle()
    let configuration = configuration()
    if !configuration.subscribedEvents(of: status.run?.options ?? .unspecified).isEmpty { return true }
    return configuration.keepsAwake && status.run?.countdownEnd(after: status.reading) != nil
  }

  /// What the user has set; with a mistake in it, which is said, what holds where nothing is set.
  func configuration(saying isSaid: Bool = true) -> Configuration {
    guard let path = Configuration.path(environment: environment) else { return Configuration() }
    do throws(SequenceFileError) {
      return try Configuration.read(path: path)
    } catch {
      if isSaid {
        say(Failure(error.message(inFile: path), remedy: "until it is mended the defaults hold", .done))
      }
      return Configuration()
    }
  }

  /// Says a failure in one line.
  func say(_ failure: Failure) { printError("sequence: \(TextSafety.sanitised(failure.description))") }

  private func say(_ notice: StoreNotice) {
    switch notice {
    case .damagedStoreMoved(let path, let keptRun, let keptHistory):
      let run = keptRun ? "the active run" : "no active run"
      printError(
        "sequence: the store was damaged and is now \(TextSafety.sanitised(path)); a new one was begun with \(run) and "
          + "\(keptHistory) runs of the history")
    }
  }
}
