import CLibnotify
import Foundation
import TestSupport

/// An imitation of the services that suspend an idle desktop, turn its screen off or lock it, which reports their
/// inhibitors.
final class IdleServer {
  private static let introspection = """
    <node>
      <interface name="org.gnome.SessionManager">
        <method name="Inhibit">
          <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
          <arg type="u" direction="in"/><arg type="u" direction="out"/>
        </method>
        <method name="Uninhibit"><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.freedesktop.PowerManagement.Inhibit">
        <method name="Inhibit">
          <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="u" direction="out"/>
        </method>
        <method name="UnInhibit"><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.freedesktop.ScreenSaver">
        <method name="GetActive"><arg type="b" direction="out"/></method>
        <signal name="ActiveChanged"><arg type="b"/></signal>
        <method name="Inhibit">
          <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="u" direction="out"/>
        </method>
        <method name="UnInhibit"><arg type="u" direction="in"/></method>
      </interface>
    </node>
    """
  private static let services = [
    ("org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager"),
    (
      "org.freedesktop.PowerManagement", "/org/freedesktop/PowerManagement/Inhibit",
      "org.freedesktop.PowerManagement.Inhibit"
    ),
    ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver"),
  ]

  private let connection: OpaquePointer
  private var isRefusing = false
  private var isHanging = false
  private var isActive = false
  private var count: UInt32 = 0
  private var inhibitors: [UInt32: (interface: String, sender: String)] = [:]
  private var commands = CommandLines()

  private init(connection: OpaquePointer) { self.connection = connection }

  /// Runs until standard input ends.
  static func run() -> Never {
    guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil), let loop = g_main_loop_new(nil, 0),
      let node = g_dbus_node_info_new_for_xml(introspection, nil)
    else { exit(1) }
    let server = IdleServer(connection: connection)
    let context = Unmanaged.passRetained(server).toOpaque()
    var table = GDBusInterfaceVTable()
    table.method_call = { _, sender, _, interface, method, parameters, invocation, context in
      guard let sender, let interface, let method, let parameters, let invocation, let context else { return }
      IdleServer.of(context).take(
        String(cString: method), of: String(cString: interface), Variant(parameters),
        from: String(cString: sender), invocation)
    }
    for (name, path, interface) in services {
      g_dbus_connection_register_object(
        connection, path, g_dbus_node_info_lookup_interface(node, interface), &table, context, nil, nil)
      server.own(name)
    }
    g_dbus_connection_signal_subscribe(
      connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", nil, nil,
      G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, parameters, context in
        guard let parameters, let context else { return }
        let change = Variant(parameters)
        if change[2].string.isEmpty { IdleServer.of(context).forget(change[0].string) }
      }, context, nil)
    server.write("ready")
    let source = g_unix_fd_source_new(
      STDIN_FILENO, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue))
    let read: GUnixFDSourceFunc = { _, _, context in
      guard let context else { return 0 }
      let server = IdleServer.of(context)
      for line in server.commands.next() { server.obey(line) }
      return 1
    }
    g_source_set_callback(source, unsafeBitCast(read, to: GSourceFunc.self), context, nil)
    g_source_attach(source, nil)
    g_main_loop_run(loop)
    exit(0)
  }

  private static func of(_ context: gpointer) -> IdleServer {
    Unmanaged<IdleServer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Acquires a name without queueing, because two servers on one bus are a mistake of the test.
  private func own(_ name: String) {
    let bus = "org.freedesktop.DBus"
    let reply = g_dbus_connection_call_sync(
      connection, bus, "/org/freedesktop/DBus", bus, "RequestName",
      tuple([g_variant_new_string(name), g_variant_new_uint32(4)]), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, nil)
    guard let reply, Variant(reply)[0].uint32 == 1 else { exit(1) }
    g_variant_unref(reply)
  }

  // MARK: - Inhibitors

  private func take(
    _ method: String, of interface: String, _ parameters: Variant, from sender: String,
    _ invocation: OpaquePointer
  ) {
    if method == "GetActive" {
      write("asked", key: method)
      return g_dbus_method_invocation_return_value(
        invocation, tuple([g_variant_new_boolean(isActive ? 1 : 0)]))
    }
    guard method == "Inhibit" else {
      let cookie = parameters[0].uint32
      guard inhibitors[cookie]?.interface == interface else {
        return g_dbus_method_invocation_return_dbus_error(invocation, interface + ".Error", "unknown cookie")
      }
      release(cookie, "asked")
      return g_dbus_method_invocation_return_value(invocation, nil)
    }
    // The caller waits; the call hangs for the rest of the server's lifetime.
    if isHanging { return write("held", key: interface) }
    if isRefusing {
      write("refused", key: interface)
      return g_dbus_method_invocation_return_dbus_error(invocation, interface + ".Error", "not now")
    }
    count += 1
    inhibitors[count] = (interface, sender)
    write("inhibit", id: count, key: interface, text: parameters.printed)
    g_dbus_method_invocation_return_value(invocation, tuple([g_variant_new_uint32(count)]))
  }

  private func forget(_ sender: String) {
    for cookie in inhibitors.keys.sorted() where inhibitors[cookie]?.sender == sender {
      release(cookie, "gone")
    }
  }

  private func release(_ cookie: UInt32, _ why: String) {
    write("released", id: cookie, key: inhibitors.removeValue(forKey: cookie)?.interface, text: why)
  }

  // MARK: - Commands

  private func obey(_ line: String) {
    switch line {
    case "refuse on": isRefusing = true
    case "hang on": isHanging = true
    case "lock on", "lock off":
      isActive = line == "lock on"
      let saver = "org.freedesktop.ScreenSaver"
      g_dbus_connection_emit_signal(
        connection, nil, "/org/freedesktop/ScreenSaver", saver, "ActiveChanged",
        tuple([g_variant_new_boolean(isActive ? 1 : 0)]), nil)
    case "list": write("screen", screen: inhibitors.keys.sorted())
    default: return write("told", text: "there is no command \(line)")
    }
    write("told")
  }

  private func write(
    _ name: String, id: UInt32? = nil, key: String? = nil, text: String? = nil, screen: [UInt32]? = nil
  ) {
    var event = ServerEvent(now: name)
    (event.id, event.key, event.text, event.screen) = (id, key, text, screen)
    event.write()
  }
}
