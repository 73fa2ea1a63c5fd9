import Foundation

extension VirtualDesktop {
  /// The notification servers for a virtual desktop.
  package enum Server: String, CaseIterable, Sendable {
    case dunst, xfce4Notifyd, notificationDaemon, mako, gnomeShell

    package var name: String {
      switch self {
      case .dunst: "dunst"
      case .xfce4Notifyd: "Xfce Notify Daemon"
      case .notificationDaemon: "Notification Daemon"
      case .mako: "mako"
      case .gnomeShell: "gnome-shell"
      }
    }

    /// The servers to test: GNOME Shell, which takes 160 MB, only if it is installed.
    package static var tested: [Server] { allCases.filter { $0 != .gnomeShell || $0.isInstalled } }

    package var isInstalled: Bool { missing.isEmpty }

    package var absence: String {
      let command = self == .gnomeShell ? "make deps-desktops" : "make deps"
      return "\(self) is not installed (\(command)): there is no \(missing.joined(separator: ", "))"
    }

    private var missing: [String] {
      programs.filter { !FileManager.default.fileExists(atPath: $0) }
    }

    private var programs: [String] {
      switch self {
      case .dunst: [Programs.xvfb, Programs.gdbus, Programs.dunst]
      case .xfce4Notifyd:
        [Programs.xvfb, Programs.gdbus, Programs.xdotool, Programs.xfconfd, Programs.xfce4Notifyd]
      case .notificationDaemon:
        [Programs.xvfb, Programs.gdbus, Programs.xdotool, Programs.notificationDaemon]
      case .mako: [Programs.gdbus, Programs.sway, Programs.mako]
      case .gnomeShell:
        [Programs.gdbus, Programs.gnomeShell, Programs.gjs, Programs.gnomeShellNotifications]
      }
    }
  }

  enum Programs {
    static let xvfb = "/usr/bin/Xvfb"
    static let gdbus = "/usr/bin/gdbus"
    static let xdotool = "/usr/bin/xdotool"
    static let unshare = "/usr/bin/unshare"
    static let dunst = "/usr/bin/dunst"
    static let xfconfd = library("xfce4/xfconf/xfconfd")
    static let xfce4Notifyd = library("xfce4/notifyd/xfce4-notifyd")
    static let notificationDaemon = library("notification-daemon/notification-daemon")
    static let sway = "/usr/bin/sway"
    static let mako = "/usr/bin/mako"
    static let gnomeShell = "/usr/bin/gnome-shell"
    static let gjs = "/usr/bin/gjs"
    static let gnomeShellNotifications = "/usr/share/gnome-shell/org.gnome.Shell.Notifications"

    /// Finds a program below the library directory, which may have a directory per architecture.
    private static func library(_ path: String) -> String {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
      let directories = ["/usr/lib"] + names.filter { $0.contains("-linux-") }.map { "/usr/lib/" + $0 }
      let candidates = directories.map { $0 + "/" + path }
      return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? candidates[0]
    }
  }
}
