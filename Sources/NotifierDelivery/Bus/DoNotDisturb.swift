import CSequenceGLib

/// Reads whether do-not-disturb hides notifications.
///
/// The Desktop Notifications Specification 1.2 has no such question, so each server has a way of its own. Sources: the
/// D-Bus interfaces and settings of GNOME Shell, Plasma, dunst, mako and xfce4-notifyd.
package struct DoNotDisturb {
  private let connection: BusConnection

  package init(on connection: BusConnection) { self.connection = connection }

  /// Whether it is on for a server of a name; `nil` if the server has no answer.
  package func isOn(for server: String) throws(DesktopFailure) -> Bool? {
    do throws(DesktopFailure) {
      return switch server {
      case "gnome-shell": showsBanners().map { !$0 }
      case "dunst": try property("paused", of: "org.dunstproject.cmd0").firstBoolean
      case "mako":
        try connection.call(
          BusConnection.serverName, "/fr/emersion/Mako", "fr.emersion.Mako", "ListModes"
        ).firstStrings.contains("do-not-disturb")
      case "Xfce Notify Daemon":
        try connection.call(
          "org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf", "GetProperty",
          [.text("xfce4-notifyd"), .text("/do-not-disturb")]
        ).firstBoolean
      // The property of Plasma, which other servers may have as well.
      default: try property("Inhibited", of: BusConnection.serverName).firstBoolean
      }
    } catch .refused, .noServer, .notAnswering {
      // The server, or the service with its settings, doesn't know the question, or hangs.
      return nil
    }
  }

  private func property(_ name: String, of interface: String) throws(DesktopFailure) -> Answer {
    try connection.call(
      BusConnection.serverName, BusConnection.serverPath, "org.freedesktop.DBus.Properties", "Get",
      [.text(interface), .text(name)])
  }

  /// The setting of GNOME; `nil` if its schema is not installed.
  private func showsBanners() -> Bool? {
    // dconf uses the shared connection of the process from now on, and by default GLib ends the process with the bus.
    guard let shared = unsafe g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return nil }
    unsafe g_dbus_connection_set_exit_on_close(shared, 0)
    let (id, key) = ("org.gnome.desktop.notifications", "show-banners")
    guard let source = unsafe g_settings_schema_source_get_default(),
      let schema = unsafe g_settings_schema_source_lookup(source, id, 1)
    else { return nil }
    defer { unsafe g_settings_schema_unref(schema) }
    guard unsafe g_settings_schema_has_key(schema, key) != 0,
      let settings = unsafe g_settings_new_full(schema, nil, nil)
    else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(settings)) }
    return unsafe g_settings_get_boolean(settings, key) != 0
  }
}

extension DoNotDisturb {
  package static func isOn() -> Bool? {
    do throws(DesktopFailure) {
      let connection = try BusConnection.session(mayUseLoginBus: false)
      let server = try connection.call(
        BusConnection.serverName, BusConnection.serverPath, BusConnection.serverName, "GetServerInformation"
      ).firstString
      return try DoNotDisturb(on: connection).isOn(for: server)
    } catch {
      return nil
    }
  }
}
