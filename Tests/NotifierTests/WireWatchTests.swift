import CSequenceGLib
import Testing

@testable import NotifierDelivery

/// The signals that the desktop reads on the wire.
struct WireWatchTests {
  @Test(arguments: [
    (BusConnection.busName, BusConnection.serverName, 1), (":1.7", BusConnection.serverName, 0),
    (BusConnection.serverName, BusConnection.serverName, 0), (BusConnection.busName, "org.example.Other", 0),
  ])
  func `only the bus reports another server`(sender: String, name: String, count: Int) throws {
    let wire = WireWatch(busID: "bus", events: DesktopClients())
    let message = try #require(
      unsafe g_dbus_message_new_signal("/org/freedesktop/DBus", BusConnection.busName, "NameOwnerChanged"))
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(message)) }
    unsafe g_dbus_message_set_sender(message, sender)
    let body = [name, ":1.1", ":1.2"].map { (text: String) in unsafe g_variant_new_string(text) }
    unsafe g_dbus_message_set_body(message, g_variant_new_tuple(body, 3))
    unsafe wire.read(message, isIncoming: true)
    #expect(wire.ownerChanges == count)
  }
}
