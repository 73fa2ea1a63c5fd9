import TestSupport
import Testing

/// The window as screen readers see it.
@Suite(.timeLimit(.minutes(3)))
struct AccessTests {
  private let screen: VirtualScreen

  init() throws { screen = try VirtualScreen(isAccessible: true) }

  /// The roles of controls, as the versions of GTK call them.
  static let controls: Set = [
    "push button", "button", "toggle button", "text", "text box", "entry", "spin button", "switch",
    "check box",
    "combo box", "slider", "tab", "timer",
  ]

  @Test func `every control has a name`() throws {
    try screen.sequence(
      "start", "--card", "Work 20m", "--card", "Rest 10m", "--rounds", "4", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Work – All")
    try screen.activate("add-template", "'tabata'")
    try screen.activate("history")
    try screen.activate("show-sequence", "'tabata'")
    let objects = try screen.accessibleObjects()
    // Without a name, GTK gives the name of the widget's type.
    let nameless = objects.filter { object in
      AccessTests.controls.contains(object.role)
        && (object.name.isEmpty || object.name.hasPrefix("Gtk") || object.name.hasPrefix("Adw"))
    }
    #expect(nameless.isEmpty, "\(nameless)")
    let names = Set(objects.map(\.name))
    let expected = [
      "Back", "Pause", "Skip", "Add 30 seconds", "Main Menu", "Stop Run", "Round 1 of 4",
      "Title and duration", "Start",
      "Edit File", "New Sequence",
      "Start Tabata", "Include Work", "Rounds", "Timer", "Library", "History",
    ]
    #expect(names.isSuperset(of: expected), "\(names)")
    #expect(names.contains { $0.hasSuffix(" left") })
    try screen.activate("full-screen")
    try screen.wait(for: "full screen") { try screen.size(ofWindow: window).contains("800x700") }
    #expect(try screen.accessibleObjects().contains { $0.name == "Leave Full Screen" })
  }

  @Test func `the whole text of an error is shown`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("add-template", "'tabata'")
    try screen.activate("create", "'tabata'")
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
    let text = "Your library already has a sequence named “tabata”. Choose another name."
    #expect(try screen.accessibleObjects().contains { $0.name == text && $0.area.width > 0 })
    // The same message isn't shown twice.
    try screen.activate("create", "'tabata'")
    try screen.settle()
    #expect(try screen.windowCount() == 2)
    try screen.press("Escape")
    try screen.wait(for: "window") { try screen.windowCount() == 1 }
    try screen.activate("create", "'tabata'")
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
  }

  @Test func `Space pauses, whichever button was clicked`() throws {
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--card", "C 10m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    for (name, title) in [("Skip", "B"), ("Back", "A"), ("Skip", "B")] {
      // The focus of the keyboard doesn't count once the mouse is used.
      try screen.press("Tab")
      try screen.click(on: name, inWindow: window)
      try screen.wait(untilTitle: "\(title) – All")
      try screen.press("space")
      try screen.wait(for: "paused", from: "status")
      try screen.press("space")
      try screen.wait(for: "running", from: "status")
    }
    try screen.click(on: "Timer", inWindow: window)
    try screen.press("space")
    try screen.wait(for: "paused", from: "status")
    for key in ["F10", "Escape", "space"] {
      // A key while a menu opens or closes may go nowhere.
      try screen.settle()
      try screen.settleWindowManager()
      try screen.press(key)
    }
    try screen.wait(for: "running", from: "status")
  }

  @Test func `the buttons of a run take a click in their middle`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    try screen.click(on: "Pause", inWindow: window)
    try screen.wait(for: "paused", from: "status")
    try screen.click(on: "Resume", inWindow: window)
    try screen.wait(for: "running", from: "status")
    try screen.click(on: "Add 30 seconds", inWindow: window)
    try screen.wait(for: "20:30", from: "status", "--format", "{duration}")
  }

  @Test func `a double click on a sequence opens its page`() throws {
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    let usual = try screen.size(ofWindow: window)
    try screen.activate("add-template", "'tabata'")
    try screen.activate("library")
    try screen.settle()
    try screen.click(on: "Tabata", inWindow: window, times: 2)
    try screen.wait(for: "page") {
      try screen.accessibleObjects().contains { $0.name == "Edit File" && $0.area.width > 0 }
    }
    #expect(try screen.size(ofWindow: window) == usual)
  }

  @Test func `a sequence appears in a library that did not exist`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("library")
    try screen.settle()
    try screen.sequence("new", "tea")
    try screen.wait(for: "sequence") { try screen.accessibleObjects().contains { $0.name == "Start tea" } }
  }
}
