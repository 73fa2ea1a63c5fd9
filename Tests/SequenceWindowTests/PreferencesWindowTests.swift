import Foundation
import SequenceClient
import SequencePlatform
import TestSupport
import Testing

/// The window of the preferences.
@Suite(.timeLimit(.minutes(5)))
struct PreferencesWindowTests {
  private let screen: VirtualScreen
  private var path: String { screen.directory.path + "/.config/sequence/config.yaml" }

  init() throws { screen = try VirtualScreen(height: 1000, isAccessible: true) }

  private func text() -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: screen.directory.path + "/.config/sequence", withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Opens the preferences with their key, and returns the number of their window.
  private func open() throws -> String {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.waitForWindowManager()
    try screen.press("ctrl+comma")
    let window = try screen.wait(untilTitle: "Preferences")
    // The whole first page is visible.
    _ = try screen.run("/usr/bin/xdotool", "windowsize", "--sync", window, "560", "850")
    try screen.waitForWindowManager()
    try screen.waitForAnswers()
    return window
  }

  /// Moves the focus to the switch of the media keys.
  private func focusMediaKeys() throws { for _ in 1...5 { try screen.press("Tab") } }

  private func wait(untilVisible name: String) throws {
    try screen.wait(untilVisible: name, inWindowTitled: "Preferences")
  }

  private func click(on name: String, in window: String) throws {
    try screen.click(on: name, inWindow: window, titled: "Preferences")
  }

  @Test func `keys turn a switch on and off`() throws {
    _ = try open()
    try focusMediaKeys()
    try screen.press("space")
    let heading = "# Settings of Sequence; man 5 sequence-config explains them.\n"
    try screen.wait(for: "change") { text() == heading + "panel: { media: true }\n" }
    try screen.press("space")
    try screen.wait(for: "change") { text() == heading + "panel: { media: false }\n" }
  }

  @Test func `a switch acts on what another program has written`() throws {
    try write("# Mine.\nonLock: ask\n")
    _ = try open()
    try write("# Theirs.\nhooks:\n  - { on: [pause], run: [a] }\n")
    try wait(untilVisible: "1 hook is set there")
    try focusMediaKeys()
    try screen.press("space")
    try screen.wait(for: "change") {
      text() == "# Theirs.\nhooks:\n  - { on: [pause], run: [a] }\npanel: { media: true }\n"
    }
  }

  @Test func `a mistake is shown, and isn't written over`() throws {
    let wrong = "onLock: ask\n\nonSuspend: maybe\n"
    let window = try open()
    try write(wrong)
    let mistake = "config.yaml has a mistake in line 3, so the defaults apply"
    try wait(untilVisible: mistake)
    try click(on: "Media Keys", in: window)
    try screen.waitForAnswers()
    #expect(text() == wrong)
    try write("onLock: ask\n")
    try screen.wait(for: "end of the mistake") {
      try !screen.accessibleObjects(inWindowTitled: "Preferences").contains {
        $0.name == mistake && $0.area.width > 0
      }
    }
  }

  @Test func `a change that can't be written is reported`() throws {
    // No directory can be made in a file.
    _ = try screen.file("", ".config")
    _ = try open()
    try focusMediaKeys()
    try screen.press("space")
    try screen.wait(for: "message") { try screen.windowCount() == 3 }
    try screen.press("Escape")
    try screen.wait(for: "end of the message") { try screen.windowCount() == 2 }
  }

