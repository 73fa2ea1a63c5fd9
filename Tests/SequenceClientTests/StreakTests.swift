import Testing

@testable import SequenceClient

struct StreakTests {
  @Test(arguments: [
    ([], 0, 0, nil), ([0], 1, 1, 0), ([-1], 1, 1, -1), ([-2], 0, 1, -2), ([-3, -2, -1], 3, 3, -1),
    ([-2, -1, 0], 3, 3, 0), ([-9, -8, -7, -1, 0], 2, 3, -7), ([-9, -8, -1, 0], 2, 2, 0),
    ([-1, 0, 1], 2, 3, 1),
    ([-5, -4, 5], 0, 2, -4),
  ])
  func `a streak lasts until a day without a finished run has passed`(
    days: [Int], current: Int, longest: Int, end: Int?
  ) {
    let today = CivilDay(number: 20_000)
    let streak = Streak(days.map { today + $0 }, today: today)
    #expect(streak.current == current)
    #expect(streak.longest == longest)
    #expect(streak.longestEnd == end.map { today + $0 })
  }
}
