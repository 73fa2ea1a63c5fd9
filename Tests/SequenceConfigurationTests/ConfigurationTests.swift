import Foundation
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequenceRunner
import TestSupport
import Testing

struct ConfigurationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func read(_ text: String) throws -> Configuration {
    try Configuration.read(path: directory.write(text, to: "config.yaml"))
  }

  @Test func `missing settings have their defaults`() throws {
    #expect(try Configuration.read(path: directory.path + "/none.yaml") == Configuration())
    #expect(try Configuration.read(path: directory.path + "/none/config.yaml") == Configuration())
    #expect(try read("") == Configuration())
    #expect(try read("# nothing yet\n") == Configuration())
    #expect(try read("notifications: {}") == Configuration())
    #expect(Configuration().styles[.runEnd]?.sound == "complete")
  }

  @Test func `a byte order mark changes nothing`() throws {
    let text = "notifications: { sound: bell }\nonSuspend: pause\n"
    #expect(try read("\u{FEFF}" + text) == read(text))
  }

  @Test func `a setting for one kind overrides the setting for all kinds`() throws {
    let styles = try read(
      """
      notifications:
        sound: none
        icon: /usr/share/timer.png
        pause: { icon: none }
        run-end: { sound: bell, urgency: critical, category: none }
      """
    ).styles
    #expect(styles[.stepEnd]?.sound == nil)
    #expect(styles[.stepEnd]?.icon == "/usr/share/timer.png")
    #expect(styles[.stepEnd]?.category == "x-sequence.step")
    #expect(
      styles[.runEnd]
        == NotificationStyle(urgency: .critical, category: nil, sound: "bell", icon: "/usr/share/timer.png"))
    #expect(styles[.pause]?.urgency == .normal)
    #expect(styles[.pause]?.icon == "")
  }

  @Test(arguments: [
    (
      "notification: {}",
      "1:1: unknown key \"notification\" in the configuration; did you mean notifications?"
    ),
    (
      "notifications: { runend: {} }",
      "1:18: unknown key \"runend\" in notifications; did you mean run-end?"
    ),
    (
      "notifications: { urgency: high }",
      "1:27: urgency must be low, normal or critical, not \"high\""
    ),
    (
      "notifications: { sound: [a] }",
      "1:25: sound must be a name or none, not a list"
    ),
    ("dayStart: 13:00", "1:11: dayStart must be a time from 0:00 to 12:00, not \"13:00\""),
    ("fullScreen: always", "1:13: fullScreen must be manual or rest, not \"always\""),
    ("weekStart: friday", "1:12: weekStart must be monday, sunday or saturday, not \"friday\""),
    ("notifications: 3", "1:16: notifications must have keys and values, but this is \"3\""),
    ("[", "2:1: this is not YAML: did not find expected node content"),
  ])
  func `a mistake is reported with its position`(text: String, message: String) throws {
    let error = #expect(throws: SequenceFileError.self) { try read(text + "\n") }
    #expect(error?.message(inFile: "config.yaml") == "config.yaml:" + message)
  }

  @Test func `the file is found according to the XDG Base Directory Specification`() {
    #expect(
      Configuration.path(environment: ["HOME": "/home/me", "XDG_CONFIG_HOME": "/c"])
        == "/c/sequence/config.yaml")
    #expect(
      Configuration.path(environment: ["HOME": "/home/me", "XDG_CONFIG_HOME": "c"])
        == "/home/me/.config/sequence/config.yaml")
    #expect(Configuration.path(environment: [:]) == nil)
  }

  @Test(
    arguments: [
      (nil, false, "own-step"), (nil, true, "own-rest"), ("bell", true, "bell"), ("", false, nil),
      ("a\nb", false, nil),
    ] as [(String?, Bool, String?)])
  func `a card begins with its sound, or with the sound of its kind`(
    own: String?, isRest: Bool, expected: String?
  ) {
    var cues = Cues()
    cues.sounds = [.step: "own-step", .rest: "own-rest"]
    let card = Card(id: UUID(), title: "A", timing: .countUp(), isRest: isRest, sound: own)
    #expect(cues.startSound(of: card) == expected)
  }
}
