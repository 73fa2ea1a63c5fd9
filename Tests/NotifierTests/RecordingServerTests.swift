import Foundation
import NotifierDelivery
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecordingServerTests {
  private let bus: PrivateBus
  private let server: RecordingServer

  init() throws {
    bus = try PrivateBus()
    server = try RecordingServer(on: bus)
  }

  // MARK: - Recording

  @Test func `it records its calls and reports its visible notifications`() throws {
    _ = try gdbus(
      "Notify", "test", "0", "icon", "Hello", "World", "['a', 'Do it']", "{'urgency': <byte 2>}", "7")
    let event = try server.next("notify")
    #expect(event.id == 1 && event.replaces == 0)
    #expect([event.summary, event.body, event.app, event.icon] == ["Hello", "World", "test", "icon"])
    #expect(event.actions == ["a", "Do it"])
    #expect(event.hints == ["urgency": "0x02"])
    #expect(event.timeout == 7)
    #expect(event.sender?.hasPrefix(":") == true)
    let screen = try server.screen()
    #expect(screen.ids == [1] && screen.texts == ["Hello"] && screen.before.isEmpty)
    try close(1)
    let close = try server.next("close")
    #expect(close.known == true && close.error == nil && close.sender != event.sender)
    #expect(try server.next("closed").reason == 3)
    #expect(try server.screen().ids == [])
  }

  @Test func `a command that arrives in parts is one command`() throws {
    // A bus has one owner of the name at a time.
    let bus = try PrivateBus()
    let child = try ChildProcess(
      BuiltProducts.path(of: "recording-server"), environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    #expect(try child.line().contains("ready"))
    try child.write("list\nli")
    // After the reply to the first command, the beginning of the second has been read as well.
    func nextKinds() throws -> [Bool] {
      try ["screen", "told"].map { try child.line().contains("\"event\":\"\($0)\"") }
    }
    #expect(try nextKinds() == [true, true])
    try child.write("st\nlist\n")
    #expect(try nextKinds() == [true, true])
    #expect(try nextKinds() == [true, true])
    try child.endInput()
    #expect(try child.exitStatus() == 0)
  }

  @Test func `an unknown command is an error`() throws {
    for command in [
      "nonsense", "dismiss", "invoke 1", "hang Nothing", "refuse no", "limit", "keep x", "signals",
      "resident",
    ] {
      #expect(throws: TestSupportError.self, "\(command)") { try server.tell(command) }
      #expect(try server.next("error").text?.hasPrefix(command) == true)
    }
  }

  // MARK: - Actions of users

  @Test func `it closes only visible notifications`() throws {
    for (command, reason) in [("dismiss", UInt32(2)), ("expire", 1)] {
      let id = try notify("A")
      try server.tell("\(command) \(id)")
      let closed = try server.next("closed")
      #expect(closed.id == id && closed.reason == reason)
      try server.tell("\(command) \(id)")
      #expect(try server.next().text == "\(id) is not on screen")
    }
    #expect(try server.screen().before.isEmpty)
  }

  @Test func `an invoked action closes the notification unless it is resident`() throws {
    let id = try notify("A")
    try server.tell("resident on")
    try server.tell("invoke \(id) the default")
    let action = try server.next("action")
    #expect(action.id == id && action.key == "the default")
    #expect(try server.screen().ids == [id])
    try server.tell("resident off")
    let monitor = try monitor()
    try server.tell("invoke \(id) open")
    #expect(try server.next("closed").reason == 2)
    #expect(try signal(monitor).dropFirst() == ["member=ActionInvoked", "uint32 \(id)", "string \"open\""])
    #expect(try signal(monitor).dropFirst() == ["member=NotificationClosed", "uint32 \(id)", "uint32 2"])
    try server.tell("invoke \(id) open")
    #expect(try server.next("error").text == "\(id) is not on screen")
    #expect(try server.screen().before.isEmpty)
  }

  @Test func `signals go to all clients or only to the sender`() throws {
    let monitor = try monitor()
    for text in ["A", "B"] { _ = try notify(text) }
    let sender = try server.next("notify").sender ?? ""
    try server.tell("signals sender")
    try server.tell("invoke 1 default")
    try server.tell("signals all")
    try server.tell("dismiss 2")
    let receivers = try (1...3).map { _ in try signal(monitor)[0] }
    #expect(receivers == ["destination=\(sender)", "destination=\(sender)", "destination=(null"])
  }

  // MARK: - Misbehavior

  @Test func `it refuses to show and to close, always or a few times`() throws {
    try server.tell("refuse org.example.No")
    try server.tell("refuse-close org.example.Stays 2")
    for _ in 1...3 { #expect(try refusal("A") == "org.example.No") }
    let event = try server.next("notify")
    #expect(event.error == "org.example.No" && event.id == nil)
    try server.tell("refuse org.example.Once 1")
    #expect(try refusal("A") == "org.example.Once")
    let id = try notify("A")
    for _ in 1...2 {
      #expect(try gdbus("CloseNotification", "\(id)").errors.contains("org.example.Stays"))
      let close = try server.next("close")
      #expect(close.error == "org.example.Stays" && close.known == true)
    }
    try server.tell("refuse-close org.example.Stays")
    try server.tell("refuse-close off")
    try close(id)
    #expect(try server.next("closed").id == id)
    try server.tell("strict-close on")
    #expect(try gdbus("CloseNotification", "7").errors.contains("InvalidId"))
    try server.tell("strict-close off")
    try close(7)
  }

  @Test func `it holds calls of a method and answers them in order`() throws {
    let id = try notify("A")
    try server.tell("hang Notify")
    let shows = try ["B", "C"].map { text in
      let child = try start("Notify", notification(text))
      #expect(try server.next("held").method == "Notify")
      return child
    }
    // Other calls are answered in the meantime.
    try close(id)
    try server.tell("hang on")
    let question = try start("GetServerInformation", [])
    #expect(try server.next("held").method == "GetServerInformation")
    #expect(try server.screen().ids == [])
    try server.tell("hang later")
    #expect(try shows.map { try $0.lines() } == [["(uint32 2,)"], ["(uint32 3,)"]])
    let later = try start("CloseNotification", ["2"])
    #expect(try server.next("held").method == "CloseNotification")
    #expect(try server.screen().texts == ["B", "C"])
    try server.tell("hang off")
    #expect(try later.lines() == ["()"])
    #expect(try question.lines() == ["('recording-server', 'Sequence', '1', '1.2')"])
    #expect(try server.screen().texts == ["C"])
  }

  @Test func `only the sender replaces and closes while it is on the bus`() throws {
    // A client that is stopped before its reply stays on the bus.
    try server.tell("hang Notify")
    let sender = try start("Notify", notification("A"))
    _ = try server.next("held")
    sender.signal(SIGSTOP)
    try server.tell("hang off")
    try server.tell("only-sender on")
    #expect(try server.next("notify").id == 1)
    #expect(try refusal("B", replaces: 1) == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(try gdbus("CloseNotification", "1").errors.contains("DBus.Error.InvalidArgs"))
    #expect(try server.next("close").error == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(try notify("C") == 2)
    sender.signal(SIGKILL)
    #expect(try sender.exitStatus() == 128 + SIGKILL)
    #expect(try notify("B", replaces: 1) == 1)
    #expect(try server.screen().texts == ["B", "C"])
    try close(1)
    #expect(try server.screen().ids == [2])
  }

  @Test func `it keeps the newest notifications and limits their number`() throws {
    try server.tell("keep 2")
    for text in ["A", "B", "C"] { _ = try notify(text) }
    let closed = try server.next("closed")
    #expect(closed.id == 1 && closed.reason == 1)
    #expect(try server.screen().texts == ["B", "C"])
    try server.tell("keep off")
    try server.tell("limit 2")
    #expect(try refusal("D") == "org.freedesktop.Notifications.MaxNotificationsExceeded")
    #expect(try notify("D", replaces: 2) == 2)
    try server.tell("limit off")
    #expect(try notify("E") == 4)
    #expect(try server.screen().texts == ["D", "C", "E"])
  }

  @Test func `it refuses equal texts for a time`() throws {
    try server.tell("refuse-same 60000")
    _ = try notify("A")
    #expect(
      try refusal("A") == "org.freedesktop.Notifications.Error.ExcessNotificationGeneration")
    _ = try notify("B")
    _ = try notify("A")
    try server.tell("refuse-same off")
    _ = try notify("A")
  }

  @Test func `it numbers notifications as configured`() throws {
    #expect(try notify("A", replaces: 3) == 3)
    try server.tell("unknown-replace new")
    #expect(try notify("B", replaces: 9) == 1)
    #expect(try notify("C", replaces: 3) == 3)
    try server.tell("next-id 4294967295")
    #expect(try notify("D") == .max)
    #expect(try [notify("E"), notify("F")] == [2, 4])
    #expect(try server.screen().ids == [3, 1, .max, 2, 4])
  }

  // MARK: - Services that suspend an idle desktop

  @Test(arguments: [
    ("org.gnome.SessionManager", "/org/gnome/SessionManager", "", ["a", "0", "b", "4"], "Uninhibit"),
    (
      "org.freedesktop.PowerManagement", "/org/freedesktop/PowerManagement/Inhibit", ".Inhibit", ["a", "b"],
      "UnInhibit"
    ),
  ])
  func `an inhibit service issues cookies, accepts only its own, and drops those of closed clients`(
    name: String, path: String, suffix: String, words: [String], release: String
  ) throws {
    let services = try RecordingServer(asIdleServicesOn: bus)
    func call(_ method: String, _ arguments: [String]) throws -> ChildProcess.Output {
      try ChildProcess.run(
        "/usr/bin/gdbus",
        [
          "call", "--session", "--dest", name, "--object-path", path, "--method",
          "\(name)\(suffix).\(method)",
        ]
          + arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    }
    #expect(try call("Inhibit", words).text == "(uint32 1,)")
    #expect(try services.next("inhibit").key == name + suffix)
    #expect(try services.next("released").text == "gone")
    #expect(try call(release, ["1"]).errors.contains("unknown cookie"))
    try services.tell("refuse on")
    #expect(try call("Inhibit", words).errors.contains("not now"))
    #expect(throws: TestSupportError.self) { try services.tell("nonsense") }
  }

  // MARK: - Calls

  private var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": bus.address] }
  private let destination = [
    "--session", "--dest", "org.freedesktop.Notifications", "--object-path", "/org/freedesktop/Notifications",
  ]

  private func notification(_ summary: String, replaces: UInt32 = 0) -> [String] {
    ["test", "\(replaces)", "", summary, "", "[]", "{}", "0"]
  }

  private func start(_ method: String, _ arguments: [String]) throws -> ChildProcess {
    let words = ["call"] + destination + ["--method", "org.freedesktop.Notifications.\(method)"]
    return try ChildProcess("/usr/bin/gdbus", words + arguments, environment: environment)
  }

  private func gdbus(_ method: String, _ arguments: String...) throws -> ChildProcess.Output {
    try start(method, arguments).outcome()
  }

  private func close(_ id: UInt32) throws {
    let output = try gdbus("CloseNotification", "\(id)")
    #expect(output.status == 0, "\(output.errors)")
  }

  private func notify(_ summary: String, replaces: UInt32 = 0) throws -> UInt32 {
    let output = try start("Notify", notification(summary, replaces: replaces)).outcome()
    guard let id = UInt32(output.text.dropFirst("(uint32 ".count).dropLast(",)".count)) else {
      throw TestSupportError(output.text + output.errors)
    }
    return id
  }

  private func refusal(_ summary: String, replaces: UInt32 = 0) throws -> String? {
    let output = try start("Notify", notification(summary, replaces: replaces)).outcome()
    // The name follows "Error: GDBus.Error:".
    return output.errors.split(separator: ":").dropFirst(2).first.map(String.init)
  }

  private func monitor() throws -> ChildProcess {
    let rule = "type='signal',interface='org.freedesktop.Notifications'"
    let child = try ChildProcess("/usr/bin/dbus-monitor", ["--session", rule], environment: environment)
    // A connection loses its name when it becomes a monitor.
    while !(try child.line().contains("member=NameLost")) {}
    _ = try child.line()
    return child
  }

  /// Returns the receiver, name and values of the monitor's next signal.
  private func signal(_ monitor: ChildProcess) throws -> [String] {
    let words = try monitor.line().split(separator: " ").map(String.init)
    let receiver = words.first { $0.hasPrefix("destination=") } ?? ""
    return try [receiver, words.last ?? ""]
      + (1...2).map { _ in String(try monitor.line().trimmingPrefix("   ")) }
  }
}
