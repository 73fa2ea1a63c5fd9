import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceClient

/// A display whose run was replaced by another run.
@Suite(.timeLimit(.minutes(1)))
struct RunFollowerTests {
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let follower: RunFollower

  init() throws {
    directory = try TemporaryDirectory()
    let client = try Client.idle(in: StateDirectory(path: directory.path + "/state"))
    store = client.store
    let status = try client.start(try CardSpec.sequence(cards: ["A 1h", "B 1h"]))
    follower = try RunFollower(client, status, signals: SignalWatch([]))
    _ = try store.start(try CardSpec.sequence(cards: ["C 1h", "D 1h"]), RunStart(replacing: true))
  }

  @Test(arguments: [RunCommand.toggle, .next, .extend(.seconds(30)), .stop])
  func `a key does nothing to a run that replaced the displayed run`(command: RunCommand) throws {
    #expect(throws: RunError.runPassed) { try follower.perform(command, on: follower.run.runID, onStep: 0) }
    let run = try #require(try store.settle().run)
    #expect(!run.isPaused && run.log.count == 0 && run.current.extended == nil)
  }

  @Test func `a signal does not pause a run that replaced the displayed run`() throws {
    #expect(try !follower.pause())
    #expect(try store.settle().run?.isPaused == false)
  }

  @Test func `a damaged report of the agent is repaired while a run is followed`() throws {
    try store.database.execute("ALTER TABLE agent_report RENAME COLUMN detail TO detial")
    #expect(try follower.desktopNotice() == nil)
    #expect(store.notices.count == 1)
  }
}
