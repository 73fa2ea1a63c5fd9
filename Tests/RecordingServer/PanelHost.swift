import CLibnotify
import Foundation
import NotifierDelivery
import TestSupport

/// An imitation of a panel, which reports the icons that are registered with it.
final class PanelHost: ExportedContent {
  private static let name = "org.kde.StatusNotifierWatcher"
  private let hasPanel: Bool

  private init(hasPanel: Bool) { self.hasPanel = hasPanel }

  /// Runs until standard input ends.
  static func run() throws -> Never {
    let connection = try BusConnection(sharedTo: G_BUS_TYPE_SESSION)
    let host = PanelHost(hasPanel: !CommandLine.arguments.contains("--hidden"))
    let object = try ExportedObject(
      on: connection, at: "/StatusNotifierWatcher",
      interfaces: """
        <node><interface name="org.kde.StatusNotifierWatcher">
          <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
          <property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
        </interface></node>
        """, host)
    guard try connection.take(name: name), let loop = g_main_loop_new(nil, 0) else { exit(1) }
    ServerEvent(now: "ready").write()
    let source = g_unix_fd_source_new(0, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue))
    let onInput: GUnixFDSourceFunc = { _, _, _ in
      // Anything, also the end.
      exit(0)
    }
    g_source_set_callback(source, unsafeBitCast(onInput, to: GSourceFunc.self), nil, nil)
    g_source_attach(source, nil)
    withExtendedLifetime(object) { g_main_loop_run(loop) }
    exit(0)
  }

  func property(_ name: String, of interface: String) -> BusValue? { .flag(hasPanel) }

  func call(_ method: String, of interface: String, _ call: BusCall) {
    var event = ServerEvent(now: "registered")
    event.text = call.arguments.firstString
    event.write()
    call.finish()
  }
}
