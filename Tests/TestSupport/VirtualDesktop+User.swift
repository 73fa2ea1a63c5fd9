import Foundation

/// The actions of a user on the visible notification; there must be exactly one.
extension VirtualDesktop {
  /// Presses a button in the way that the server offers.
  ///
  /// On notification-daemon only the last button can be pressed, because the positions of the others depend
  /// on the fonts.
  ///
  /// - Parameter titles: the titles of all buttons, in order.
  package func press(_ title: String, of titles: [String]) throws {
    guard let index = titles.firstIndex(of: title) else { throw TestSupportError("no \(title) in \(titles)") }
    switch server {
    case .dunst:
      // Its buttons are lines of a menu, and a separate program chooses one.
      _ = try directory.write("#\(title)\n", to: "choice")
      _ = try call(Self.name, Self.path, "org.dunstproject.cmd0.ContextMenuCall")
    case .xfce4Notifyd:
      // They have the same width, starting at the right.
      let frame = try onlyFrame()
      let after = titles.count - 1 - index
      try click(frame.x + frame.width - 57 - 92 * after, frame.y + frame.height - 31)
    case .notificationDaemon:
      guard index == titles.count - 1 else {
        throw TestSupportError("nobody knows where \(title) is on \(server)")
      }
      let frame = try onlyFrame()
      try click(frame.x + frame.width - 85, frame.y + frame.height - 39)
    case .mako:
      let list = try call(Self.name, Self.makoPath, "fr.emersion.Mako.ListNotifications")
      // The list is like "{'key': 'Title', …}".
      guard let end = list.range(of: "': '\(title)'")?.lowerBound,
        let key = list[..<end].split(separator: "'").last
      else { throw TestSupportError("no \(title) in \(list)") }
      _ = try call(Self.name, Self.makoPath, "fr.emersion.Mako.InvokeAction", "0", String(key))
    case .gnomeShell:
      try pressOnGNOME(title)
    }
  }

  /// Presses a button of a banner, once the banner is visible.
  private func pressOnGNOME(_ title: String) throws {
    let press = """
      const find = actor => actor.label == '\(title)' ? actor :
        actor.get_children().reduce((found, child) => found ?? find(child), null);
      const banner = Main.messageTray._banner;
      const button = banner ? find(banner) : null;
      button?.emit('clicked', 1);
      button != null
      """
    let deadline = ContinuousClock.now + .seconds(8)
    while try !evaluate(press).contains("'true'") {
      guard ContinuousClock.now < deadline else { throw TestSupportError("\(server) has no \(title)") }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// Turns do-not-disturb on, on a server that has it.
  package func turnOnDoNotDisturb() throws {
    switch server {
    case .dunst:
      _ = try call(
        Self.name, Self.path, "org.freedesktop.DBus.Properties.Set", "org.dunstproject.cmd0", "paused",
        "<true>")
    case .xfce4Notifyd:
      _ = try call(
        "org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf.SetProperty", "xfce4-notifyd",
        "/do-not-disturb",
        "<true>")
    case .mako:
      _ = try call(Self.name, Self.makoPath, "fr.emersion.Mako.SetModes", "['default', 'do-not-disturb']")
    case .notificationDaemon, .gnomeShell: throw TestSupportError("\(server) can't be asked here")
    }
  }

  package func dismiss() throws {
    switch server {
    case .dunst: _ = try call(Self.name, Self.path, "org.dunstproject.cmd0.NotificationCloseLast")
    case .xfce4Notifyd: try clickOnText()
    case .notificationDaemon:
      let frame = try onlyFrame()
      try click(frame.x + frame.width - 24, frame.y + 23)
    case .mako: _ = try call(Self.name, Self.makoPath, "fr.emersion.Mako.DismissNotification", "0", "false")
    case .gnomeShell:
      let dismissed = "imports.ui.messageTray.NotificationDestroyedReason.DISMISSED"
      _ = try evaluate("\(Self.gnomeNotification).destroy(\(dismissed))")
    }
  }

  /// Clicks on a place without a button or link.
  package func clickOnText() throws {
    let frame = try onlyFrame()
    try click(frame.x + frame.width / 4, frame.y + 20)
  }
}

extension VirtualDesktop {
  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"
  static let makoPath = "/fr/emersion/Mako"
  private static let gnomeNotification =
    "Main.messageTray.getSources().flatMap(source => source.notifications)[0]"

  struct Frame: Equatable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
  }

  /// Returns the windows of notifications, for servers with one window per notification.
  ///
  /// The servers' other windows have no name or are not visible.
  func windows() throws -> [String] {
    let search = ["search", "--onlyvisible", "--name", "^(xfce4-notifyd|Notification)$"]
    let output = try run(Programs.xdotool, search)
    let windows = output.text.split(separator: "\n").map(String.init)
    guard output.status == (windows.isEmpty ? 1 : 0) else { throw TestSupportError(output.errors) }
    return windows
  }

  /// Returns the frame of the window for the next click, once it no longer changes.
  ///
  /// Windows become visible before they have their size, and stay visible for a while after a click.
  private func onlyFrame() throws -> Frame {
    let deadline = ContinuousClock.now + .seconds(8)
    var (seen, times): ((window: String, frame: Frame)?, Int) = (nil, 0)
    while true {
      let windows = try windows()
      if let window = windows.first, windows.count == 1, window != clicked, let frame = try frame(of: window)
      {
        times = seen?.window == window && seen?.frame == frame ? times + 1 : 1
        seen = (window, frame)
        if times == 3 {
          clicked = window
          return frame
        }
      }
      guard ContinuousClock.now < deadline else {
        throw TestSupportError(
          "\(server) has \(windows.count) notifications on screen, clicked on \(clicked ?? "none")")
      }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  private func frame(of window: String) throws -> Frame? {
    let output = try run(Programs.xdotool, ["getwindowgeometry", "--shell", window])
    let values = output.text.split(separator: "\n").map { $0.split(separator: "=") }
    func value(_ name: Substring) -> Int? { values.first { $0.first == name }?.last.flatMap { Int($0) } }
    guard let x = value("X"), let y = value("Y"), let width = value("WIDTH"), let height = value("HEIGHT")
    else { return nil }
    return Frame(x: x, y: y, width: width, height: height)
  }

  private func click(_ x: Int, _ y: Int) throws {
    let output = try run(
      Programs.xdotool, ["mousemove", "--sync", String(x), String(y), "click", "1"])
    guard output.status == 0 else { throw TestSupportError(output.errors) }
  }

  /// Returns dunst's default configuration with another menu program, which takes the line from a file.
  func dunstConfiguration() throws -> String {
    try directory.write(
      """
      [global]
      dmenu = /usr/bin/grep -m 1 -F -f \(directory.path)/choice

      """, to: "dunstrc")
  }
}
