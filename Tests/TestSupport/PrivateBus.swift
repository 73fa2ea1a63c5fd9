import Foundation
package import Glibc

/// A session bus of a test's own, which starts no services.
package final class PrivateBus {
  package let address: String
  private let daemon: ChildProcess
  private let directory: TemporaryDirectory

  package init() throws {
    directory = try TemporaryDirectory()
    let configuration = try directory.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(directory.path)/bus</listen>
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

  /// The bus as a process.
  package var process: pid_t { daemon.identifier }

  package func stop() {
    daemon.signal(SIGKILL)
    _ = try? daemon.exitStatus()
  }
}
