import Foundation
import Glibc
import SequencePlatform
import TestSupport
import Testing

/// The built program on a screen without a monitor, called by the actions that desktops call.
@Suite(.timeLimit(.minutes(2)))
struct WindowTests {
  private let screen: VirtualScreen

  init() throws { screen = try VirtualScreen() }

  @Test func `the window follows a run of the command`() throws {
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.sequence("start", "--card", "Work 20m", "--card", "Rest 10m")
    try screen.wait(untilTitle: "Work – Work, Rest")
    try screen.sequence("next")
    try screen.wait(untilTitle: "Rest – Work, Rest")
    try screen.sequence("stop")
    try screen.wait(untilTitle: "Sequence")
  }

  @Test func `window and commands speak the user's language, and documents don't`() throws {
    try screen.speak("de")
    try screen.sequence("start", "--card", "Work 20m", "--card", "Rest 10m")
    try screen.openWindow()
    try screen.wait(untilTitle: "Work bis [0-9:]+( morgen)? – Work, Rest")
    let status = try screen.sequence("status")
    #expect(status.contains(/läuft: "Work" noch [0-9:]+, Schritt 1 von 2/), "\(status)")
    let document = try screen.sequence("status", "--json")
    #expect(document.contains(#""state":"running""#), "\(document)")
    let listed = try screen.sequence("notifications", "list", "--json")
    #expect(listed.contains("Work ist vorbei"), "\(listed)")
    try screen.sequence("stop")
  }

  @Test func `each action changes the run as the command does`() throws {
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--card", "C", "--title", "All")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    try screen.activate("pause")
    #expect(try screen.sequence("status").hasPrefix("paused"))
    try screen.activate("resume")
    #expect(try screen.sequence("status").hasPrefix("running"))
    try screen.activate("toggle")
    #expect(try screen.sequence("status").hasPrefix("paused"))
    try screen.activate("toggle")
    try screen.activate("next")
    try screen.wait(untilTitle: "B – All")
    try screen.activate("back")
    try screen.wait(untilTitle: "A – All")
    try screen.activate("extend", number: 60)
    #expect(try screen.sequence("status", "--format", "{duration}") == "21:00")
    try screen.activate("extend", number: -60)
    try screen.activate("skip")
    try screen.wait(untilTitle: "B – All")
    try screen.activate("restart")
    try screen.activate("next")
    try screen.wait(untilTitle: "C – All")
    #expect(try !screen.isEnabled("extend"))
    try screen.activate("stop")
    try screen.wait(untilTitle: "Sequence")
    #expect(try !screen.isEnabled("next"))
  }

  /// The size of the small window, with the border that windows have without a compositor.
  private static let small = "250x106"

  @Test func `the small window acts on the run, and gives the size back`() throws {
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--title", "All")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "A – All")
    let usual = try screen.size(ofWindow: window)
    func wait(untilSize size: String) throws {
      try screen.wait(for: "size of \(size)") { try screen.size(ofWindow: window).contains(size) }
      // The window takes the answers to its earlier requests for wishes of the window manager.
      try screen.waitForWindowManager()
      try screen.waitForAnswers()
    }
    func press(_ key: String, untilSize size: String) throws {
      try screen.press(key)
      try wait(untilSize: size)
    }
    try press("ctrl+m", untilSize: WindowTests.small)
    try screen.press("space")
    try screen.wait(for: "paused", from: "status")
    try screen.press("space")
    try screen.wait(for: "running", from: "status")
    try screen.press("n")
    try screen.wait(untilTitle: "B – All")
    #expect(try screen.size(ofWindow: window).contains(WindowTests.small))
    try press("ctrl+m", untilSize: usual)
    try press("ctrl+m", untilSize: WindowTests.small)
    try press("Escape", untilSize: usual)
    // The full screen returns to the size from before.
    try press("ctrl+m", untilSize: WindowTests.small)
    try press("F11", untilSize: "800x700")
    try press("Escape", untilSize: WindowTests.small)
    // Other pages have no room in it.
    try screen.activate("library")
    try wait(untilSize: usual)
    try press("ctrl+m", untilSize: WindowTests.small)
    // Its end has the same size, and the page without a run the usual one.
    try screen.press("n")
    try screen.wait(untilTitle: "All is finished")
    #expect(try screen.size(ofWindow: window).contains(WindowTests.small))
    try press("Escape", untilSize: usual)
    try screen.wait(untilTitle: "Sequence")
    #expect(try !screen.isEnabled("small-window"))
  }

