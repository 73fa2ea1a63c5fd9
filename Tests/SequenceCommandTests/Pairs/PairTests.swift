import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Every pair of features, options, commands and states, with the built programs.
@Suite(.timeLimit(.minutes(10)))
struct PairTests {
  private static let table = PairTable(levels: PairScenario.levels, seed: 10)

  @Test func `each two levels of two factors occur together in a scenario`() {
    let levels = PairScenario.levels
    for first in levels.indices {
      for second in levels.indices.dropFirst(first + 1) {
        for (one, other) in PairTable.pairs(levels[first], levels[second]) {
          #expect(PairTests.table.rows.contains { $0[first] == one && $0[second] == other })
        }
      }
    }
    #expect(PairTests.table.rows.count <= 260)
  }

  @Test func `output and plans follow the rules in every combination`() throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    // Each scenario waits for its programs, which a sanitizer makes several times slower.
    let rows = PairTests.table.rows.enumerated().filter { !Sanitizer.isUsed || $0.offset.isMultiple(of: 8) }
      .map(\.element)
    let findings = Mutex<[String]>([])
    withExtendedLifetime(server) {
      let session = bus.address
      let lanes = 2
      DispatchQueue.concurrentPerform(iterations: lanes) { lane in
        for index in rows.indices where index % lanes == lane {
          let found: [String]
          do {
            found = try PairTrial(PairScenario(rows[index]), session: session).findings()
          } catch {
            found = ["\(PairScenario(rows[index])): \(error)"]
          }
          findings.withLock { $0 += found }
        }
      }
    }
    for finding in findings.withLock({ $0 }) { Issue.record(Comment(rawValue: finding)) }
  }
}
