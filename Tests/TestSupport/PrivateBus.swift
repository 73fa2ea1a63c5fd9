import Foundation
package import Glibc

/// A session bus for one test, without services except the given server.
package final class PrivateBus {
  package let address: String
  private var daemon: ChildProcess?
  /// The directory of its socket, named `bus`.
  package var directory: String { place.path }
  private let place: TemporaryDirectory
  private let configuration: String

  /// - Parameters:
  ///   - server: the script of a notification server that the bus can start.
  ///   - isStarted: whether the bus is started now or by `start()`.
  package init(starting server: String? = nil, isStarted: Bool = true) throws {
    place = try TemporaryDirectory()
    if let server {
      let program = try place.write("#!/bin/sh\n" + server, to: "server")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      _ = try place.write(
        "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=\(program)\n", to: "server.service")
    }
    address = "unix:path=\(place.path)/bus"
    configuration = try place.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(place.path)/bus</listen>
        <servicedir>\(place.path)</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    if isStarted { try start() }
  }

  /// Starts the bus, possibly again; it is ready when this returns.
  package func start() throws {
    let daemon = try ChildProcess(
      "/usr/bin/dbus-daemon", ["--config-file=\(configuration)", "--nofork", "--print-address"])
    _ = try daemon.line()
    self.daemon = daemon
  }

  package var process: pid_t { daemon?.identifier ?? 0 }

  package func stop() {
    daemon?.signal(SIGKILL)
    _ = try? daemon?.exitStatus()
  }

  package func notify(_ summary: String) throws -> UInt32 {
    let output = try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
        "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "stranger", "0",
        "",
        summary, "", "[]", "{}", "0",
      ], environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    // The output is like `(uint32 7,)`.
    guard let id = output.text.split(whereSeparator: { !$0.isNumber }).last.flatMap({ UInt32($0) }) else {
      throw TestSupportError("no number: \(output.text) \(output.errors)")
    }
    return id
  }
}
