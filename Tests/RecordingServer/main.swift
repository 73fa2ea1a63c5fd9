import CLibnotify
import Foundation
import TestSupport

// A notification server for tests: it writes each call down, a JSON object a line, and does what it is told on
// standard input.

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
  </interface></node>
  """

final class Server {
  static let path = "/org/freedesktop/Notifications"
  static let name = "org.freedesktop.Notifications"

  let connection: OpaquePointer
  let loop: OpaquePointer
  var screen: [UInt32] = []
  var nextID: UInt32 = 1
  var capabilities = ["body", "actions"]
  var isHanging = false
  /// The method whose calls alone wait.
  var heldMethod = ""
  /// The method after whose next call everything waits.
  var lastMethod = ""
  var isStrict = false
  var refusal: String?
  var held: [(method: String, parameters: OpaquePointer, invocation: OpaquePointer)] = []

  init(connection: OpaquePointer, loop: OpaquePointer) {
    self.connection = connection
    self.loop = loop
  }

  func write(_ event: ServerEvent) {
    guard let data = try? JSONEncoder().encode(event) else { exit(1) }
    FileHandle.standardOutput.write(data + Data("\n".utf8))
  }

  func event(_ name: String) -> ServerEvent {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return ServerEvent(name, at: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func take(_ method: String, _ parameters: OpaquePointer, _ invocation: OpaquePointer) {
    guard !isHanging, method != heldMethod else {
      held.append((method, g_variant_ref(parameters), invocation))
      return
    }
    if method == lastMethod {
      lastMethod = ""
      isHanging = true
    }
    switch method {
    case "Notify": notify(parameters, invocation)
    case "CloseNotification": close(uint32(parameters, 0), invocation)
    case "GetCapabilities":
      let strings = capabilities.map { (text: String) in g_variant_new_string(text) }
      let array = g_variant_new_array(
        g_variant_get_type(g_variant_new_string("")), strings, gsize(strings.count))
      answer(invocation, [array])
    default:
      let texts: [String] = ["recording-server", "Sequence", "1", "1.2"]
      answer(invocation, texts.map { (text: String) in g_variant_new_string(text) })
    }
  }

  func notify(_ parameters: OpaquePointer, _ invocation: OpaquePointer) {
    var event = event("notify")
    let replaces = uint32(parameters, 1)
    event.replaces = replaces
    event.summary = string(parameters, 3)
    event.body = string(parameters, 4)
    if let refusal {
      g_dbus_method_invocation_return_dbus_error(invocation, refusal, "refused")
      write(event)
      return
    }
    let id = screen.contains(replaces) ? replaces : nextID
    if id == nextID { nextID += 1 }
    event.id = id
    if !screen.contains(id) { screen.append(id) }
    answer(invocation, [g_variant_new_uint32(id)])
    write(event)
  }

  func close(_ id: UInt32, _ invocation: OpaquePointer) {
    var event = event("close")
    event.id = id
    event.known = screen.contains(id)
    write(event)
    if event.known == true {
      answer(invocation, [])
      closed(id, reason: 3)
    } else if isStrict {
      g_dbus_method_invocation_return_dbus_error(
        invocation, "org.freedesktop.Notifications.InvalidId", "no such notification")
    } else {
      answer(invocation, [])
    }
  }

  func closed(_ id: UInt32, reason: UInt32) {
    screen.removeAll { $0 == id }
    var event = event("closed")
    event.id = id
    event.reason = reason
    write(event)
    let values = [g_variant_new_uint32(id), g_variant_new_uint32(reason)]
    g_dbus_connection_emit_signal(
      connection, nil, Server.path, Server.name, "NotificationClosed", g_variant_new_tuple(values, 2), nil)
  }

  func obey(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let argument = words.count > 1 ? words[1] : ""
    let isOn = argument == "on"
    switch words.first {
    case "list":
      var event = event("screen")
      event.screen = screen
      write(event)
    case "dismiss": closed(UInt32(argument) ?? 0, reason: 2)
    case "expire": closed(UInt32(argument) ?? 0, reason: 1)
    case "capabilities": capabilities = argument.split(separator: ",").map(String.init)
    case "refuse": refusal = argument == "off" ? nil : argument
    case "next-id": nextID = UInt32(argument) ?? nextID
    case "strict-close": isStrict = isOn
    case "hold": heldMethod = argument
    case "hang-after": lastMethod = argument
    case "hang":
      isHanging = isOn
      if !isOn { heldMethod = "" }
      let calls = isOn ? [] : held
      if !isOn { held = [] }
      for call in calls {
        take(call.method, call.parameters, call.invocation)
        g_variant_unref(call.parameters)
      }
    default: write(event("error"))
    }
  }

  func answer(_ invocation: OpaquePointer, _ values: [OpaquePointer?]) {
    g_dbus_method_invocation_return_value(
      invocation, values.isEmpty ? nil : g_variant_new_tuple(values, gsize(values.count)))
  }

  func uint32(_ tuple: OpaquePointer, _ index: gsize) -> UInt32 {
    let child = g_variant_get_child_value(tuple, index)
    defer { g_variant_unref(child) }
    return g_variant_get_uint32(child)
  }

  func string(_ tuple: OpaquePointer, _ index: gsize) -> String {
    let child = g_variant_get_child_value(tuple, index)
    defer { g_variant_unref(child) }
    return String(cString: g_variant_get_string(child, nil))
  }
}

guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil), let loop = g_main_loop_new(nil, 0),
  let node = g_dbus_node_info_new_for_xml(introspection, nil)
else { exit(1) }
let server = Server(connection: connection, loop: loop)
let context = Unmanaged.passUnretained(server).toOpaque()
var table = GDBusInterfaceVTable()
table.method_call = { _, _, _, _, method, parameters, invocation, context in
  guard let method, let parameters, let invocation, let context else { return }
  Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
    .take(String(cString: method), parameters, invocation)
}
g_dbus_connection_register_object(
  connection, Server.path, g_dbus_node_info_lookup_interface(node, Server.name), &table, context, nil, nil)

// The name is asked for without queueing: two servers on one bus are a mistake of the test.
g_bus_own_name_on_connection(
  connection, Server.name, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE,
  { _, _, context in
    guard let context else { return }
    let server = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
    server.write(server.event("ready"))
  },
  { _, _, context in
    guard let context else { return }
    let server = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
    server.write(server.event("error"))
    exit(1)
  }, context, nil)

// Standard input is read line by line; its end ends the server, so that it never outlives its test.
let input = g_unix_fd_source_new(0, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue))
let onInput: GUnixFDSourceFunc = { descriptor, _, context in
  guard let context else { return 0 }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  guard count > 0 else { exit(0) }
  let server = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
  for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
    server.obey(String(line))
  }
  return 1
}
g_source_set_callback(input, unsafeBitCast(onInput, to: GSourceFunc.self), context, nil)
g_source_attach(input, nil)
g_main_loop_run(loop)