  @Test func `every control has a name`() throws {
    _ = try open()
    let objects = try screen.accessibleObjects(inWindowTitled: "Preferences")
    // The parts of a control have the name of their type.
    let nameless = objects.filter { object in
      AccessTests.controls.contains(object.role) && !object.path.contains("combo box/")
        && (object.name.isEmpty || object.name.hasPrefix("Gtk") || object.name.hasPrefix("Adw"))
    }
    #expect(nameless.isEmpty, "\(nameless)")
    let names = Set(objects.map(\.name))
    let expected = [
      "General", "Sound", "Notifications", "When the Computer Sleeps", "When the Screen Is Locked",
      "Keep Awake",
      "Start at Login", "Media Keys", "Icon in the Panel", "Edit as Text", "Search", "Play Sounds", "Volume",
      "Speak",
      "Try It", "Count the Last Seconds", "For These Steps", "A Step Starts", "Play “A Step Starts”",
      "A Rest Starts", "Half of the Time", "Last Seconds", "A Goal Is Reached", "Time Is Up",
      "The Run Is Over",
      "Show", "A Step Ends", "Back From a Suspend",
    ]
    #expect(names.isSuperset(of: expected), "\(Set(expected).subtracting(names)) of \(names)")
  }

  @Test func `the file is created and opened in the user's editor`() throws {
    let opened = try screen.installEditor()
    _ = try open()
    try screen.act("click", on: "Edit as Text", "button", in: "config.yaml")
    try screen.wait(for: "editor") { (try? String(contentsOfFile: opened, encoding: .utf8)) == path }
    #expect(text() == "# Settings of Sequence; man 5 sequence-config explains them.\n")
  }

  @Test func `a notification is shown like those of a step`() throws {
    try write("notifications: { step-end: { urgency: critical, sound: bell } }\n")
    let server = try RecordingServer(on: screen.bus)
    defer { server.stop() }
    let window = try open()
    try click(on: "Notifications", in: window)
    try wait(untilVisible: "Show")
    try click(on: "Show", in: window)
    let shown = try server.next("notify")
    #expect(shown.summary == "Sequence works")
    #expect(shown.hints?["sound-name"] == "'bell'")
    #expect(shown.hints?["urgency"] == "0x02")
    _ = try server.next("close")
  }

  @Test func `a panel that starts makes the switch of its icon usable`() throws {
    let window = try open()
    try wait(untilVisible: "This desktop has no panel for icons")
    let panel = try RecordingServer(asPanelOn: screen.bus)
    defer { panel.stop() }
    try wait(untilVisible: "Minutes left, with a menu")
    try click(on: "Icon in the Panel", in: window)
    try screen.wait(for: "change") { text().hasSuffix("panel: { icon: true }\n") }
  }

  // systemd would ask the service manager of this machine.
  @Test(.enabled(if: !ServiceManager.isPresent))
  func `the agent starts at login`() throws {
    let entry = screen.directory.path + "/.config/autostart/sequence-agent.desktop"
    try FileManager.default.createDirectory(
      atPath: directory(ofFileAt: entry), withIntermediateDirectories: true)
    let shipped = try screen.directory.write("", to: "share/sequence-timer/sequence-agent.desktop")
    try FileManager.default.createSymbolicLink(atPath: entry, withDestinationPath: shipped)
    _ = try open()
    #expect(try screen.sequence("agent", "status").contains("starts at login"))
    for _ in 1...3 { try screen.press("Tab") }
    try screen.press("space")
    try screen.wait(for: "end of the entry") {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: entry)) == nil
    }
    #expect(try screen.sequence("agent", "status").contains("doesn't start at login"))
    // A message says that these programs aren't installed.
    try screen.press("space")
    try screen.wait(for: "message") { try screen.windowCount() == 3 }
    #expect(text().isEmpty)
  }

  @Test func `the program ends with its window while the preferences are open`() throws {
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    for _ in 1...2 {
      try screen.activate("preferences")
      try screen.wait(untilTitle: "Preferences")
      try screen.waitForWindowManager()
      try screen.press("Escape")
      try screen.wait(for: "end of the preferences") { try screen.windowCount() == 1 }
    }
    try screen.activate("preferences")
    try screen.wait(untilTitle: "Preferences")
    try screen.activate("quit")
    #expect(try window.exitStatus() == 0)
  }
}
