import CLibnotify
import Foundation
import TestSupport

// Puts the server on the session bus, and reads commands from standard input.

let introspection = """
  <node><interface name="org.freedesktop.Notifications">
    <method name="Notify">
      <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
      <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
    </method>
    <method name="CloseNotification"><arg type="u" direction="in"/></method>
    <method name="GetCapabilities"><arg type="as" direction="out"/></method>
    <method name="GetServerInformation">
      <arg type="s" direction="out"/><arg type="s" direction="out"/>
      <arg type="s" direction="out"/><arg type="s" direction="out"/>
    </method>
    <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
    <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
    <property name="Inhibited" type="b" access="read"/>
  </interface></node>
  """

final class Station {
  let server: Server
  var commands = CommandLines()

  init(_ server: Server) { self.server = server }

  static func of(_ context: gpointer) -> Station {
    Unmanaged<Station>.fromOpaque(context).takeUnretainedValue()
  }
}

if CommandLine.arguments.contains("--login") { try LoginServer.run() }
if CommandLine.arguments.contains("--idle") { IdleServer.run() }
if CommandLine.arguments.contains("--panel") { try PanelHost.run() }

guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil), let loop = g_main_loop_new(nil, 0),
  let node = g_dbus_node_info_new_for_xml(introspection, nil)
else { exit(1) }
let station = Station(Server(connection: connection))
let context = Unmanaged.passUnretained(station).toOpaque()
var table = GDBusInterfaceVTable()
table.method_call = { _, sender, _, _, method, parameters, invocation, context in
  guard let sender, let method, let parameters, let invocation, let context else { return }
  Station.of(context).server.take(
    Server.Call(
      method: String(cString: method), sender: String(cString: sender), parameters: Variant(parameters),
      invocation: invocation))
}
table.get_property = { _, _, _, _, _, error, context in
  guard let context, let isInhibited = Station.of(context).server.behavior.isInhibited else {
    g_set_error_literal(
      error, g_dbus_error_quark(), Int32(G_DBUS_ERROR_UNKNOWN_PROPERTY.rawValue), "no such property")
    return nil
  }
  return g_variant_new_boolean(isInhibited ? 1 : 0)
}
g_dbus_connection_register_object(
  connection, Server.path, g_dbus_node_info_lookup_interface(node, Server.name), &table, context, nil, nil)

// Acquired without queueing, because two servers on one bus are a mistake of the test.
g_bus_own_name_on_connection(
  connection, Server.name, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE,
  { _, _, context in
    guard let context else { return }
    let server = Station.of(context).server
    server.write(server.event("ready"))
  },
  { _, _, context in
    guard let context else { return }
    Station.of(context).server.complain("the name is taken, or the bus is gone")
    exit(1)
  }, context, nil)

let input = g_unix_fd_source_new(0, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue))
let onInput: GUnixFDSourceFunc = { _, _, context in
  guard let context else { return 0 }
  let station = Station.of(context)
  for line in station.commands.next() { station.server.obey(line) }
  return 1
}
g_source_set_callback(input, unsafeBitCast(onInput, to: GSourceFunc.self), context, nil)
g_source_attach(input, nil)
g_main_loop_run(loop)
