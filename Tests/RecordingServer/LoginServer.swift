import CLibnotify
import Foundation
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

/// An imitation of logind, which hands out inhibitors and reports their release.
final class LoginServer {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"
  private static let introspection = """
    <node>
    <interface name="org.freedesktop.login1.User"><property name="Display" type="(so)" access="read"/></interface>
    <interface name="org.freedesktop.login1.Session">
      <property name="LockedHint" type="b" access="read"/><property name="Type" type="s" access="read"/>
      <property name="Timestamp" type="t" access="read"/>
    </interface>
    <interface name="org.freedesktop.systemd1.Manager">
      <property name="Environment" type="as" access="read"/>
    </interface>
    <interface name="org.freedesktop.login1.Manager">
      <method name="GetUser"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
      <signal name="SessionNew"><arg type="s"/><arg type="o"/></signal>
      <signal name="SessionRemoved"><arg type="s"/><arg type="o"/></signal>
      <method name="Inhibit">
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
        <arg type="s" direction="in"/><arg type="h" direction="out"/>
      </method>
      <signal name="PrepareForSleep"><arg type="b"/></signal>
      <signal name="PrepareForShutdown"><arg type="b"/></signal>
    </interface></node>
    """

  private static let user = path + "/user/_1000"
  private static let session = path + "/session/_31"

  private let connection: OpaquePointer
  private var hasSession = true
  private var isLocked = CommandLine.arguments.contains("--locked")
  /// How long ago the session on the screen began, in seconds; `nil` if it is on none.
  private var age: Int64?
  /// The environment of the imitated systemd of the user.
  private var environment: [String] = []
  private let store: StateDirectory
  private var isRefusing = false
  private var count: UInt32 = 0
  /// The retained ends of the pipes whose other ends are inhibitors.
  private var inhibitors: [Int32: UInt32] = [:]
  private var commands = CommandLines()

  private init(connection: OpaquePointer, store: StateDirectory) {
    self.connection = connection
    self.store = store
  }

