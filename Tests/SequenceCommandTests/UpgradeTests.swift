import Foundation
import Synchronization
import TestSupport
import Testing

/// Commands of this version in the state directory of an earlier version.
struct UpgradeTests {
  @Test(arguments: [["status"], ["history"], ["notifications", "list"]])
  func `a read that migrates the store starts an agent, because the earlier version's agent exits`(
    words: [String]
  ) throws {
    let sequence = try CommandLineRunner()
    try FileManager.default.createDirectory(atPath: sequence.state, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: BuiltProducts.repository + "Tests/Fixtures/stores/running/sequence.db",
      toPath: sequence.state + "/sequence.db")
    let starts = Mutex(0)
    for _ in 1...2 {
      let outcome = try sequence.run(words, startAgent: { starts.withLock { $0 += 1 } })
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }
    #expect(starts.withLock { $0 } == 1)
  }
}
