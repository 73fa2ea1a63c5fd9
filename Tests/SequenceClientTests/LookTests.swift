import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceClient

/// What looking at a run does to its reminders.
@Suite(.timeLimit(.minutes(1)))
struct LookTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore
  private let run: ActiveRunSnapshot

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(
      in: StateDirectory(path: directory.path + "/state"), clock: clock)
    let tea = SequenceDefinition("Tea") {
      Card("Steep", .countdown(.seconds(20), advance: .manual), insist: .seconds(60))
    }
    run = try #require(try store.start(Timeline(tea)).run)
  }

  private func pending() throws -> Int { try store.ledger.pendingIdentifiers(in: .allSequences).count }

  @Test func `looking at a run whose time is up ends the reminders of the card`() throws {
    let display = try Foreground(store)
    // Before that there is nothing to know.
    try display.claim(run.runID)
    try display.release()
    #expect(try pending() == 31)
    clock.advance(by: .seconds(90))
    try display.claim(run.runID)
    #expect(try store.ledger.pendingIdentifiers(in: .allSequences).allSatisfy { $0.hasSuffix(".countdown") })
    #expect(try store.laterNotifications(in: [.allSequences], atMost: 64).requests == [])
  }
}
