import Simulation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RecurrenceSimulationTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `each occurrence is shown once on time, and an absence ends with one at most`(seed: UInt64) throws {
    let difference = try RecurrenceWorld.difference(seed: seed)
    #expect(difference == nil)
  }
}
