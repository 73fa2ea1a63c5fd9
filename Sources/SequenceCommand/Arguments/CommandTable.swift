/// The names of the commands, in the order in which help lists them.
enum CommandName: String, CaseIterable, Sendable {
  case run, start, attach, status, pause, resume, toggle, next, skip, back, restart, extend, stop, wait,
    check, `import`, notifications, history, agent, doctor, help
}

/// The one table of commands: parsing, help, completion and the manual come from it.
///
/// Each is made when it is asked for: a command line needs one of them.
enum CommandTable {
  /// All commands, in the order in which help lists them.
  static var commands: [CommandSpec] { CommandName.allCases.map(spec) }

  /// The command of a name.
  static func spec(_ name: CommandName) -> CommandSpec {
    switch name {
    case .run:
      CommandSpec(
        name: .run, summary: "start a sequence, and stay in the foreground until the run ends",
        arguments: [file(isOptional: true)], options: starting + [json],
        discussion: [
          "On a terminal it shows a live display: space pauses, n goes to the next step, s skips, b goes back, + and - "
            + "extend and shorten by 30 s, q leaves the run going. Elsewhere it prints a line for each event.",
          "Ctrl-C and SIGTERM pause the run; SIGHUP leaves it running.",
          "Exit status: 0 if the run finished, 3 if it was stopped before its end.",
        ])
    case .start:
      CommandSpec(
        name: .start, summary: "start a sequence, print the id of the run, and return",
        arguments: [file(isOptional: true)], options: starting + [json])
    case .attach:
      CommandSpec(
        name: .attach, summary: "show the live display of the active run", arguments: [], options: [])
    case .status:
      CommandSpec(
        name: .status, summary: "say where the active run stands", arguments: [],
        options: [
          json,
          OptionSpec(name: "follow", value: nil, summary: "print again whenever what is shown changes"),
          OptionSpec(
            name: "format", value: "TEMPLATE",
            summary: "print a text with fields in braces, such as {state} {step} {time}"),
          OptionSpec(
            name: "bar", value: "BAR",
            summary: "print what a status bar reads: waybar, i3status, polybar, tmux or plain"),
        ],
        discussion: [
          "Fields of a template: \(StatusField.names). {step:20} takes 20 columns, {step:.20} at most 20, {time:>7} stands "
            + "at the right of 7; {next?, then } is there where the field says something; {{ and }} are braces.",
          "With --follow there is a line exactly when what is shown changes. With --bar, --format says what the bar shows; "
            + "without a run it shows nothing.",
        ])
    case .pause:
      acting(.pause, "stop the clock of the current step")
    case .resume:
      CommandSpec(
        name: .resume, summary: "let the clock of the current step go on", arguments: [],
        options: [
          OptionSpec(
            name: "counting", value: nil,
            summary: "as if it had gone on while the machine was away, which the run was paused for"),
          step, json,
        ],
        discussion: [
          "A run whose away policy is pause or ask is paused when the machine goes to sleep or is switched off. resume "
            + "goes on where it was left; resume --counting lets the time count."
        ])
    case .toggle:
      acting(.toggle, "pause or resume")
    case .next:
      acting(.next, "complete the current step and go on")
    case .skip:
      acting(.skip, "go on, with the step recorded as skipped")
    case .back:
      acting(.back, "begin the previous step anew")
    case .restart:
      acting(.restart, "begin the current step anew")
    case .extend:
      CommandSpec(
        name: .extend, summary: "lengthen or shorten the current step",
        arguments: [.init(name: "±DURATION", isOptional: false)], options: [step, json],
        discussion: ["Past the end of a manual card, or past a goal, what is added counts from now."],
        takesNegativeNumbers: true)
    case .stop:
      acting(.stop, "end the run unfinished")
    case .wait:
      CommandSpec(
        name: .wait, summary: "wait until the run, or its current step, ends", arguments: [],
        options: [
          OptionSpec(name: "step", value: nil, summary: "wait for the end of the current step"),
          OptionSpec(
            name: "run", value: "ID", summary: "wait for the run of this id, which may be over already"),
        ],
        discussion: ["Exit status: 0 if the run finished, 3 if it was stopped before its end."])
    case .check:
      CommandSpec(
        name: .check, summary: "validate a sequence file, and show its steps",
        arguments: [file(isOptional: true)],
        options: cards + [json])
    case .import:
      CommandSpec(
        name: .import, summary: "make a sequence file of a file of another program",
        arguments: [file(isOptional: false)],
        options: [
          OptionSpec(
            name: "format", value: "FORMAT",
            summary: "zwo, erg, mrc, uair, garmin, cooklang or jawt, where the name does not tell"),
          OptionSpec(name: "output", value: "FILE", summary: "write there, and not to standard output"),
          OptionSpec(name: "force", value: nil, summary: "write over a file that is there already"),
          OptionSpec(name: "json", value: nil, summary: "print the report as JSON; needs --output"),
        ],
        discussion: [
          "It reads workouts of Zwift, ERG and MRC courses, uair.toml, workouts of Garmin Connect and of Just Another "
            + "Workout Timer in JSON, and the timers of Cooklang recipes. FILE may be -.",
          "What has no place in a sequence is told on standard error, a line for each kind of thing.",
          "Exit status: 65 if the file cannot be imported, 74 if it cannot be read or written.",
        ])
    case .notifications:
      CommandSpec(
        name: .notifications, summary: "list notifications, or take them away",
        arguments: [.init(name: "list|clear", isOptional: true, choices: ["list", "clear"])],
        options: [
          OptionSpec(name: "card", value: "ID", summary: "those of one card"),
          OptionSpec(name: "sequence", value: "ID", summary: "those of one sequence"),
          OptionSpec(name: "all", value: nil, summary: "those of every sequence"),
          json,
        ],
        discussion: [
          "clear removes what is to come and what is on screen. A command that changes the run plans what is to come anew."
        ])
    case .history:
      CommandSpec(
        name: .history, summary: "show the runs that are over, newest first", arguments: [],
        options: [
          OptionSpec(
            name: "since", value: "DATE", summary: "leave out runs that ended before, as in 2026-11-21"),
          json,
        ])
    case .agent:
      CommandSpec(
        name: .agent, summary: "run the agent that shows notifications, say whether it runs, or install it",
        arguments: [
          .init(
            name: "run|status|install|uninstall", isOptional: false,
            choices: ["run", "status", "install", "uninstall"])
        ],
        options: [json],
        discussion: [
          "The agent is started when it is needed, and ends when there is nothing left to wait for.",
          "install makes it come after each login, so that what is pending then is shown without any command: by a "
            + "systemd user unit, or by an autostart entry of the desktop where there is no systemd. It touches no "
            + "file that it did not write. uninstall undoes that.",
        ])
    case .doctor:
      CommandSpec(
        name: .doctor, summary: "say what works here, what does not, and what to do about it", arguments: [],
        options: [
          OptionSpec(
            name: "notify", value: nil, summary: "show a test notification for a second too"),
          json,
        ],
        discussion: [
          "It changes nothing: a store that is damaged stays as it is, and nothing is started. Only --notify starts a "
            + "notification server where the session bus can.",
          "Exit status: 0 if nothing is wrong, 74 if the store cannot be used, 69 if anything else that is needed is "
            + "missing or does not answer.",
        ])
    case .help:
      CommandSpec(
        name: .help, summary: "explain a command", arguments: [.init(name: "COMMAND", isOptional: true)],
        options: [])
    }
  }
  /// The options that every command takes.
  static let common = [
    OptionSpec(name: "state-dir", value: "DIR", summary: "the directory that holds the run and the history"),
    OptionSpec(name: "help", value: nil, summary: "explain the command"),
  ]

