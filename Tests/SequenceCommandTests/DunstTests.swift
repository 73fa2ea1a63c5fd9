import Foundation
import SequenceRunner
import TestSupport
import Testing

/// The built programs against a notification server that people use.
@Suite(.timeLimit(.minutes(1)))
struct DunstTests {
  @Test func `dunst shows one at a time, and none once the run is stopped`() throws {
    let desktop = try VirtualDesktop()
    let tool = try Tool(bus: desktop.bus.address)
    try tool.succeed("start", "--card", "A 0.4s", "--card", "B 0.4s", "--card", "C 1h")
    let waiter = try StoreWaiter(RunStore(directory: StateDirectory(path: tool.state), clock: SystemClock()))
    while try tool.notificationStates() != ["removed", "delivered", "pending"] {
      try waiter.wait(until: nil)
      #expect(try desktop.displayed() <= 1)
    }
    #expect(try desktop.displayed() == 1)
    #expect(try #require(tool.json("agent", "status")["server"] as? String).hasPrefix("dunst"))
    try tool.succeed("stop")
    // The agent gives its lock back once nothing of it is on screen.
    let lock = try FileLock(path: tool.state + "/agent.lock")
    #expect(try lock.take(within: .seconds(10)))
    #expect(try desktop.displayed() == 0)
  }
}
