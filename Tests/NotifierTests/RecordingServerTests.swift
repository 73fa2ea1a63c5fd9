import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecordingServerTests {
  @Test func `writes down what is asked of it, and tells what is on screen`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    _ = try gdbus(bus, "Notify", "test", "0", "icon", "Hello", "World", "[]", "{}", "0")
    let event = try server.next("notify")
    #expect(event.id == 1)
    #expect(event.summary == "Hello")
    #expect(event.body == "World")
    #expect(try server.screen().ids == [1])
    _ = try gdbus(bus, "CloseNotification", "1")
    #expect(try server.next("close").known == true)
    #expect(try server.next("closed").reason == 3)
    #expect(try server.screen().ids == [])
  }

  @Test func `refuses, and is strict about what it does not know, when told`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    try server.tell("refuse org.example.No")
    try server.tell("strict-close on")
    _ = try server.screen()
    #expect(
      try gdbus(bus, "Notify", "t", "0", "", "a", "b", "[]", "{}", "0").errors.contains("org.example.No"))
    #expect(try gdbus(bus, "CloseNotification", "7").errors.contains("InvalidId"))
  }

  private func gdbus(_ bus: PrivateBus, _ method: String, _ arguments: String...) throws
    -> ChildProcess.Output
  {
    try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
        "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.\(method)",
      ] + arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }
}