  @Test func `a window that is closed while it is small has the usual size next time`() throws {
    try screen.sequence("start", "--card", "A 20m")
    let first = try screen.openWindow()
    let window = try screen.wait(untilTitle: "A")
    let usual = try screen.size(ofWindow: window)
    try screen.activate("small-window")
    try screen.wait(for: "small window") { try screen.size(ofWindow: window).contains(WindowTests.small) }
    try screen.activate("quit")
    #expect(try first.exitStatus() == 0)
    try screen.openWindow()
    let second = try screen.wait(untilTitle: "A")
    #expect(try screen.size(ofWindow: second) == usual)
  }

  @Test func `a rest fills the screen, and gives it back`() throws {
    _ = try screen.file("fullScreen: rest\n", ".config/sequence/config.yaml")
    let path = try screen.file(
      """
      title: All
      cards:
        - { title: Work, countdown: 20m }
        - { title: Short rest, countdown: 59s, rest: true }
        - { title: Rest, countdown: 10m, rest: true }
        - { title: Last, countdown: 20m }
      """, "all.yaml")
    try screen.sequence("start", path)
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Work – All")
    let usual = try screen.size(ofWindow: window)
    func wait(until isFull: Bool) throws {
      try screen.wait(for: "full screen: \(isFull)") {
        try screen.size(ofWindow: window).contains("800x700") == isFull
      }
    }
    try screen.activate("next")
    try screen.wait(untilTitle: "Short rest – All")
    try screen.waitForAnswers()
    #expect(try screen.size(ofWindow: window) == usual)
    try screen.activate("next")
    try wait(until: true)
    try screen.activate("pause")
    try wait(until: false)
    try screen.activate("resume")
    try wait(until: true)
    // The user has left it for this rest.
    try screen.press("Escape")
    try wait(until: false)
    try screen.activate("pause")
    try screen.activate("resume")
    try screen.waitForAnswers()
    try screen.waitForWindowManager()
    #expect(try screen.size(ofWindow: window) == usual)
    try screen.activate("restart")
    try screen.activate("back")
    try screen.wait(untilTitle: "Short rest – All")
    try screen.activate("small-window")
    try screen.wait(for: "small window") { try screen.size(ofWindow: window).contains(WindowTests.small) }
    try screen.activate("next")
    try screen.wait(untilTitle: "Rest – All")
    try screen.activate("next")
    try screen.wait(untilTitle: "Last – All")
    try screen.wait(for: "small window") { try screen.size(ofWindow: window).contains(WindowTests.small) }
  }

  @Test func `files of every format are imported by dropping them`() throws {
    // Each is in the corpus of the fuzzer, behind a byte that is its format.
    let files = try [
      ("zwo", "Ride.zwo"), ("erg", "Course.erg"), ("mrc", "Course 2.mrc"), ("uair", "uair.toml"),
      ("garmin", "Garmin.json"), ("cooklang", "Soup.cook"), ("jawt", "Jawt.json"),
    ].map { name, file in
      let text = try String(
        contentsOfFile: BuiltProducts.repository + "Tests/Corpus/imports/" + name, encoding: .utf8)
      return try screen.file(String(text.dropFirst()), file)
    }
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Sequence")
    try screen.drop(files, onWindow: window)
    let names: Set = ["Course", "Course 2", "Garmin", "Jawt", "Ride", "Soup", "uair"]
    let library = screen.directory.path + "/.local/share/sequence"
    try screen.wait(for: "seven sequences") {
      Set(try screen.run("/bin/ls", library).text.split(separator: "\n").map { String($0.dropLast(5)) })
        == names
    }
  }

