import Foundation

/// A notification server that writes down what is asked of it, and misbehaves on demand.
package final class RecordingServer {
  private let child: ChildProcess
  /// Events that came while something else was waited for.
  private var waiting: [ServerEvent] = []

  /// Starts a server on a bus, and waits until it owns the name.
  package init(on bus: PrivateBus) throws {
    child = try ChildProcess(
      try BuiltProducts.path(of: "recording-server"), environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let first = try next()
    guard first.event == "ready" else { throw TestSupportError("the server is not ready: \(first)") }
  }

  /// Starts what does as logind does, on a bus that stands for the system bus.
  ///
  /// It tells of `inhibit`, with the kind in `key` and the mode in `text`, and of `released`, with the state of the
  /// active run at that moment in `text`; `sleep on|off` and `shutdown on|off` have it send the signals, and
  /// `refuse on|off` has it refuse inhibitors.
  ///
  /// - Parameter state: the state directory whose run it looks at.
  package init(asLogindOn bus: PrivateBus, state: String) throws {
    child = try ChildProcess(
      try BuiltProducts.path(of: "recording-server"), ["--login"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "SEQUENCE_STATE_DIR": state])
    let first = try next()
    guard first.event == "ready" else { throw TestSupportError("logind is not ready: \(first)") }
  }

  /// Starts what does as the services that send an unused desktop to sleep, both of them.
  ///
  /// It tells of `inhibit`, with the interface in `key` and the arguments in `text`, and of `released`, with `asked` or
  /// `gone` in `text`; `refuse on` has it refuse from then on, and `hang on` not answer, of which it tells by `refused`
  /// and `held`.
  package init(asIdleServicesOn bus: PrivateBus) throws {
    child = try ChildProcess(
      try BuiltProducts.path(of: "recording-server"), ["--idle"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let first = try next()
    guard first.event == "ready" else { throw TestSupportError("the services are not ready: \(first)") }
  }

  package func next(within limit: Duration = .seconds(20)) throws -> ServerEvent {
    waiting.isEmpty ? try read(within: limit) : waiting.removeFirst()
  }

  /// The next event of a kind, and of those the next that fits; those before it are passed over.
  package func next(
    _ kind: String, within limit: Duration = .seconds(20), where fits: (ServerEvent) -> Bool = { _ in true }
  ) throws -> ServerEvent {
    let deadline = ContinuousClock.now + limit
    var passed: [ServerEvent] = []
    while true {
      do {
        let event = try next(within: deadline - .now)
        if event.event == kind && fits(event) { return event }
        passed.append(event)
      } catch {
        throw TestSupportError("no such \(kind) came: \(error)\nbut \(passed)")
      }
    }
  }

  /// What is on screen, and what happened until the server told.
  package func screen() throws -> (ids: [UInt32], texts: [String], before: [ServerEvent]) {
    try tell("list")
    var before: [ServerEvent] = []
    while true {
      let event = try next()
      if event.event == "screen" { return (event.screen ?? [], event.texts ?? [], before) }
      before.append(event)
    }
  }

  /// Gives a command, and waits until it is carried out; what happens meanwhile is told by the next events.
  ///
  /// What is on screen:
  /// - `list`: tells it, as `screen()` does;
  /// - `dismiss ID`, `expire ID`: takes it away, as a person or the time would;
  /// - `invoke ID KEY`: chooses an action; unless `resident on|off`, the notification goes.
  ///
  /// How calls are answered:
  /// - `hang METHOD|all|off|later`: holds calls of a method, until `off` answers them in their order; `later`
  ///   answers them too, and holds those that come after;
  /// - `hang-after METHOD`: holds all calls after the next of a method, until `hang off`;
  /// - `refuse NAME [COUNT]|off`, `refuse-close NAME [COUNT]|off`: refuses to show or to close, with this error;
  /// - `refuse-same MILLISECONDS|off`: refuses the text of the last notification for this time;
  /// - `limit N|off`: refuses to show more than this;
  /// - `keep N|off`: takes the oldest away when there are more than this;
  /// - `only-sender on|off`: nobody but the sender replaces and closes, while it is on the bus;
  /// - `strict-close on|off`: refuses to close what is not on screen;
  /// - `unknown-replace keep|new`: the number of what replaces one that is not on screen;
  /// - `next-id N`: the number of the next;
  /// - `signals all|sender`: who gets signals;
  /// - `capabilities A,B`: what the server says that it can do.
  package func tell(_ command: String) throws {
    try child.send(command)
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let event = try read(within: deadline - .now)
      guard event.event == "told" else {
        waiting.append(event)
        continue
      }
      if let text = event.text { throw TestSupportError(text) }
      return
    }
  }

  package func signal(_ number: Int32) { child.signal(number) }

  /// Ends the server, and waits until it is gone.
  package func stop() {
    child.signal(SIGKILL)
    _ = try? child.exitStatus()
  }

  private func read(within limit: Duration) throws -> ServerEvent {
    try JSONDecoder().decode(ServerEvent.self, from: Data(try child.line(within: limit).utf8))
  }
}
