package import CSequenceGLib
import FoundationEssentials
import Glibc
import SequencePlatform

@safe package final class BusConnection {
  package let pointer: OpaquePointer
  /// Whether it is closed with this object; the shared one of a process is not.
  private let isPrivate: Bool

  /// How long a question may take, in milliseconds.
  package static let questionLimit: Int32 = 1000
  package static let serverName = "org.freedesktop.Notifications"
  package static let serverPath = "/org/freedesktop/Notifications"
  package static let busName = "org.freedesktop.DBus"

  private init(_ pointer: OpaquePointer?, isPrivate: Bool) throws(DesktopFailure) {
    guard let pointer = unsafe pointer else { throw .noBus(reason: "GLib returned no connection") }
    unsafe self.pointer = pointer
    self.isPrivate = isPrivate
  }

  package convenience init(sharedTo type: GBusType) throws(DesktopFailure) {
    let connection = unsafe try checkingGError(isSent: false) { unsafe g_bus_get_sync(type, nil, $0) }
    unsafe try self.init(connection, isPrivate: false)
    // By default GLib ends the process when the bus goes away.
    unsafe g_dbus_connection_set_exit_on_close(pointer, 0)
  }

  /// Waits for a bus that hangs.
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

  private func close() {
    do throws(DesktopFailure) {
      try requireDescriptors()
      // It fails if the bus has gone away, and the connection with it.
      _ = unsafe g_dbus_connection_close_sync(pointer, nil, nil)
    } catch {
      unsafe g_dbus_connection_close(pointer, nil, nil, nil)
    }
  }

  package var isClosed: Bool { unsafe g_dbus_connection_is_closed(pointer) != 0 }

  /// Starts no service for a name without an owner.
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

  /// Doesn't wait for an answer or a refusal.
  package func send(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue]
  ) {
    unsafe g_dbus_connection_call(
      pointer, name, path, interface, method, BusValue.tuple(arguments), nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, BusConnection.questionLimit, nil, nil, nil)
  }

  package func callBus(
    _ method: String, _ arguments: [BusValue] = [], limit: Int32 = questionLimit
  ) throws(DesktopFailure) -> Answer {
    try call(
      BusConnection.busName, "/org/freedesktop/DBus", BusConnection.busName, method, arguments, limit: limit)
  }

  /// Returns `false` if another program has the name.
  package func take(name: String) throws(DesktopFailure) -> Bool {
    // Not in a queue of those who wait for it. Sources: the D-Bus Specification, "RequestName": 4 is
    // `DBUS_NAME_FLAG_DO_NOT_QUEUE`; 1 and 4 say that the caller owns it.
    let answer = try callBus("RequestName", [.text(name), .number(4)]).firstNumber
    return answer == 1 || answer == 4
  }

  /// Takes a name that this program needs.
  ///
  /// - Throws: `DesktopFailure.refused` if another program has the name.
  package func claim(name: String) throws(DesktopFailure) {
    guard try take(name: name) else { throw .refused(name: name, message: "another program has the name") }
  }

  /// Gives a name up; earlier messages have arrived when this returns.
  package func release(name: String) throws(DesktopFailure) { _ = try callBus("ReleaseName", [.text(name)]) }

  package func id() throws(DesktopFailure) -> String { try callBus("GetId").firstString }

  package func owner(of name: String, limit: Int32 = questionLimit) throws(DesktopFailure) -> String? {
    do throws(DesktopFailure) {
      return try callBus("GetNameOwner", [.text(name)], limit: limit).firstString
    } catch .noServer {
      return nil
    }
  }
}

// MARK: - Signals and messages

extension BusConnection {
  /// Receives a signal, in the thread that subscribes, while its context is served.
  ///
  /// - Parameters:
  ///   - path: the object that sends it; `nil` for any.
  ///   - argument: its first argument; `nil` for any.
  ///   - flags: whether the argument is a namespace.
  package func subscribe(
    to member: String, of interface: String, from sender: String, at path: String? = nil,
    about argument: String? = nil, flags: GDBusSignalFlags = G_DBUS_SIGNAL_FLAGS_NONE,
    onSignal: @escaping (Answer) -> Void = { _ in }
  ) -> BusSubscription {
    let number = unsafe g_dbus_connection_signal_subscribe(
      pointer, sender, interface, member, path, argument, flags,
      { _, _, _, _, _, arguments, context in
        guard let arguments = unsafe arguments, let context = unsafe context else { return }
        unsafe Retained<(Answer) -> Void>.value(at: context)(Answer(g_variant_ref(arguments)))
      }, Retained.context(of: onSignal), releaseRetained)
    return BusSubscription { [self] in unsafe g_dbus_connection_signal_unsubscribe(pointer, number) }
  }

