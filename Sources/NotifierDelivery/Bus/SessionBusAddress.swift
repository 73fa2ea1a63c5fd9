import FoundationEssentials
import Glibc
import SequencePlatform

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
