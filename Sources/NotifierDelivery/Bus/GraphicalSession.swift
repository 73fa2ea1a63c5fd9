import CSequenceGLib
import FoundationEssentials
import SequencePlatform

/// Finds out whether the user has a graphical session, in which a notification server finds a screen.
package enum GraphicalSession {
  private static let variables = ["WAYLAND_DISPLAY", "DISPLAY"]
  /// How long ago a session on a screen has to have begun: later it has a screen even if systemd was not notified of it.
  private static let beginning = Duration.seconds(30)

  /// Whether there is one: a display in the environment of this process or of the user's systemd, or a session on a
  /// screen that logind knows.
  ///
  /// Over SSH, a display is on another computer.
  ///
  /// - Parameter bus: the session bus.
  package static func isThere(on bus: BusConnection) -> Bool {
    let own = EnvironmentVariables.process
    if own["SSH_CONNECTION"] == nil, variables.contains(where: { own[$0]?.isEmpty == false }) { return true }
    return answer { () throws(DesktopFailure) in try isKnownToSystemd(bus) }
      || answer(hasBegunOnScreen)
  }

  /// Whether servers that the user's systemd starts get a display.
  private static func isKnownToSystemd(_ bus: BusConnection) throws(DesktopFailure) -> Bool {
    let answer = try bus.call(
      "org.freedesktop.systemd1", "/org/freedesktop/systemd1", LoginBus.properties, "Get",
      [.text("org.freedesktop.systemd1.Manager"), .text("Environment")])
    let entries = answer.children.first?.children.first?.strings ?? []
    return entries.contains { entry in variables.contains { entry.hasPrefix("\($0)=") } }
  }

  /// Whether logind knows a session on a screen.
  ///
  /// It knows it before the desktop has started, which then sets the variables.
  private static func hasBegunOnScreen() throws(DesktopFailure) -> Bool {
    let system = try BusConnection(sharedTo: G_BUS_TYPE_SYSTEM)
    let session = try LoginBus.sessionOnScreen(on: system)
    func property(_ name: String) throws(DesktopFailure) -> Answer? {
      try system.call(
        LoginBus.name, session, LoginBus.properties, "Get",
        [.text("org.freedesktop.login1.Session"), .text(name)]
      ).children.first?.children.first
    }
    guard let type = try property("Type")?.string, ["x11", "wayland", "mir"].contains(type),
      let start = try property("Timestamp")?.long
    else { return false }
    return Date().timeIntervalSince1970 - Double(start) / 1_000_000 > beginning.seconds
  }

  /// The answer to a question; no if nobody answers it.
  private static func answer(_ question: () throws(DesktopFailure) -> Bool) -> Bool {
    do throws(DesktopFailure) { return try question() } catch { return false }
  }
}
