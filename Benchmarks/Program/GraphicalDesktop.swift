import Foundation
import Glibc
import SequenceStore
import TestSupport

/// A screen without a monitor and a bus, for programs with windows.
protocol GraphicalDesktop {
  var environment: [String: String] { get }
  func hide(_ process: pid_t) throws
}

extension GraphicalDesktop {
  func environment(of tool: Tool) -> [String: String] {
    environment.merging(["SEQUENCE_STATE_DIR": tool.state.path]) { $1 }
  }

  static func environment(_ home: TemporaryDirectory, _ bus: PrivateBus) -> [String: String] {
    [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
      "XDG_RUNTIME_DIR": home.path, "DBUS_SESSION_BUS_ADDRESS": bus.address,
      "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none",
    ]
  }
}

final class X11Desktop: GraphicalDesktop {
  let environment: [String: String]
  private let keeps: [AnyObject]

  init() throws {
    let (home, bus, screen) = (try TemporaryDirectory(), try PrivateBus(), try Xvfb())
    environment = X11Desktop.environment(home, bus).merging([
      "DISPLAY": screen.display, "GDK_BACKEND": "x11",
    ]) { $1 }
    let manager = try ChildProcess("/usr/bin/openbox", environment: environment)
    keeps = [home, bus, screen, manager]
  }

  func hide(_ process: pid_t) throws {
    // A pattern that every title matches has to come before the next command.
    let search = [
      "search", "--sync", "--onlyvisible", "--all", "--pid", "\(process)", ".", "windowminimize", "%@",
    ]
    let output = try ChildProcess.run("/usr/bin/xdotool", search, environment: environment)
    guard output.status == 0 else { throw BenchmarkError("no window is hidden: \(output.errors)") }
  }
}

/// A desktop on Wayland, which is sway.
///
/// Windows have the size that they ask for.
final class WaylandDesktop: GraphicalDesktop {
  let environment: [String: String]
  private let keeps: [AnyObject]

  init() throws {
    let (home, bus) = (try TemporaryDirectory(), try PrivateBus())
    let configuration = try home.write(
      """
      xwayland disable
      output HEADLESS-1 mode 1280x800
      for_window [app_id=".*"] floating enable
      exec echo $WAYLAND_DISPLAY $SWAYSOCK

      """,
      to: "sway.conf")
    var environment = WaylandDesktop.environment(home, bus).merging([
      "GDK_BACKEND": "wayland", "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
      "WLR_RENDERER": "pixman",
    ]) { $1 }
    // sway refuses to run as root.
    let user = getuid() == 0 ? ["/usr/bin/unshare", "--user", "--map-user=1000", "--map-group=1000"] : []
    let words = user + ["/usr/bin/sway", "-c", configuration]
    let manager = try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
    let answer = try manager.line().split(separator: " ").map(String.init)
    guard answer.count == 2 else { throw BenchmarkError("sway says \(answer)") }
    environment["WAYLAND_DISPLAY"] = answer[0]
    environment["SWAYSOCK"] = answer[1]
    self.environment = environment
    keeps = [home, bus, manager]
  }

  func hide(_ process: pid_t) throws {
    for _ in 0..<200 {
      let output = try ChildProcess.run(
        "/usr/bin/swaymsg", ["[pid=\(process)]", "move", "to", "workspace", "2"], environment: environment)
      if output.status == 0 { return }
      pause(.milliseconds(50))
    }
    throw BenchmarkError("no window is hidden")
  }
}

/// A program whose frames on a Wayland desktop are known.
///
/// The library of Wayland reports each message, and a message with a buffer is a frame.
final class FramedWindow {
  private let process: ChildProcess

  init(_ program: String, _ environment: [String: String]) throws {
    process = try ChildProcess(
      "/bin/sh", ["-c", "exec \"$0\" 2>&1", program],
      environment: environment.merging(["WAYLAND_DEBUG": "client"]) { $1 })
  }

  func frame(within limit: Duration) throws {
    let deadline = bootTime() + Int64(limit / .nanoseconds(1))
    while true {
      let line = try process.line(within: .nanoseconds(deadline - bootTime()))
      if line.contains("wl_surface@"), line.contains(".attach(wl_buffer@") { return }
    }
  }

  func quiet(for duration: Duration) {
    while (try? process.line(within: duration)) != nil {}
  }

  /// The context switches of the program's threads in a duration, after a rest.
  func wakes(in duration: Duration, after rest: Duration) throws -> Int {
    drain(for: rest)
    let before = try ProcessFigures(of: process.identifier)
    drain(for: duration)
    return try ProcessFigures(of: process.identifier).switches(since: before)
  }

  /// Reads the reports of the program for a duration: a full pipe would stop it.
  private func drain(for duration: Duration) {
    let deadline = bootTime() + Int64(duration / .nanoseconds(1))
    while (try? process.line(within: .nanoseconds(deadline - bootTime()))) != nil {}
  }

  func end() throws {
    process.signal(SIGKILL)
    _ = try process.exitStatus()
  }
}
