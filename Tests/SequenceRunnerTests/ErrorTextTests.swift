import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore
import Testing

struct ErrorTextTests {
  @Test(arguments: [
    (RunError.noActiveRun, "no run is active"),
    (.runActive(title: "Tea\n"), "a run of \"Tea \" is active"),
    (.alreadyPaused, "the run is already paused"),
    (.alreadyRunning, "the run is already running"),
    (.notSuspended, "the run was not paused by a suspend"),
    (.nothingToExtend(title: "Tea"), "\"Tea\" has no duration or goal to change"),
    (.shortenedTooMuch(most: .zero), "the time of this step is over, so it cannot be shortened"),
    (.shortenedTooMuch(most: .seconds(90)), "only 1m30s is left, so no more can be subtracted"),
    (.extendedTooMuch, "a step can last 30d at most; add less"),
    (.stepPassed(expected: 1, current: 2), "the run is at step 3, not at step 2"),
    (.stepPassed(expected: .max, current: 2), "the run is at step 3, not at step 9223372036854775807"),
    (.runPassed, "that run has ended"),
  ])
  func `an error of a run is a sentence`(error: RunError, text: String) {
    #expect("\(error)" == text)
    #expect(error.localizedDescription == text)
  }

  @Test(arguments: [
    (StoreError.inaccessible(path: "/a", reason: "no"), "/a cannot be used: no; check its permissions"),
    (.busy(path: "/a"), "/a is kept busy by another process; try again"),
    (.full(path: "/a"), "the disk is full, so /a cannot be written; free some space and try again"),
    (.readOnly(path: "/a"), "/a cannot be written; make it writable"),
    (.inputOutput(path: "/a", reason: "no"), "/a: no; check the disk"),
    (.damaged(path: "/a", reason: "no"), "/a is damaged: no; move it away and try again"),
    (
      .newer(path: "/a", reason: "it has runs 2, and this program knows 1"),
      "/a was made by a newer version: it has runs 2, and this program knows 1; update this program"
    ),
    (.foreign(path: "/a"), "/a belongs to another program; use another directory"),
    (.replaced(path: "/a"), "/a was replaced by another process; try again"),
    (.unexpected(path: "/a", reason: "no"), "/a: no; please report this"),
  ])
  func `an error of the store is a sentence with a remedy`(error: StoreError, text: String) {
    #expect("\(error)" == text)
  }

  @Test func `errors of the system, the clocks and texts are sentences`() throws {
    #expect("\(SystemError(call: "open /a", code: 2))" == "open /a failed: No such file or directory")
    let unreadable =
      "the boot id cannot be read from /a: it is empty; mount /proc, or let the sandbox or container read this file"
    #expect("\(SystemClock.unreadable("/a", "it is empty"))" == unreadable)
    #expect("\(TimelineError.noSteps)" == "the sequence has no steps; add at least one card")
    #expect(
      "\(DurationTextError.zero)" == "the text is zero; write a duration longer than zero")
    #expect(DurationTextError.zero.localizedDescription == "\(DurationTextError.zero)")
    #expect(TimelineError.noSteps.localizedDescription == "\(TimelineError.noSteps)")
    #expect(throws: Problem.self) { try CardSpec.sequence(cards: ["Tea 2x"]) }
  }

  @Test func `an error of a file has a position, a problem and a remedy`() throws {
    let error = try #require(throws: SequenceFileError.self) {
      try SequenceFile.parse(Array("title: Tea\ncards: []\n".utf8))
    }
    #expect("\(error)" == "2:8: cards is empty; write at least one card")
    #expect(error.message(inFile: "tea.yaml") == "tea.yaml:2:8: cards is empty; write at least one card")
  }
}
