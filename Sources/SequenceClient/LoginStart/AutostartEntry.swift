import SequenceFiles
import SequenceStore

/// The autostart entry for desktops without systemd.
enum AutostartEntry {
  static func text(for agent: AgentInvocation) -> String {
    // The path of a program may not contain an equals sign, even escaped; and GLib looks for the program of an entry
    // before it unescapes percent signs.
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

  /// The end of the line with the command.
  static func arguments(of state: StateDirectory) -> String {
    AgentInvocation.options(of: state).map(quoted).joined(separator: " ")
  }

  /// Quotes a word of a command line (see the Desktop Entry Specification).
  ///
  /// Within quotes, four characters are escaped, and then each backslash again as in any string of an entry.
  private static func quoted(_ word: String) -> String {
    AgentInvocation.quoted(
      word, replacing: ["\\": #"\\\\"#, "\"": #"\\""#, "`": #"\\`"#, "$": #"\\$"#, "%": "%%"])
  }
}
