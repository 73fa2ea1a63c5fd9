import Foundation
import Glibc
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The pages of the built program, called by the actions that desktops call.
@Suite(.timeLimit(.minutes(3)))
struct PagesTests {
  private let screen: VirtualScreen

  init() throws { screen = try VirtualScreen() }

  /// The sequence files of every state in which a run can be, and the actions that lead to it.
  private static let states: [(name: String, file: String, actions: [String])] = [
    ("countdown", "title: A\ncards: [{ title: W, countdown: 1h }]", []),
    ("paused", "title: A\ncards: [{ title: W, countdown: 1h }]", ["pause"]),
    ("overtime", "title: A\ncards: [{ title: W, countdown: 0.001s, advance: manual }]", []),
    ("count-up", "title: A\ncards: [{ title: W, countUp: {} }]", []),
    ("goal ahead", "title: A\ncards: [{ title: W, countUp: { goal: 1h } }]", []),
    ("goal reached", "title: A\ncards: [{ title: W, countUp: { goal: 0.001s } }]", []),
    (
      "rounds", "title: A\ncards: [{ rounds: 8, cards: [{ title: Rest, countdown: 1h, note: N }] }]",
      ["toggle"]
    ),
    ("hours", "title: A\ncards: [{ title: W, countdown: 30d }]", ["full-screen"]),
    ("10,000 steps", "title: A\ncards: [{ rounds: 10000, cards: [{ title: W, countdown: 1h }] }]", []),
    (
      "hostile titles",
      "title: \"<b>&amp;\\u202e%s\"\ncards: [{ title: \"\(String(repeating: "W\\u0301", count: 400))</span>\", countdown: 1h }]",
      []
    ),
  ]

  @Test(arguments: states.indices)
  func `every state of a run draws`(index: Int) throws {
    let state = PagesTests.states[index]
    try screen.sequence("start", try screen.file(state.file))
    try screen.openWindow()
    let window = try screen.start("/usr/bin/xdotool", ["search", "--sync", "--onlyvisible", "--name", " – "])
    _ = try window.line()
    for action in state.actions { try screen.activate(action) }
    #expect(try screen.isEnabled("next"))
    #expect(try screen.colors() > 20, "\(state.name)")
  }

