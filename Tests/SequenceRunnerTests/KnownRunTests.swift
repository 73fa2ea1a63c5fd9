import Foundation
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

/// The cache of the decoded run: a store reads each run once, and never returns an outdated one.
struct KnownRunTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path), clock: clock)
    let cards = (0..<2).map { number in
      SequenceElement.card(
        Card(id: UUID(), title: "\(number)", timing: .countdown(.seconds(60), advance: .automatic)))
    }
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: cards, onSuspend: nil, onLock: nil)))
  }

  @Test func `an unchanged run is not read again`() throws {
    let run = try store.settle().run
    #expect(run != nil)
    // Reading it now would find the damage.
    try store.database.run("UPDATE active_run SET snapshot = '{}'")
    #expect(try store.settle().run == run)
    let other = try RunStore(in: store.directory, clock: clock)
    #expect(throws: Never.self) { try other.settle() }
    #expect(other.notices.isEmpty == false, "it is damaged for who did not know it")
  }

  @Test func `a run that was stored here is not read again`() throws {
    _ = try store.perform(.pause)
    try store.database.run("UPDATE active_run SET snapshot = '{}'")
    let run = try #require(try store.settle().run)
    #expect(run.isPaused)
    // It is written again with its sequence as it was.
    _ = try store.perform(.resume())
    let other = try RunStore(in: store.directory, clock: clock)
    #expect(try other.settle() == store.settle())
  }

  @Test func `changes by another process are visible at once`() throws {
    #expect(try store.settle().run?.isPaused == false)
    let other = try RunStore(in: store.directory, clock: clock)
    _ = try other.perform(.pause)
    #expect(try store.settle().run?.isPaused == true)
    _ = try other.perform(.stop)
    #expect(try store.settle().run == nil)
  }

  @Test func `a rolled-back run is not cached`() throws {
    #expect(throws: StoreError.full(path: "a")) {
      try store.base.transaction { database throws(StoreError) in
        _ = try store.perform(.pause, on: nil, onStep: nil, at: clock.now())
        let run = try database.storedRuns().first
        #expect(run?.isPaused == true)
        throw .full(path: "a")
      }
    }
    // The next stored run gets the revision that was rolled back.
    let other = try RunStore(in: store.directory, clock: clock)
    _ = try other.perform(.skip)
    let run = try store.settle().run
    #expect(run?.log.count == 1)
    #expect(run?.isPaused == false)
  }

  @Test(arguments: [RunCommand.extend(.seconds(5)), .stop])
  func `a run that a damaged index doesn't find is changed, and gets no second row`(command: RunCommand)
    throws
  {
    try store.database.execute(
      """
      CREATE TABLE other (run_id TEXT NOT NULL UNIQUE);
      INSERT INTO other VALUES ('A');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_other_1')
        WHERE name = 'sqlite_autoindex_active_run_1';
      """)
    let next = try RunStore(in: store.directory, clock: clock)
    _ = try next.perform(command)
    let other = try RunStore(in: store.directory, clock: clock)
    #expect(try other.settle() == next.settle())
    #expect(try other.settle().run?.target == (command == .stop ? nil : .seconds(65)))
  }
}