  @Test func `without a display the window ends with a remedy`() throws {
    var environment = screen.environment
    environment["DISPLAY"] = nil
    let window = try ChildProcess.run(BuiltProducts.path(of: "sequence-window"), [], environment: environment)
    #expect(window.status == 69)
    #expect(
      window.errors
        == "sequence-window: no display can be opened; run it in a desktop session, or use sequence attach\n")
  }

  @Test func `the window doesn't load OpenGL, which it doesn't draw with`() throws {
    var environment = screen.environment
    environment["GDK_DEBUG"] = nil
    let window = try ChildProcess(BuiltProducts.path(of: "sequence-window"), environment: environment)
    defer { window.end() }
    try screen.wait(untilTitle: "Sequence")
    let maps = try screen.run("/bin/cat", "/proc/\(window.identifier)/maps").text
    #expect(maps.contains("libgtk-4") && !maps.contains("libGL"))
  }

  @Test func `the window has the class that the menu entry names`() throws {
    let entry = try String(
      contentsOfFile: BuiltProducts.repository + "/share/applications/sequence.desktop", encoding: .utf8)
    let name = try #require(entry.firstMatch(of: /\nStartupWMClass=(.*)\n/)?.output.1)
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    let found = try screen.run(
      "/usr/bin/xdotool", "search", "--onlyvisible", "--class", "^\(name.replacing(".", with: "\\."))$")
    #expect(found.status == 0 && !found.text.isEmpty, "\(found)")
  }

  @Test func `the menu entry asks whether to stop the run`() throws {
    try screen.sequence("start", "--card", "Work 20m")
    try screen.openWindow("--ask-stop")
    try screen.wait(for: "question") { try screen.windowCount() == 2 }
    try screen.press("Escape")
    #expect(try screen.sequence("status").hasPrefix("running"))
  }

  @Test func `a second start shows the first window, and ends`() throws {
    let first = try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    let second = try screen.start(BuiltProducts.path(of: "sequence-window"), [])
    #expect(try second.exitStatus() == 0)
    try screen.activate("quit")
    #expect(try first.exitStatus() == 0)
  }

  @Test func `to close the window leaves the run`() throws {
    try screen.sequence("start", "--card", "A 20m")
    let window = try screen.openWindow()
    try screen.wait(untilTitle: "A")
    try screen.activate("quit")
    #expect(try window.exitStatus() == 0)
    #expect(try screen.sequence("status").hasPrefix("running"))
  }

  @Test func `a pipe in the place of a sequence holds nothing up`() throws {
    let pipe = screen.directory.path + "/pipe.yaml"
    try #require(mkfifo(pipe, 0o600) == 0)
    try screen.openWindow(pipe)
    try screen.wait(untilTitle: "Sequence")
    try screen.waitForAnswers()
    for action in ["show-sequence", "start-sequence"] {
      try screen.activate(action, pipe)
      try screen.waitForAnswers()
    }
    for action in ["duplicate", "edit"] {
      try screen.activate(action)
      try screen.waitForAnswers()
    }
  }

  @Test func `letters act by their place if another layout has the letter`() throws {
    #expect(try screen.run("/usr/bin/setxkbmap", "us,ru").status == 0)
    try screen.sequence("start", "--card", "A 20m", "--card", "B 10m", "--title", "All")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – All")
    try screen.press("ISO_Next_Group")
    // The keys of N and B.
    try screen.press("57")
    try screen.wait(untilTitle: "B – All")
    try screen.press("56")
    try screen.wait(untilTitle: "A – All")
  }

  @Test func `a wrong command line is refused`() throws {
    let output = try screen.run(BuiltProducts.path(of: "sequence-window"), "--stat-dir", "x")
    #expect(output.status == 64)
    #expect(
      output.errors == #"sequence-window: unknown argument "--stat-dir"; see sequence help window"# + "\n")
  }

  @Test func `every page fits into 360 pixels with text of twice the size`() throws {
    let screen = try VirtualScreen(width: 800, height: 640, isAccessible: true)
    try screen.doubleTextSize()
    try screen.sequence(
      "start", "--card", "Squats 20m", "--card", "Rest 10m", "--rounds", "4", "--title", "Legs")
    try screen.openWindow()
    let window = try screen.wait(untilTitle: "Squats – Legs")
    func size(_ width: Int) throws {
      try screen.wait(for: "width of \(width)") {
        // The window manager refuses it until GTK has told it that the window needs less than before.
        _ = try screen.run("/usr/bin/xdotool", "windowsize", window, "\(width)", "640")
        return try screen.size(ofWindow: window).contains("\(width)x")
      }
      // GTK tells the window manager the least width of the page, and the window becomes wider.
      try screen.waitForAnswers()
      try screen.waitForWindowManager()
    }
    func expectNarrow(_ page: String) throws {
      try size(500)
      // Below 420 pixels the title leaves the middle, and with it its room on both sides.
      try size(416)
      try size(360)
      #expect(try screen.size(ofWindow: window).contains("360x"), "\(page)")
    }
    try screen.activate("add-starter", "tabata")
    for page in ["timer", "library", "history", "show-sequence", "edit", "new"] {
      try screen.activate(page, page == "show-sequence" ? "tabata" : nil)
      try expectNarrow(page)
    }
    try screen.press("Return")
    try expectNarrow("workout")
    try screen.activate("show-sequence", "tabata")
    try screen.activate("edit")
    try screen.waitForAnswers()
    for _ in 0..<4 { try screen.press("Tab") }
    try screen.press("Return")
    try expectNarrow("open card")
    try screen.sequence("stop")
    try screen.activate("timer")
    try expectNarrow("end")
    try screen.activate("history")
    // The runs are read in the background.
    try screen.wait(untilVisible: "This Week", inWindowTitled: "Sequence")
    try expectNarrow("history with a run")
  }
}
