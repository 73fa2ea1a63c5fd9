import Foundation
import Glibc
import SequenceFiles
import TestSupport
import Testing

/// The editor of the built program, with real keys and a real pointer.
@Suite(.timeLimit(.minutes(5)))
struct EditorTests {
  private let screen: VirtualScreen
  private static let workout = """
    # My workout
    title: Workout
    cards:
      - { title: Warm up, countdown: 2m }   # slowly
      - rounds: 4
        cards:
          - { title: Squats, countdown: 40s }
          # A break
          - { title: Rest, countdown: 20s }
      - { title: Cool down, countdown: 3m }

    """

  init() throws { screen = try VirtualScreen(width: 450, height: 720) }

  private init(_ screen: VirtualScreen) { self.screen = screen }

  private func library(_ text: String, _ name: String = "workout") throws -> String {
    try screen.file(text, ".local/share/sequence/\(name).yaml")
  }

  /// Opens the editor with the focus on the first card.
  private func open(_ text: String = workout) throws -> String {
    let path = try library(text)
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "workout")
    try screen.activate("edit")
    try screen.waitForAnswers()
    // Past the title, the icon, the color and the labels.
    for _ in 0..<7 { try screen.press("Tab") }
    return path
  }

  private func press(_ keys: String...) throws { for key in keys { try screen.press(key) } }

  private func type(_ text: String) throws {
    let output = try screen.run("/usr/bin/xdotool", "type", "--delay", "10", text)
    guard output.status == 0 else { throw TestSupportError(output.errors) }
  }

  private func wait(for text: String, in path: String) throws {
    var found = ""
    do {
      try screen.wait(for: "text") {
        found = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return found == text
      }
    } catch {
      Issue.record("\(found)")
      throw error
    }
  }

  /// The keys of a row of the table of actions, and the change of the file.
  struct Keys: CustomTestStringConvertible {
    let keys: [String]
    let old: String
    let new: String
    var testDescription: String { keys.joined(separator: " ") }
  }

  private static let warmUp = "  - { title: Warm up, countdown: 2m }   # slowly\n"
  private static let rest = "      # A break\n      - { title: Rest, countdown: 20s }\n"

  static let table: [Keys] = [
    Keys(keys: ["Delete"], old: warmUp, new: ""),
    Keys(keys: ["ctrl+d"], old: warmUp, new: warmUp + warmUp),
    Keys(keys: ["ctrl+Return"], old: warmUp, new: warmUp + "  - { title: New card, countdown: 2m }\n"),
    Keys(
      keys: ["ctrl+g"], old: warmUp,
      new: "  - rounds: 2\n    cards:\n      - { title: Warm up, countdown: 2m }   # slowly\n"),
    Keys(
      keys: ["Down", "ctrl+shift+g"],
      old: "  - rounds: 4\n    cards:\n      - { title: Squats, countdown: 40s }\n" + rest,
      new: "  - { title: Squats, countdown: 40s }\n  # A break\n  - { title: Rest, countdown: 20s }\n"),
    Keys(
      keys: ["alt+Down"], old: warmUp + "  - rounds: 4\n    cards:\n",
      new: "  - rounds: 4\n    cards:\n      - { title: Warm up, countdown: 2m }   # slowly\n"),
    Keys(
      keys: ["Down", "Down", "Down", "alt+Up"], old: "      - { title: Squats, countdown: 40s }\n" + rest,
      new: rest + "      - { title: Squats, countdown: 40s }\n"),
    Keys(keys: ["Return", "ctrl+a", "R", "u", "n", "Return"], old: "Warm up", new: "Run"),
    Keys(keys: ["Return", "Tab", "Tab", "ctrl+a", "9", "0", "Tab"], old: "2m }", new: "1m30s }"),
    Keys(keys: ["Return", "ctrl+a", "R", "u", "n", "Escape"], old: "Warm up", new: "Run"),
    Keys(keys: ["Down", "Return", "ctrl+a", "8", "Return"], old: "rounds: 4", new: "rounds: 8"),
    Keys(keys: ["End", "Home", "Delete"], old: warmUp, new: ""),
    Keys(keys: ["End", "Up", "Delete"], old: "  - { title: Cool down, countdown: 3m }\n", new: ""),
    Keys(keys: ["Delete", "ctrl+z", "ctrl+shift+z"], old: warmUp, new: ""),
  ]

  @Test(arguments: table)
  func `keys change the file, and Undo brings it back`(_ row: Keys) throws {
    let path = try open()
    for key in row.keys { try screen.press(key) }
    try wait(
      for: EditorTests.workout.replacing(row.old, with: row.new, maxReplacements: 1), in: path)
    try screen.activate("undo-edit")
    try wait(for: EditorTests.workout, in: path)
  }

  @Test func `the wheel scrolls the page and changes no number`() throws {
    let screen = try VirtualScreen(width: 450, height: 720, isAccessible: true)
    let test = EditorTests(screen)
    let path = try test.open()
    let window = try screen.wait(untilTitle: "Sequence")
    // The row of the group is open, and the title of the sequence has the focus.
    try test.press("Down", "Return")
    try screen.wait(untilVisible: "Add Rests Between Cards…", inWindowTitled: "Sequence")
    try screen.waitForAnswers()
    let rounds = try screen.area(of: "Rounds", "spin button")
    _ = try screen.run(
      "/usr/bin/xdotool", "mousemove", "--window", window, "\(rounds.x + 20)",
      "\(rounds.y + rounds.height / 2)")
    try screen.waitForAnswers()
    for _ in 0..<5 { _ = try screen.run("/usr/bin/xdotool", "click", "4") }
    try screen.waitForAnswers()
    // Whatever the wheel has done is written before the next edit.
    try test.press("Escape", "Up")
    try test.press("Delete")
    try test.wait(
      for: EditorTests.workout.replacing(EditorTests.warmUp, with: ""), in: path)
  }

  @Test(arguments: ["ctrl+w", "ctrl+q"])
  func `a text that can't be saved is kept until the window is closed twice`(keys: String) throws {
    let path = try library(EditorTests.workout)
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "workout")
    try screen.activate("edit")
    try screen.waitForAnswers()
    for _ in 0..<7 { try screen.press("Tab") }
    try press("Return", "Tab", "Tab", "ctrl+a")
    try type("soon")
    try press(keys)
    for _ in 0..<3 { try screen.waitForAnswers() }
    // The text can still be corrected.
    try press("ctrl+a")
    try type("1:00")
    try press("Return")
    try wait(for: EditorTests.workout.replacing("countdown: 2m", with: "countdown: 1m"), in: path)
    try press("ctrl+a")
    try type("soon")
    try press(keys)
    for _ in 0..<3 { try screen.waitForAnswers() }
    try press(keys)
    #expect(try window.exitStatus() == 0)
  }

  @Test func `SIGTERM closes the window with a text that can't be saved`() throws {
    _ = try library(EditorTests.workout)
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "workout")
    try screen.activate("edit")
    try screen.waitForAnswers()
    for _ in 0..<7 { try screen.press("Tab") }
    try press("Return", "Tab", "Tab", "ctrl+a")
    try type("soon")
    kill(window.identifier, SIGTERM)
    #expect(try window.exitStatus() == 0)
  }

  @Test func `more lines than the page shows are refused at once`() throws {
    let path = try open()
    try press("Return", "Tab", "Tab", "Tab")
    try press("a", "Return", "b", "Return")
    // Nine times twice as many lines.
    for _ in 0..<9 { try press("ctrl+a", "ctrl+c", "ctrl+v", "ctrl+v") }
    try press("ctrl+a", "ctrl+x", "Escape", "ctrl+v")
    for _ in 0..<3 { try screen.waitForAnswers() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == EditorTests.workout)
    try press("ctrl+d")
    try wait(
      for: EditorTests.workout.replacing(EditorTests.warmUp, with: EditorTests.warmUp + EditorTests.warmUp),
      in: path)
  }

  @Test func `lines are pasted as cards`() throws {
    let path = try open()
    // Cut from the note, because the screen has no other program with a clipboard.
    try press("Return", "Tab", "Tab", "Tab")
    try type("Run")
    try press("Return")
    try type("Jump")
    try press("ctrl+a", "ctrl+x", "Escape", "ctrl+v")
    let pasted = ["Run", "Jump"].map { "  - { title: \($0), countdown: 2m }\n" }.joined()
    try wait(
      for: EditorTests.workout.replacing(EditorTests.warmUp, with: EditorTests.warmUp + pasted), in: path)
  }

  @Test func `a sequence starts from a card`() throws {
    _ = try open()
    // The item below the pointer would be the first one.
    _ = try screen.run("/usr/bin/xdotool", "mousemove", "0", "0")
    try press("Down", "Down", "shift+F10")
    try screen.wait(for: "menu") { try screen.windowCount() == 2 }
    try screen.waitForAnswers()
    // From the end of the menu.
    try press("Up", "Up", "Return")
    try screen.wait(untilTitle: "Squats – Workout")
    #expect(try screen.sequence("status", "--format", "{number}") == "2")
  }

  @Test func `a mistake is shown in its row and never written`() throws {
    let path = try open()
    try press("Return", "Tab", "Tab", "ctrl+a", "0", "Tab")
    try screen.waitForAnswers()
    try press("shift+Tab", "ctrl+a")
    try type("soon")
    try press("Tab")
    try screen.waitForAnswers()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == EditorTests.workout)
    try press("shift+Tab", "ctrl+a")
    try type("1:00")
    try press("Return")
    try wait(for: EditorTests.workout.replacing("countdown: 2m", with: "countdown: 1m"), in: path)
  }

  @Test func `a time is shown as it is read, and leaves nothing to correct`() throws {
    let path = try open()
    try press("Return")
    try press("ctrl+a")
    try type("Run")
    try press("Tab", "Tab", "ctrl+a")
    try type("90")
    try press("Return", "Tab")
    try wait(
      for: EditorTests.workout.replacing(
        "{ title: Warm up, countdown: 2m }", with: "{ title: Run, countdown: 1m30s }"),
      in: path)
    // Nothing is left to correct: the page can be left at once.
    try screen.activate("leave-detail")
    try screen.activate("edit")
    try screen.waitForAnswers()
    for _ in 0..<7 { try screen.press("Tab") }
    try press("Delete")
    try wait(for: EditorTests.workout.replacing(EditorTests.warmUp, with: ""), in: path)
  }

  @Test func `names are written one after the other`() throws {
    let path = try open("title: A\ncards:\n  - { title: New card, countdown: 30s }\n")
    try press("Return")
    for name in ["One", "Two", "Three"] {
      try type(name)
      try press("ctrl+Return")
    }
    try type("Four")
    try press("Escape")
    try wait(
      for: "title: A\ncards:\n"
        + ["One", "Two", "Three", "Four"].map { "  - { title: \($0), countdown: 30s }\n" }.joined(), in: path)
  }

  @Test func `the menu of a row duplicates it`() throws {
    let path = try open()
    // The item below the pointer would be the first one.
    _ = try screen.run("/usr/bin/xdotool", "mousemove", "0", "0")
    try press("shift+F10")
    try screen.wait(for: "menu") { try screen.windowCount() == 2 }
    try screen.waitForAnswers()
    try press("Down", "Return")
    try wait(
      for: EditorTests.workout.replacing(EditorTests.warmUp, with: EditorTests.warmUp + EditorTests.warmUp),
      in: path)
  }

  @Test func `the menu of the page sets the rule for a lock`() throws {
    // Keys that come while a submenu slides in get lost.
    _ = try screen.file("[Settings]\ngtk-enable-animations=0\n", ".config/gtk-4.0/settings.ini")
    let path = try open()
    // Past the labels, the color, the icon and the title, to the menu.
    for _ in 0..<6 { try press("shift+Tab") }
    try press("space")
    try screen.wait(for: "menu") { try screen.windowCount() == 2 }
    try screen.waitForAnswers()
    try press("Down", "Down", "Return")
    try screen.waitForAnswers()
    // Past the way back, to the last of four rules.
    try press("Down", "Down", "Down", "Down", "Return")
    try wait(for: EditorTests.workout + "onLock: ask\n", in: path)
    try screen.activate("undo-edit")
    try wait(for: EditorTests.workout, in: path)
  }

  @Test func `a card is changed with the pointer`() throws {
    let screen = try VirtualScreen(width: 450, height: 720, isAccessible: true)
    let test = EditorTests(screen)
    let path = try test.open()
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.click(on: "Warm up, 2\u{A0}min", inWindow: window)
    try screen.wait(untilVisible: "This Is a Rest", inWindowTitled: "Sequence")
    // Between the fields, too, where a click must not reach the row.
    try screen.click(on: "Type", "label", inWindow: window)
    try screen.click(on: "Note", "text box", inWindow: window)
    try test.type("Slowly")
    try screen.click(on: "Time", "text box", inWindow: window)
    try screen.click(on: "This Is a Rest", "switch", inWindow: window)
    try test.wait(
      for: EditorTests.workout.replacing(
        "countdown: 2m }   #", with: "countdown: 2m, note: Slowly, rest: true }   #"),
      in: path)
  }

  @Test func `a card is dragged into a group`() throws {
    let screen = try VirtualScreen(width: 450, height: 720, isAccessible: true)
    let test = EditorTests(screen)
    let path = try test.open()
    let window = try screen.wait(untilTitle: "Sequence")
    let (from, to) = (try screen.area(of: "Warm up, 2\u{A0}min"), try screen.area(of: "Squats, 40\u{A0}s"))
    func point(_ x: Int, _ y: Int) throws {
      _ = try screen.run("/usr/bin/xdotool", "mousemove", "--window", window, "\(x)", "\(y)")
      try screen.waitForAnswers()
    }
    // The handle is at the start of the row; the upper half of a row is the place before it.
    let (start, end) = (from.y + from.height / 2, to.y + to.height / 4)
    try point(from.x + 22, start)
    _ = try screen.run("/usr/bin/xdotool", "mousedown", "1")
    for step in 1...20 { try point(from.x + 22 + step, start + (end - start) * step / 20) }
    _ = try screen.run("/usr/bin/xdotool", "mouseup", "1")
    try test.wait(
      for: EditorTests.workout.replacing(
        EditorTests.warmUp + "  - rounds: 4\n    cards:\n",
        with: "  - rounds: 4\n    cards:\n      - { title: Warm up, countdown: 2m }   # slowly\n"), in: path)
  }

  @Test func `Undo and Redo keep the row that was moved in view, with the focus`() throws {
    let screen = try VirtualScreen(width: 450, height: 720, isAccessible: true)
    let test = EditorTests(screen)
    func text(_ names: [Int]) -> String {
      "title: A\ncards:\n" + names.map { "  - { title: Card \($0), countdown: \($0)m }\n" }.joined()
    }
    let path = try test.open(text(Array(1...17)))
    for _ in 1..<7 { try screen.press("Down") }
    try test.press("alt+Down", "alt+Down")
    let moved = Array(1...6) + [8, 9, 7] + Array(10...17)
    try test.wait(for: text(moved), in: path)
    func rowArea() throws -> ClosedRange<Int> {
      try screen.waitForAnswers()
      let area = try screen.area(of: "Card 7, 7\u{A0}min")
      return area.y...area.y + area.height
    }
    let visible = 46...640
    for (key, order) in [
      ("ctrl+z", [1, 2, 3, 4, 5, 6, 8, 7, 9] + Array(10...17)), ("ctrl+z", Array(1...17)),
      ("ctrl+shift+z", [1, 2, 3, 4, 5, 6, 8, 7, 9] + Array(10...17)), ("ctrl+shift+z", moved),
    ] {
      try test.press(key)
      try test.wait(for: text(order), in: path)
      let area = try rowArea()
      #expect(visible.contains(area.lowerBound) && visible.contains(area.upperBound), "\(key): \(area)")
    }
    // The row has the focus, so the key deletes it.
    try test.press("Delete")
    try test.wait(for: text(moved.filter { $0 != 7 }), in: path)
  }

  private static let circuit = (1...8).map {
    "  - { title: Exercise \($0), countdown: 40s }\n  - { title: Rest, countdown: 20s }\n"
  }

  @Test func `eight lengths are changed in five actions, and undone in two`() throws {
    let screen = try VirtualScreen(width: 450, height: 720, isAccessible: true)
    let test = EditorTests(screen)
    let old = "title: A\ncards:\n" + EditorTests.circuit.joined()
    let path = try test.open(old)
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.click(on: "Exercise 1, 40\u{A0}s", inWindow: window)
    try screen.wait(untilVisible: "Time", inWindowTitled: "Sequence")
    try screen.click(on: "Time", "text box", inWindow: window, times: 3)
    try test.type("45")
    try test.press("Return")
    try test.wait(for: old.replacing("40s", with: "45s", maxReplacements: 1), in: path)
    try screen.wait(untilVisible: "Also Change 7 Others With 40\u{A0}s", inWindowTitled: "Sequence")
    try screen.click(on: "Also Change 7 Others With 40\u{A0}s", inWindow: window)
    try test.wait(for: old.replacing("40s", with: "45s"), in: path)
    try screen.activate("undo-edit")
    try test.wait(for: old.replacing("40s", with: "45s", maxReplacements: 1), in: path)
    try screen.activate("undo-edit")
    try test.wait(for: old, in: path)
  }

  /// Changes of several rows, from the first of six cards on.
  static let selections: [(keys: [String], order: [String])] = [
    (["shift+Down", "shift+Down", "Delete"], ["Rest", "C", "Rest", "D"]),
    (["shift+Down", "shift+Down", "shift+Up", "Delete"], ["B", "Rest", "C", "Rest", "D"]),
    // The rest comes along.
    (["alt+Down"], ["B", "Rest", "A", "Rest", "C", "Rest", "D"]),
    (["Down", "alt+Down"], ["A", "B", "Rest", "Rest", "C", "Rest", "D"]),
    // Both stay selected, so that they move again.
    (["shift+Down", "shift+Down", "alt+Down", "alt+Down"], ["C", "Rest", "D", "A", "Rest", "B", "Rest"]),
    (
      ["ctrl+space", "Down", "Down", "ctrl+space", "ctrl+d"],
      ["A", "Rest", "B", "B", "Rest", "C", "Rest", "D"]
    ),
    (["ctrl+a", "Escape", "Delete"], ["Rest", "B", "Rest", "C", "Rest", "D"]),
  ]

  @Test(arguments: selections.indices)
  func `keys select several rows, and one edit changes all of them`(index: Int) throws {
    let (keys, order) = EditorTests.selections[index]
    func text(_ titles: [String]) -> String {
      "title: A\ncards:\n" + titles.map { "  - { title: \($0), countdown: 40s }\n" }.joined()
    }
    let old = text(["A", "Rest", "B", "Rest", "C", "Rest", "D"])
    let path = try open(old)
    for key in keys { try screen.press(key) }
    try wait(for: text(order), in: path)
    for _ in keys where try String(contentsOfFile: path, encoding: .utf8) != old {
      try screen.activate("undo-edit")
      try screen.waitForAnswers()
    }
    try wait(for: old, in: path)
  }

  @Test func `rows are selected with the pointer, and their time is changed at once`() throws {
    let screen = try VirtualScreen(width: 450, height: 900, isAccessible: true)
    let test = EditorTests(screen)
    let old = "title: A\ncards:\n" + EditorTests.circuit[..<3].joined()
    let path = try test.open(old)
    let window = try screen.wait(untilTitle: "Sequence")
    func click(_ name: String, holding key: String) throws {
      _ = try screen.run("/usr/bin/xdotool", "keydown", key)
      try screen.click(on: name, inWindow: window)
      _ = try screen.run("/usr/bin/xdotool", "keyup", key)
      try screen.waitForAnswers()
    }
    try click("Exercise 1, 40\u{A0}s", holding: "ctrl")
    try click("Exercise 3, 40\u{A0}s", holding: "shift")
    try screen.wait(untilVisible: "5 rows selected", inWindowTitled: "Sequence")
    try click("Exercise 2, 40\u{A0}s", holding: "ctrl")
    try screen.wait(untilVisible: "4 rows selected", inWindowTitled: "Sequence")
    // A click on a selected row opens it, and keeps the selection.
    try screen.click(on: "Exercise 1, 40\u{A0}s", inWindow: window)
    try screen.wait(untilVisible: "Time", inWindowTitled: "Sequence")
    try screen.click(on: "Time", "text box", inWindow: window, times: 3)
    try test.type("45")
    try test.press("Return")
    let parts = ["40s", "20s", "40s", "20s", "40s", "20s"]
    #expect(old.components(separatedBy: "countdown: ").dropFirst().map { String($0.prefix(3)) } == parts)
    let new =
      EditorTests.circuit[0].replacing("40s", with: "45s").replacing("20s", with: "45s")
      + EditorTests.circuit[1].replacing("20s", with: "45s")
      + EditorTests.circuit[2].replacing("40s", with: "45s")
    try test.wait(for: "title: A\ncards:\n" + new, in: path)
    try screen.activate("undo-edit")
    try test.wait(for: old, in: path)
  }

  @Test func `three new sequences run beside each other, each with its history`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    for name in ["One", "Two", "Three"] {
      try screen.activate("create")
      try screen.waitForAnswers()
      try press("ctrl+a")
      try type(name)
      try press("F5")
      if name != "One" {
        try screen.wait(for: "question") { try screen.windowCount() == 2 }
        try press("Return")
      }
      try screen.wait(untilTitle: "New card – \(name)")
    }
    let ids = try ["one", "two", "three"].map { try screen.sequence("status", $0, "--format", "{state}") }
    #expect(ids == ["running", "running", "running"])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: screen.directory.path + "/.local/share/sequence")
    #expect(files.sorted() == ["New sequence 2.yaml", "New sequence 3.yaml", "New sequence.yaml"])
    for name in ["one", "two", "three"] { try screen.sequence("stop", name) }
    let history = try screen.sequence("stats", "--by", "sequence")
    for title in ["One", "Two", "Three"] { #expect(history.contains(title)) }
  }

  @Test func `a change of another program is shown, and an edit keeps it`() throws {
    let path = try open()
    _ = try library(EditorTests.workout.replacing("Cool down", with: "Stretch"))
    try screen.waitForAnswers()
    try press("ctrl+d")
    try wait(
      for: EditorTests.workout.replacing("Cool down", with: "Stretch").replacing(
        EditorTests.warmUp, with: EditorTests.warmUp + EditorTests.warmUp), in: path)
    _ = try library("title: [")
    try screen.waitForAnswers()
    try press("Delete")
    try screen.waitForAnswers()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "title: [")
  }

  @Test func `rows that go while they are open end nothing`() throws {
    let path = try open()
    // Undo of a card whose title has the focus, and of a group.
    try press("ctrl+Return")
    try screen.activate("undo-edit")
    try wait(for: EditorTests.workout, in: path)
    try press("Return")
    try type("Half")
    // Another program removes the card while the user writes its title.
    let shorter = EditorTests.workout.replacing(EditorTests.warmUp, with: "")
    _ = try library(shorter)
    for _ in 0..<3 { try screen.waitForAnswers() }
    try press("Tab", "Tab")
    try screen.waitForAnswers()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == shorter)
    // Many messages, one after the other.
    for _ in 0..<6 {
      try screen.activate("undo-edit")
      try screen.waitForAnswers()
    }
    try wait(for: EditorTests.workout, in: path)
    #expect(try screen.isEnabled("quit"))
  }

  @Test func `a sequence is renamed, duplicated, and moved to the trash and back`() throws {
    let path = try library(EditorTests.workout)
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("show-sequence", "workout")
    let id = try SequenceFile.read(path: path).definition.id
    try screen.activate("rename")
    try screen.wait(for: "question") { try screen.windowCount() == 2 }
    try press("ctrl+a")
    try type("Circuit")
    try press("Return")
    try screen.wait(for: "title") { try SequenceFile.read(path: path).definition.title == "Circuit" }
    #expect(try SequenceFile.read(path: path).definition.id == id)
    chmod(path, 0o600)
    try screen.activate("trash")
    try screen.wait(for: "removal") { !FileManager.default.fileExists(atPath: path) }
    try screen.activate("undo-removal", "0")
    try screen.wait(for: "return") { FileManager.default.fileExists(atPath: path) }
    try screen.wait(for: "permissions") {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600
    }
    try screen.activate("show-sequence", "workout")
    try screen.activate("duplicate")
    let copy = screen.directory.path + "/.local/share/sequence/Copy of Circuit.yaml"
    try screen.wait(for: "copy") { FileManager.default.fileExists(atPath: copy) }
    #expect(try SequenceFile.read(path: copy).definition.id != id)
  }
}
