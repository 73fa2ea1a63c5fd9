import NotifierLedger
import SequencePlanning

/// The page sequence-config(5): `config.yaml`, in the words of `docs/configuration.md`, which a test compares.
enum ConfigurationManual {
  static var page: String {
    ManualText.page([
      ManualText.head(5, name: "sequence-config", summary: "the configuration of Sequence"),
      ".SH DESCRIPTION", ManualText.text(description),
      ManualText.example(example),
      ManualText.paragraph(mistakes),
      ".SH KEYS", ManualText.list(keys, of: ["top level", "notifications", "cues", "hook"]),
      ManualText.paragraph(rules),
      ".SH KINDS OF NOTIFICATIONS", kinds.map(entry).joined(separator: "\n"),
      ManualText.paragraph(server),
      ".SH CHANGES",
      changes.map { ManualText.entry(ManualText.text($0.key), "Takes effect \($0.moment).") }
        .joined(separator: "\n"),
      ".SH FILES", ManualText.text("`~/.config/sequence/config.yaml`"),
      ".SH SEE ALSO", "\\fBsequence\\fR(1), \\fBsequence\\fR(5)",
    ])
  }

  static let description =
    "Sequence works without a configuration. To change its defaults, create `~/.config/sequence/config.yaml` "
    + "(`$XDG_CONFIG_HOME/sequence/config.yaml` if that variable is set):"

  static let mistakes =
    "Run `sequence doctor` after a change: it shows mistakes with line and column. Until you fix them, the defaults "
    + "apply and no hook runs."

  static let example = """
    onSuspend: pause                 # pause runs while the computer sleeps or is off
    keepAwake: system                # no automatic suspend during a countdown
    notifications:
      sound: none                    # no sound with any notification
      run-end:
        sound: complete              # except this one
        urgency: critical
    cues:
      sound: true                    # a sound at each step and in its last seconds
      remaining: 5s
    hooks:
      - on: [run-start, resume]
        run: [playerctl, --ignore-player=sequence, play]
      - on: [pause, stop, run-end]
        run: [playerctl, --ignore-player=sequence, pause]
    """

  /// A key, its place, and its meaning.
  static let keys: [(place: String, key: String, meaning: String)] = [
    (
      "top level", "`onSuspend`",
      "`continue` (default), `pause` or `ask`: whether a run continues while the computer sleeps or is off, unless its "
        + "sequence sets its own"
    ),
    (
      "top level", "`onLock`",
      "`continue` (default), `pause` or `ask`: whether a sequence from a file continues while the screen is locked, unless "
        + "it sets its own"
    ),
    (
      "top level", "`keepAwake`",
      "`no` (default), `system`: prevent automatic suspend during a countdown, or `screen`: also keep the screen on while "
        + "a display shows a run that isn't paused"
    ),
    ("top level", "`notifications`", "how notifications look and sound"),
    ("top level", "`cues`", "sounds and speech, played by Sequence itself"),
    ("top level", "`hooks`", "a list of up to 64 hooks: programs that run at events"),
    ("top level", "`panel`", "what the desktop shows of the current run"),
    (
      "notifications", "`icon`",
      "a name of the icon theme, the path of a picture, or `none` (default: the icon of Sequence)"
    ),
    ("notifications", "`sound`", "a name of the sound theme, or `none`"),
    ("notifications", "`urgency`", "`low`, `normal` or `critical`"),
    (
      "notifications", "a kind, such as `step-end`",
      "the same keys for notifications of this kind, and `category`: a class such as `x-vendor.class`, or `none`"
    ),
    ("cues", "`sound`", "`true` or `false`: play sounds of the sound theme (default: in runs of the window)"),
    ("cues", "`when`", "as for hooks: the steps that have sounds and speech"),
    (
      "cues", "`sounds`",
      "a sound for each of `step-start`, `rest`, `half`, `remaining`, `goal`, `overtime` and `run-end`: a name of the "
        + "sound theme, the path of a file, or `none`"
    ),
    (
      "cues", "`volume`",
      "the volume of the sounds in percent, from 0 to 100 (default), with PulseAudio or PipeWire"
    ),
    ("cues", "`speech`", "`true` or `false` (default): speak titles, half-time and the next step"),
    (
      "cues", "`remaining`",
      "the last seconds of a countdown that are counted: whole seconds up to `60s` (default: `3s`)"
    ),
    ("hook", "`on`", "the events that start it, such as `[pause, stop, run-end]`"),
    (
      "hook", "`when`",
      "`rest`, `work` or `{ title: Focus }`: only for steps that are rests, that are none, or of a card with this title"
    ),
    (
      "hook", "`run`",
      "the program and its arguments as a list of up to 64 words, with fields such as `{step}` and without a shell"
    ),
    ("hook", "`timeout`", "how long it may run before it is killed, up to `10m` (default: `10s`)"),
    (
      "hook", "`remaining`",
      "how much of a countdown remains when the event `remaining` happens (default: `3s`)"
    ),
    (
      "panel", "`icon`",
      "`true` or `false` (default): the panel has an icon with the minutes of the run, and a menu"
    ),
    (
      "panel", "`media`",
      "`true` or `false` (default): media keys and the players of the desktop act on the run"
    ),
  ]

  static let rules =
    "The file follows the rules of sequence files: durations are written like `10s` or `1m30s`, and unknown keys are "
    + "refused. A key of a kind overrides the same key of all kinds."

  /// The kinds of notifications that have a style, and when each is shown.
  static let kinds: [(kind: NotificationKind, occasion: String)] = [
    (.stepEnd, "a countdown has ended and the next step has started"),
    (.overtime, "the time of a manual card has ended, and at the interval of `insist`"),
    (.goal, "the goal of a count-up is reached"),
    (.reminder, "a count-up continues after its goal"),
    (.runEnd, "the run has finished"),
    (.pause, "a button of a notification paused the run"),
    (.return, "the computer is back or the screen is unlocked, and the run is still paused for it"),
  ]

  static let server =
    "The notification server decides whether it plays a sound and how long it shows a notification."

  static let changes = [
    (key: "`notifications`", moment: "at the next notification"),
    (key: "`hooks`, `cues`, `keepAwake`, `panel`", moment: "at the next event or command"),
    (key: "`onSuspend`, `onLock`", moment: "at the start of the next run"),
  ]

  private static func entry(_ kind: NotificationKind, _ occasion: String) -> String {
    let style = NotificationStyle.ofSequence[kind] ?? NotificationStyle()
    let defaults =
      "urgency `\(style.urgency.rawValue)`, sound `\(style.sound ?? "none")`, category `\(style.category ?? "none")`"
    return ManualText.entry(
      ManualText.bold(kind.rawValue),
      occasion.prefix(1).uppercased() + occasion.dropFirst() + "; \(defaults).")
  }
}
