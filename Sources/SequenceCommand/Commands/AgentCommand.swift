import FoundationEssentials
import Glibc
import NotificationLedger
import Platform
import SequenceClient
import SequencePlanning
import SequenceRunner
import Store

/// `agent`: the process that shows notifications.
enum AgentCommand {
  static let command = Command(
    "agent", "run the agent that shows notifications, say whether it runs, or install it", argument: action,
    options: [Flag.json],
    discussion: [
      "The agent is started when it is needed, and ends when there is nothing left to wait for.",
      "install starts it at each login, so that what is pending then is shown without any command: by a systemd user "
        + "unit, or by an autostart entry of the desktop if there is no systemd. It touches no file that it did not "
        + "write. uninstall undoes that.",
    ], perform: perform)

  private static let action = Argument<Action>()

  private enum Action: String, CaseIterable {
    case run, status, install, uninstall
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    switch try arguments.required(action) {
    case .run: try becomeAgent(arguments, context)
    case .install: return try InstallCommand.install(arguments, context)
    case .uninstall: return try InstallCommand.uninstall(arguments, context)
    case .status: break
    }
    return try status(arguments, context)
  }

  private static func status(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let store = try context.client(arguments).store
    let isRunning = try FileLock(path: store.directory.agentLockPath).isHeldByAnother()
    let report = try store.readLedger { try $0.agentReport() }
    let lastFailure = isRunning ? nil : try AgentLauncher.lastMessage(store.directory)
    let installed = try AgentInstallation(context).installed()
    if arguments.has(.json) {
      let document = AgentDocument(
        isRunning: isRunning, report: report, lastFailure: lastFailure, installed: installed?.kind)
      try context.print(JSONText.encode(document))
    } else {
      try context.print(text(isRunning: isRunning, report: report))
      if let lastFailure { try context.print(TextSafety.sanitised("its last message: \(lastFailure)")) }
      let login =
        installed.map { "it starts at login, by \($0.kind.title): \($0.path)" }
        ?? "it does not start at login; sequence agent install changes that"
      try context.print(TextSafety.sanitised(login))
    }
    return .done
  }

  private static func text(isRunning: Bool, report: AgentReport?) -> String {
    guard isRunning, let report else { return "no agent is running; it is started when it is needed" }
    let desktop =
      switch report.desktop {
      case .unknown: "it has not heard from the desktop yet"
      case .available(let server): "notifications are shown by \(server)"
      case .unavailable(let reason): "notifications cannot be shown: \(reason)"
      }
    return TextSafety.sanitised("an agent is running (process \(report.process)); \(desktop)")
  }

  /// Replaces this process by the agent's program; returns only by throwing.
  private static func becomeAgent(_ arguments: ParsedArguments, _ context: CommandContext) throws {
    let program = try AgentLauncher.path()
    let directory = try context.directory(arguments)
    // The agent has only its log to say so.
    if FileKind(of: directory.path) != .nothing { try directory.requireOwned() }
    try replaceThisProcess(by: program, [program, "--state-dir", directory.path])
  }
}

/// What `agent status --json` prints.
private struct AgentDocument: Encodable {
  let schema = JSONText.schema
  let running: Bool
  var process: Int32?
  var startedAt: String?
  var server: String?
  var failure: String?
  /// The last message of an agent that could not go on.
  let lastMessage: String?
  /// How the agent is started at login.
  let installed: LoginStart?

  init(isRunning: Bool, report: AgentReport?, lastFailure: String?, installed: LoginStart?) {
    self.installed = installed
    running = isRunning
    lastMessage = lastFailure
    guard isRunning, let report else { return }
    process = report.process
    startedAt = report.startedAt.description
    switch report.desktop {
    case .unknown: break
    case .available(let name): server = name
    case .unavailable(let reason): failure = reason
    }
  }
}
