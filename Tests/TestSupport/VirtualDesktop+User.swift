import Foundation

/// What a person does with the notification that is on screen; there must be exactly one.
extension VirtualDesktop {
  /// Presses a button, the way that the server has for it.
  ///
  /// Of notification-daemon only the last one can be pressed: where the others are depends on the fonts.
  ///
  /// - Parameter titles: what is written on the buttons, in their order.
  package func press(_ title: String, of titles: [String]) throws {
    guard let index = titles.firstIndex(of: title) else { throw TestSupportError("no \(title) in \(titles)") }
    switch server {
    case .dunst:
      // Its buttons are lines of a menu, in which another program chooses.
      _ = try directory.write("#\(title)\n", to: "choice")
      _ = try call(Self.name, Self.path, "org.dunstproject.cmd0.ContextMenuCall")
    case .xfce4Notifyd:
      // They are of one width, from the right.
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
      // As in "{'key': 'Title', …}".
      guard let end = list.range(of: "': '\(title)'")?.lowerBound,
        let key = list[..<end].split(separator: "'").last
      else { throw TestSupportError("no \(title) in \(list)") }
      _ = try call(Self.name, Self.makoPath, "fr.emersion.Mako.InvokeAction", "0", String(key))
    case .gnomeShell:
      try pressOnGNOME(title)
    }
  }

  /// Presses a button of a banner, once it has come up.
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

  /// Closes it without an answer.
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

  /// Clicks where there is neither a button nor anything else to press.
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

  /// Where a window is.
  struct Frame: Equatable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
  }

  /// The windows that show notifications, where each has one of its own.
  ///
  /// The other windows of the servers have no name, or are not on screen.
  func windows() throws -> [String] {
    let search = ["search", "--onlyvisible", "--name", "^(xfce4-notifyd|Notification)$"]
    let output = try run(Programs.xdotool, search)
    let windows = output.text.split(separator: "\n").map(String.init)
    guard output.status == (windows.isEmpty ? 1 : 0) else { throw TestSupportError(output.errors) }
    return windows
  }

  /// Where the window is that the next click is meant for, once it has come to rest.
  ///
  /// Windows are on screen before they have their size, and for a while after they were clicked on.
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

  /// Where a window is; `nil` if it is gone.
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

  /// What dunst has by itself, but for the program that chooses in its menu: it takes the line of a file.
  func dunstConfiguration() throws -> String {
    try directory.write(
      """
      [global]
      dmenu = /usr/bin/grep -m 1 -F -f \(directory.path)/choice

      """, to: "dunstrc")
  }
}
