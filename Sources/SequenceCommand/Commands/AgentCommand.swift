import FoundationEssentials
import Glibc
import NotifierLedger
import SequenceClient
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

enum AgentCommand {
  static let command = Command(
    "agent", "control the background service (install, uninstall, status, run)", argument: action,
    options: [Flag.json],
    discussion: [
      """
      The agent shows notifications, plays sounds and runs hooks. Commands start it when it is needed, and \
      it exits when nothing is pending.
      """,
      """
      agent install starts it at every login, so that pending notifications appear even before you run a \
      command. It uses a systemd user unit, or an XDG autostart entry on systems without systemd, and \
      changes no file that it didn't write. agent uninstall undoes that. agent run runs the agent in the \
      foreground.
      """,
    ],
    examples: [
      .init("sequence agent status", "show whether the agent runs and starts at login"),
      .init("sequence agent install", "start the agent at every login"),
    ], perform: perform)

  private static let action = Argument<Action>(of: LocalizedText("action"))

  private enum Action: String, CaseIterable {
    case run, status, install, uninstall
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    switch try arguments.required(action) {
    case .run:
      guard !arguments.has(.json) else {
        throw Failure(usage: "agent run prints no JSON", remedy: "remove --json")
      }
      try becomeAgent(arguments, context)
    case .install: return try install(arguments, context)
    case .uninstall: return try uninstall(arguments, context)
    case .status: break
    }
    return try status(arguments, context)
  }

  private static func status(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    // It warns at its end of a store that was damaged.
    let client = try context.client(arguments)
    let isRunning = try FileLock(path: client.store.directory.agentLockPath).isHeldByAnother()
    let lastReport = try client.store.readLedger { ledger throws(StoreError) in try ledger.agentReport() }
    let report = try isRunning && lastReport?.isCurrent(in: client.store.directory) == true ? lastReport : nil
    let lastFailure = isRunning ? nil : try AgentLauncher.lastMessage(client.store.directory)
    let login = try context.agentInstallation.login(of: client.store.directory)
    if arguments.has(.json) {
      let document = AgentDocument(
        isRunning: isRunning, report: report, lastFailure: lastFailure, installed: login.kind)
      try context.print(JSONText.encode(document))
    } else {
      let next = try client.nextSchedule()
      try context.print(
        text(
          isRunning: isRunning, report: report,
          isNeeded: try !client.hasNothingToWaitFor(ignoringWaiting: true)))
      if let next {
        let text = next.announcement(now: context.clock.now().wall)
        try context.print(TextSafety.sanitised(translated("next: {}", text)))
      }
      if let lastFailure {
        let written = LocalTime.text(of: lastFailure.written)
        try context.print(
          TextSafety.sanitised(
            translated(
              "last message of the agent, of {time}: {message}",
              ["time": written, "message": lastFailure.text])))
      }
      let advice =
        login.kind == nil ? "; " + translated("to change that, run {}", "sequence agent install") : ""
      try context.print(TextSafety.sanitised(login.text.translation + advice))
    }
    return .done
  }

  private static func text(isRunning: Bool, report: AgentReport?, isNeeded: Bool) -> String {
    guard isRunning else {
      return isNeeded
        ? translated("not running, but there is work for it; see {}", "sequence doctor")
        : translated("not running; starts when needed")
    }
    guard let report else { return translated("running; it has not reported yet") }
    let desktop =
      switch report.desktop {
      case .unknown: translated("no notification server has answered yet")
      case .available(let server, _): translated("notifications are shown by {}", server)
      case .unavailable(let reason):
        translated("notifications cannot be shown: {}", reason.sentence.translation)
      }
    return TextSafety.sanitised(
      translated("running (process {})", String(report.process)) + "; " + desktop)
  }

  /// Replaces this process with the agent's program; returns only by throwing.
  private static func becomeAgent(_ arguments: ParsedArguments, _ context: CommandContext) throws {
    let program = try AgentLauncher.path()
    let directory = try context.directory(arguments)
    // Checked here, because the agent could report it only in its log.
    if FileKind(of: directory.path) != .nothing { try directory.requireOwned() }
    try replaceThisProcess(by: program, [program, "--state-dir", directory.path])
  }
}

private struct AgentDocument: Encodable {
  let schema = JSONText.schema
  let running: Bool
  var process: Int32?
  var startedAt: String?
  var server: String?
  var failure: String?
  let lastMessage: String?
  let lastMessageAt: String?
  let installed: LoginStart?

  init(isRunning: Bool, report: AgentReport?, lastFailure: AgentMessage?, installed: LoginStart?) {
    self.installed = installed
    running = isRunning
    lastMessage = lastFailure?.text
    lastMessageAt = lastFailure?.written.description
    guard let report else { return }
    process = report.process
    startedAt = report.startedAt.description
    switch report.desktop {
    case .unknown: break
    case .available(let name, _): server = name
    case .unavailable(let reason): failure = reason.description
    }
  }
}

extension AgentCommand {
  static func install(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let (kind, path) = try context.agentInstallation.install(
      program: try context.agentProgram(), try context.directory(arguments))
    if arguments.has(.json) {
      try context.print(JSONText.encode(InstallDocument(installed: kind, path: path)))
    } else {
      try context.print(
        TextSafety.sanitised(
          translated(
            "the agent starts at login by {service}: {path}",
            ["service": kind.title.translation, "path": path])))
    }
    return .done
  }

  static func uninstall(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let installation = context.agentInstallation
    let removed = try installation.uninstall()
    let left = installation.unitOfAllUsers
    guard !arguments.has(.json) else {
      try context.print(JSONText.encode(UninstallDocument(removed: removed, left: left)))
      return .done
    }
    for path in removed { try context.print(TextSafety.sanitised(translated("removed: {}", path))) }
    if removed.isEmpty, left == nil { try context.print(translated("nothing was installed")) }
    if let left {
      try context.print(
        TextSafety.sanitised(
          translated(
            "the package still starts the agent at login by {service}: {path}; to prevent that, run {command}",
            [
              "service": LoginStart.systemd.title.translation, "path": left,
              "command": "systemctl --user mask sequence-agent.service",
            ])))
    }
    return .done
  }
}

private struct InstallDocument: Encodable {
  let schema = JSONText.schema
  let installed: LoginStart
  let path: String
}

private struct UninstallDocument: Encodable {
  let schema = JSONText.schema
  let removed: [String]
  let left: String?
}
