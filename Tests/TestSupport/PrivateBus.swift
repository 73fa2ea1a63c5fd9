import Foundation

/// A session bus of a test's own, which starts no services but the one that it is told.
package final class PrivateBus {
  package let address: String
  private let daemon: ChildProcess
  private let directory: TemporaryDirectory

  /// - Parameter server: the script of a notification server that the bus can start.
  package init(starting server: String? = nil) throws {
    directory = try TemporaryDirectory()
    if let server {
      let program = try directory.write("#!/bin/sh\n" + server, to: "server")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      _ = try directory.write(
        "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=\(program)\n", to: "server.service")
    }
    let configuration = try directory.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(directory.path)/bus</listen>
        <servicedir>\(directory.path)</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    daemon = try ChildProcess(
      "/usr/bin/dbus-daemon", ["--config-file=\(configuration)", "--nofork", "--print-address"])
    address = try daemon.line()
  }

  package func stop() {
    daemon.signal(SIGKILL)
    _ = daemon.exitStatus()
  }
}
