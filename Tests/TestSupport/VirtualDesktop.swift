import Foundation

/// A screen without a monitor, with a notification server that people use, on a private bus.
///
/// It has a home directory of its own, and ends with everything that it started.
package final class VirtualDesktop {
  package let bus: PrivateBus
  let server: Server
  let directory: TemporaryDirectory
  private var environment: [String: String]
  private var processes: [ChildProcess] = []
  /// How many of the processes are there whatever becomes of the server.
  private var foundation = 0
  /// The window that was clicked on last, which goes and is not meant by the next click.
  var clicked: String?

  /// Starts a screen, and the server on it, and waits until the server answers.
  ///
  /// - Throws: if something is not installed, or does not come.
  package init(_ server: Server) throws {
    guard server.isInstalled else { throw TestSupportError(server.absence) }
    self.server = server
    bus = try PrivateBus()
    directory = try TemporaryDirectory()
    for name in ["home", "runtime"] {
      // Only the owner may use a runtime directory.
      try FileManager.default.createDirectory(
        atPath: directory.path + "/" + name, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    environment = [
      // What asks for the system's bus finds nobody there who would answer.
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
      "PATH": "/usr/bin:/bin", "HOME": directory.path + "/home",
      "XDG_RUNTIME_DIR": directory.path + "/runtime", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
      "MESA_SHADER_CACHE_DISABLE": "1",
    ]
    switch server {
    case .dunst, .notificationDaemon:
      try startXvfb()
    case .xfce4Notifyd:
      try startXvfb()
      // Its settings and its log come from there; what it shows without them is the same.
      try start(Programs.xfconfd)
      try waitForOwner(of: "org.xfce.Xfconf")
    case .mako:
      try startSway()
    case .gnomeShell: break
    }
    foundation = processes.count
    try startServer()
  }

  deinit {
    end(processes)
    bus.stop()
  }

  /// Kills the server, and starts another one on the same bus and the same screen.
  package func restartServer() throws {
    end(processes[foundation...])
    processes.removeSubrange(foundation...)
    clicked = nil
    try startServer()
  }

  private func startServer() throws {
    switch server {
    case .dunst: try start(Programs.dunst, ["-conf", try dunstConfiguration()])
    case .xfce4Notifyd: try start(Programs.xfce4Notifyd)
    case .notificationDaemon: try start(Programs.notificationDaemon)
    case .mako: try start(Programs.mako, ["--config", "/dev/null"])
    case .gnomeShell:
      try startGnomeShell()
      try start(Programs.gjs, [Programs.gnomeShellNotifications])
    }
    try waitForOwner(of: "org.freedesktop.Notifications")
  }

  private func end(_ processes: some BidirectionalCollection<ChildProcess>) {
    for process in processes.reversed() {
      // Each leads a group, in which is what it started itself.
      kill(-process.identifier, SIGKILL)
      _ = try? process.exitStatus()
    }
  }

  /// How many notifications are on screen.
  ///
  /// Of mako those count too that wait for a place, and of GNOME Shell those whose banner is over.
  package func displayed() throws -> Int {
    switch server {
    case .dunst: return try dunstProperty("displayedLength")
    case .xfce4Notifyd, .notificationDaemon:
      // A notification is a window; their other windows have no name, or are not on screen.
      return try windows().count
    case .mako:
      let list = try call(
        "org.freedesktop.Notifications", "/fr/emersion/Mako", "fr.emersion.Mako.ListNotifications")
      return list.components(separatedBy: "'id': <uint32 ").count - 1
    case .gnomeShell:
      let count = "Main.messageTray.getSources().reduce((sum, one) => sum + one.notifications.length, 0)"
      let answer = try evaluate(count)
      guard let number = Self.lastNumber(in: answer) else { throw TestSupportError(answer) }
      return number
    }
  }

  /// Waits until so many are on screen.
  ///
  /// A server answers first and draws then, and notification-daemon leaves what was closed on screen for as
  /// long as it would have been there otherwise, 5 s.
  ///
  /// - Throws: if it does not come to it within the limit.
  package func wait(untilDisplayed count: Int, within limit: Duration = .seconds(8)) throws {
    let deadline = ContinuousClock.now + limit
    var found = try displayed()
    while found != count {
      guard ContinuousClock.now < deadline else {
        throw TestSupportError("\(server) shows \(found) instead of \(count) after \(limit)")
      }
      // No server tells of what it draws.
      Thread.sleep(forTimeInterval: 0.05)
      found = try displayed()
    }
  }

  /// How many notifications dunst has shown before and keeps in its history.
  package func history() throws -> Int { try dunstProperty("historyLength") }

  /// Writes a picture of the screen, for people to look at, as a PNG file.
  package func screenshot(to path: String) throws {
    let output: ChildProcess.Output
    switch server {
    case .dunst, .xfce4Notifyd, .notificationDaemon:
      output = try run("/usr/bin/import", ["-window", "root", path])
    case .mako: output = try run("/usr/bin/grim", [path])
    case .gnomeShell:
      _ = try call(
        "org.gnome.Shell.Screenshot", "/org/gnome/Shell/Screenshot", "org.gnome.Shell.Screenshot.Screenshot",
        "false", "false", path)
      return
    }
    guard output.status == 0 else { throw TestSupportError("no picture of the screen: \(output.errors)") }
  }

  // MARK: - Screens

  /// Starts Xvfb on a display that is free.
  private func startXvfb() throws {
    let screen = try start(
      Programs.xvfb, ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
    environment["DISPLAY"] = ":" + (try screen.line())
  }

  /// Starts sway without hardware.
  private func startSway() throws {
    let configuration = try directory.write(
      """
      xwayland disable
      output HEADLESS-1 mode 800x600
      exec echo $WAYLAND_DISPLAY

      """, to: "sway.conf")
    environment["WLR_BACKENDS"] = "headless"
    environment["WLR_LIBINPUT_NO_DEVICES"] = "1"
    environment["WLR_RENDERER"] = "pixman"
    // It refuses to be root.
    let screen =
      geteuid() == 0
      ? try start(
        Programs.unshare,
        ["--user", "--map-user=1000", "--map-group=1000", Programs.sway, "--config", configuration])
      : try start(Programs.sway, ["--config", configuration])
    environment["WAYLAND_DISPLAY"] = try screen.line()
  }

  /// Starts GNOME Shell as its own display server, and waits until it answers.
  ///
  /// It starts the daemon of input methods by `fork`, and runs JavaScript in the child before `exec`. Where another of
  /// its threads holds the lock of the types just then, the child waits for that for ever, and the shell for the child:
  /// of some dozens of starts on a busy machine it happened to one. So it has three.
  private func startGnomeShell() throws {
    for _ in 0..<3 {
      try start(
        Programs.gnomeShell, ["--headless", "--virtual-monitor", "800x600", "--no-x11", "--unsafe-mode"])
      try waitForOwner(of: "org.gnome.Shell.Screenshot")
      if try isGnomeShellReady() { return try tidyGnomeShell() }
      end(processes.suffix(1))
      processes.removeLast()
    }
    throw TestSupportError("\(server) does not get ready")
  }

  /// Waits until GNOME Shell has started up; it has not where it does not answer.
  private func isGnomeShellReady() throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      let answer = try answer(
        of: "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell.Eval", ["Main.layoutManager._startingUp"],
        within: 8)
      guard answer.status == 0 else { return false }
      if answer.text.contains("false") { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return false
  }

  private func tidyGnomeShell() throws {
    // It begins with notifications of its own: that it cannot lock the screen, that one is root.
    _ = try evaluate("Main.messageTray.getSources().forEach(one => one.destroy())")
    _ = try evaluate("Main.overview.hide()")
  }

  // MARK: - Programs and calls

  @discardableResult
  private func start(_ program: String, _ arguments: [String] = []) throws -> ChildProcess {
    let process = try ChildProcess(program, arguments, environment: environment)
    processes.append(process)
    return process
  }

  func run(_ program: String, _ arguments: [String]) throws -> ChildProcess.Output {
    try ChildProcess.run(program, arguments, environment: environment)
  }

  /// Waits until somebody owns a name.
  private func waitForOwner(of name: String) throws {
    // The bus tells when the name has an owner; asking again and again would only race with it.
    let wait = try run(Programs.gdbus, ["wait", "--session", "--timeout", "20", name])
    guard wait.status == 0 else {
      throw TestSupportError("\(server) did not come: nobody owns \(name) \(wait.errors)")
    }
  }

  /// Calls a method, and returns the answer as text.
  func call(
    _ destination: String, _ object: String, _ method: String, _ arguments: String...
  ) throws -> String {
    let answer = try answer(of: destination, object, method, arguments)
    guard answer.status == 0 else { throw TestSupportError("\(server) does not tell: \(answer.errors)") }
    return answer.text
  }

  /// Calls a method, and returns what came of it within so many seconds.
  private func answer(
    of destination: String, _ object: String, _ method: String, _ arguments: [String],
    within seconds: Int = 25
  ) throws -> ChildProcess.Output {
    let call = [
      "call", "--session", "--timeout", String(seconds), "--dest", destination, "--object-path", object,
      "--method", method,
    ]
    return try run(Programs.gdbus, call + arguments)
  }

  private func dunstProperty(_ name: String) throws -> Int {
    guard server == .dunst else { throw TestSupportError("\(server) does not tell its \(name)") }
    let answer = try call(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      "org.freedesktop.DBus.Properties.Get", "org.dunstproject.cmd0", name)
    guard let number = Self.lastNumber(in: answer) else { throw TestSupportError(answer) }
    return number
  }

  /// Evaluates an expression inside GNOME Shell.
  func evaluate(_ expression: String) throws -> String {
    let answer = try call("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell.Eval", expression)
    guard answer.hasPrefix("(true") else { throw TestSupportError("\(expression): \(answer)") }
    return answer
  }

  private static func lastNumber(in text: String) -> Int? {
    Int(text.split { !$0.isNumber && !$0.isLetter }.last ?? "")
  }
}
