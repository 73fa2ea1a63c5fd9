/// The page sequence(1), made from the table of commands.
enum CommandManual {
  static var page: String {
    ManualText.page([
      ManualText.head(1, summary: HelpText.summary),
      synopsis, description,
      ".SH COMMANDS", CommandTable.commands.map(section).joined(separator: "\n"),
      ".SH OPTIONS", ManualText.paragraph("Every command takes, also before its name:"),
      options(CommandTable.common),
      ManualText.paragraph("Instead of a command:"), options(CommandTable.program),
      ".SH EXIT STATUS", statuses,
      ".SH ENVIRONMENT", list(environment),
      ".SH FILES", list(files),
      ".SH EXAMPLES", examples,
      ".SH SEE ALSO", "\\fBsequence\\fR(5), \\fBsequence-config\\fR(5)",
    ])
  }

  private static let synopsis = """
    .SH SYNOPSIS
    \\fBsequence\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...]
    """

  private static var description: String {
    ".SH DESCRIPTION\n"
      + ManualText.text(
        HelpText.pitch
          + " Write the steps down once, and `sequence` runs them one after the other and notifies you at "
          + "each one. A run keeps going when you close the terminal, suspend the laptop or reboot.")
  }

  private static func section(_ command: Command) -> String {
    let head = [".SS \(ManualText.text(command.usage))", ManualText.text(HelpText.sentence(command.summary))]
    let examples = command.examples.map { ManualText.entry(ManualText.bold($0.line), $0.effect) }
    return
      (head + command.discussion.map(ManualText.paragraph) + [options(command.options)]
      + [ManualText.paragraph("Examples:")] + examples)
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func options(_ options: [any OptionSpec]) -> String {
    options.map { option in
      let value = option.value.map { " " + ManualText.italic($0) } ?? ""
      let short = option.short.map { ", " + ManualText.bold("-" + $0) } ?? ""
      return ManualText.entry(
        ManualText.bold("--" + option.name) + short + value, HelpText.sentence(HelpText.summary(option)))
    }.joined(separator: "\n")
  }

  private static var statuses: String {
    list(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
  }

  private static func list(_ entries: [(String, String)]) -> String {
    entries.map { ManualText.entry(ManualText.bold($0.0), $0.1) }.joined(separator: "\n")
  }

  private static let environment = [
    (
      "SEQUENCE_STATE_DIR",
      "The state directory, with the run and the history; `--state-dir` overrides it."
    ),
    (
      "XDG_STATE_HOME",
      "The parent of the default state directory `sequence`; `~/.local/state` if not set."
    ),
    ("XDG_DATA_HOME", "The parent of the library `sequence`; `~/.local/share` if not set."),
    ("XDG_CONFIG_HOME", "The directory of `sequence/config.yaml`; `~/.config` if not set."),
    (
      "DBUS_SESSION_BUS_ADDRESS",
      "The session bus for notifications; if not set, `bus` in `XDG_RUNTIME_DIR`."
    ),
    (
      "XDG_RUNTIME_DIR",
      "The runtime directory of the login; if not set, for example in a cron job, `/run/user/` and the user ID."
    ),
    ("VISUAL", "The editor of `sequence edit`; it may have arguments."),
    ("EDITOR", "The editor if `VISUAL` is not set; without both, `sensible-editor` or `vi`."),
    ("NO_COLOR", "If set, the live display has no colors."),
  ]

  private static let files = [
    ("~/.local/share/sequence/NAME.yaml", "A sequence of your library; see `sequence`(5)."),
    (
      "~/.config/sequence/config.yaml",
      "Your configuration (optional): notifications, hooks, cues, and the reaction to suspend."
    ),
    ("~/.local/state/sequence/sequence.db", "The current run, its notifications and the history."),
    ("~/.local/state/sequence/agent.log", "The messages of the agent."),
  ]

  private static var examples: String {
    ManualText.example(
      """
      sequence timer 5m Tea
      sequence run --card "Work 20s" --card "Rest 10s" --rounds 8
      sequence new tabata
      sequence edit tabata
      sequence run tabata --rounds 4
      sequence status --follow --format '{step} {time}'
      """)
  }
}
