import Foundation

/// A notification server that records its calls and misbehaves on command.
package final class RecordingServer {
  private let child: ChildProcess
  /// Events that arrived while another event was awaited.
  private var waiting: [ServerEvent] = []

  /// Starts a server on a bus, and waits until it owns the name.
  package convenience init(on bus: PrivateBus) throws {
    try self.init([], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  private init(_ words: [String], _ environment: [String: String]) throws {
    child = try ChildProcess(
      try BuiltProducts.path(of: "recording-server"), words, environment: environment)
    let first = try next()
    guard first.event == "ready" else { throw TestSupportError("the server is not ready: \(words) \(first)") }
  }

  /// Starts an imitation of logind on a bus that serves as the system bus.
  ///
  /// It reports `inhibit`, with the kind in `key` and the mode in `text`, and `released`, with the state of
  /// the active run at that moment in `text`. The commands `sleep on|off` and `shutdown on|off` send the
  /// signals, and `refuse on|off` controls whether inhibitors are refused. After `screen SECONDS` the session has been
  /// on a screen for that long; `systemd NAME=VALUE` imitates the user's systemd as well, with a variable.
  ///
  /// - Parameters:
  ///   - state: the state directory of the run.
  ///   - isLocked: whether the screen is locked already.
  package convenience init(asLogindOn bus: PrivateBus, state: String, isLocked: Bool = false) throws {
    try self.init(
      ["--login"] + (isLocked ? ["--locked"] : []),
      ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "SEQUENCE_STATE_DIR": state])
  }

  /// Starts an imitation of both services that suspend an idle desktop.
  ///
  /// It reports `inhibit`, with the interface in `key` and the arguments in `text`, and `released`, with
  /// `asked` or `gone` in `text`. After the command `refuse on` it refuses and reports `refused`; after `hang
  /// on` it does not answer and reports `held`. `lock on` and `lock off` lock its screen.
  package convenience init(asIdleServicesOn bus: PrivateBus) throws {
    try self.init(["--idle"], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  /// Starts an imitation of the list of icons, which reports `registered` for each icon.
  ///
  /// - Parameter hasPanel: whether it says that a panel shows them.
  package convenience init(asPanelOn bus: PrivateBus, hasPanel: Bool = true) throws {
    let arguments = hasPanel ? ["--panel"] : ["--panel", "--hidden"]
    try self.init(arguments, ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  package func next(within limit: Duration = .seconds(20)) throws -> ServerEvent {
    waiting.isEmpty ? try read(within: limit) : waiting.removeFirst()
  }

  /// Returns the next event of a kind that satisfies a condition; skips earlier events.
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

  /// Returns the visible notifications, and the events before the server's report.
  package func screen() throws -> (ids: [UInt32], texts: [String], before: [ServerEvent]) {
    try tell("list")
    var before: [ServerEvent] = []
    while true {
      let event = try next()
      if event.event == "screen" { return (event.screen ?? [], event.texts ?? [], before) }
      before.append(event)
    }
  }

  /// Sends a command, and waits until it is executed; later calls of `next` return the events that happened
  /// meanwhile.
  ///
  /// Visible notifications:
  /// - `list`: reports them, for `screen()`;
  /// - `dismiss ID`, `expire ID`: closes a notification like a user or the timeout;
  /// - `token ID TOKEN`: gives the token for the action that follows;
  /// - `invoke ID KEY`: chooses an action; closes the notification unless `resident on`.
  ///
  /// Replies to calls:
  /// - `hang METHOD|all|off|later`: holds calls of a method; `off` answers them in order; `later` answers the
  ///   held calls and holds new ones;
  /// - `hang-after METHOD`: holds all calls after the next call of a method, until `hang off`;
  /// - `refuse NAME [COUNT]|off`, `refuse-close NAME [COUNT]|off`: refuses to show or to close, with this
  ///   error;
  /// - `refuse-same MILLISECONDS|off`: refuses the text of the last notification for this time;
  /// - `limit N|off`: refuses to show more than this many notifications;
  /// - `keep N|off`: closes the oldest notifications if there are more than this;
  /// - `only-sender on|off`: only the sender can replace and close a notification while it is on the bus;
  /// - `strict-close on|off`: refuses to close a notification that is not visible;
  /// - `unknown-replace keep|new`: sets the id if the notification to replace is not visible;
  /// - `next-id N`: sets the next id;
  /// - `signals all|sender`: sets the receivers of signals;
  /// - `capabilities A,B`: sets the reported capabilities.
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

  package func stop() {
    child.signal(SIGKILL)
    _ = try? child.exitStatus()
  }

  private func read(within limit: Duration) throws -> ServerEvent {
    try JSONDecoder().decode(ServerEvent.self, from: Data(try child.line(within: limit).utf8))
  }
}
