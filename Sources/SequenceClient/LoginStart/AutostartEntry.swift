import SequenceFiles

/// The entry by which a desktop without systemd starts the agent.
enum AutostartEntry {
  static func text(for agent: AgentInvocation) -> String {
    // The path of a program may not contain an equals sign, in whatever way it is written; and GLib looks for the
    // program of an entry before it has understood the percent signs.
    let command = agent.words(unfit: ["=", "%"]).map(quoted).joined(separator: " ")
    return """
      \(ManagedFile.mark)
      [Desktop Entry]
      Type=Application
      Name=Sequence
      Comment=Notifications of Sequence
      Exec=\(command)
      NoDisplay=true

      """
  }

  /// A word of a command line, as the Desktop Entry Specification has it.
  ///
  /// Within quotes four characters are escaped, and then each backslash again, as in any text of an entry.
  private static func quoted(_ word: String) -> String {
    AgentInvocation.quoted(
      word, replacing: ["\\": #"\\\\"#, "\"": #"\\""#, "`": #"\\`"#, "$": #"\\$"#, "%": "%%"])
  }
}
