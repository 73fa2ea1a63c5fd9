import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import Testing

@testable import SequenceWindow

/// The settings of a text of `config.yaml`, and the text after a change.
@Suite struct PreferencesTests {
  private static let all: [Setting] =
    [
      .onSuspend, .onLock, .keepAwake, .mediaKeys, .panelIcon, .sound, .volume, .remaining, .steps, .speech,
      .notificationSound,
    ] + CueSound.allCases.map(Setting.cueSound) + Setting.shownKinds.map(Setting.urgency)

  private func text(_ preferences: Preferences) -> String {
    String(decoding: preferences.document.bytes, as: UTF8.self)
  }

  private func preferences(_ text: String) throws -> Preferences { try Preferences(Array(text.utf8)) }

  @Test(arguments: [
    "hooks: &x []\npanel: &x { icon: true }\n", #"{"panel": {"icon": true}, "cues": {"speech": false}}"#,
  ])
  func `a valid file can be changed`(text: String) throws {
    let changed = try preferences(text).setting(.panelIcon, to: .flag(false)).setting(
      .onLock, to: .text("ask"))
    #expect(changed[.panelIcon] == .flag(false) && changed[.onLock] == .text("ask"))
    #expect(self.text(changed).hasPrefix(text.prefix(5)))
  }

  /// The value of each setting without a file, another one, and the text with that in an empty file.
  private static let changes: [(setting: Setting, usual: SettingValue, new: SettingValue, text: String)] = [
    (.onSuspend, .text("continue"), .text("pause"), "onSuspend: pause\n"),
    (.onLock, .text("continue"), .text("ask"), "onLock: ask\n"),
    (.keepAwake, .text("no"), .text("screen"), "keepAwake: screen\n"),
    (.keepAwake, .text("no"), .text("system"), "keepAwake: system\n"),
    (.mediaKeys, .flag(false), .flag(true), "panel: { media: true }\n"),
    (.panelIcon, .flag(false), .flag(true), "panel: { icon: true }\n"),
    (.sound, .unset, .flag(true), "cues: { sound: true }\n"),
    (.sound, .unset, .flag(false), "cues: { sound: false }\n"),
    (.volume, .text("100"), .text("60"), "cues: { volume: 60 }\n"),
    (.remaining, .text("3s"), .text("60s"), "cues: { remaining: 60s }\n"),
    (.steps, .unset, .text("work"), "cues: { when: work }\n"),
    (.steps, .unset, .text("rest"), "cues: { when: rest }\n"),
    (.speech, .flag(false), .flag(true), "cues: { speech: true }\n"),
    (
      .cueSound(.step), .text("message-new-instant"), .text("bell"),
      "cues:\n  sounds: { step-start: bell }\n"
    ),
    (.cueSound(.rest), .unset, .text("none"), "cues:\n  sounds: { rest: none }\n"),
    (.cueSound(.half), .text("bell"), .text("/a b/g.oga"), "cues:\n  sounds: { half: /a b/g.oga }\n"),
    (
      .cueSound(.count), .text("audio-volume-change"), .text("bell"), "cues:\n  sounds: { remaining: bell }\n"
    ),
    (.cueSound(.goal), .text("alarm-clock-elapsed"), .text("bell"), "cues:\n  sounds: { goal: bell }\n"),
    (
      .cueSound(.overtime), .text("alarm-clock-elapsed"), .text("bell"),
      "cues:\n  sounds: { overtime: bell }\n"
    ),
    (.cueSound(.finished), .text("complete"), .text("bell"), "cues:\n  sounds: { run-end: bell }\n"),
    (.notificationSound, .unset, .text("none"), "notifications: { sound: none }\n"),
    (
      .urgency(.stepEnd), .text("normal"), .text("low"), "notifications:\n  step-end: { urgency: low }\n"
    ),
    (
      .urgency(.overtime), .text("normal"), .text("critical"),
      "notifications:\n  overtime: { urgency: critical }\n"
    ),
    (.urgency(.goal), .text("normal"), .text("low"), "notifications:\n  goal: { urgency: low }\n"),
    (.urgency(.runEnd), .text("normal"), .text("low"), "notifications:\n  run-end: { urgency: low }\n"),
    (.urgency(.return), .text("critical"), .text("low"), "notifications:\n  return: { urgency: low }\n"),
  ]

  @Test(arguments: changes.indices)
  func `a missing key is added, and its value replaced in place`(index: Int) throws {
    let (setting, usual, new, expected) = PreferencesTests.changes[index]
    let empty = try preferences("")
    #expect(empty[setting] == usual)
    let changed = try empty.setting(setting, to: new)
    #expect(text(changed) == expected)
    #expect(changed[setting] == new)
    // No other setting has changed.
    for other in PreferencesTests.all where other != setting {
      // A rest begins like other steps.
      #expect(changed[other] == empty[other], "\(other)")
    }
    let back = try changed.setting(setting, to: usual)
    #expect(back[setting] == usual)
    if case .text(let word) = usual, case .text(let former) = new {
      let written = word == "no" ? "\"no\"" : word
      #expect(text(back) == expected.replacing(": \(former)", with: ": \(written)"))
    }
    #expect(back.hookCount == 0)
  }

