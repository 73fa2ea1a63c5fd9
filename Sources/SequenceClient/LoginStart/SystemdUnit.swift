import SequenceFiles
import SequenceRunner
import SequenceStore

/// The systemd user unit that starts the agent.
enum SystemdUnit {
  /// The target that starts the unit.
  static let target = "default.target"
  /// The default state directory below the home directory.
  static let usualPlace = "/.local/state/sequence"

  static func text(for agent: AgentInvocation) -> String {
    // systemd rejects these characters in the path of a program, even escaped.
    let words = agent.words(unfit: ["\"", "'", "\\"])
    let command = words.enumerated().map { quoted($1, isProgram: $0 == 0) }.joined(separator: " ")
    return """
      \(ManagedFile.mark)
      [Unit]
      Description=Notifications of Sequence
      # Without a store nothing is pending.
      \(condition(of: agent.state))
      StartLimitIntervalSec=60
      StartLimitBurst=5

      [Service]
      Type=simple
      ExecStart=\(command)
      # Where "sequence agent status" looks for the last message.
      StandardError=append:\(unspecified(agent.state.agentLogPath))
      UMask=0077
      # Ending by SIGHUP, SIGINT or SIGTERM is not a failure.
      SuccessExitStatus=129 130 143
      Restart=on-failure
      RestartSec=1
      RestartPreventExitStatus=64

      [Install]
      WantedBy=\(target)

      """
  }

  /// The line that names the store.
  static func condition(of state: StateDirectory) -> String {
    "ConditionPathExists=\(unspecified(state.databasePath))"
  }

  /// Quotes a word of a command line (see systemd.service(5) and systemd.syntax(7)).
  ///
  /// - Parameter isProgram: whether the word is the path of the program, in which variables are not expanded.
  private static func quoted(_ word: String, isProgram: Bool) -> String {
    AgentInvocation.quoted(
      word, replacing: ["\\": #"\\"#, "\"": #"\""#, "%": "%%", "$": isProgram ? "$" : "$$"])
  }

  /// Escapes specifiers in a path that is not quoted.
  private static func unspecified(_ path: String) -> String { AgentInvocation.replaced(path, ["%": "%%"]) }
}
