import SequenceFiles

/// The page sequence(5): sequence files, in the words of `docs/file-format.md`, which a test compares.
enum FileManual {
  static var page: String {
    ManualText.page([
      ManualText.head(5, summary: "sequence files"),
      ".SH DESCRIPTION", ManualText.text(description),
      ManualText.example(example),
      ".SH KEYS", ManualText.list(keys, of: ["sequence", "card", "group"]),
      paragraphs.map(ManualText.paragraph).joined(separator: "\n"),
      ".SH VALUES", values.map(ManualText.paragraph).joined(separator: "\n"),
      ".SH LIMITS",
      limits.map { ManualText.entry(ManualText.text($0.what), "At most \($0.most).") }.joined(
        separator: "\n"),
      ".SH SEE ALSO", "\\fBsequence\\fR(1), \\fBsequence-config\\fR(5)",
    ])
  }

  static let description =
    "A sequence file is one YAML document in UTF-8. JSON is YAML too. `sequence check` shows the steps of a file, or its "
    + "mistake with line and column. Files in the library, `~/.local/share/sequence`, are found by name."

  static let example = """
    title: Tabata
    cards:
      - title: Warm up
        countdown: 2m
      - rounds: 8
        cards:
          - { title: Work, countdown: 20s, note: All out }
          - { title: Rest, countdown: 10s, skipLast: true }   # left out in the last round
      - title: Stretch
        countUp: { goal: 5m, reminders: 3, every: 10m }
      - title: Write it down
        countUp: {}                                           # no goal: until `next`
      - title: Coffee
        countdown: 4m
        advance: manual                                       # stays at zero until `next`
    """

  /// A key, where it belongs, and its meaning.
  static let keys: [(place: String, key: String, meaning: String)] = [
    ("sequence", "`title`", "the title to show"),
    ("sequence", "`cards`", "the cards and groups, in order"),
    (
      "sequence", "`onSuspend`",
      "`continue`, `pause` or `ask`: whether a run continues while the computer sleeps or is off"
    ),
    (
      "sequence", "`onLock`",
      "`continue`, `pause` or `ask`: whether a run continues while the screen is locked, except in a rest"
    ),
    ("sequence", "`id`", "a UUID (default: derived from the title)"),
    ("card", "`title`, `note`", "the texts to show. The note is optional"),
    ("card", "`countdown`", "a duration, after which the card is complete"),
    (
      "card", "`advance`",
      "`automatic` (default), or `manual`: stays at zero and counts overtime until you continue"
    ),
    (
      "card", "`countUp`",
      "runs until you complete it. `{}`, or with `goal`, `reminders` (default: 3) and `every` (default: 10m)"
    ),
    ("card", "`skipLast`", "`true` leaves the card out in the last round of its group"),
    (
      "card", "`rest`",
      "`true` or `false`: whether the card is a rest (default: if it has `skipLast`, or one of the English words *rest*, "
        + "*break*, *pause*, *recover*, *recovery* and *breathe* in its title)"
    ),
    (
      "card", "`sound`",
      "the sound at its start, if [sounds](cues.md) are on: a name of the sound theme, the path of a file, relative to "
        + "the sequence file, or `none` (default: as in `config.yaml`)"
    ),
    (
      "card", "`image`",
      "the path of a picture, relative to the sequence file, which the window and the notifications of the card show"
    ),
    (
      "card", "`insist`",
      "with `advance: manual`: a reminder at this interval (from 10s, at most 30 of them) until you press a button, "
        + "dismiss it, look at the run or change it"
    ),
    ("card", "`id`", "a UUID (default: derived from the title and the position)"),
    ("group", "`rounds`", "how many times to repeat the cards, from 1, or `forever`"),
    ("group", "`cards`", "cards and groups"),
  ]

  static let limits = [
    (what: "file size", most: "1 MiB"),
    (what: "a title or a note", most: "1,000 characters, 4,000 bytes"),
    (what: "all titles and notes together, with aliases written out", most: "4 MiB"),
    (what: "steps, with rounds and aliases written out, and one round of `forever`", most: "100,000"),
    (what: "levels of nested groups", most: "16"),
    (what: "reminders of a card", most: "100"),
    (what: "all countdowns together", most: "36,500 days"),
  ]

  static let paragraphs = [
    "A card has a `countdown` or a `countUp`, never both. The first reminder of a count-up comes at the goal, and the "
      + "others follow every `every` of active time. An `every` below ten minutes is raised to ten, and `sequence check` "
      + "says so.",
    "`rounds: forever` repeats a group until you stop the run. Only the last element of a sequence can have it, outside of "
      + "other groups. One round lasts at least a second, or has a card that waits for you, and `skipLast` has no effect "
      + "in it. Such a run has no number of steps and no time left. If you stop it after a whole round, it is finished.",
    "A sound or a picture must be a regular file of at most 10 MiB that you can read. Otherwise the card has the usual "
      + "sound and no picture, and `sequence check` says so. Whether pictures are shown depends on the notification server.",
    "Ids identify sequences and cards in notifications and in the history. Default ids are the same each time the same "
      + "file is read. They are UUIDs of version 8 (RFC 9562), made from the titles and positions.",
  ]

  static let values = [
    "Every value is taken as the text that is written, and read by the rule of its key. So `on` is a valid title, and "
      + "`1:30` is a minute and a half.",
    "Durations are `20s`, `1m30s`, `1h 30m`, `5 min`, `2 days`, `90` (seconds), `1:30`, `1:00:05` or `PT1M30S`. Units are "
      + "`s`, `m`, `h` and `d`, or `sec`, `min`, `hr` and the words, with or without a plural and a final dot. The last "
      + "number may have a fraction, down to a nanosecond. A duration is longer than zero and at most 30 days.",
    "To use a block again, mark it with an anchor and repeat it with an alias (`&block`, `*block`). Tags, merge keys "
      + "(`<<`), duplicate keys and a second document are errors. An unknown key is an error too, so a typo never silently "
      + "becomes a different workout.",
  ]
}
