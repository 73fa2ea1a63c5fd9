import Foundation
import Platform
import SequenceCommand
import SequenceRunner
import Synchronization
import TestSupport
import Testing

/// Waiting, where time goes by between any two looks at the clock.
@Suite(.timeLimit(.minutes(1)))
struct WaitingTests {
  /// The machine's clocks, with 30 ms more gone by at each look at them.
  private final class HurryingClock: ReadingClock {
    private let looks = Mutex(0)
    private let clock: SystemClock

    init() throws { clock = try SystemClock() }

    func now() -> Reading {
      let looks = looks.withLock {
        $0 += 1
        return $0
      }
      return clock.now().advanced(by: .milliseconds(30 * looks))
    }
  }

  /// The exit status of a command that another thread runs.
  private final class Outcome: Sendable {
    let value = Mutex<Int32?>(nil)
  }

  @Test func `the end is noticed though steps end between a look at the run and the waiting for it`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let clock = try HurryingClock()
    for _ in 0..<3 {
      #expect(WaitingTests.perform(["start", "--card", "A 0.04s", "--rounds", "20"], in: path, clock) == 0)
      // On a thread of its own, so that one that waits forever fails the test and not the run of all tests.
      let status = Outcome()
      let ended = DispatchSemaphore(value: 0)
      Thread {
        let result = WaitingTests.perform(["wait"], in: path, clock)
        status.value.withLock { $0 = result }
        ended.signal()
      }.start()
      try #require(ended.wait(timeout: .now() + 20) == .success)
      #expect(status.value.withLock { $0 } == 0)
    }
  }

  private static func perform(_ words: [String], in directory: String, _ clock: any ReadingClock) -> Int32 {
    let context = CommandContext(
      environment: ["SEQUENCE_STATE_DIR": directory], clock: clock, print: { _ in }, printError: { _ in },
      startAgent: { _ in }, agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    return SequenceProgram.run(words, in: context)
  }
}
