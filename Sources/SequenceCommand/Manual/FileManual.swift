import SequenceFiles

/// The page sequence(5): sequence files, in the words of `docs/file-format.md`, which a test compares.
enum FileManual {
  static var page: String {
    ManualText.page([
      ManualText.head(5, summary: "sequence files"),
      ".SH DESCRIPTION", ManualText.text(description),
      ManualText.example(example),
      ".SH KEYS", keyList,
      paragraphs.map(ManualText.paragraph).joined(separator: "\n"),
      ".SH VALUES", values.map(ManualText.paragraph).joined(separator: "\n"),
      ".SH LIMITS",
      limits.map { ManualText.entry(ManualText.text($0.what), "At most \($0.most).") }.joined(
        separator: "\n"),
      ".SH SEE ALSO", "\\fBsequence\\fR(1)",
    ])
  }

  static let description =
    "A sequence file is one YAML document in UTF-8 (JSON is YAML too). `sequence check` says what is wrong with one, "
    + "with the line and the column. Those of the library, `~/.local/share/sequence`, are found by their names."

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

  /// A key, what it is a key of, and what it means.
  static let keys: [(place: String, key: String, meaning: String)] = [
    ("sequence", "`title`", "what is shown; up to 1,000 characters"),
    ("sequence", "`cards`", "the cards and groups, in order"),
    (
      "sequence", "`onSuspend`",
      "`continue`, `pause` or `ask`: what becomes of a run while the machine sleeps or is off"
    ),
    ("sequence", "`id`", "a UUID; without it, it follows from the title"),
    ("card", "`title`, `note`", "what is shown; the note is optional"),
    ("card", "`countdown`", "a duration, after which the card is complete"),
    ("card", "`advance`", "`automatic`, or `manual`: stays at zero and counts overtime until you go on"),
    ("card", "`countUp`", "runs until you complete it; `{}`, or with `goal`, `reminders` (3), `every` (10m)"),
    ("card", "`skipLast`", "`true` leaves the card out in the last round of the group that it is in"),
    ("card", "`id`", "a UUID; without it, it follows from the title and the place"),
    ("group", "`rounds`", "how often its cards are repeated, from 1"),
    ("group", "`cards`", "cards, and groups again"),
  ]

  static let limits = [
    (what: "a file", most: "1 MiB"),
    (what: "steps, with rounds and aliases written out", most: "100,000"),
    (what: "groups in groups", most: "16"),
    (what: "reminders of a card", most: "100"),
    (what: "the countdowns together", most: "36,500 days"),
  ]

  static let paragraphs = [
    "A card has a `countdown` or a `countUp`, never both. Reminders come at the goal and then every `every` of active "
      + "time; a cadence below ten minutes is raised to ten, and `sequence check` says so.",
    "Ids are in the identifiers of notifications and in the history. Those that are left out are the same whenever the "
      + "same file is read: UUIDs of version 8 (RFC 9562), made from the titles and the places.",
  ]

  static let values = [
    "Every value is taken as the text that is written and read by the rule of its key. So `on` is a title, and `1:30` "
      + "is a minute and a half. Durations are `20s`, `1m30s`, `1h`, `2d`, `90` (seconds), `1:30`, `1:00:05` or "
      + "`PT1M30S`; the last number may have a fraction, down to a nanosecond. A duration is longer than zero and at "
      + "most 30 days.",
    "A block is used again with an anchor and an alias (`&block`, `*block`). Tags, merge keys (`<<`), duplicate keys "
      + "and a second document are refused, and so is every unknown key: a typo never silently becomes a different "
      + "workout.",
  ]

  private static var keyList: String {
    ["sequence", "card", "group"].map { place in
      let entries = keys.filter { $0.place == place }.map {
        ManualText.entry(ManualText.text($0.key), $0.meaning)
      }
      return ([".SS \(place.prefix(1).uppercased() + place.dropFirst())"] + entries).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
