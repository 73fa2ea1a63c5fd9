import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The actions of users on notifications, with real notification servers.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct DesktopUserTests {
  private static let buttons = ["Pause", "Skip", "+30 s"]

  @Test(arguments: VirtualDesktop.Server.tested)
  func `a button acts on the run and closes the notification`(server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    try tool.succeed("start", "--card", "A 0.3s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait { try tool.told().contains("delivered: B, 1h") }
    try desktop.wait(untilDisplayed: 1)
    guard server != .notificationDaemon else {
      try desktop.press("+30 s", of: DesktopUserTests.buttons)
      try tool.wait { try tool.told().contains("removed: B, 1h: \"+30 s\" was pressed") }
      #expect(try tool.status("remaining").hasPrefix("1:00:"))
      return try desktop.wait(untilDisplayed: 0)
    }
    try desktop.press("Pause", of: DesktopUserTests.buttons)
    try tool.wait { try tool.told().contains("delivered: B is paused") }
    #expect(try tool.told().contains("removed: B, 1h: \"Pause\" was pressed"))
    #expect(try tool.status("state") == "paused")
    try desktop.wait(untilDisplayed: 1)
    try desktop.press("Resume", of: ["Resume"])
    try tool.wait { try tool.told().contains("removed: B is paused: \"Resume\" was pressed") }
    #expect(try tool.status("state") == "running")
    try desktop.wait(untilDisplayed: 0)

    try tool.succeed("back")
    try tool.wait { try tool.told().contains("delivered: B, 1h") }
    try desktop.wait(untilDisplayed: 1)
    try desktop.press("Skip", of: DesktopUserTests.buttons)
    try tool.wait { try tool.status("step") == "C" }
    try desktop.wait(untilDisplayed: 0)
  }

  @Test(arguments: VirtualDesktop.Server.tested)
  func `dismissing does not change the run, and is recorded`(server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    try tool.succeed("start", "--card", "A 0.3s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait { try tool.told().contains("delivered: B, 1h") }
    try desktop.wait(untilDisplayed: 1)
    try desktop.dismiss()
    try tool.wait { try tool.told().contains("removed: B, 1h: the user dismissed it") }
    try desktop.wait(untilDisplayed: 0)
    #expect(try tool.status("state") == "running")
    #expect(try tool.status("step") == "B")
    #expect(try tool.told().suffix(2) == ["pending: C, 1h", "pending: A, B, C is finished"])
  }

  @Test func `a click outside the buttons, which notification-daemon reports as an action, does nothing`()
    throws
  {
    let desktop = try VirtualDesktop(.notificationDaemon)
    let tool = try Tool(bus: desktop.bus.address)
    try tool.succeed("start", "--card", "A 0.3s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait { try tool.told().contains("delivered: B, 1h") }
    try desktop.wait(untilDisplayed: 1)
    try desktop.clickOnText()
    try tool.wait { try tool.told().contains("removed: B, 1h: the user dismissed it") }
    #expect(try tool.status("state") == "running")
    #expect(try tool.status("step") == "B")
  }

  @Test(arguments: VirtualDesktop.Server.tested)
  func `a run of several steps leaves only the last notification`(server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 0.2s", "--rounds", "4")
    try tool.wait {
      #expect(try desktop.displayed() <= 1)
      return try tool.told().contains("delivered: A, B is finished")
    }
    try desktop.wait(untilDisplayed: 1)
    // On a busy machine, several ends are announced together.
    let left = try tool.told().filter { !$0.hasPrefix("removed") && !$0.contains(": merged into ") }
    #expect(left == ["delivered: A, B is finished"])
  }

  @Test(arguments: VirtualDesktop.Server.tested)
  func `the next server shows a current notification again, and stop leaves nothing`(
    server: VirtualDesktop.Server
  ) throws {
    let desktop = try VirtualDesktop(server)
    let tool = try Tool(bus: desktop.bus.address)
    try tool.succeed("start", "--card", "A 0.3s", "--card", "B 1h", "--card", "C 1h")
    try tool.wait { try tool.told().contains("delivered: B, 1h") }
    try desktop.wait(untilDisplayed: 1)
    try desktop.restartServer()
    try tool.wait { try tool.told().contains { $0.hasPrefix("delivered: B, 1h: shown again") } }
    try desktop.wait(untilDisplayed: 1)
    #expect(try tool.told().count { $0.contains("B, 1h") } == 2)
    try tool.succeed("stop")
    try desktop.wait(untilDisplayed: 0)
    try tool.wait {
      try tool.told().allSatisfy { !$0.hasPrefix("delivered") && !$0.hasPrefix("pending") }
    }
  }
}
