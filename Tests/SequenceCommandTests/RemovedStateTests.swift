import Foundation
import SequencePlatform
import TestSupport
import Testing

/// An agent whose state directory is removed.
@Suite(.timeLimit(.minutes(1)))
struct RemovedStateTests {
  @Test(arguments: [true, false])
  func `visible notifications disappear with a state directory that is removed or renamed`(isRenamed: Bool)
    throws
  {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    let shown = try server.next("notify")
    try tool.wait { $0.first == "delivered" }
    let end = try FileDescriptor(ofProcess: try tool.waitForAgent())
    if isRenamed {
      try FileManager.default.moveItem(atPath: tool.state, toPath: tool.state + ".old")
    } else {
      try removeDirectory(tool.state)
    }
    #expect(try server.next("closed").id == shown.id)
    _ = try waitUntilReadable([end.number])
    #expect(!FileManager.default.fileExists(atPath: tool.state))
  }
}
