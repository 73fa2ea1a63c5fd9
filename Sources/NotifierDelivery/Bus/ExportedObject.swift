import CSequenceGLib

/// An object on a bus whose methods and properties other programs use.
///
/// It answers in the thread that made it, while that thread's context is served.
@safe package final class ExportedObject {
  private let connection: BusConnection
  private let path: String
  private var registrations: [UInt32] = []

  /// - Parameters:
  ///   - interfaces: its interfaces, in D-Bus's introspection format. Calls that don't match them are refused.
  ///   - content: its properties and methods; kept alive until the object is released.
  package init(
    on connection: BusConnection, at path: String, interfaces: String, _ content: any ExportedContent
  ) throws(DesktopFailure) {
    self.connection = connection
    self.path = path
    let node = unsafe try checkingGError(isSent: false) {
      unsafe g_dbus_node_info_new_for_xml(interfaces, $0)
    }
    guard let node = unsafe node else { throw .noBus(reason: "GLib returned no description") }
    defer { unsafe g_dbus_node_info_unref(node) }
    var functions = GDBusInterfaceVTable()
    unsafe functions.method_call = { _, _, _, interface, method, arguments, invocation, context in
      guard let content = unsafe ExportedObject.content(context), let invocation = unsafe invocation,
        let interface = unsafe interface, let method = unsafe method, let arguments = unsafe arguments
      else { return }
      content.call(
        unsafe String(cString: method), of: unsafe String(cString: interface),
        unsafe BusCall(invocation, Answer(g_variant_ref(arguments))))
    }
    unsafe functions.get_property = { _, _, _, interface, name, error, context in
      if let content = unsafe ExportedObject.content(context), let interface = unsafe interface,
        let name = unsafe name,
        let value = unsafe content.property(String(cString: name), of: String(cString: interface))
      {
        return unsafe value.variant
      }
      // GLib ends the process without a value or an error.
      unsafe g_set_error_literal(
        error, g_dbus_error_quark(), gint(G_DBUS_ERROR_UNKNOWN_PROPERTY.rawValue), "it has no value")
      return nil
    }
    var next = unsafe node.pointee.interfaces
    while let interface = unsafe next?.pointee {
      let context = unsafe Retained<any ExportedContent>.context(of: content)
      do throws(DesktopFailure) {
        let registration = unsafe try checkingGError(isSent: false) {
          unsafe g_dbus_connection_register_object(
            connection.pointer, path, interface, &functions, context, releaseRetained, $0)
        }
        registrations.append(registration)
      } catch {
        // GLib keeps the context only with a registration.
        unsafe releaseRetained(context)
        throw error
      }
      unsafe next = next?.successor()
    }
  }

  deinit {
    for registration in registrations {
      _ = unsafe g_dbus_connection_unregister_object(connection.pointer, registration)
    }
  }

  /// A bus that has gone away is noticed by the next call.
  package func emit(_ signal: String, of interface: String, _ arguments: [BusValue]) {
    _ = unsafe g_dbus_connection_emit_signal(
      connection.pointer, nil, path, interface, signal, BusValue.tuple(arguments), nil)
  }

  package func announce(_ changed: [String: BusValue], of interface: String) {
    guard !changed.isEmpty else { return }
    emit(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties",
      [.text(interface), .dictionary(changed), .texts([])])
  }

  private static func content(_ context: UnsafeMutableRawPointer?) -> (any ExportedContent)? {
    unsafe context.map { unsafe Retained<any ExportedContent>.value(at: $0) }
  }
}

extension BusConnection {
  /// Has a name while the objects that this thread has made answer their calls.
  ///
  /// - Parameters:
  ///   - seconds: how long it waits for another call.
  ///   - isOver: whether it waits for none.
  package func serve(
    as name: String, idleFor seconds: UInt32, until isOver: () -> Bool
  ) throws(DesktopFailure) {
    try claim(name: name)
    var isIdle = false
    while !isIdle, !isOver(), !isClosed {
      let timer = unsafe g_timeout_add_seconds(seconds, { _ in 0 }, nil)
      _ = g_main_context_iteration(nil, 1)
      // GLib has removed it if its time is over.
      isIdle = unsafe g_main_context_find_source_by_id(nil, timer) == nil
      if !isIdle { _ = g_source_remove(timer) }
    }
    guard !isClosed else { return }
    try release(name: name)
    while g_main_context_iteration(nil, 0) != 0 {}
    _ = unsafe g_dbus_connection_flush_sync(pointer, nil, nil)
  }
}

package protocol ExportedContent: AnyObject {
  /// Returns a property; `nil` if it has no value now, which the caller gets as an error.
  func property(_ name: String, of interface: String) -> BusValue?

  /// Carries out a method; the call is to be answered, now or later.
  func call(_ method: String, of interface: String, _ call: BusCall)
}

@safe package final class BusCall {
  private var invocation: OpaquePointer?
  package let arguments: Answer

  /// Takes the ownership of an invocation, which must be answered once.
  init(_ invocation: OpaquePointer, _ arguments: Answer) {
    unsafe self.invocation = invocation
    self.arguments = arguments
  }

  /// The caller of an unanswered call gets an error.
  deinit { refuse("the program is ending") }

  /// Answers it; a second answer has no effect.
  package func finish(_ values: [BusValue] = []) {
    guard let invocation = unsafe take() else { return }
    unsafe g_dbus_method_invocation_return_value(invocation, BusValue.tuple(values))
  }

  package func refuse(_ reason: String) {
    guard let invocation = unsafe take() else { return }
    unsafe g_dbus_method_invocation_return_dbus_error(
      invocation, "org.freedesktop.DBus.Error.Failed", reason)
  }

  /// Answers a request that isn't carried out because too many wait.
  package func refuseAsOneOfMany() { refuse("too many requests are waiting") }

  private func take() -> OpaquePointer? {
    defer { unsafe invocation = nil }
    return unsafe invocation
  }
}
