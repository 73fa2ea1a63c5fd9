import FoundationEssentials
import Glibc
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceStore

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
