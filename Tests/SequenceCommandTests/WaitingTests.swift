import Foundation
import SequencePlatform
import SequenceCommand
import SequenceRunner
import Synchronization
import TestSupport
import Testing

/// Waiting while time passes between any two reads of the clock.
@Suite(.timeLimit(.minutes(1)))
struct WaitingTests {
  /// The machine's clocks, advanced by another 30 ms at each read.
  private final class HurryingClock: ClockSource {
    private let looks = Mutex(0)
    private let clock: SystemClock

    init() throws { clock = try SystemClock() }

    func now() -> ClockReading {
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

  @Test func `the end is noticed even if steps end between reading the run and waiting`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let clock = try HurryingClock()
    for _ in 0..<3 {
      #expect(WaitingTests.perform(["start", "--card", "A 0.04s", "--rounds", "20"], in: path, clock) == 0)
      // A separate thread, so that waiting forever fails the test and does not block the other tests.
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

  private final class ActingClock: ClockSource {
    private let actions: Mutex<[@Sendable () throws -> Void]>
    private let clock: SystemClock

    init(_ actions: [@Sendable () throws -> Void]) throws {
      // At the first reading the command determines what to wait for.
      self.actions = Mutex([{}] + actions)
      clock = try SystemClock()
    }

    var isDone: Bool { actions.withLock { $0.isEmpty } }

    func now() -> ClockReading {
      let action = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      #expect(throws: Never.self) { try action?() }
      return clock.now()
    }
  }

  @Test func `a step left by back has not ended and is waited for`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let clock = try SystemClock()
    let act = { @Sendable (word: String) in
      #expect(WaitingTests.perform([word], in: path, clock) == 0)
    }
    let cards = ["--card", "A 1h", "--card", "B 1h", "--card", "C 1h"]
    #expect(WaitingTests.perform(["start"] + cards, in: path, clock) == 0)
    act("next")
    let acting = try ActingClock([{ act("back") }, { act("next") }, { act("next") }])
    #expect(WaitingTests.perform(["wait", "--step"], in: path, acting) == 0)
    #expect(acting.isDone)
  }

  private static func perform(_ words: [String], in directory: String, _ clock: any ClockSource) -> Int32 {
    let context = CommandContext(
      environment: ["SEQUENCE_STATE_DIR": directory], clock: clock, print: { _ in }, printError: { _ in },
      startAgent: { _ in getpid() }, agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    return SequenceProgram.run(words, in: context)
  }
}