  ///
  /// The names are compared one by one: `init(rawValue:)` makes a dictionary of them first, which takes an eighth
  /// of the time in which a short command is done.
  static func command(named name: String) -> CommandSpec? {
    CommandName.allCases.first { $0.rawValue == name }.map(spec)
  }

  private static func file(isOptional: Bool) -> CommandSpec.ArgumentSpec {
    .init(name: "FILE", isOptional: isOptional)
  }

  private static func acting(_ name: CommandName, _ summary: String) -> CommandSpec {
    CommandSpec(name: name, summary: summary, arguments: [], options: [step, json])
  }

  private static let json = OptionSpec(name: "json", value: nil, summary: "print JSON")
  private static let step = OptionSpec(
    name: "step", value: "INDEX", summary: "refuse if the run has moved on from this step, counted from 0")
  private static let cards = [
    OptionSpec(
      name: "card", value: "SPEC", summary: "a card in place of a file, as in \"Work 20s\"",
      isRepeatable: true),
    OptionSpec(name: "rounds", value: "N", summary: "how often the cards are repeated"),
    OptionSpec(name: "title", value: "TITLE", summary: "the title of the cards as a sequence"),
  ]
  private static let starting =
    cards + [OptionSpec(name: "replace", value: nil, summary: "stop the run that is active first")]
}
