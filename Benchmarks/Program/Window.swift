import Foundation
import Glibc
import SequenceRunner
import TestSupport

/// The cost of the graphical window beside GNOME Clocks, which is made with the same libraries.
enum Window: Benchmark {
  static let name = "window"
  private static let starts = 15
  private static let changes = 200
  private static let quietTime = Duration.seconds(60)

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let wayland = try WaylandDesktop()
    try tellStart(workplace, wayland, report)
    try tellChange(workplace, wayland, report)
    try tellEditor(workplace, wayland, report)
    try tellMemory(workplace, report)
    try tellRest(workplace, report)
  }

  private static let clocks = "/usr/bin/gnome-clocks"

  /// The time from the start of the program to its first frame.
  private static func tellStart(
    _ workplace: Workplace, _ desktop: WaylandDesktop, _ report: (Row) throws -> Void
  ) throws {
    let tool = try Tool(workplace)
    try tool("start", "--card", "Work 1h")
    func firstFrame(_ program: String, _ environment: [String: String]) throws -> Duration {
      let start = bootTime()
      let window = try FramedWindow(program, environment)
      try window.frame(within: .seconds(60))
      let time = bootTime() - start
      try window.end()
      return .nanoseconds(time)
    }
    let ours = desktop.environment(of: tool)
    let samples = try interleaved(
      starts,
      [
        { try firstFrame(workplace.window, ours) },
        { try firstFrame(clocks, desktop.environment) },
      ])
    try report(
      Row(
        "window: first frame", samples[0].medianTime, beside: "gnome-clocks", samples[1].medianTime,
        goal: .ratio(1.3)))
  }

  /// The time from the beginning of a change in another process, which waits for the disk, to the frame that shows it.
  private static func tellChange(
    _ workplace: Workplace, _ desktop: WaylandDesktop, _ report: (Row) throws -> Void
  ) throws {
    let tool = try Tool(workplace)
    // A paused run: no frame is due to the clock.
    try tool("start", "--card", "Work 1h", "--card", "Rest 1h", "--card", "Work 1h")
    try tool("pause")
    let window = try FramedWindow(workplace.window, desktop.environment(of: tool))
    try window.frame(within: .seconds(60))
    let store = try tool.store()
    var (samples, afterwards) = (Samples(), Samples())
    for change in 0..<changes {
      // Frames of the start and of animations come first.
      window.quiet(for: .milliseconds(100))
      let start = bootTime()
      _ = try store.perform(change.isMultiple(of: 2) ? .next : .back)
      let end = bootTime()
      try window.frame(within: .seconds(10))
      let visible = bootTime()
      samples.add(Double(visible - start))
      afterwards.add(Double(visible - end))
    }
    try window.end()
    try report(
      Row(
        "window: change by a command until it is visible, p95", .nanoseconds(samples.percentile(95)),
        goal: .limit(.nanoseconds(10_000_000))))
    try report(Row("window: the same, median", samples.medianTime))
    try report(Row("window: the same without the change itself, median", afterwards.medianTime))
  }

  /// The time from *Edit* to the first frame of the editor of 200 cards, and from *Undo* to the frame that shows it;
  /// then the wake-ups of the editor at rest.
  private static func tellEditor(
    _ workplace: Workplace, _ desktop: WaylandDesktop, _ report: (Row) throws -> Void
  ) throws {
    // A state directory of its own would have a name of its own on the bus.
    let environment = desktop.environment
    let library = (environment["HOME"] ?? "") + "/.local/share/sequence"
    try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
    let cards = (0..<200).map { "  - { title: Card \($0), countdown: 1m }\n" }.joined()
    try Data("title: Long\ncards:\n\(cards)".utf8).write(to: URL(fileURLWithPath: library + "/long.yaml"))
    let window = try FramedWindow(workplace.window, environment)
    try window.frame(within: .seconds(60))
    func call(_ method: String, _ arguments: String...) throws {
      let call = try ChildProcess.run(
        "/usr/bin/gdbus",
        [
          "call", "--session", "--dest", "org.sequence_timer.sequence", "--object-path",
          "/org/sequence_timer/sequence", "--method", "org.gtk.Actions." + method,
        ] + arguments, environment: environment)
      guard call.status == 0 else { throw BenchmarkError("\(arguments): \(call.errors)") }
    }
    /// Calls an action; the program that calls it takes some of the time.
    func frame(after action: String, _ parameter: String? = nil) throws -> Double {
      window.quiet(for: .milliseconds(400))
      let start = bootTime()
      try call("Activate", action, parameter.map { "[<'\($0)'>]" } ?? "[]", "{}")
      try window.frame(within: .seconds(10))
      return Double(bootTime() - start)
    }
    _ = try frame(after: "show-sequence", "long")
    var (openings, undoes, calls) = (Samples(), Samples(), Samples())
    for _ in 0..<starts {
      openings.add(try frame(after: "edit"))
      _ = try frame(after: "leave-detail")
    }
    _ = try frame(after: "edit")
    for _ in 0..<starts {
      // An edit of another program, which Undo takes back.
      try Data("title: Long\ncards:\n\(cards)# \(bootTime())\n".utf8).write(
        to: URL(fileURLWithPath: library + "/long.yaml"), options: .atomic)
      try window.frame(within: .seconds(10))
      undoes.add(try frame(after: "undo-edit"))
      window.quiet(for: .milliseconds(400))
      let start = bootTime()
      try call("Describe", "undo-edit")
      calls.add(Double(bootTime() - start))
    }
    let wakes = try window.wakes(in: quietTime, after: .seconds(20))
    try window.end()
    try report(
      Row(
        "window: editor of 200 cards, first frame", openings.medianTime,
        goal: .limit(.nanoseconds(150_000_000))))
    try report(
      Row(
        "window: Undo in it until it is visible", undoes.medianTime,
        beside: "a question to the window",
        calls.medianTime))
    try report(
      Row(
        "window: wake-ups in \(quietTime.components.seconds) s, editor, Wayland", .count(wakes),
        goal: .limit(.count(0))))
  }

  /// The memory of one window, which shares no pages with others of the same program.
  private static func tellMemory(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    for (name, desktop) in [("X11", try X11Desktop()), ("Wayland", try WaylandDesktop())]
      as [(String, any GraphicalDesktop)]
    {
      let tool = try Tool(workplace)
      try tool("start", "--card", "Work 1h")
      let windows = [
        try ChildProcess(workplace.window, environment: desktop.environment(of: tool)),
        try ChildProcess(clocks, environment: desktop.environment),
      ]
      pause(.seconds(10))
      let memory = try windows.map { try ProcessMemory(of: $0.identifier) }
      try report(
        Row(
          "window: memory with a run, Pss, \(name)", .kibibytes(memory[0].proportional),
          beside: "gnome-clocks",
          .kibibytes(memory[1].proportional), goal: .ratio(1.2)))
      for window in windows {
        window.signal(SIGKILL)
        _ = try window.exitStatus()
      }
    }
  }

  private static func countingClocks(on desktop: X11Desktop) throws -> ChildProcess {
    // Unlike memory, this backend keeps what another process sets.
    let environment = desktop.environment.merging(["GSETTINGS_BACKEND": "keyfile"]) { $1 }
    func run(_ words: String...) throws -> String {
      let output = try ChildProcess.run(words[0], Array(words.dropFirst()), environment: environment)
      guard output.status == 0 else { throw BenchmarkError("\(words[0]): \(output.errors)") }
      return output.text
    }
    _ = try run(
      "/usr/bin/gsettings", "set", "org.gnome.clocks", "timers", "[{'duration': <3600>, 'name': <'Work'>}]")
    _ = try run("/usr/bin/gsettings", "set", "org.gnome.clocks.state.window", "panel-id", "timer")
    let process = try ChildProcess(clocks, environment: environment)
    let found = try run(
      "/usr/bin/xdotool", "search", "--sync", "--onlyvisible", "--pid", "\(process.identifier)", ".")
    let window = found.split(separator: "\n").last.map(String.init) ?? found
    pause(.seconds(3))
    // The button is in the middle of the only card.
    let geometry = try run("/usr/bin/xdotool", "getwindowgeometry", "--shell", window)
    let width = geometry.split(separator: "\n").first { $0.hasPrefix("WIDTH=") }.flatMap {
      Int($0.dropFirst(6))
    }
    guard let width else { throw BenchmarkError("xdotool says \(geometry)") }
    _ = try run("/usr/bin/xdotool", "mousemove", "--window", window, "\(width / 2)", "225", "click", "1")
    return process
  }

  /// The wake-ups of windows that have nothing to do.
  private static func tellRest(
    _ workplace: Workplace, _ report: (Row) throws -> Void
  ) throws {
    let x11 = try X11Desktop()
    // The frames of a visible window wake the other windows of its desktop.
    let (wayland, ofVisible) = (try WaylandDesktop(), try WaylandDesktop())
    let other = try ChildProcess(clocks, environment: x11.environment)
    let counting = try X11Desktop()
    let countingClocks = try countingClocks(on: counting)
    let states: [(name: String, words: [[String]], isHidden: Bool)] = [
      ("idle", [], false),
      ("paused", [["start", "--card", "Work 1h"], ["pause"]], false),
      ("hidden", [["start", "--card", "Work 1h"]], true),
      ("visible", [["start", "--card", "Work 1h"]], false),
    ]
    var windows: [(name: String, process: ChildProcess, tool: Tool)] = []
    for desktop in [x11, wayland] as [any GraphicalDesktop] {
      let isWayland = desktop is WaylandDesktop
      for state in states {
        let tool = try Tool(workplace)
        for words in state.words { try tool.run(words) }
        let desktop = isWayland && state.name == "visible" ? ofVisible : desktop
        let process = try ChildProcess(workplace.window, environment: desktop.environment(of: tool))
        if state.isHidden { try desktop.hide(process.identifier) }
        windows.append(("\(state.name), \(isWayland ? "Wayland" : "X11")", process, tool))
      }
    }
    pause(.seconds(20))
    let all = windows.map(\.process.identifier) + [other.identifier, countingClocks.identifier]
    let before = try all.map { try ProcessFigures(of: $0) }
    pause(quietTime)
    let after = try all.map { try ProcessFigures(of: $0) }
    let seconds = quietTime.components.seconds
    let wakes = all.indices.map { after[$0].switches(since: before[$0]) }
    let times = all.indices.map { after[$0].processorTime - before[$0].processorTime }
    guard wakes[all.count - 1] >= seconds else { throw BenchmarkError("gnome-clocks doesn't count") }
    for (index, window) in windows.enumerated() {
      let isVisible = window.name.hasPrefix("visible")
      let peer = all.count - (isVisible ? 1 : 2)
      let peerName = "gnome-clocks on X11" + (isVisible ? ", counting" : "")
      try report(
        Row(
          "window: wake-ups in \(seconds) s, \(window.name)", .count(wakes[index]), beside: peerName,
          .count(wakes[peer]), goal: isVisible ? .ratio(1) : .limit(.count(0))))
      try report(
        Row(
          "window: processor time in \(seconds) s, \(window.name)", .nanoseconds(times[index]),
          beside: peerName, .nanoseconds(times[peer]), goal: isVisible ? .ratio(1) : nil))
    }
    for process in windows.map(\.process) + [other, countingClocks] {
      process.signal(SIGKILL)
      _ = try process.exitStatus()
    }
  }
}