  /// Receives the unique name of each program that takes a name, and `nil` if its owner leaves it.
  ///
  /// - Parameter isNamespace: whether the names that begin with it are meant.
  package func watchOwner(
    of name: String, isNamespace: Bool = false, onChange: @escaping (_ owner: String?) -> Void = { _ in }
  ) -> BusSubscription {
    subscribe(
      to: "NameOwnerChanged", of: BusConnection.busName, from: BusConnection.busName, about: name,
      flags: isNamespace ? G_DBUS_SIGNAL_FLAGS_MATCH_ARG0_NAMESPACE : G_DBUS_SIGNAL_FLAGS_NONE
    ) { signal in
      let names = signal.strings
      if names.count == 3 { onChange(names[2].isEmpty ? nil : names[2]) }
    }
  }

  /// Reads each message on its way in or out, in GLib's own thread: whoever has subscribed may be waiting for a bus.
  package func filter(
    _ read: @escaping @Sendable (_ message: OpaquePointer, _ isIncoming: Bool) -> Void
  ) -> BusSubscription {
    let number = unsafe g_dbus_connection_add_filter(
      pointer,
      { _, message, isIncoming, context in
        if let message = unsafe message, let context = unsafe context {
          unsafe Retained<@Sendable (OpaquePointer, Bool) -> Void>.value(at: context)(
            message, isIncoming != 0)
        }
        return unsafe message
      }, Retained.context(of: read), releaseRetained)
    return BusSubscription { [self] in unsafe g_dbus_connection_remove_filter(pointer, number) }
  }

  package func onClose(_ body: @escaping () -> Void) -> BusSubscription {
    typealias Closed =
      @convention(c) (
        UnsafeMutableRawPointer?, gboolean, UnsafeMutablePointer<GError>?, UnsafeMutableRawPointer?
      ) -> Void
    let closed: Closed = { _, _, _, context in
      if let context = unsafe context { unsafe Retained<() -> Void>.value(at: context)() }
    }
    let handler = unsafe g_signal_connect_data(
      UnsafeMutableRawPointer(pointer), "closed", unsafeBitCast(closed, to: GCallback.self),
      Retained.context(of: body), { context, _ in unsafe releaseRetained(context) },
      GConnectFlags(rawValue: 0))
    return BusSubscription { [self] in
      unsafe g_signal_handler_disconnect(UnsafeMutableRawPointer(pointer), handler)
    }
  }
}

/// A subscription to what happens on a bus, which ends with this object.
package final class BusSubscription {
  private let end: () -> Void

  fileprivate init(_ end: @escaping () -> Void) { self.end = end }

  deinit { end() }
}

final class Retained<Value> {
  private let value: Value

  private init(_ value: Value) { self.value = value }

  /// A pointer to a value, which `releaseRetained` releases.
  static func context(of value: Value) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(Retained(value)).toOpaque()
  }

  static func value(at context: UnsafeMutableRawPointer) -> Value {
    unsafe Unmanaged<Retained<Value>>.fromOpaque(context).takeUnretainedValue().value
  }
}

let releaseRetained: GDestroyNotify = { context in
  unsafe context.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).release() }
}

/// The address of the session bus: the one that the process was started with, or that of the user's login.
package enum SessionBusAddress {
  private static let variable = "DBUS_SESSION_BUS_ADDRESS"
  private static var inherited: String? {
    EnvironmentVariables.process[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// - Parameter mayUseLoginBus: whether the bus of the login is tried too, as after the end of the session that the
  ///   process was started in.
  package static func connect(
    mayUseLoginBus: Bool, _ connect: (String) throws(DesktopFailure) -> BusConnection
  ) throws(DesktopFailure) -> BusConnection {
    let login = EnvironmentVariables.process.runtimeDirectory + "/bus"
    let loginAddress = "unix:path=\(login)"
    do throws(DesktopFailure) {
      let address = if let inherited { inherited } else { try address(ofLogin: login) }
      return try connect(address)
    } catch {
      guard mayUseLoginBus, inherited != nil, inherited != loginAddress,
        FileManager.default.fileExists(atPath: login)
      else { throw error }
      return try connect(loginAddress)
    }
  }

  /// Sets the address in the environment, for code that reads it there.
  ///
  /// Other threads exist, but the variable is there already if its value has to change: the C library replaces one
  /// pointer, and no other entry of the environment moves.
  package static func put(_ address: String) {
    guard inherited != nil else { return }
    // It fails for names that are none, and without memory.
    _ = unsafe setenv(variable, address, 1)
  }

  /// GLib would start a bus of its own where no address is set but a display is: a second server, unseen.
  private static func address(ofLogin path: String) throws(DesktopFailure) -> String {
    guard EnvironmentVariables.process["XDG_RUNTIME_DIR"] != nil else {
      throw .noBus(reason: "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw .noBus(reason: "DBUS_SESSION_BUS_ADDRESS is not set, and there is no \(path)")
    }
    return "unix:path=\(path)"
  }
}

extension BusConnection {
  package static func session(mayUseLoginBus: Bool) throws(DesktopFailure) -> BusConnection {
    try SessionBusAddress.connect(mayUseLoginBus: mayUseLoginBus) { address throws(DesktopFailure) in
      try BusConnection(to: address)
    }
  }
}
