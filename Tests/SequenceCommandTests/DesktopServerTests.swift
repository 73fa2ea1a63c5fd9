import Foundation
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The built programs with real notification servers.
@Suite(.timeLimit(.minutes(1)))
struct DesktopServerTests {
  @Test(arguments: VirtualDesktop.Server.allCases.filter { $0 != .gnomeShell })
  func `a desktop shows one notification at a time, and none after stop`(
    server: VirtualDesktop.Server
  ) throws {
    try showsOneAtATime(server)
  }

  /// The only test that says so if GNOME Shell isn't tested.
  @Test(
    .enabled(if: VirtualDesktop.Server.gnomeShell.isInstalled, "\(VirtualDesktop.Server.gnomeShell.absence)"))
  func `GNOME Shell shows one notification at a time, and none after stop`() throws {
    try showsOneAtATime(.gnomeShell)
  }

  private func showsOneAtATime(_ server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    // The first step is long enough for the agent to start, so that no notifications are merged.
    try tool.succeed("start", "--card", "A 3s", "--card", "B 1s", "--card", "C 1h")
    let waiter = try StoreWaiter(
      RunStore(in: StateDirectory(path: tool.state), clock: SystemClock(), parts: [], observers: []).base)
    while true {
      let states = try tool.notificationStates()
      if states == ["removed", "delivered", "pending"] { break }
      // Anything else would wait for a change that never comes.
      try #require(states.allSatisfy { ["pending", "presenting", "delivered", "removed"].contains($0) })
      try waiter.wait(until: nil)
      #expect(try desktop.displayed() <= 1)
    }
    try desktop.wait(untilDisplayed: 1)
    #expect(try #require(tool.json("agent", "status")["server"] as? String).hasPrefix(server.name))
    try tool.succeed("stop")
    // The agent releases its lock when none of its notifications is visible.
    let lock = try FileLock(path: tool.state + "/agent.lock")
    #expect(try lock.take(within: .seconds(10)))
    try desktop.wait(untilDisplayed: 0)
  }

  @Test(arguments: VirtualDesktop.Server.tested)
  func `the doctor's test notification leaves nothing on screen`(server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    let output = try tool("doctor", "--notify")
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("notification server  \(server.name) "))
    #expect(output.text.contains("test notification    the server took "))
    #expect(output.text.contains(" ms to show it, "))
    try desktop.wait(untilDisplayed: 0)
  }

  @Test(arguments: [VirtualDesktop.Server.dunst, .xfce4Notifyd, .mako])
  func `the doctor reports do-not-disturb`(server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    #expect(try tool("doctor").text.contains("do-not-disturb") == false)
    try desktop.turnOnDoNotDisturb()
    #expect(try tool("doctor").text.contains(", do-not-disturb is on\n"))
  }

  @Test func `dunst replaces each notification and keeps none of them in its history`() throws {
    let desktop = try VirtualDesktop(.dunst)
    let tool = try Tool(bus: desktop.bus.address)
    // The first step is long enough for the agent to start, so that no notifications are merged.
    try tool.succeed("start", "--card", "A 3s", "--card", "B 1s", "--card", "C 1s")
    try tool.succeed("wait")
    // The run has ended; the notification about that stays visible.
    let waiter = try StoreWaiter(
      RunStore(in: StateDirectory(path: tool.state), clock: SystemClock(), parts: [], observers: []).base)
    var states = try tool.notificationStates()
    while states.last != "delivered" || states.contains("presenting") {
      // Anything else would wait for a change that never comes.
      try #require(states.allSatisfy { ["pending", "presenting", "delivered", "removed"].contains($0) })
      try waiter.wait(until: nil)
      states = try tool.notificationStates()
    }
    #expect(states == ["removed", "removed", "delivered"])
    #expect(try desktop.displayed() == 1)
    #expect(try desktop.history() == 0)
  }
}
