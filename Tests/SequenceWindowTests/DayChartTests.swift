import Testing

@testable import SequenceWindow

@Suite struct DayChartTests {
  @Test(arguments: [(0, 1), (119, 1), (121, 2), (13_380, 120), (86_400, 720)])
  func `the upper line is at or above the longest day`(seconds: Int, minutes: Int) {
    #expect(DayChart.step(longest: .seconds(seconds)) == .seconds(minutes * 60))
  }
}
