import FoundationEssentials
import Glibc
import NotificationLedger
import SequenceRunner

/// `agent`: the process that shows notifications.
enum AgentCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if arguments.positional.first == "run" { try becomeAgent(arguments, context) }
    let store = try context.store(arguments)
    let isRunning = try FileLock(path: store.directory.agentLockPath).isHeldByAnother()
    let report = try store.ledger.agentReport()
    if arguments.has("json") {
      try context.print(JSONText.encode(AgentDocument(isRunning: isRunning, report: report)))
    } else {
      try context.print(text(isRunning: isRunning, report: report))
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
    try DetachedProcess.replaceThisProcess([program, "--state-dir", try context.directory(arguments).path])
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

  init(isRunning: Bool, report: AgentReport?) {
    running = isRunning
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
