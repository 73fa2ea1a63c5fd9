import SequenceConfiguration
import SequenceFiles
import Testing

@testable import SequenceWindow

/// The settings of a text of `config.yaml`, and the text after a change.
@Suite struct PreferencesTests {
  /// The settings that the window shows: those whose keys are the id of a widget in its interface.
  private static let all: [String] = {
    let interface = String(decoding: PackageResources.preferences_ui, as: UTF8.self)
    return Configuration.settings.map(\.id).filter { interface.contains("id=\"\($0)\"") }
  }()

  private func text(_ preferences: Preferences) -> String {
    String(decoding: preferences.document.bytes, as: UTF8.self)
  }

  private func preferences(_ text: String) throws -> Preferences { try Preferences(Array(text.utf8)) }

  @Test(arguments: [
    "hooks: &x []\npanel: &x { icon: true }\n", #"{"panel": {"icon": true}, "cues": {"speech": false}}"#,
  ])
  func `a valid file can be changed`(text: String) throws {
    let changed = try preferences(text).setting("panel.icon", to: .flag(false)).setting(
      "onLock", to: .text("ask"))
    #expect(changed["panel.icon"] == .flag(false) && changed["onLock"] == .text("ask"))
    #expect(self.text(changed).hasPrefix(text.prefix(5)))
  }

  /// Each of these settings with each of its other values, and the text with that in an empty file.
  private static let changes: [(setting: Setting, new: SettingValue, text: String)] = {
    var changes: [(setting: Setting, new: SettingValue, text: String)] = []
    for setting in Configuration.settings where all.contains(setting.id) {
      // Some settings have no list of values.
      var values = setting.choices.isEmpty ? ["60", "60s"] : setting.choices.compactMap { $0 }
      if setting.id == "cues.sounds.half" { values.append("/a b/g.oga") }
      for value in values {
        let (new, written) = (SettingValue.text(value), file(value, at: setting.keys[...]))
        let preferences = try? Preferences(Array(written.utf8))
        if preferences?[setting] == new, (try? Preferences())?[setting] != new {
          changes.append((setting, new, written))
        }
      }
    }
    return changes
  }()

  /// A mapping that has nothing but a value is in braces.
  private static func file(_ value: String, at keys: ArraySlice<String>, _ indent: String = "") -> String {
    guard let key = keys.first else { return value }
    return switch keys.count {
    case 1: "\(indent)\(key): \(value)\n"
    case 2: "\(indent)\(key): { \(keys[keys.endIndex - 1]): \(value) }\n"
    default: "\(indent)\(key):\n" + file(value, at: keys.dropFirst(), indent + "  ")
    }
  }

  @Test(arguments: changes.indices)
  func `a missing key is added, and its value replaced in place`(index: Int) throws {
    let (setting, new, expected) = PreferencesTests.changes[index]
    let empty = try preferences("")
    let usual = empty[setting]
    let changed = try empty.setting(setting, to: new)
    #expect(text(changed) == expected)
    #expect(changed[setting] == new)
    // No other setting has changed.
    for other in Configuration.settings
    where PreferencesTests.all.contains(other.id) && other.id != setting.id {
      // A rest begins like other steps.
      #expect(changed[other] == empty[other], "\(other.id)")
    }
    let back = try changed.setting(setting, to: usual)
    #expect(back[setting] == usual)
    if case .text(let word) = usual, case .text(let former) = new {
      let written = word == "no" ? "\"no\"" : word
      #expect(text(back) == expected.replacing(": \(former)", with: ": \(written)"))
    }
    #expect(back.hookCount == 0)
  }

  @Test func `every setting can be changed`() {
    #expect(Set(PreferencesTests.changes.map(\.setting.id)) == Set(PreferencesTests.all))
  }

