/// A service of the desktop that sends an unused machine to sleep, or turns its screen off, unless it is asked not to.
package enum IdleService: Hashable, Sendable, CaseIterable {
  /// The session manager of GNOME, whose interface MATE and Cinnamon have too.
  case sessionManager
  /// The power manager of KDE or Xfce.
  case powerManagement
  /// The session manager of GNOME, MATE and Cinnamon, asked to keep the screen on.
  case sessionScreen
  /// The screen saver of KDE, Xfce and others.
  case screenSaver

  /// Those that suspend an unused machine.
  package static let system: [IdleService] = [.sessionManager, .powerManagement]
  /// Those that turn its screen off.
  package static let screen: [IdleService] = [.sessionScreen, .screenSaver]

  /// The name that it has on the session bus.
  package var name: String {
    switch self {
    case .sessionManager, .sessionScreen: "org.gnome.SessionManager"
    case .powerManagement: "org.freedesktop.PowerManagement"
    case .screenSaver: "org.freedesktop.ScreenSaver"
    }
  }

  var path: String {
    switch self {
    case .sessionManager, .sessionScreen: "/org/gnome/SessionManager"
    case .screenSaver: "/org/freedesktop/ScreenSaver"
    case .powerManagement: "/org/freedesktop/PowerManagement/Inhibit"
    }
  }

  var interface: String {
    switch self {
    case .sessionManager, .sessionScreen: "org.gnome.SessionManager"
    case .powerManagement: "org.freedesktop.PowerManagement.Inhibit"
    case .screenSaver: "org.freedesktop.ScreenSaver"
    }
  }

  /// The method that ends an inhibitor of `Inhibit`.
  var release: String {
    switch self {
    case .sessionManager, .sessionScreen: "Uninhibit"
    case .powerManagement, .screenSaver: "UnInhibit"
    }
  }
}
