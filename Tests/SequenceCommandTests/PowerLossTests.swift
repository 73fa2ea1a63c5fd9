import Glibc
import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import Synchronization
import TestSupport
import Testing

@testable import SequenceCommand

/// Commands after a power loss, before any agent is running.
@Suite(.timeLimit(.minutes(1)))
struct PowerLossTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private var state: String { directory.path + "/state" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func perform(_ words: [String], startAgent: @escaping () throws -> Void = {}) -> Int32 {
    let context = CommandContext(
      environment: [
        "HOME": EnvironmentVariables.process["HOME"] ?? "/", "SEQUENCE_STATE_DIR": state,
        "XDG_CONFIG_HOME": directory.path,
      ],
      clock: clock, print: { _ in }, printError: { _ in },
      startAgent: { _ in
        try startAgent()
        return getpid()
      }, agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    return SequenceProgram.run(words, in: context)
  }

  /// Starts a run of a sequence, and loses the power for an hour.
  private func losePower(_ sequence: String) throws {
    #expect(perform(["start", try directory.write(sequence, to: "sequence.yaml")]) == 0)
    clock.advance(by: .seconds(60))
    clock.reboot(after: .seconds(3600))
  }

  @Test(arguments: [
    ["status"], ["status", "--json"], ["status", "--bar", "waybar"], ["history"], ["stats"],
    ["notifications"],
    ["wait"], ["wait", "--step"], ["pause"],
  ])
  func `each command has the user asked whether the time counts`(words: [String]) throws {
    try losePower("title: T\nonSuspend: ask\ncards: [{ title: A, countdown: 4h }]")
    var questions: [[String]] = []
    _ = perform(words) {
      let store = try RunStore.withNotifications(in: StateDirectory(path: state), clock: clock)
      _ = try store.settle()
      questions.append(try store.ledger.due(at: clock.now()).map(\.request.summary))
      // The agent is needed no longer, and neither is the command that waits for the run.
      _ = try store.perform(.stop)
    }
    #expect(questions == [["A is paused. Count that time?"]])
  }

  @Test(arguments: [["status"], ["history"], ["next"]])
  func `each command has an agent report a run that ended meanwhile`(words: [String]) throws {
    try losePower("title: T\nonSuspend: continue\ncards: [{ title: A, countdown: 30m }]")
    var starts = 0
    _ = perform(words) { starts += 1 }
    #expect(starts == 1)
  }

  @Test(arguments: [["status"], ["history"], ["stats"], ["notifications"], ["pause"]])
  func `no command starts an agent if nothing has to be reported`(words: [String]) throws {
    try losePower("title: T\nonSuspend: continue\ncards: [{ title: A, countUp: {} }]")
    _ = perform(words) { Issue.record("an agent was started") }
  }
}
