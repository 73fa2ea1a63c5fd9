/// The page sequence(1), made from the table of commands.
enum CommandManual {
  static var page: String {
    ManualText.page([
      ManualText.head(1, summary: "run a list of timed cards, one after the other"),
      synopsis, description,
      ".SH COMMANDS", CommandTable.commands.map(section).joined(separator: "\n"),
      ".SH OPTIONS", ManualText.paragraph("Every command takes:"), options(CommandTable.common),
      ManualText.paragraph("In place of a command:"), options(CommandTable.program),
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
        "`sequence` runs a list of timed cards, one after the other (a workout, a morning routine, a recipe, pomodoros), "
          + "and tells by desktop notifications what is over and what comes next. What is left follows from stored "
          + "moments: ending the process, closing the lid or restarting the machine changes nothing.")
  }

  private static func section(_ command: Command) -> String {
    let usage = ["sequence", command.name, command.argument?.usage].compactMap { $0 }.joined(separator: " ")
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
    let paragraphs = command.discussion.map(ManualText.paragraph)
    return
      ([".SS \(ManualText.text(usage))", ManualText.text(summary)] + paragraphs + [options(command.options)])
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func options(_ options: [any OptionSpec]) -> String {
    options.map { option in
      let value = option.value.map { " " + ManualText.italic($0) } ?? ""
      let summary = option.summary.prefix(1).uppercased() + option.summary.dropFirst()
      return ManualText.entry(
        ManualText.bold("--" + option.name) + value,
        summary + (option.isRepeatable ? "; it may be given more than once." : "."))
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
      "The directory that holds the run and the history, where `--state-dir` does not name one."
    ),
    (
      "XDG_STATE_HOME",
      "Where the directory `sequence` is that holds them otherwise; `~/.local/state` if it is not set."
    ),
    ("XDG_DATA_HOME", "Where the directory `sequence` of the library is; `~/.local/share` if it is not set."),
    ("XDG_CONFIG_HOME", "Where `sequence/config.yaml` is; `~/.config` if it is not set."),
    (
      "DBUS_SESSION_BUS_ADDRESS",
      "The session bus on which notifications are shown; if it is not set, `bus` in `XDG_RUNTIME_DIR`."
    ),
    (
      "XDG_RUNTIME_DIR",
      "Where what belongs to a login is; if it is not set, as in a job of cron, `/run/user/` and the user's number."
    ),
    ("VISUAL", "The editor of `sequence edit`, with its arguments; else that of `EDITOR`."),
    ("EDITOR", "See `VISUAL`; without both, `sensible-editor` or `vi` is taken."),
    ("NO_COLOR", "If it is set, the live display has no colors."),
  ]

  private static let files = [
    ("~/.local/share/sequence/NAME.yaml", "A sequence of the library; see `sequence`(5)."),
    (
      "~/.config/sequence/config.yaml",
      "How notifications look, hooks, cues, and what a suspend of the machine does; it need not be there."
    ),
    ("~/.local/state/sequence/sequence.db", "The active run, its notifications and the history."),
  ]

  private static var examples: String {
    ManualText.example(
      """
      sequence run --card "Work 20s" --card "Rest 10s" --rounds 8
      sequence new tabata
      sequence edit tabata
      sequence run tabata --rounds 4
      sequence status --follow --format '{step} {time}'
      """)
  }
}
