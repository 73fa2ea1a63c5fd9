import Foundation
import Glibc
import NotifierDelivery
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

/// A screen without a monitor, a private bus, and the programs on them, with a state directory of their own.
///
/// Everything ends with it.
final class VirtualScreen {
  let directory: TemporaryDirectory
  let bus: PrivateBus
  private let session: BusConnection
  private var access: BusConnection?
  /// How long a program may take to answer a call, in milliseconds.
  static let answerLimit: Int32 = 25_000
  var state: String { directory.path + "/.local/state/sequence" }
  private(set) var environment: [String: String]
  private var processes: [ChildProcess] = []
  private var windowManager: ChildProcess?
  static let application = "org.sequence_timer.sequence"
  private static let object = "/org/sequence_timer/sequence"

  /// Makes the catalogs, and lets all programs speak a language.
  func speak(_ language: String) throws {
    try BuiltProducts.makeCatalogs()
    environment.merge(["LC_ALL": "C.UTF-8", "LANGUAGE": language]) { $1 }
  }

  /// - Parameters:
  ///   - isAccessible: whether screen readers can read the window.
  ///   - system: the bus that serves as the system bus; none by default.
  init(width: Int = 800, height: Int = 700, isAccessible: Bool = false, system: PrivateBus? = nil) throws {
    directory = try TemporaryDirectory()
    bus = try PrivateBus()
    session = try BusConnection(to: bus.address)
    environment = [
      "HOME": directory.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8",
      "XDG_RUNTIME_DIR": directory.path, "DBUS_SESSION_BUS_ADDRESS": bus.address,
      "DBUS_SYSTEM_BUS_ADDRESS": system?.address ?? "unix:path=\(directory.path)/no-system-bus",
      "GSETTINGS_BACKEND": "memory",
      "GDK_BACKEND": "x11",
      // The programs paint without OpenGL, and Mesa leaks memory.
      "GDK_DEBUG": "gl-disable",
      // A critical message of the toolkit is a mistake of the program.
      "G_DEBUG": "fatal-criticals",
    ]
    let screen = try start(
      "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp"])
    environment["DISPLAY"] = ":" + (try screen.line())
    // A window that is made while it starts may stay invisible.
    let manager = try start("/usr/bin/openbox", ["--startup", "echo ready"])
    _ = try manager.line()
    windowManager = manager
    guard isAccessible else { return }
    // A part of a page that moves is not where a screen reader has found it.
    _ = try directory.write("[Settings]\ngtk-enable-animations=false\n", to: "xdg/gtk-4.0/settings.ini")
    environment["XDG_CONFIG_DIRS"] = directory.path + "/xdg"
    try start("/usr/libexec/at-spi-bus-launcher", ["--launch-immediately"])
    _ = try run("/usr/bin/gdbus", "wait", "--session", "--timeout", "20", "org.a11y.Bus")
  }

  deinit {
    if let agent = try? agent() { kill(agent, SIGKILL) }
    for process in processes.reversed() { process.end() }
    bus.stop()
  }

  @discardableResult
  func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    let process = try ChildProcess(program, arguments, environment: environment)
    processes.append(process)
    return process
  }

  /// Lets programs leak from now on.
  func allowLeaks() { environment.merge(Sanitizer.environmentWithoutLeaks) { $1 } }

  /// Doubles the size of texts of windows that are opened from now on.
  ///
  /// On X11, GTK takes it from the resources of the screen, and ignores that of its settings file.
  func doubleTextSize() throws {
    let words = ["-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192\n"]
    let output = try run("/usr/bin/xprop", words)
    guard output.status == 0 else { throw TestSupportError(output.errors) }
  }

  /// Starts the window, and waits until it is on the bus.
  @discardableResult
  func openWindow(_ arguments: String...) throws -> ChildProcess {
    let window = try start(BuiltProducts.path(of: "sequence-window"), arguments)
    let wait = try run("/usr/bin/gdbus", "wait", "--session", "--timeout", "20", VirtualScreen.application)
    guard wait.status == 0 else { throw TestSupportError("no window: \(wait.errors)") }
    return window
  }

  func run(_ program: String, _ arguments: String...) throws -> ChildProcess.Output {
    try run(program, arguments)
  }

  func run(_ program: String, _ arguments: [String]) throws -> ChildProcess.Output {
    try ChildProcess.run(program, arguments, environment: environment)
  }

  /// Runs a command of `sequence` that has to succeed.
  @discardableResult
  func sequence(_ words: String...) throws -> String {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words, environment: environment, within: .seconds(60))
    guard output.status == 0 else { throw TestSupportError("\(words): \(output.status) \(output.errors)") }
    return output.text
  }

  func sound() throws -> Bool? {
    let store = try RunStore(in: StateDirectory(path: state), clock: SystemClock(), parts: [], observers: [])
    return try store.peek().run?.options.sound
  }

  func agent() throws -> pid_t? {
    let text = try sequence("agent", "status", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return object?["process"] as? pid_t
  }

  func file(_ text: String, _ name: String = "sequence.yaml") throws -> String {
    try directory.write(text, to: name)
  }

  /// The accessibility bus.
  func accessBus() throws -> BusConnection {
    if let access { return access }
    let address = try session.call(
      "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", limit: VirtualScreen.answerLimit)
    let connection = try BusConnection(to: address.firstString)
    access = connection
    return connection
  }

  /// Calls an action of the window, as a desktop does.
  func activate(_ action: String, _ text: String? = nil, number: Int32? = nil) throws {
    let parameters = [text.map { BusValue.text($0) }, number.map { .int($0) }].compactMap(\.self)
    _ = try callActions(
      "Activate", [.text(action), .array(of: "v", parameters.map { .variant($0) }), .dictionary([:])])
  }

  func isEnabled(_ action: String) throws -> Bool {
    try callActions("Describe", [.text(action)]).children.first?.firstBoolean ?? false
  }

  private func callActions(_ method: String, _ arguments: [BusValue]) throws -> Answer {
    try session.call(
      VirtualScreen.application, VirtualScreen.object, "org.gtk.Actions", method, arguments,
      limit: VirtualScreen.answerLimit)
  }

  /// Waits until a condition is true.
  func wait(
    for what: String, within limit: Duration = .seconds(20), until isTrue: () throws -> Bool
  ) throws {
    let deadline = ContinuousClock.now + limit
    while try !isTrue() {
      guard ContinuousClock.now < deadline else { throw TestSupportError("no \(what)") }
    }
  }

  /// Writes a program that opens YAML files instead of an editor, and records their paths and its renderer.
  func installEditor() throws -> String {
    let opened = directory.path + "/opened"
    let program = try directory.write(
      """
      #!/bin/sh
      printf %s "${GSK_RENDERER-none}" >\(opened).renderer
      printf %s "$1" >\(opened).new && mv \(opened).new \(opened)

      """, to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    _ = try directory.write(
      "[Desktop Entry]\nType=Application\nName=Editor\nExec=\(program) %f\nMimeType=application/yaml;text/plain;\n",
      to: ".local/share/applications/editor.desktop")
    _ = try directory.write(
      "[Default Applications]\napplication/yaml=editor.desktop\napplication/x-yaml=editor.desktop\n"
        + "text/plain=editor.desktop\n", to: ".local/share/applications/mimeapps.list")
    return opened
  }

  func colors() throws -> Int {
    let picture = directory.path + "/screen.png"
    let output = try run("/usr/bin/import", "-window", "root", picture)
    guard output.status == 0 else { throw TestSupportError(output.errors) }
    let count = try run("/usr/bin/identify", "-format", "%k", picture)
    guard let colors = Int(count.text) else { throw TestSupportError(count.text + count.errors) }
    return colors
  }

  func windowCount() throws -> Int {
    // Without a window it fails.
    try run("/usr/bin/xdotool", "search", "--onlyvisible", "--class", "sequence").text.split(separator: "\n")
      .count
  }

  /// The size of a window, such as `Geometry: 360x640`.
  func size(ofWindow window: String) throws -> String {
    let geometry = try run("/usr/bin/xdotool", "getwindowgeometry", window).text
    return geometry.split(separator: "\n").last.map(String.init) ?? ""
  }

  /// Stops the window manager during a closure, and waits until it has answered the requests made in it.
  func whileWindowManagerIsStopped(_ act: () throws -> Void) throws {
    guard let windowManager else { throw TestSupportError("no window manager was started") }
    kill(windowManager.identifier, SIGSTOP)
    do {
      defer { kill(windowManager.identifier, SIGCONT) }
      try act()
    }
    try waitForWindowManager()
  }

  /// Waits until the window manager has answered every request of before: it answers in order.
  func waitForWindowManager() throws {
    func desktops() throws -> String {
      try run("/usr/bin/xdotool", "get_num_desktops").text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let wanted = try desktops() == "7" ? "8" : "7"
    _ = try run("/usr/bin/xdotool", "set_num_desktops", wanted)
    try wait(for: "window manager") { try desktops() == wanted }
  }

  /// Presses a key, such as `F11` or `ctrl+w`.
  func press(_ key: String) throws {
    let output = try run("/usr/bin/xdotool", "key", key)
    guard output.status == 0 else { throw TestSupportError(output.errors) }
  }

  /// Drags files from another program onto a window.
  func drop(_ files: [String], onWindow window: String) throws {
    let source = try start(BuiltProducts.path(of: "drag-files"), files)
    let files = try wait(untilTitle: "Files")
    func xdotool(_ words: String...) throws {
      let output = try run("/usr/bin/xdotool", words)
      guard output.status == 0 else { throw TestSupportError("\(words): \(output.errors)") }
    }
    try xdotool("windowraise", files)
    try xdotool("mousemove", "--window", files, "20", "20", "mousedown", "1")
    for distance in stride(from: 22, through: 40, by: 2) {
      try xdotool("mousemove", "--window", files, "\(distance)", "\(distance)")
    }
    // All places are in one part of the page, which has accepted the files before the drop.
    for distance in 300...302 {
      try xdotool("mousemove", "--window", window, "\(distance)", "\(distance)")
    }
    _ = try source.line()
    try xdotool("mouseup", "1")
    // It ends when the window has read the files.
    guard try source.exitStatus() == 0 else { throw TestSupportError("the drag failed") }
  }

  /// Waits until a command of `sequence` prints a text.
  func wait(for text: String, from words: String...) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    var output = ""
    while ContinuousClock.now < deadline {
      output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), words, environment: environment, within: .seconds(60)
      ).text
      if output.contains(text) { return }
    }
    throw TestSupportError("\(words) prints \(output) instead of \(text)")
  }

  /// Waits until the window has answered every action of before.
  func waitForAnswers() throws { _ = try isEnabled("quit") }

  /// The titles of all windows, also of those that aren't visible, and the programs that have ended.
  private func titles() throws -> String {
    let windows = try run("/usr/bin/xdotool", "search", "--name", ".").text.split(separator: "\n")
    let titles = try windows.map { try run("/usr/bin/xdotool", "getwindowname", String($0)).text }
    let visible = try run("/usr/bin/xdotool", "search", "--onlyvisible", "--name", ".").text
    let states = try processes.map { process in
      let path = "/proc/\(process.identifier)/stat"
      guard FileManager.default.fileExists(atPath: path) else { return "\(process.identifier) has ended" }
      return String(try String(contentsOfFile: path, encoding: .utf8).prefix(40))
    }
    return "\(zip(windows, titles).map { "\($0) \($1)" }), visible: \(visible), programs: \(states)"
  }

  /// Waits until there is a window with exactly this title, and returns its number.
  ///
  /// The clock time in a title, which follows the step, may be any.
  @discardableResult
  func wait(untilTitle title: String) throws -> String {
    let deadline = ContinuousClock.now + .seconds(20)
    let until = "( until [0-9:]+( tomorrow)?)?"
    let pattern = title.contains(" – ") ? title.replacing(" – ", with: until + " – ") : title + until
    while true {
      let search = try start(
        "/usr/bin/xdotool", ["search", "--sync", "--onlyvisible", "--name", "^\(pattern)$"])
      do {
        return try search.line(within: deadline - .now)
      } catch {
        // xdotool fails if a window, such as a dialog, goes while it looks at it.
        guard ContinuousClock.now < deadline, try search.exitStatus() != 0 else {
          throw TestSupportError("no window titled \(title), but \(try titles())")
        }
      }
    }
  }
}
