import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceClient

/// Agents that end early, or can't be started, while a display follows a run.
@Suite(.timeLimit(.minutes(1)))
struct AgentStartTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()

  init() throws { directory = try TemporaryDirectory() }

  private func client(startAgent: @escaping () throws -> Int32) throws -> Client {
    try Client(
      in: StateDirectory(path: directory.path + "/state"),
      ClientContext(
        environment: [:], clock: clock, startAgent: { _ in try startAgent() }, warn: { _ in }))
  }

  @Test(arguments: [true, false])
  func `an agent that ends early is started less and less often, and at once for a command`(
    canStart: Bool
  ) throws {
    var starts = 0
    let client = try client {
      starts += 1
      guard canStart else { throw SystemError(call: "start", code: 11) }
      // No process has this number.
      return .max
    }
    let cards = (1...1000).map { "Step \($0) 1s" }
    _ = try client.start(try CardSpec.sequence(cards: cards))
    let watch = try AgentWatch(client)
    for _ in 0..<2400 {
      clock.advance(by: .milliseconds(250))
      watch.followRuns(try client.settle())
      try watch.replaceIfEnded([])
    }
    #expect((10...40).contains(starts), "\(starts)")
    let before = starts
    _ = try client.perform(.next)
    #expect(starts == before + 1)
  }
}
