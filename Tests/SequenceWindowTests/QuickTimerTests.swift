import Platform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceWindow

/// The field of the quick timer.
@Suite struct QuickTimerTests {
  @Test(arguments: [
    ("5m", "Timer", 300), ("Tea 5m", "Tea", 300), ("5m Tea", "Tea", 300),
    ("  green  tea 1m30s ", "green tea", 90),
    ("1:30", "Timer", 90), ("45", "Timer", 45), ("Tea 5", "Tea", 5),
  ])
  func `a title and a duration are a timer`(text: String, title: String, seconds: Int) throws {
    let timeline = try QuickTimer.timeline(text)
    #expect(timeline.count == 1)
    #expect(timeline.definition.title == title)
    let card = timeline.card(at: 0)
    #expect(card.title == title)
    #expect(card.timing == .countdown(.seconds(seconds), advance: .automatic))
  }

  @Test func `a text without a duration is refused`() {
    #expect(throws: QuickTimerError.noDuration("Tea")) { try QuickTimer.timeline("Tea") }
    #expect(throws: QuickTimerError.empty) { try QuickTimer.timeline("  ") }
  }

  @Test(arguments: ["5x", "Tea 5x", "0m", "Tea 99999999d"])
  func `a wrong duration is explained`(text: String) throws {
    let error = #expect(throws: CardSpecError.self) { try QuickTimer.timeline(text) }
    #expect(error?.problem.isEmpty == false)
  }
}
