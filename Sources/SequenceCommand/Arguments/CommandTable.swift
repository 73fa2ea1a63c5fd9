import Presentation
import SequenceFiles

/// The names of the commands, in the order in which help lists them.
enum CommandName: String, CaseIterable, Sendable {
  case run, start, attach, status, pause, resume, toggle, next, skip, back, restart, extend, stop, wait,
    check, list, new, edit, `import`, notifications, history, stats, agent, doctor, completions, help
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
            + "extend and shorten by 30 s, q leaves the run going; c counts the time for which the machine was away. Elsewhere "
            + "it prints a line for each event.",
          "Ctrl-C and SIGTERM pause the run; SIGHUP leaves it running.",
          "Exit status: 0 if the run finished, 3 if it was stopped before its end.",
        ] + choices)
    case .start:
      CommandSpec(
        name: .start, summary: "start a sequence, print the id of the run, and return",
        arguments: [file(isOptional: true)], options: starting + [json], discussion: choices)
    case .attach:
      CommandSpec(
        name: .attach, summary: "show the live display of the active run", arguments: [], options: [],
        discussion: [
          "It is that of sequence run, or its lines where there is no terminal, but Ctrl-C and SIGTERM leave the run going."
        ])
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
            summary: "print what a status bar reads: waybar, i3status, polybar, tmux or plain",
            completes: .choice(StatusBar.allCases.map(\.rawValue))),
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
            name: "run", value: "ID", summary: "wait for the run of this id, which may be over already",
            completes: .candidates(.runs)),
        ],
        discussion: ["Exit status: 0 if the run finished, 3 if it was stopped before its end."])
    case .check:
      CommandSpec(
        name: .check, summary: "validate a sequence file, and show its steps",
        arguments: [file(isOptional: true)],
        options: cards + [json], discussion: choices)
    case .list:
      CommandSpec(
        name: .list, summary: "show the sequences of the library", arguments: [], options: [json],
        discussion: [
          "The library is $XDG_DATA_HOME/sequence, else ~/.local/share/sequence. A file in it that is wrong is listed "
            + "with its mistake."
        ])
    case .new:
      CommandSpec(
        name: .new, summary: "write a sequence file to start from, with comments",
        arguments: [.init(name: "NAME|FILE", isOptional: true)], options: [],
        discussion: [
          "A NAME is put into the library; without one the text goes to standard output. A file that is there already "
            + "is never overwritten. The path of the file is printed."
        ])
    case .edit:
      CommandSpec(
        name: .edit, summary: "edit a sequence, and check it afterwards",
        arguments: [.init(name: "NAME|FILE", isOptional: false, completes: .sequence)], options: [],
        discussion: [
          "The editor is $VISUAL, else $EDITOR, which may have arguments, else sensible-editor or vi.",
          "Exit status: 65 if the file is wrong after it.",
        ])
    case .import:
      CommandSpec(
        name: .import, summary: "make a sequence file of a file of another program",
        arguments: [.init(name: "FILE", isOptional: false)],
        options: [
          OptionSpec(
            name: "format", value: "FORMAT",
            summary: "zwo, erg, mrc, uair, garmin, cooklang or jawt, where the name does not tell",
            completes: .choice(["zwo", "erg", "mrc", "uair", "garmin", "cooklang", "jawt"])),
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
        arguments: [.init(name: "list|clear", isOptional: true)],
        options: [
          OptionSpec(
            name: "card", value: "ID", summary: "those of one card", completes: .candidates(.activeCards)),
          OptionSpec(
            name: "sequence", value: "ID", summary: "those of one sequence",
            completes: .candidates(.activeSequence)),
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
          since,
          OptionSpec(
            name: "run", value: "ID", summary: "one run with its steps; the first 4 characters do",
            completes: .candidates(.endedRuns)),
          OptionSpec(
            name: "steps", value: nil, summary: "what was planned of each step, and what it came to"),
          OptionSpec(name: "csv", value: nil, summary: "print comma-separated values; --steps: of each step"),
          json,
        ],
        discussion: [
          "In CSV a title that a spreadsheet would take for a formula has an apostrophe before it."
        ])
    case .stats:
      CommandSpec(
        name: .stats, summary: "say what the runs that are over add up to", arguments: [],
        options: [
          since,
          OptionSpec(name: "by", value: "day|week|sequence", summary: "what the rows are of; day is usual"),
          json,
        ],
        discussion: [
          "Active time counts on the days that it was on, by the local time: a run across midnight is a run of both days. "
            + "Weeks begin on Monday. The last 14 days and 12 weeks are shown, with --since all since then.",
          "A streak is days in a row with a run that was finished; it goes on if it reaches until today or yesterday.",
        ])
    case .agent:
      CommandSpec(
        name: .agent, summary: "run the agent that shows notifications, say whether it runs, or install it",
        arguments: [
          .init(name: "run|status|install|uninstall", isOptional: false)
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
    case .completions:
      CommandSpec(
        name: .completions, summary: "print what a shell needs to complete command lines of sequence",
        arguments: [.init(name: "bash|zsh|fish", isOptional: false)], options: [],
        discussion: [
          "make install puts it where the shells look for it. Elsewhere: source <(sequence completions bash) in "
            + "~/.bashrc, the same with zsh in ~/.zshrc after compinit, or sequence completions fish >"
            + "~/.config/fish/completions/sequence.fish."
        ])
    case .help:
      CommandSpec(
        name: .help, summary: "explain a command",
        arguments: [.init(name: "COMMAND", isOptional: true, completes: .command)],
        options: [])
    }
  }
  /// The options that stand in place of a command.
  static let program = [
    OptionSpec(name: "help", value: nil, summary: "list the commands"),
    OptionSpec(name: "version", value: nil, summary: "say which version this is"),
  ]

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
    .init(name: "FILE|NAME", isOptional: isOptional, completes: .sequence)
  }

  private static func acting(_ name: CommandName, _ summary: String) -> CommandSpec {
    CommandSpec(name: name, summary: summary, arguments: [], options: [step, json])
  }

  private static let json = OptionSpec(name: "json", value: nil, summary: "print JSON")
  private static let since = OptionSpec(
    name: "since", value: "DATE", summary: "leave out what ended before, as in 2026-11-21")
  private static let step = OptionSpec(
    name: "step", value: "INDEX", summary: "refuse if the run has moved on from this step, counted from 0")
  private static let cards = [
    OptionSpec(
      name: "card", value: "SPEC", summary: "a card in place of a file, as in \"Work 20s\"",
      isRepeatable: true),
    OptionSpec(
      name: "rounds", value: "N", summary: "how often the cards are repeated, or the one group of a FILE"),
    OptionSpec(
      name: "without", value: "CARD", summary: "leave a card of a FILE out today, by its title or id",
      isRepeatable: true, completes: .candidates(.cards)),
    OptionSpec(name: "title", value: "TITLE", summary: "the title of the cards as a sequence"),
  ]
  /// What is said of a sequence and of what is chosen for today.
  private static let choices = [
    "FILE is a path, or - for standard input. A word without a slash that does not end in .yaml or .yml, and is no "
      + "file in the working directory, is the NAME of a sequence in the library; see sequence list.",
    "--rounds with a FILE changes its one group that is in no other, and repeats all cards where there is none; where "
      + "there are several it is refused. --without leaves out every card of a title.",
  ]
  private static let starting =
    cards + [
      OptionSpec(name: "replace", value: nil, summary: "stop the run that is active first"),
      OptionSpec(
        name: "cues", value: "sound,speech|none",
        summary: "what is heard of this run, whatever the configuration has"),
    ]
}
