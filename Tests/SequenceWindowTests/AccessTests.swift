import TestSupport
import Testing

/// The window as screen readers see it.
@Suite(.timeLimit(.minutes(3)))
struct AccessTests {
  private let screen: VirtualScreen

  init() throws { screen = try VirtualScreen(isAccessible: true) }

  /// The roles of controls, as the versions of GTK call them.
  private static let controls: Set = [
    "push button", "button", "toggle button", "text", "entry", "spin button", "switch", "check box", "tab",
    "timer",
  ]

  @Test func `every control has a name`() throws {
    try screen.sequence(
      "start", "--card", "Work 20m", "--card", "Rest 10m", "--rounds", "4", "--title", "All")
    try screen.openWindow()
    try screen.wait(untilTitle: "Work – All")
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
      "Edit File", "New Sequence", "Leave Full Screen",
      "Start Tabata", "Include Work", "Rounds", "Timer", "Library", "History",
    ]
    #expect(names.isSuperset(of: expected), "\(names)")
    #expect(names.contains { $0.hasSuffix(" left") })
  }
}
