import Testing

/// Repeating notifications in random scenarios: time passes, clocks and time zones are set, requests are added again,
/// programs and servers end, and machines are off.
@Suite(.timeLimit(.minutes(5)))
struct RecurrenceSimulationTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `each occurrence is shown once on time, and an absence ends with one at most`(seed: UInt64) throws {
    var world = try RecurrenceWorld(seed: seed)
    for number in 1...20 {
      let event = try world.step()
      try world.check()
      #expect(world.problems.isEmpty, "event \(number), \(event): \(world.problems)")
      guard world.problems.isEmpty else { return }
    }
    #expect(world.shownCount > 0)
  }
}