  @Test func `a starter is added to the library and started`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("add-starter", "tabata")
    #expect(try screen.sequence("list").contains("Tabata"))
    try screen.activate("start-sequence", "tabata")
    try screen.wait(untilTitle: "Warm up – Tabata")
  }

  @Test func `the quick timer starts, and refuses a text without a duration`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("start-timer", "Tea")
    #expect(try !screen.isEnabled("next"))
    try screen.activate("start-timer", "Tea 5m")
    try screen.wait(untilTitle: "Tea")
  }

  @Test func `a second sequence starts beside the first, which Enter does not stop`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "First")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – First")
    try screen.activate(
      "start-sequence", try screen.file("title: Second\ncards: [{ title: B, countdown: 1h }]"))
    try screen.wait(for: "question") { try screen.windowCount() == 2 }
    try screen.waitForAnswers()
    try screen.press("Return")
    try screen.wait(untilTitle: "B – Second")
    #expect(try screen.sequence("status", "first", "--format", "{state}") == "running")
    try screen.press("ctrl+Tab")
    try screen.wait(untilTitle: "A – First")
    try screen.press("space")
    try screen.wait(for: "paused", from: "status", "first", "--format", "{state}")
    #expect(try screen.sequence("status", "second", "--format", "{state}") == "running")
    try screen.activate("show-run", "second")
    try screen.wait(untilTitle: "B – Second")
    try screen.activate("stop")
    try screen.wait(untilTitle: "A – First")
  }

  @Test func `a key just after the end of the run on the page changes no other run`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "First")
    try screen.sequence("start", "--card", "B 20m", "--title", "Second", "--beside")
    try screen.openWindow()
    try screen.wait(untilTitle: "B – Second")
    try screen.sequence("stop", "second")
    try screen.wait(untilTitle: "A – First")
    // In one call, so that both are in time.
    _ = try screen.run("/usr/bin/xdotool", "key", "space", "plus")
    try screen.waitForAnswers()
    #expect(try screen.sequence("status", "--format", "{state} {duration}") == "running 20:00")
    // A run that the user chooses is meant.
    try screen.activate("show-run", "first")
    try screen.press("space")
    try screen.wait(for: "paused", from: "status", "--format", "{state}")
  }

  @Test func `a timer is started beside a run`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "First")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – First")
    try screen.press("ctrl+t")
    try screen.waitForAnswers()
    for key in ["5", "m", "space", "T", "e", "a", "Return"] { try screen.press(key) }
    try screen.wait(untilTitle: "Tea")
    #expect(try screen.sequence("status", "first", "--format", "{state}") == "running")
  }

  @Test func `keys control the run`() throws {
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--title", "All")
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    try screen.press("space")
    try screen.wait(for: "paused", from: "status")
    try screen.press("space")
    try screen.wait(for: "running", from: "status")
    try screen.press("n")
    try screen.wait(untilTitle: "B – All")
    try screen.press("plus")
    try screen.wait(for: "10:30", from: "status", "--format", "{duration}")
    try screen.press("minus")
    try screen.press("b")
    try screen.wait(untilTitle: "A – All")
    // A presenter has these.
    try screen.press("Next")
    try screen.wait(untilTitle: "B – All")
    try screen.press("Prior")
    try screen.wait(untilTitle: "A – All")
    try screen.press("ctrl+w")
    #expect(try window.exitStatus() == 0)
    #expect(try screen.sequence("status").contains("running"))
  }

  @Test func `keys act on the run only where it is shown`() throws {
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--card", "C 10m", "--title", "All")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    try screen.activate("pause")
    try screen.activate("add-starter", "tabata")
    for view in ["library", "history", "show-sequence"] {
      try screen.activate(view, view == "show-sequence" ? "tabata" : nil)
      try screen.waitForAnswers()
      for key in ["n", "s", "r", "plus", "minus", "m", "Right", "Left"] { try screen.press(key) }
    }
    try screen.activate("timer")
    try screen.waitForAnswers()
    // No key of the page of the run but those of the table does anything.
    for key in ["Right", "Left", "Up", "Down", "Home", "End", "a", "k", "p", "x", "0"] {
      try screen.press(key)
    }
    // Keys come in order: all have been handled when this one was.
    try screen.press("n")
    try screen.wait(untilTitle: "B – All")
    try screen.press("b")
    try screen.wait(untilTitle: "A – All")
    #expect(try screen.sequence("status").hasPrefix("paused"))
    #expect(try screen.sequence("status", "--format", "{duration}") == "20:00")
    #expect(try screen.sound() == nil)
  }

  @Test func `a run that is started in the window has sounds, which a key turns off and on`() throws {
    try openWindow(with: "Tea 5m", title: "Tea")
    #expect(try screen.sound() == true)
    for isOn in [false, true] {
      try screen.press("m")
      try screen.wait(for: "sounds \(isOn)") { try screen.sound() == isOn }
    }
  }

  /// Opens a window and starts a timer in it.
  private func openWindow(with timer: String, title: String) throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("start-timer", "\(timer)")
    try screen.wait(untilTitle: title)
  }

  @Test func `the configuration decides about the sounds of the window's runs`() throws {
    _ = try screen.file("cues: { sound: false }\n", ".config/sequence/config.yaml")
    try openWindow(with: "Tea 5m", title: "Tea")
    #expect(try screen.sound() == nil)
    try screen.press("m")
    try screen.wait(for: "sounds") { try screen.sound() == true }
  }

  @Test func `the field has the focus after a run`() throws {
    try openWindow(with: "Tea 5m", title: "Tea")
    try screen.activate("stop")
    try screen.wait(untilTitle: "Sequence")
    for key in ["E", "g", "g", "space", "5", "m", "Return"] { try screen.press(key) }
    try screen.wait(untilTitle: "Egg")
  }

  @Test func `the end of a timer stays until the user reacts`() throws {
    try openWindow(with: "Egg 20m", title: "Egg")
    try screen.sequence("next")
    try screen.wait(untilTitle: "Egg is finished")
    // Letters are for no field there. Done has the focus, and one more minute is beside it.
    for key in ["t", "e", "a", "Tab", "space"] { try screen.press(key) }
    try screen.wait(untilTitle: "Egg")
    #expect(try screen.sequence("status", "--format", "{duration}") == "1:00")
    try screen.sequence("next")
    try screen.wait(untilTitle: "Egg is finished")
    for key in ["space", "T", "e", "a", "space", "5", "m", "Return"] { try screen.press(key) }
    try screen.wait(untilTitle: "Tea")
  }

  enum Reaction: CaseIterable { case key, click, focus, done }

  @Test(arguments: Reaction.allCases)
  func `the end of a timer rings in a window that has the focus, until the user reacts`(
    reaction: Reaction
  ) throws {
    try openWindow(with: "Egg 2s", title: "Egg")
    let window = try screen.run("/usr/bin/xdotool", "search", "--onlyvisible", "--class", "sequence").text
      .split(separator: "\n")[0]
    func tell(_ words: String...) throws { _ = try screen.run("/usr/bin/xdotool", words) }
    if reaction == .focus { try tell("windowminimize", String(window)) }
    try screen.wait(for: "ringing") { try isRinging() }
    switch reaction {
    case .key: try screen.press("Shift_L")
    case .click: try tell("mousemove", "--window", String(window), "60", "300", "click", "1")
    case .focus: try tell("windowactivate", String(window))
    case .done: try screen.press("space")
    }
    try screen.wait(for: "silence") { try !isRinging() }
    if reaction != .done { try screen.wait(untilTitle: "Egg is finished") }
  }

  private func isRinging() throws -> Bool {
    let store = try CompleteStore.open(in: StateDirectory(path: screen.state), clock: SystemClock())
    return try !store.ringingEnds(at: store.clock.now()).isEmpty
  }

  @Test func `the end of a run stays, although another run is active`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.sequence("start", "--card", "Egg 20m", "--title", "Egg")
    try screen.wait(untilTitle: "Egg")
    try screen.sequence("start", "--card", "Bread 30m", "--title", "Bread", "--beside")
    try screen.sequence("next", "egg")
    try screen.wait(untilTitle: "Egg is finished")
    // It stays behind the page of another run, too.
    try screen.activate("show-run", "bread")
    try screen.wait(untilTitle: "Bread")
    try screen.sequence("next", "bread")
    try screen.wait(untilTitle: "Bread is finished")
    try screen.press("Escape")
    try screen.wait(untilTitle: "Sequence")
  }

  @Test func `a run that starts elsewhere takes the page of an end, which stays in the strip`() throws {
    try openWindow(with: "Egg 20m", title: "Egg")
    try screen.sequence("next")
    try screen.wait(untilTitle: "Egg is finished")
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.wait(untilTitle: "A – All")
    try screen.press("space")
    try screen.wait(for: "paused", from: "status", "--format", "{state}")
  }

  @Test func `a window shows the end of the last minutes, until the user has seen it`() throws {
    try screen.sequence("start", "--card", "Egg 0.001s", "--title", "Egg")
    let first = try screen.openWindow()
    try screen.wait(untilTitle: "Egg is finished")
    try screen.press("Escape")
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("quit")
    #expect(try first.exitStatus() == 0)
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
  }

  @Test func `the size of the window is kept`() throws {
    let screen = try VirtualScreen(isAccessible: true)
    let first = try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    _ = try screen.run("/usr/bin/xdotool", "windowsize", "--sync", window, "600", "500")
    let size = try screen.size(ofWindow: window)
    try screen.wait(for: "smaller page") { try screen.area(of: "Main Menu").x < 600 }
    try screen.activate("quit")
    #expect(try first.exitStatus() == 0)
    try screen.openWindow()
    let next = try screen.wait(untilTitle: "Sequence")
    try screen.wait(for: "size \(size)") { try screen.size(ofWindow: next) == size }
  }

  @Test func `a sequence is started by the path of its file`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("add-starter", "tabata")
    let library = screen.directory.path + "/.local/share/sequence"
    try screen.activate("start-sequence", "\(library)/tabata.yaml")
    try screen.wait(untilTitle: "Warm up – Tabata")
  }

  @Test func `sequences are opened in the user's editor`() throws {
    let opened = try screen.installEditor()
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("add-starter", "tabata")
    try screen.activate("show-sequence", "tabata")
    try screen.activate("edit-text")
    let file = screen.directory.path + "/.local/share/sequence/tabata.yaml"
    try screen.wait(for: "file") { (try? String(contentsOfFile: opened, encoding: .utf8)) == file }
  }

  @Test func `a new sequence begins with a starter, and its title can be written at once`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    let library = screen.directory.path + "/.local/share/sequence/"
    for (file, title) in [("tabata", "Leg day"), ("tabata 2", "Arm day")] {
      try screen.activate("library")
      try screen.press("ctrl+n")
      try screen.waitForAnswers()
      try screen.press("Down")
      try screen.press("Return")
      try screen.wait(for: "file") { FileManager.default.fileExists(atPath: library + file + ".yaml") }
      try screen.waitForAnswers()
      try screen.press("ctrl+a")
      _ = try screen.run("/usr/bin/xdotool", "type", "--delay", "10", title)
      try screen.press("Return")
      try screen.wait(for: title, from: "list")
    }
    let ids = try ["tabata", "tabata 2"].map {
      try SequenceFile.read(path: library + $0 + ".yaml").definition.id
    }
    #expect(ids[0] != ids[1])
  }

  @Test func `a workout is made of exercises`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.press("ctrl+n")
    try screen.waitForAnswers()
    try screen.press("Return")
    try screen.waitForAnswers()
    for name in ["Squats", "Lunges", "Plank", "Jumps"] {
      _ = try screen.run("/usr/bin/xdotool", "type", "--delay", "10", name)
      try screen.press("Return")
    }
    try screen.press("Tab")
    try screen.press("Return")
    let path = screen.directory.path + "/.local/share/sequence/Workout.yaml"
    try screen.wait(for: "file") { FileManager.default.fileExists(atPath: path) }
    let workout = try SequenceFile.read(path: path)
    #expect(
      workout.definition.elements.flatMap(\.cards).map(\.title)
        == ["Get ready", "Squats", "Rest", "Lunges", "Rest", "Plank", "Rest", "Jumps"])
    #expect(workout.remarks == [])
  }

  @Test func `the keys of the search find, open and leave`() throws {
    for name in ["Legs", "Arms", "Pizza"] {
      _ = try screen.file(
        "title: \(name)\ncards:\n  - { title: Card of \(name), countdown: 1m }\n",
        ".local/share/sequence/\(name.lowercased()).yaml")
    }
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    func type(_ text: String) throws {
      _ = try screen.run("/usr/bin/xdotool", "type", "--delay", "10", text)
    }
    try screen.press("ctrl+f")
    try screen.waitForAnswers()
    try type("nothing")
    try screen.press("Escape")
    try screen.press("ctrl+f")
    try screen.waitForAnswers()
    // The former text is gone, and Enter opens the first that is found.
    try type("piz")
    try screen.press("Return")
    try screen.waitForAnswers()
    try screen.activate("edit")
    try screen.waitForAnswers()
    try screen.press("F5")
    try screen.wait(untilTitle: "Card of Pizza – Pizza")
  }

  @Test func `a search of the desktop continues in the library`() throws {
    for name in ["Legs", "Arms"] {
      _ = try screen.file(
        "title: \(name)\ncards:\n  - { title: Card of \(name), countdown: 1m }\n",
        ".local/share/sequence/\(name.lowercased()).yaml")
    }
    try screen.openWindow("--search", "leg")
    try screen.wait(untilTitle: "Sequence")
    try screen.waitForAnswers()
    try screen.press("Return")
    try screen.waitForAnswers()
    try screen.activate("edit")
    try screen.waitForAnswers()
    try screen.press("F5")
    try screen.wait(untilTitle: "Card of Legs – Legs")
  }

  @Test func `other programs don't get the renderer of the window`() throws {
    let opened = try screen.installEditor()
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("add-starter", "tabata")
    try screen.activate("show-sequence", "tabata")
    try screen.activate("edit-text")
    try screen.wait(for: "file") { FileManager.default.fileExists(atPath: opened) }
    #expect(try String(contentsOfFile: opened + ".renderer", encoding: .utf8) == "none")
    try screen.activate("start-timer", "Tea 5m")
    try screen.wait(untilTitle: "Tea")
    var agent: pid_t?
    try screen.wait(for: "agent") {
      agent = try screen.agent()
      return agent != nil
    }
    let environment = try String(contentsOfFile: "/proc/\(try #require(agent))/environ", encoding: .utf8)
    #expect(environment.contains("HOME="))
    #expect(!environment.contains("GSK_RENDERER"))
  }

  @Test func `a run is stopped after a question`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    try screen.activate("ask-stop")
    // The dialog has no title; Escape means Cancel.
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
    try screen.press("Escape")
    try screen.wait(for: "window") { try screen.windowCount() == 1 }
    #expect(try screen.sequence("status").contains("running"))
    try screen.activate("ask-stop")
    try screen.wait(for: "dialog") { try screen.windowCount() == 2 }
    try screen.press("Tab")
    try screen.press("Return")
    try screen.wait(untilTitle: "Sequence")
  }

  @Test func `the full screen is entered and left`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    let usual = try screen.size(ofWindow: window)
    for leaving in ["Escape", "F11"] {
      try screen.press("F11")
      try screen.wait(for: "full screen") { try screen.size(ofWindow: window).contains("800x700") }
      // The window manager changes the size before it gives the focus back, and a key between is lost.
      try screen.waitForWindowManager()
      try screen.waitForAnswers()
      try screen.press(leaving)
      try screen.wait(for: "usual size after \(leaving)") { try screen.size(ofWindow: window) == usual }
      try screen.waitForWindowManager()
      try screen.waitForAnswers()
    }
  }

  @Test(arguments: ["full-screen", "leave-full-screen"])
  func `the full screen is left before the window manager has entered it`(action: String) throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    let usual = try screen.size(ofWindow: window)
    try screen.whileWindowManagerIsStopped {
      try screen.activate("full-screen")
      try screen.activate(action)
    }
    // The first request is answered by now; the second one may just be on its way.
    try screen.wait(for: "window of the usual size") { try screen.size(ofWindow: window) == usual }
  }

  @Test(arguments: ["Escape", "F11"])
  func `the full screen is left at once when the run has ended`(key: String) throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    let usual = try screen.size(ofWindow: window)
    try screen.activate("full-screen")
    try screen.wait(for: "full screen") { try screen.size(ofWindow: window).contains("800x700") }
    try screen.waitForWindowManager()
    try screen.sequence("next")
    try screen.wait(untilTitle: "All is finished")
    try screen.waitForAnswers()
    try screen.press(key)
    try screen.wait(for: "usual size") { try screen.size(ofWindow: window) == usual }
  }

  @Test func `a second start with the full screen does not leave it`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    let usual = try screen.size(ofWindow: window)
    for _ in 1...2 {
      #expect(try screen.openWindow("--full-screen").exitStatus() == 0)
      // The second request changes no size: without an answer, the key could come before it.
      try screen.waitForAnswers()
      try screen.wait(for: "full screen") { try screen.size(ofWindow: window).contains("800x700") }
      try screen.waitForWindowManager()
    }
    try screen.waitForAnswers()
    try screen.press("F11")
    try screen.wait(for: "window of the usual size") { try screen.size(ofWindow: window) == usual }
  }

  @Test func `a sequence of 10,000 steps and hostile titles are listed`() throws {
    _ = try screen.file(
      "title: Long\ncards: [{ rounds: 10000, cards: [{ title: W, countdown: 1h }] }]",
      ".local/share/sequence/long.yaml")
    _ = try screen.file(
      "title: \"<b>&amp;%s\"\ncards: [{ title: \"</span>&\", countdown: 1h, note: \"<i>\" }]",
      ".local/share/sequence/hostile.yaml")
    _ = try screen.file("title: [", ".local/share/sequence/wrong.yaml")
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    for name in ["long", "hostile", "wrong"] {
      try screen.activate("show-sequence", "\(name)")
      #expect(try screen.colors() > 20)
    }
    try screen.activate("start-sequence", "hostile")
    try screen.wait(untilTitle: "</span>& – <b>&amp;%s")
    try screen.activate("stop")
    try screen.wait(untilTitle: "Sequence")
    try screen.activate("history")
    #expect(try screen.colors() > 20)
  }

  @Test func `each page and dialog opens`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "All")
    // With the file chooser, libcloudproviders leaks paths and GLib a table of quarks. Reports don't name the callers,
    // because these libraries have no frame pointers, and to unwind without them takes ten times as long.
    screen.allowLeaks()
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    for action in ["library", "history", "timer", "leave-detail", "import", "about"] {
      try screen.activate(action)
      #expect(try screen.isEnabled("next"), "\(action)")
    }
    try screen.activate("quit")
    #expect(try window.exitStatus() == 0)
  }

  @Test func `a press for a step that has ended changes nothing`() throws {
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--card", "C 10m", "--title", "All")
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    // The window can't notice the change before it handles the press.
    window.signal(SIGSTOP)
    try screen.sequence("next")
    let press = try screen.start(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", VirtualScreen.application, "--object-path",
        "/org/sequence_timer/sequence",
        "--method", "org.gtk.Actions.Activate", "next", "[]", "{}",
      ])
    window.signal(SIGCONT)
    _ = try press.exitStatus()
    let step = try screen.sequence("status", "--format", "{step}")
    // Either the change was seen first, or the press was refused.
    #expect(["B", "C"].contains(step))
    try screen.wait(untilTitle: "\(step) – All")
  }

  @Test func `a run that is replaced elsewhere is shown`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    try screen.sequence("start", "--card", "B 20m", "--title", "Two", "--replace")
    try screen.wait(untilTitle: "B – Two")
  }

  @Test func `a removed state directory is followed`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    try removeDirectory(screen.state)
    try screen.sequence("start", "--card", "B 20m", "--title", "Two")
    try screen.wait(untilTitle: "B – Two")
  }

  @Test func `a killed agent is replaced`() throws {
    try screen.sequence("start", "--card", "A 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    var old: pid_t?
    try screen.wait(for: "agent") {
      old = try screen.agent()
      return old != nil
    }
    kill(try #require(old), SIGKILL)
    try screen.wait(for: "another agent") { try screen.agent().map { $0 != old } ?? false }
  }
}
