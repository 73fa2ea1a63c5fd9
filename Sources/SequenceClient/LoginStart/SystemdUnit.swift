import SequenceFiles
import SequenceRunner
import Store

/// The unit by which the user's service manager starts the agent.
enum SystemdUnit {
  /// What starts it.
  static let target = "default.target"
  /// The state directory below the home of a user for whom nothing says otherwise.
  static let usualPlace = "/.local/state/sequence"

  static func text(for agent: AgentInvocation) -> String {
    // The path of a program may not contain these, in whatever way they are written.
    let words = agent.words(unfit: ["\"", "'", "\\"])
    let command = words.enumerated().map { quoted($1, isProgram: $0 == 0) }.joined(separator: " ")
    return """
      \(ManagedFile.mark)
      [Unit]
      Description=Notifications of Sequence
      # Without a store nothing is pending.
      ConditionPathExists=\(unspecified(agent.state.databasePath))
      StartLimitIntervalSec=60
      StartLimitBurst=5

      [Service]
      Type=simple
      ExecStart=\(command)
      # Where "sequence agent status" looks for the last message.
      StandardError=append:\(unspecified(agent.state.agentLogPath))
      UMask=0077
      # That SIGHUP, SIGINT or SIGTERM asked it to end is no failure.
      SuccessExitStatus=129 130 143
      Restart=on-failure
      RestartSec=1
      RestartPreventExitStatus=64

      [Install]
      WantedBy=\(target)

      """
  }

  /// A word of a command line, as systemd.service(5) and systemd.syntax(7) have it.
  ///
  /// - Parameter isProgram: variables are not looked for in the path of the program.
  private static func quoted(_ word: String, isProgram: Bool) -> String {
    AgentInvocation.quoted(
      word, replacing: ["\\": #"\\"#, "\"": #"\""#, "%": "%%", "$": isProgram ? "$" : "$$"])
  }

  /// A path that is not quoted, and in which nothing is taken for a specifier.
  private static func unspecified(_ path: String) -> String { AgentInvocation.replaced(path, ["%": "%%"]) }
}
