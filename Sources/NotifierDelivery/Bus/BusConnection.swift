package import CSequenceGLib

/// A connection to a bus of D-Bus.
@safe package final class BusConnection {
  package let pointer: OpaquePointer
  /// Whether it is closed with this object; the shared one of a process is not.
  private let isPrivate: Bool

  /// How long a question may take, in milliseconds.
  package static let questionLimit: Int32 = 1000
  /// The name of notification servers, and of their interface.
  package static let serverName = "org.freedesktop.Notifications"
  package static let serverPath = "/org/freedesktop/Notifications"
  /// The name of the bus itself, and of its interface.
  package static let busName = "org.freedesktop.DBus"

  private init(_ pointer: OpaquePointer?, isPrivate: Bool) throws(DesktopFailure) {
    guard let pointer = unsafe pointer else { throw .noBus(reason: "GLib returned no connection") }
    unsafe self.pointer = pointer
    self.isPrivate = isPrivate
  }

  /// The connection to a bus that the process shares.
  package convenience init(sharedTo type: GBusType) throws(DesktopFailure) {
    let connection = unsafe try checkingGError(isSent: false) { unsafe g_bus_get_sync(type, nil, $0) }
    unsafe try self.init(connection, isPrivate: false)
    // By default GLib ends the process when the bus goes away.
    unsafe g_dbus_connection_set_exit_on_close(pointer, 0)
  }

  /// Connects to the bus of an address; a bus that hangs is waited for.
  package convenience init(to address: String) throws(DesktopFailure) {
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let connection = unsafe try checkingGError(isSent: false) {
      unsafe g_dbus_connection_new_for_address_sync(address, flags, nil, nil, $0)
    }
    unsafe try self.init(connection, isPrivate: true)
  }

  deinit {
    if isPrivate { close() }
    unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
  }

  /// Closes the connection, and waits for that if it can.
  private func close() {
    do throws(DesktopFailure) {
      try requireDescriptors()
      // It fails if the bus has gone away, and the connection with it.
      _ = unsafe g_dbus_connection_close_sync(pointer, nil, nil)
    } catch {
      unsafe g_dbus_connection_close(pointer, nil, nil, nil)
    }
  }

  /// Whether the bus has gone away.
  package var isClosed: Bool { unsafe g_dbus_connection_is_closed(pointer) != 0 }

  /// Calls a method of a name that has an owner; none is started.
  ///
  /// - Parameter limit: how long the call may take, in milliseconds.
  package func call(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = [],
    limit: Int32 = questionLimit
  ) throws(DesktopFailure) -> Answer {
    let result = unsafe try checkingGError(isSent: false) {
      unsafe g_dbus_connection_call_sync(
        pointer, name, path, interface, method, BusValue.tuple(arguments), nil,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, limit, nil, $0)
    }
    guard let result = unsafe result else { throw .notAnswering }
    return unsafe Answer(result)
  }

  /// Calls a method of a name that has an owner, without waiting for an answer or a refusal.
  package func send(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue]
  ) {
    unsafe g_dbus_connection_call(
      pointer, name, path, interface, method, BusValue.tuple(arguments), nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, BusConnection.questionLimit, nil, nil, nil)
  }

  /// Calls a method of the bus itself.
  package func callBus(
    _ method: String, _ arguments: [BusValue] = [], limit: Int32 = questionLimit
  ) throws(DesktopFailure) -> Answer {
    try call(
      BusConnection.busName, "/org/freedesktop/DBus", BusConnection.busName, method, arguments, limit: limit)
  }

  /// Takes a name that other programs call, unless another program has it.
  ///
  /// - Returns: whether the connection has the name.
  package func take(name: String) throws(DesktopFailure) -> Bool {
    // Not in a queue of those who wait for it. Sources: the D-Bus Specification, "RequestName": 4 is
    // `DBUS_NAME_FLAG_DO_NOT_QUEUE`; 1 and 4 say that the caller owns it.
    let answer = try callBus("RequestName", [.text(name), .number(4)]).firstNumber
    return answer == 1 || answer == 4
  }

  /// Gives a name up; earlier messages have arrived when this returns.
  package func release(name: String) throws(DesktopFailure) { _ = try callBus("ReleaseName", [.text(name)]) }

  /// The id that the bus was given when it was started.
  package func id() throws(DesktopFailure) -> String { try callBus("GetId").firstString }

  /// The unique name that owns a name; `nil` if none does.
  package func owner(of name: String, limit: Int32 = questionLimit) throws(DesktopFailure) -> String? {
    do throws(DesktopFailure) {
      return try callBus("GetNameOwner", [.text(name)], limit: limit).firstString
    } catch .noServer {
      return nil
    }
  }
}
