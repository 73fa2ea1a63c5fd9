/// A service of the desktop that sends an unused machine to sleep, unless it is asked not to.
package enum IdleService: Hashable, Sendable, CaseIterable {
  /// The session manager of GNOME, whose interface MATE and Cinnamon have too.
  case sessionManager
  /// The power manager of KDE or Xfce.
  case powerManagement

  /// The name that it has on the session bus.
  package var name: String {
    switch self {
    case .sessionManager: "org.gnome.SessionManager"
    case .powerManagement: "org.freedesktop.PowerManagement"
    }
  }

  var path: String {
    switch self {
    case .sessionManager: "/org/gnome/SessionManager"
    case .powerManagement: "/org/freedesktop/PowerManagement/Inhibit"
    }
  }

  var interface: String {
    switch self {
    case .sessionManager: "org.gnome.SessionManager"
    case .powerManagement: "org.freedesktop.PowerManagement.Inhibit"
    }
  }

  /// The method that ends an inhibitor of `Inhibit`.
  var release: String {
    switch self {
    case .sessionManager: "Uninhibit"
    case .powerManagement: "UnInhibit"
    }
  }
}
