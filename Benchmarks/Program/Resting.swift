import Glibc
import SequenceRunner
import TestSupport

/// A program that counts down an hour during the measurement.
struct Resting {
  let name: String
  let process: pid_t
  /// The objects that must exist during the measurement.
  private let keeps: [AnyObject]

  init(_ name: String, _ process: pid_t, keeping keeps: [AnyObject]) {
    (self.name, self.process, self.keeps) = (name, process, keeps)
  }

  /// Starts a program on a terminal whose output is not read.
  init(
    _ name: String, onTerminal words: String, environment: [String: String], keeping keeps: [AnyObject] = []
  )
    throws
  {
    // script(1) writes all output to this file.
    let script = try ChildProcess(
      "/usr/bin/script", ["--quiet", "--flush", "--command", "exec \(words)", "/dev/null"],
      environment: environment.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 })
    var process: pid_t?
    for _ in 0..<100 where process == nil {
      pause(.milliseconds(50))
      process = try child(of: script.identifier)
    }
    guard let process else { throw BenchmarkError("\(name) does not start") }
    self.init(name, process, keeping: keeps + [script])
  }

  /// Starts the agent of one run, and the live display of another.
  static func ours(_ workplace: Workplace) throws -> (agent: Resting, display: Resting) {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let alone = try Tool(workplace, bus: bus)
    try alone("start", "--card", "Work 1h")
    let agent = Resting("agent", try alone.runningAgent(), keeping: [alone, bus, server])
    let shown = try Tool(workplace, bus: bus)
    let display = try Resting(
      "live display", onTerminal: "\(workplace.sequence) run --card 'Work 1h'",
      environment: shown.environment, keeping: [shown])
    return (agent, display)
  }

  /// Starts other programs for the same purpose.
  static func peers(_ workplace: Workplace) throws -> [Resting] {
    let home = try TemporaryDirectory()
    let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let (bus, screen) = (try PrivateBus(), try Xvfb())
    let clocks = try ChildProcess(
      "/usr/bin/gnome-clocks",
      environment: environment.merging([
        "DISPLAY": screen.display, "DBUS_SESSION_BUS_ADDRESS": bus.address, "GDK_BACKEND": "x11",
        "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        "XDG_RUNTIME_DIR": home.path,
      ]) { $1 })
    return [
      try Resting(
        "termdown", onTerminal: "\(workplace.peer("termdown")) 3600", environment: environment,
        keeping: [home]),
      try Resting(
        "countdown-cli", onTerminal: "\(workplace.peer("countdown")) 60m", environment: environment),
      Resting("gnome-clocks", clocks.identifier, keeping: [clocks, bus, screen, home]),
    ]
  }
}
