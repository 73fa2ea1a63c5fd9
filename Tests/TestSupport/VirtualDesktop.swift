import Foundation

/// A screen without a monitor, with a real notification server on a private bus.
///
/// It has its own home directory, and ends with all processes that it started.
package final class VirtualDesktop {
  package let bus: PrivateBus
  let server: Server
  let directory: TemporaryDirectory
  private var environment: [String: String]
  private var processes: [ChildProcess] = []
  /// The number of processes that survive a restart of the server.
  private var foundation = 0
  /// The window of the last click, which is disappearing and not meant by the next click.
  var clicked: String?

  /// Starts a screen and the server on it, and waits until the server answers.
  ///
  /// - Throws: if a program is not installed or does not start.
  package init(_ server: Server) throws {
    guard server.isInstalled else { throw TestSupportError(server.absence) }
    self.server = server
    bus = try PrivateBus()
    directory = try TemporaryDirectory()
    for name in ["home", "runtime"] {
      // Only the owner may have access to a runtime directory.
      try FileManager.default.createDirectory(
        atPath: directory.path + "/" + name, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    environment = [
      // Requests to the system bus must find no service.
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
      // The server reads settings and logs through it; the notifications look the same without it.
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

  /// Kills the server, and starts another one on the same bus and screen.
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
    for process in processes.reversed() { process.end() }
  }

  /// Returns the number of visible notifications.
  ///
  /// Includes mako's waiting notifications, and GNOME Shell's notifications after their banner.
  package func displayed() throws -> Int {
    switch server {
    case .dunst: return try dunstProperty("displayedLength")
    case .xfce4Notifyd, .notificationDaemon:
      // A notification is a window; the servers' other windows have no name or are not visible.
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

  /// Waits for a number of visible notifications.
  ///
  /// A server answers before it draws, and notification-daemon leaves a closed notification on the screen for
  /// the rest of its timeout of 5 s.
  ///
  /// - Throws: if the number is not reached within the limit.
  package func wait(untilDisplayed count: Int, within limit: Duration = .seconds(8)) throws {
    let deadline = ContinuousClock.now + limit
    var found = try displayed()
    while found != count {
      guard ContinuousClock.now < deadline else {
        throw TestSupportError("\(server) shows \(found) instead of \(count) after \(limit)")
      }
      // No server reports when it has drawn.
      Thread.sleep(forTimeInterval: 0.05)
      found = try displayed()
    }
  }

  package func history() throws -> Int { try dunstProperty("historyLength") }

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

  private func startXvfb() throws {
    let screen = try start(
      Programs.xvfb, ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
    environment["DISPLAY"] = ":" + (try screen.line())
  }

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
    // sway refuses to run as root.
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
  /// GNOME Shell forks to start the daemon of input methods, and runs JavaScript in the child before `exec`.
  /// If another of its threads holds the type lock at that moment, the child waits for the lock forever, and
  /// the shell for the child. This happened once in some dozens of starts on a busy machine, so there are
  /// three attempts.
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

  /// Waits until GNOME Shell has started; returns false if it does not answer.
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
    // It starts with notifications of its own, such as warnings that it runs as root or cannot lock the
    // screen.
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

  private func waitForOwner(of name: String) throws {
    // gdbus waits for the bus's signal; polling would race with it.
    let wait = try run(Programs.gdbus, ["wait", "--session", "--timeout", "20", name])
    guard wait.status == 0 else {
      throw TestSupportError("\(server) did not come: nobody owns \(name) \(wait.errors)")
    }
  }

  func call(
    _ destination: String, _ object: String, _ method: String, _ arguments: String...
  ) throws -> String {
    let answer = try answer(of: destination, object, method, arguments)
    guard answer.status == 0 else { throw TestSupportError("\(server) does not tell: \(answer.errors)") }
    return answer.text
  }

  /// Calls a method, and returns its result within a number of seconds.
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

  func evaluate(_ expression: String) throws -> String {
    let answer = try call("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell.Eval", expression)
    guard answer.hasPrefix("(true") else { throw TestSupportError("\(expression): \(answer)") }
    return answer
  }

  private static func lastNumber(in text: String) -> Int? {
    Int(text.split { !$0.isNumber && !$0.isLetter }.last ?? "")
  }
}
