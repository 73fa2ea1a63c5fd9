import Foundation
import Glibc
import SequenceConfiguration
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The window when the things that it depends on fail.
@Suite(.timeLimit(.minutes(3)))
struct FaultTests {
  /// Whether the window still does what it is asked.
  private func isAlive(_ screen: VirtualScreen) throws -> Bool {
    let title = "Alive \(UInt32.random(in: .min ... .max))"
    try screen.sequence("start", "--card", "Q 20m", "--title", title, "--replace")
    try screen.wait(untilTitle: "Q – \(title)")
    try screen.activate("pause")
    try screen.wait(for: "paused", from: "status")
    return true
  }

  @Test func `a damaged store is replaced, and its run is shown`() throws {
    let screen = try VirtualScreen()
    try screen.sequence("start", "--card", "A 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    let handle = try FileHandle(forWritingTo: URL(filePath: screen.state + "/sequence.db"))
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 8192))
    try handle.close()
    try screen.activate("toggle")
    #expect(try isAlive(screen))
    let files = try FileManager.default.contentsOfDirectory(atPath: screen.state)
    #expect(files.contains { $0.contains("damaged") }, "\(files)")
  }

  @Test func `a store that others keep busy refuses a press, and takes the next`() throws {
    let screen = try VirtualScreen()
    try screen.sequence("start", "--card", "A 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    let other = try Database(path: screen.state + "/sequence.db")
    try other.execute("BEGIN IMMEDIATE")
    try screen.activate("pause")
    // It answers again after it has given up.
    #expect(try screen.isEnabled("pause"))
    try other.execute("ROLLBACK")
    #expect(try screen.sequence("status").hasPrefix("running"))
    try screen.activate("pause")
    try screen.wait(for: "paused", from: "status")
  }

  @Test func `a state directory without rights is a problem that ends with them`() throws {
    let screen = try VirtualScreen()
    try screen.sequence("start", "--card", "A 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    let state = screen.state
    try FileManager.default.moveItem(atPath: state, toPath: state + ".away")
    try screen.activate("toggle")
    _ = try screen.isEnabled("toggle")
    // In one step, because the window and the agent write into the directory that they have made.
    try renameFile(state + ".away", to: state, .exchanging)
    #expect(try isAlive(screen))
  }

  @Test func `a notification server that hangs holds up nothing`() throws {
    let screen = try VirtualScreen()
    let server = try RecordingServer(on: screen.bus)
    try server.tell("hang all")
    try screen.sequence("start", "--card", "A 0.2s", "--card", "B 20m", "--title", "One")
    try screen.openWindow()
    try screen.wait(untilTitle: "B – One")
    let start = ContinuousClock.now
    #expect(try isAlive(screen))
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test func `after a suspend the time can be counted`() throws {
    let system = try PrivateBus()
    defer { system.stop() }
    let screen = try VirtualScreen(system: system)
    let login = try RecordingServer(asLogindOn: system, state: screen.state)
    defer { login.stop() }
    let file = try screen.file("title: One\nonSuspend: ask\ncards: [{ title: A, countdown: 20m }]")
    try screen.sequence("start", file)
    try screen.openWindow()
    try screen.wait(untilTitle: "A – One")
    #expect(try !screen.isEnabled("resume-count-suspend"))
    _ = try login.next("inhibit") { $0.key == "sleep:shutdown" }
    try login.tell("sleep on")
    #expect(try login.next("released").text == "paused")
    try login.tell("sleep off")
    try screen.wait(for: "question") { try screen.isEnabled("resume-count-suspend") }
    try screen.activate("resume-count-suspend")
    try screen.wait(for: "running", from: "status")
    try screen.wait(for: "end of the question") { try !screen.isEnabled("resume-count-suspend") }
  }

  @Test func `notifications are suppressed while the window has the focus`() throws {
    let screen = try VirtualScreen()
    let server = try RecordingServer(on: screen.bus)
    defer { server.stop() }
    try screen.openWindow()
    try screen.wait(untilTitle: "Sequence")
    try screen.sequence("start", "--card", "A 2s", "--card", "B 20m", "--title", "One")
    try screen.wait(untilTitle: "A – One")
    try screen.wait(untilTitle: "B – One")
    try screen.wait(for: "suppressed", from: "notifications", "list")
    #expect(try server.screen().ids.isEmpty)
  }

  @Test func `the first page names the sound that failed`() throws {
    let screen = try VirtualScreen(isAccessible: true)
    let clock = try SystemClock()
    let store = try CompleteStore.open(in: StateDirectory(path: screen.state), clock: clock)
    try HookFailureLog(database: store.database).count(
      .failed, of: HookFailure.sounds, event: "", detail: "no device", at: clock.now().wall)
    try screen.openWindow()
    try screen.wait(for: "the failure") {
      try screen.accessibleObjects().contains { $0.name.contains("failed, last on") }
    }
    let names = try screen.accessibleObjects().map(\.name)
    #expect(
      names.contains { $0.hasPrefix("\"cues/sounds\" failed") && $0.contains("(no device)") }, "\(names)")
  }
}
