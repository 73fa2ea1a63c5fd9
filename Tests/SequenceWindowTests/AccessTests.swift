import Foundation
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
    "check box", "combo box", "list item", "slider", "tab", "timer",
  ]

  @Test func `every control has a name`() throws {
    try screen.sequence(
      "start", "--card", "Work 20m", "--card", "Rest 10m", "--rounds", "4", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Work – All")
    try screen.activate("add-starter", "tabata")
    try screen.activate("history")
    try screen.activate("show-sequence", "tabata")
    try screen.activate("edit")
    try screen.waitForAnswers()
    // The first card, with its fields.
    for _ in 0..<7 { try screen.press("Tab") }
    try screen.press("Return")
    try screen.waitForAnswers()
    let objects = try screen.accessibleObjects()
    // Without a name, GTK gives the name of the widget's type.
    let nameless = objects.filter { object in
      AccessTests.controls.contains(object.role)
        && (object.name.isEmpty || object.name.hasPrefix("Gtk") || object.name.hasPrefix("Adw"))
    }
    #expect(nameless.isEmpty, "\(nameless)")
    let names = Set(objects.map(\.name))
    let expected = [
      "Back", "Pause", "Skip", "Add 30 seconds", "Main Menu", "Stop Run", "Title and duration", "Start",
      "Edit the Sequence", "New Sequence", "For This Run",
      "Start Tabata", "Rounds", "Timer", "Library", "History",
      "Warm up, 2\u{A0}min", "Actions of Warm up", "Type", "Time", "Note", "Choose: Picture", "Undo",
      "8 rounds, 3\u{A0}min 50\u{A0}s, 2 cards", "Add Group", "Cards",
      "Workout…", "Exercises, one in each line", "Longer Rest After", "Get Ready", "Title",
    ]
    #expect(names.isSuperset(of: expected), "\(names)")
    #expect(names.contains { $0.hasSuffix(" left") })
    #expect(names.contains { $0.hasPrefix("Add card to 8 rounds") })
    #expect(names.contains { $0.hasPrefix("Whole run: Round 1 of 4, ") })
    try screen.activate("full-screen")
    try screen.wait(for: "full screen") { try screen.size(ofWindow: window).contains("800x700") }
    try screen.wait(for: "button") {
      try screen.accessibleObjects().contains { $0.name == "Leave Full Screen" }
    }
  }

  @Test func `the whole text of an error is shown`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("start-sequence", "nothing")
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
    let text = "Your library has no sequence named “nothing”."
    try screen.wait(for: "text") {
      try screen.accessibleObjects().contains { $0.name == text && $0.area.width > 0 }
    }
    // The same message isn't shown twice.
    try screen.activate("start-sequence", "nothing")
    try screen.waitForAnswers()
    #expect(try screen.windowCount() == 2)
    try screen.press("Escape")
    try screen.wait(for: "window") { try screen.windowCount() == 1 }
    try screen.activate("start-sequence", "nothing")
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
  }

  @Test func `a screen reader moves and deletes cards`() throws {
    let path = try screen.file(
      "title: A\ncards:\n  - { title: B, countdown: 1m }\n  - { title: C, countdown: 2m }\n",
      ".local/share/sequence/a.yaml")
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "a")
    try screen.activate("edit")
    try screen.waitForAnswers()
    try screen.act("row.down", on: "B, 1\u{A0}min")
    try screen.wait(for: "move") {
      try String(contentsOfFile: path, encoding: .utf8)
        == "title: A\ncards:\n  - { title: C, countdown: 2m }\n  - { title: B, countdown: 1m }\n"
    }
    try screen.act("row.delete", on: "C, 2\u{A0}min")
    try screen.wait(for: "removal") {
      try String(contentsOfFile: path, encoding: .utf8)
        == "title: A\ncards:\n  - { title: B, countdown: 1m }\n"
    }
  }

  @Test func `a workout is made, changed and started by a screen reader alone`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.act("click", on: "Library", "tab")
    try screen.act("click", on: "New Sequence", "button")
    try screen.act("row.open", on: "Workout…")
    try screen.write("Squats\nPush-ups\nPlank 1 min", into: "Exercises, one in each line")
    try screen.act("click", on: "Create", "button")
    try screen.act("row.open", on: "Squats, 20\u{A0}s")
    try screen.write("Lunges", into: "Title", in: "Cards")
    try screen.act("activate", on: "Title", "text box", in: "Cards")
    try screen.act("row.delete", on: "Plank, 1\u{A0}min")
    let path = screen.directory.path + "/.local/share/sequence/Workout.yaml"
    let unmoved = try String(contentsOfFile: path, encoding: .utf8)
    try screen.act("row.down", on: "Lunges, 20\u{A0}s")
    // A button acts when it has been seen pressed.
    try screen.act("click", on: "Undo Move", "button")
    try screen.wait(for: "undone move") { try String(contentsOfFile: path, encoding: .utf8) == unmoved }
    try screen.act("row.delete", on: "Get ready, 10\u{A0}s")
    try screen.act("click", on: "Start", "button")
    try screen.wait(untilTitle: "Lunges – Workout")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.matches(of: /title: (\w+)/).map(\.1) == ["Workout", "Lunges", "Rest", "Push", "Rest"])
  }

  @Test func `the first page starts and opens a starter, and then the sequence`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.act("click", on: "Start Tabata", "button")
    try screen.wait(untilTitle: "Warm up – Tabata")
    try screen.activate("stop")
    try screen.wait(untilTitle: "Sequence")
    try screen.act("card.open", on: "Tabata")
    try screen.act("click", on: "Start", "button")
    try screen.wait(untilTitle: "Warm up – Tabata")
  }

  @Test func `a sequence is scheduled, and the schedule is removed`() throws {
    _ = try screen.file("title: A\ncards: [{ title: B, countdown: 1m }]\n", ".local/share/sequence/a.yaml")
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "a")
    try screen.activate("schedule")
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
    try screen.write("6:45", into: "Time")
    try screen.act("click", on: "Monday")
    try screen.wait(for: "first start") {
      try screen.accessibleObjects().contains {
        $0.name.hasPrefix("Begins ") && $0.name.hasSuffix(" at 06:45, and then every Mon.")
      }
    }
    try screen.press("Return")
    try screen.wait(for: "window") { try screen.windowCount() == 1 }
    func wait(untilScheduled isScheduled: Bool) throws {
      try screen.wait(for: "schedule") {
        try screen.sequence("schedule", "--json").contains(#""time":"06:45""#) == isScheduled
      }
    }
    try wait(untilScheduled: true)
    try screen.activate("library")
    try screen.act("click", on: "Remove the Schedule of “A”")
    try wait(untilScheduled: false)
    // What Undo of the message does, which goes before a screen reader finds it.
    try screen.activate("undo-removal", "1")
    try wait(untilScheduled: true)
  }

  @Test func `a run is removed from the history, and comes back`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.sequence("stop")
    let history = try screen.sequence("history", "--json")
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("history")
    try screen.act("row.open", on: "All", "list item")
    try screen.act("click", on: "Remove From the History", "button")
    try screen.wait(for: "removal") { try screen.sequence("history", "--json") != history }
    try screen.activate("undo-removal", "0")
    try screen.wait(for: "return") { try screen.sequence("history", "--json") == history }
  }

  @Test func `the icon of a sequence is chosen in the editor`() throws {
    let path = try screen.file(
      "title: A\ncards:\n  - { title: B, countdown: 1m }\n", ".local/share/sequence/a.yaml")
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "a")
    try screen.activate("edit")
    try screen.waitForAnswers()
    #expect(try screen.accessibleObjects().contains { $0.name == "Icon" && $0.role == "text box" })
    for key in ["Tab", "Tab", "Tab", "Tab", "T", "Return"] { try screen.press(key) }
    try screen.wait(for: "icon") { try String(contentsOfFile: path, encoding: .utf8).contains("icon: T\n") }
    for key in ["ctrl+a", "t", "w", "o", "Return"] { try screen.press(key) }
    try screen.wait(untilVisible: "Write one emoji or symbol", inWindowTitled: "Sequence")
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("icon: T\n"))
  }

  @Test func `the labels of a sequence are written in the editor, and undone`() throws {
    let text = "title: A\ncards:\n  - { title: B, countdown: 1m }\n"
    let path = try screen.file(text, ".local/share/sequence/a.yaml")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "a")
    try screen.activate("edit")
    try screen.waitForAnswers()
    func file() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    try screen.click(on: "Labels", "text box", inWindow: window)
    for key in ["a", "comma", "b", "minus", "1", "Return"] { try screen.press(key) }
    try screen.wait(for: "labels") { try file().contains("labels: [a, b-1]\n") }
    for key in ["space", "c", "Return"] { try screen.press(key) }
    try screen.wait(
      untilVisible: "\"b-1 c\" cannot be a label. Write it like b-1-c.", inWindowTitled: "Sequence")
    try screen.activate("undo-edit")
    try screen.wait(for: "undo") { try file() == text }
  }

  @Test func `three clicks select a line of the note, and leave the card open`() throws {
    let path = try screen.file(
      "title: A\ncards:\n  - { title: B, countdown: 1m }\n", ".local/share/sequence/a.yaml")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "a")
    try screen.activate("edit")
    try screen.wait(untilVisible: "B, 1\u{A0}min", inWindowTitled: "Sequence")
    try screen.click(on: "B, 1\u{A0}min", inWindow: window)
    try screen.wait(untilVisible: "Note", inWindowTitled: "Sequence")
    try screen.write("a b", into: "Note")
    try screen.click(on: "Note", "text box", inWindow: window, times: 3)
    for key in ["x", "Tab"] { try screen.press(key) }
    try screen.wait(for: "note") { try String(contentsOfFile: path, encoding: .utf8).contains("note: x }") }
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
      try screen.waitForAnswers()
      try screen.waitForWindowManager()
      try screen.press(key)
    }
    try screen.wait(for: "running", from: "status")
  }

  @Test func `the steps of a run and their notes are read by keys and by a screen reader, and nothing jumps`()
    throws
  {
    let path = try screen.file(
      """
      title: All
      cards:
        - { title: A, countUp: {} }
        - { title: B, countdown: 10m, note: Slowly }
      """, "all.yaml")
    try screen.sequence("start", path)
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    try screen.press("l")
    try screen.wait(untilVisible: "Steps of the run", inWindowTitled: "A – All")
    for key in ["Down", "Return"] { try screen.press(key) }
    try screen.wait(untilVisible: "Slowly", inWindowTitled: "A – All")
    try screen.press("Escape")
    try screen.wait(for: "time") { try screen.area(of: "Pause").width > 0 }
    try screen.click(on: "Next: B  10:00", inWindow: window)
    try screen.wait(untilVisible: "Steps of the run", inWindowTitled: "A – All")
    try screen.act("row.open", on: "B, 10\u{A0}min, ahead")
    try screen.press("space")
    try screen.wait(for: "paused", from: "status")
    try screen.wait(untilTitle: "A – All")
  }

  @Test func `three runs are a list, which shows the one that is chosen and resumes each`() throws {
    try screen.sequence("start", "--card", "Egg 20m", "--title", "Egg", "--paused")
    for title in ["Bread", "Tea"] {
      try screen.sequence("start", "--card", "\(title) 20m", "--title", title, "--beside")
    }
    try screen.openWindow()
    try screen.wait(untilTitle: "Tea")
    try screen.waitForAnswers()
    // Stop and the button of the list are before Pause.
    let keys = ["shift+Tab", "shift+Tab", "Return"]
    for key in keys { try screen.press(key) }
    try screen.act("row.open", on: "Egg, 20:00 left, Paused")
    try screen.wait(untilTitle: "Egg")
    try screen.waitForAnswers()
    for key in keys { try screen.press(key) }
    try screen.act("click", on: "Resume Egg", "button")
    try screen.wait(for: "running", from: "status", "egg")
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
    try screen.activate("add-starter", "tabata")
    try screen.activate("library")
    try screen.waitForAnswers()
    try screen.click(on: "Tabata", "list item", inWindow: window, times: 2)
    try screen.wait(for: "page") {
      try screen.accessibleObjects().contains { $0.name == "For This Run" && $0.area.width > 0 }
    }
    #expect(try screen.size(ofWindow: window) == usual)
  }

  @Test func `a sequence appears in a library that did not exist`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("library")
    try screen.waitForAnswers()
    try screen.sequence("new", "tea")
    try screen.wait(for: "sequence") { try screen.accessibleObjects().contains { $0.name == "Start tea" } }
  }
}