  @Test func `every setting is in the table`() {
    #expect(Set(PreferencesTests.changes.map(\.setting)) == Set(PreferencesTests.all))
  }

  @Test(arguments: changes.indices)
  func `the value that a setting has isn't written`(index: Int) throws {
    let (setting, usual, new, expected) = PreferencesTests.changes[index]
    #expect(try text(preferences("# nothing\n").setting(setting, to: usual)) == "# nothing\n")
    #expect(try text(preferences(expected).setting(setting, to: new)) == expected)
  }

  /// A text with comments, values that the preferences don't show, and a style of its own.
  private static let rich = """
    # Mine.\r
    onSuspend: 'ask'   # I decide\r
    \r
    cues:\r
        sounds: {half: "bell", rest: /home/me/gong.oga} # loud\r
        when: { title: Focus }\r
        # A minute.\r
        remaining: 1m\r
    notifications:\r
      icon: tomato\r
      sound: my-sound\r
      run-end:\r
        category: x-me.run\r
    hooks:\r
      - on: [pause]\r
        run: [playerctl, pause]\r
      - { on: [stop], run: [a] }\r

    """

  @Test func `odd values are shown and kept`() throws {
    let rich = try preferences(PreferencesTests.rich)
    #expect(rich[.onSuspend] == .text("ask"))
    #expect(rich[.steps] == .other)
    #expect(rich[.notificationSound] == .other)
    #expect(rich[.remaining].number == 60)
    #expect(rich[.cueSound(.rest)] == .text("/home/me/gong.oga"))
    #expect(rich.playedSound(.rest) == "/home/me/gong.oga")
    #expect(rich.hookCount == 2)
    #expect(try rich.setting(.steps, to: .other) == rich)
  }

  /// Changes of that text, each with the part that it replaces.
  private static let richChanges: [(setting: Setting, new: SettingValue, old: String, text: String)] = [
    (.onSuspend, .text("continue"), "ask", "continue"),
    (.onLock, .text("pause"), "run: [a] }", "run: [a] }\r\nonLock: pause"),
    (.sound, .flag(true), "remaining: 1m", "remaining: 1m\r\n    sound: true"),
    (.remaining, .text("10s"), "1m", "10s"),
    (.cueSound(.half), .text("none"), "bell", "none"),
    (.cueSound(.rest), .unset, ", rest: /home/me/gong.oga", ""),
    (.cueSound(.finished), .text("bell"), "gong.oga}", "gong.oga, run-end: bell}"),
    (.steps, .text("work"), "{ title: Focus }", "work"),
    (.notificationSound, .text("none"), "my-sound", "none"),
    (.urgency(.runEnd), .text("critical"), "x-me.run", "x-me.run\r\n    urgency: critical"),
    (
      .urgency(.goal), .text("low"), "category: x-me.run",
      "category: x-me.run\r\n  goal: { urgency: low }"
    ),
  ]

  @Test(arguments: richChanges.indices)
  func `everything else stays, byte for byte`(index: Int) throws {
    let (setting, new, old, part) = PreferencesTests.richChanges[index]
    let changed = try preferences(PreferencesTests.rich).setting(setting, to: new)
    #expect(text(changed) == PreferencesTests.rich.replacing(old, with: part))
    #expect(changed[setting] == new)
  }

  @Test func `the urgency of all kinds is the default of each`() throws {
    let common = try preferences("notifications: { urgency: low }\n")
    #expect(common[.urgency(.stepEnd)] == .text("low"))
    #expect(common[.urgency(.return)] == .text("low"))
    let changed = try common.setting(.urgency(.stepEnd), to: .text("normal"))
    #expect(text(changed) == "notifications: { urgency: low, step-end: { urgency: normal } }\n")
    #expect(changed[.urgency(.goal)] == .text("low"))
  }

  @Test func `a value that aliases share is changed only where that is possible`() throws {
    let shared = try preferences("onSuspend: &policy pause\nonLock: *policy\n")
    #expect(shared[.onLock] == .text("pause"))
    #expect(throws: DocumentError.notPossible) { try shared.setting(.onSuspend, to: .text("ask")) }
    #expect(
      text(try shared.setting(.onLock, to: .text("ask"))) == "onSuspend: &policy pause\nonLock: ask\n")
  }

  @Test(arguments: [
    "onSuspend: maybe\n", "cues: [\n", "unknown: 1\n", "cues:\n", "\u{1}\n", "onLock: pause\nonLock: ask\n",
  ])
  func `a mistake is refused`(text: String) {
    #expect(throws: SequenceFileError.self) { try preferences(text) }
  }
}
