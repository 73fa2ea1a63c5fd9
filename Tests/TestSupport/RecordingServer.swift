import Foundation

/// Something that the recording server saw or did.
package struct ServerEvent: Codable, Equatable, Sendable {
  /// `ready`, `notify`, `close`, `closed`, `screen` or `error`.
  package var event: String
  /// When, on the boot clock, in nanoseconds.
  package var at: Int64
  package var id: UInt32?
  package var replaces: UInt32?
  package var summary: String?
  package var body: String?
  /// Whether what was to be closed was on screen.
  package var known: Bool?
  package var reason: UInt32?
  /// What is on screen, as an answer to `list`.
  package var screen: [UInt32]?

  package init(_ event: String, at: Int64) {
    self.event = event
    self.at = at
  }
}

/// A notification server that writes down what is asked of it, and misbehaves on demand.
package final class RecordingServer {
  private let child: ChildProcess

  /// Starts a server on a bus, and waits until it owns the name.
  package init(on bus: PrivateBus) throws {
    child = try ChildProcess(
      try BuiltProducts.path(of: "recording-server"), environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let first = try next()
    guard first.event == "ready" else { throw TestSupportError("the server is not ready: \(first)") }
  }

  package func next(within limit: Duration = .seconds(20)) throws -> ServerEvent {
    try JSONDecoder().decode(ServerEvent.self, from: Data(try child.line(within: limit).utf8))
  }

  /// The next event of a kind; those before it are passed over.
  package func next(_ kind: String, within limit: Duration = .seconds(20)) throws -> ServerEvent {
    while true {
      let event = try next(within: limit)
      if event.event == kind { return event }
    }
  }

  /// What is on screen, and what happened until the server told.
  package func screen() throws -> (ids: [UInt32], before: [ServerEvent]) {
    try child.send("list")
    var before: [ServerEvent] = []
    while true {
      let event = try next()
      if event.event == "screen" { return (event.screen ?? [], before) }
      before.append(event)
    }
  }

  /// Sends a command: `list`, `dismiss ID`, `expire ID`, `capabilities A,B`, `hang on|off`, `hold METHOD` and
  /// `hang-after METHOD` (until `hang off`), `refuse NAME|off`, `next-id N`, `strict-close on|off`.
  package func tell(_ command: String) throws { try child.send(command) }

  package func signal(_ number: Int32) { child.signal(number) }

  /// Ends the server, and waits until it is gone.
  package func stop() {
    child.signal(SIGKILL)
    _ = child.exitStatus()
  }
}