  /// Runs until standard input ends.
  static func run() throws -> Never {
    guard let connection = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, nil), let loop = g_main_loop_new(nil, 0),
      let node = g_dbus_node_info_new_for_xml(introspection, nil),
      let state = ProcessInfo.processInfo.environment["SEQUENCE_STATE_DIR"]
    else { exit(1) }
    let server = LoginServer(connection: connection, store: StateDirectory(path: state))
    let context = Unmanaged.passRetained(server).toOpaque()
    var table = GDBusInterfaceVTable()
    table.method_call = { _, _, _, _, method, parameters, invocation, context in
      guard let method, let parameters, let invocation, let context else { return }
      if String(cString: method) == "GetUser" {
        let path = tuple([g_variant_new_object_path(LoginServer.user)])
        return g_dbus_method_invocation_return_value(invocation, path)
      }
      LoginServer.of(context).inhibit(Variant(parameters), invocation)
    }
    table.get_property = { _, _, _, _, property, _, context in
      guard let property, let context else { return nil }
      return LoginServer.of(context).value(of: String(cString: property))
    }
    let objects = [
      ("/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager"), (path, interface),
      (user, "org.freedesktop.login1.User"), (session, "org.freedesktop.login1.Session"),
    ]
    for (path, interface) in objects {
      g_dbus_connection_register_object(
        connection, path, g_dbus_node_info_lookup_interface(node, interface), &table, context, nil, nil)
    }
    g_bus_own_name_on_connection(
      connection, name, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE,
      { _, _, context in
        if let context { LoginServer.of(context).write("ready") }
      }, { _, _, _ in exit(1) }, context, nil)
    server.watch(STDIN_FILENO)
    g_main_loop_run(loop)
    exit(0)
  }

  private static func of(_ context: gpointer) -> LoginServer {
    Unmanaged<LoginServer>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: - Inhibitors

  private func inhibit(_ parameters: Variant, _ invocation: OpaquePointer) {
    if isRefusing {
      write("refused", key: parameters[0].string)
      return g_dbus_method_invocation_return_dbus_error(
        invocation, "org.freedesktop.login1.OperationInProgress", "not now")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, let list = g_unix_fd_list_new() else { exit(1) }
    g_unix_fd_list_append(list, ends[1], nil)
    close(ends[1])
    count += 1
    inhibitors[ends[0]] = count
    watch(ends[0])
    write("inhibit", id: count, key: parameters[0].string, text: parameters[3].string)
    g_dbus_method_invocation_return_value_with_unix_fd_list(
      invocation, tuple([g_variant_new_handle(0)]), list)
    g_object_unref(list)
  }

  private func ready(_ descriptor: Int32) -> Bool {
    guard let id = inhibitors.removeValue(forKey: descriptor) else {
      for line in commands.next() { obey(line) }
      return true
    }
    write("released", id: id, text: runState())
    close(descriptor)
    return false
  }

  private func runState() -> String {
    do {
      let run = try RunStore(in: store, clock: SystemClock(), parts: [], observers: []).settle().run
      guard let run else { return "none" }
      return run.isPaused ? "paused" : "running"
    } catch {
      return "\(error)"
    }
  }

  private func watch(_ descriptor: Int32) {
    let source = g_unix_fd_source_new(
      descriptor, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue))
    let call: GUnixFDSourceFunc = { descriptor, _, context in
      guard let context else { return 0 }
      return LoginServer.of(context).ready(descriptor) ? 1 : 0
    }
    g_source_set_callback(
      source, unsafeBitCast(call, to: GSourceFunc.self), Unmanaged.passUnretained(self).toOpaque(), nil)
    g_source_attach(source, nil)
  }

  // MARK: - Commands

  private func obey(_ line: String) {
    let words = line.split(separator: " ")
    let isOn = words.last == "on"
    switch words.first {
    case "sleep": signal("PrepareForSleep", isOn)
    case "shutdown": signal("PrepareForShutdown", isOn)
    case "refuse": isRefusing = isOn
    case "lock":
      isLocked = isOn
      hintChanged()
    case "screen": age = words.last.flatMap { Int64($0) }
    case "systemd":
      environment = words.dropFirst().map(String.init)
      g_bus_own_name_on_connection(
        connection, "org.freedesktop.systemd1", G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, nil, nil, nil, nil)
    case "session":
      hasSession = isOn
      emit(
        isOn ? "SessionNew" : "SessionRemoved", LoginServer.path, LoginServer.interface,
        tuple([g_variant_new_string("31"), g_variant_new_object_path(LoginServer.session)]))
    default: return write("told", text: "there is no command \(line)")
    }
    write("told")
  }

  private func signal(_ name: String, _ isOn: Bool) {
    emit(name, LoginServer.path, LoginServer.interface, tuple([g_variant_new_boolean(isOn ? 1 : 0)]))
  }

  private func emit(_ name: String, _ path: String, _ interface: String, _ arguments: OpaquePointer?) {
    g_dbus_connection_emit_signal(connection, nil, path, interface, name, arguments, nil)
  }

  private func value(of property: String) -> OpaquePointer? {
    switch property {
    case "Environment": return strings(environment)
    case "Type": return g_variant_new_string(age == nil ? "tty" : "wayland")
    case "Timestamp":
      let now = Int64(Date().timeIntervalSince1970)
      return g_variant_new_uint64(guint64((now - (age ?? 0)) * 1_000_000))
    case "Display":
      return tuple([
        g_variant_new_string(hasSession ? "31" : ""),
        g_variant_new_object_path(hasSession ? LoginServer.session : "/"),
      ])
    default:
      write("asked", key: property)
      return g_variant_new_boolean(isLocked ? 1 : 0)
    }
  }

  private func hintChanged() {
    emit(
      "PropertiesChanged", LoginServer.session, "org.freedesktop.DBus.Properties",
      tuple([
        g_variant_new_string("org.freedesktop.login1.Session"),
        g_variant_parse(nil, "{'LockedHint': <\(isLocked)>}", nil, nil, nil), strings([]),
      ]))
  }

  private func write(_ name: String, id: UInt32? = nil, key: String? = nil, text: String? = nil) {
    var event = ServerEvent(now: name)
    (event.id, event.key, event.text) = (id, key, text)
    event.write()
  }
}