  @Test func `each row shows a setting, with a word for each of its values`() throws {
    let interface = String(decoding: PackageResources.preferences_ui, as: UTF8.self)
    let list = #/class="GtkStringList" id="([^"]+)">(.*?)</items>/#.dotMatchesNewlines()
    let row = #/class="(Adw|Gtk)(?:ComboRow|Switch|Scale|SpinButton)" id="([^"]+)">(.*?)\n {12}</child>/#
      .dotMatchesNewlines()
    for match in interface.matches(of: row) where match.2 != "login" {
      let setting = try #require(Configuration.settings.first { $0.id == match.2 }, "\(match.2)")
      guard match.1 == "Adw" else { continue }
      let model = match.3.firstMatch(of: #/"model">(\w+)</#)?.1
      let words = interface.matches(of: list).first { $0.1 == model }?.2 ?? match.3
      #expect(words.matches(of: #/<item /#).count == setting.choices.count, "\(setting.id)")
    }
  }

  @Test(arguments: changes.indices)
  func `the value that a setting has isn't written`(index: Int) throws {
    let (setting, new, expected) = PreferencesTests.changes[index]
    let empty = try preferences("# nothing\n")
    #expect(try text(empty.setting(setting, to: empty[setting])) == "# nothing\n")
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
    #expect(rich["onSuspend"] == .text("ask"))
    #expect(rich["cues.when"] == .other)
    #expect(rich["notifications.sound"] == .other)
    #expect(rich["cues.remaining"] == .text("60s"))
    #expect(rich["cues.sounds.rest"] == .text("/home/me/gong.oga"))
    #expect(rich.playedSound(.rest) == "/home/me/gong.oga")
    #expect(rich.hookCount == 2)
    #expect(try rich.setting("cues.when", to: .other) == rich)
  }

  /// Changes of that text, each with the part that it replaces.
  private static let richChanges: [(setting: Setting, new: SettingValue, old: String, text: String)] = [
    ("onSuspend", .text("continue"), "ask", "continue"),
    ("onLock", .text("pause"), "run: [a] }", "run: [a] }\r\nonLock: pause"),
    ("cues.sound", .flag(true), "remaining: 1m", "remaining: 1m\r\n    sound: true"),
    ("cues.remaining", .text("10s"), "1m", "10s"),
    ("cues.sounds.half", .text("none"), "bell", "none"),
    ("cues.sounds.rest", .unset, ", rest: /home/me/gong.oga", ""),
    ("cues.sounds.run-end", .text("bell"), "gong.oga}", "gong.oga, run-end: bell}"),
    ("cues.when", .text("work"), "{ title: Focus }", "work"),
    ("notifications.sound", .text("none"), "my-sound", "none"),
    ("notifications.run-end.urgency", .text("critical"), "x-me.run", "x-me.run\r\n    urgency: critical"),
    (
      "notifications.goal.urgency", .text("low"), "category: x-me.run",
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
    #expect(common["notifications.step-end.urgency"] == .text("low"))
    #expect(common["notifications.return.urgency"] == .text("low"))
    let changed = try common.setting("notifications.step-end.urgency", to: .text("normal"))
    #expect(text(changed) == "notifications: { urgency: low, step-end: { urgency: normal } }\n")
    #expect(changed["notifications.goal.urgency"] == .text("low"))
  }

  @Test func `a value that aliases share is changed only where that is possible`() throws {
    let shared = try preferences("onSuspend: &policy pause\nonLock: *policy\n")
    #expect(shared["onLock"] == .text("pause"))
    #expect(throws: DocumentError.notPossible) { try shared.setting("onSuspend", to: .text("ask")) }
    #expect(
      text(try shared.setting("onLock", to: .text("ask"))) == "onSuspend: &policy pause\nonLock: ask\n")
  }

  @Test(arguments: [
    "onSuspend: maybe\n", "cues: [\n", "unknown: 1\n", "cues:\n", "\u{1}\n", "onLock: pause\nonLock: ask\n",
  ])
  func `a mistake is refused`(text: String) {
    #expect(throws: SequenceFileError.self) { try preferences(text) }
  }
}

/// A setting by its keys, such as `panel.icon`.
extension Setting: ExpressibleByStringLiteral {
  /// Finds the setting.
  public init(stringLiteral id: String) {
    guard let setting = Configuration.settings.first(where: { $0.id == id }) else {
      preconditionFailure("no setting is called \(id)")
    }
    self = setting
  }
}
