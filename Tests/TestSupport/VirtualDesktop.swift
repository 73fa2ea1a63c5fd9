import Foundation

/// A screen without a monitor, with dunst as its notification server, on a private bus.
package final class VirtualDesktop {
  package let bus: PrivateBus
  private let screen: ChildProcess
  private let dunst: ChildProcess
  private let environment: [String: String]

  /// Starts Xvfb on a display that is free, and dunst on it, and waits until dunst answers.
  package init() throws {
    bus = try PrivateBus()
    screen = try ChildProcess(
      "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
      environment: ["PATH": "/usr/bin:/bin"])
    environment = [
      "DISPLAY": ":" + (try screen.line()), "DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin",
      "HOME": "/nonexistent",
    ]
    dunst = try ChildProcess("/usr/bin/dunst", ["-conf", "/dev/null"], environment: environment)
    // The bus tells when the name has an owner; asking again and again would only race with it.
    let wait = try ChildProcess.run(
      "/usr/bin/gdbus", ["wait", "--session", "--timeout", "20", "org.freedesktop.Notifications"],
      environment: environment)
    guard wait.status == 0 else { throw TestSupportError("dunst did not come: \(wait.errors)") }
  }

  /// How many notifications are on screen.
  package func displayed() throws -> Int {
    let output = try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
        "/org/freedesktop/Notifications", "--method", "org.freedesktop.DBus.Properties.Get",
        "org.dunstproject.cmd0", "displayedLength",
      ], environment: environment)
    guard let number = Int(output.text.split { !$0.isNumber && !$0.isLetter }.last ?? "") else {
      throw TestSupportError("dunst does not tell: \(output.text) \(output.errors)")
    }
    return number
  }
}
