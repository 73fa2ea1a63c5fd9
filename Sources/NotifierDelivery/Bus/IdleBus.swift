import CSequenceGLib
import SequencePlatform

/// A connection to the session bus that keeps one service of the desktop from suspending the machine, or from turning
/// its screen off.
///
/// An inhibitor ends with its connection at the latest. So it has a connection of its own, and an agent that is killed
/// leaves none behind. Sources: gnome-session, mate-session-manager and cinnamon-session (`gsm-manager.c`,
/// `remove_inhibitors_for_connection`), xfce4-power-manager (`xfpm-inhibit.c`, `xfpm_inhibit_connection_lost_cb`), and
/// PowerDevil (`powerdevilpolicyagent.cpp`, `onServiceUnregistered`).
@safe final class IdleBus {
  /// "Suspending the session or computer", in the words of the session manager.
  ///
  /// Not `idling`: it would keep the screen lit and unlocked, and gnome-settings-daemon
  /// ignores it once the screen is locked (`gsd-power-manager.c`, `idle_configure`). For 4 gnome-session takes an
  /// inhibitor of logind in the user's name (`gsm-systemd.c`: of the mode `block`, later `block-weak`), which logind
  /// does not apply to that user (`logind-inhibit.c`, `manager_is_inhibited`).
  private static let suspending: UInt32 = 4
  /// "The session being marked as idle": the screen stays on and unlocked.
  private static let idling: UInt32 = 8

  private let service: IdleService
  private let connection: BusConnection
  private let arrival: BusSubscription
  private var held: (owner: String, cookie: UInt32)?

  init(_ service: IdleService, events: MessageQueue<SleepEvent>) throws(DesktopFailure) {
    self.service = service
    connection = try .session(mayUseLoginBus: true)
    arrival = connection.watchOwner(of: service.name) { owner in
      if owner != nil { events.put(.otherService(service)) }
    }
  }

  deinit {
    guard let held else { return }
    // The answer does not matter: the end of the connection has the same effect.
    connection.send(held.owner, service.path, service.interface, service.release, [.number(held.cookie)])
    _ = unsafe g_dbus_connection_flush_sync(connection.pointer, nil, nil)
  }

  func hold(_ text: InhibitorText) throws(DesktopFailure) {
    guard let owner = try owner() else { return }
    // The unique name: a cookie of one service may be a stranger's in the next.
    let answer = try connection.call(owner, service.path, service.interface, "Inhibit", arguments(text))
    guard let cookie = answer.firstNumber else {
      throw .refused(name: service.name, message: "it returned no cookie")
    }
    held = (owner, cookie)
  }

  func owner() throws(DesktopFailure) -> String? { try connection.owner(of: service.name) }

  private func arguments(_ text: InhibitorText) -> [BusValue] {
    let (who, why) = (BusValue.text(text.who), BusValue.text(text.why(.desktop(service))))
    return switch service {
    case .sessionManager: [who, .number(0), why, .number(IdleBus.suspending)]
    case .powerManagement, .screenSaver: [who, why]
    case .sessionScreen: [who, .number(0), why, .number(IdleBus.idling)]
    }
  }
}

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

  var release: String {
    switch self {
    case .sessionManager, .sessionScreen: "Uninhibit"
    case .powerManagement, .screenSaver: "UnInhibit"
    }
  }
}
