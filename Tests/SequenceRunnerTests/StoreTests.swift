import Foundation
import Glibc
import SequenceFiles
import TestSupport
import Testing

@testable import SequenceRunner
@testable import SequenceStore

@Suite(.timeLimit(.minutes(1)))
struct StoreTests {
  private let clock = ManualClock()
  private let temporary: TemporaryDirectory
  private var directory: StateDirectory { StateDirectory(path: temporary.path + "/state") }

  init() throws { temporary = try TemporaryDirectory() }

  /// Changes a byte of the stored run, and its revision, so that the run is read again.
  private static let damage =
    """
    UPDATE store SET revision = revision + 1;
    UPDATE active_run SET sequence = replace(sequence, 'Warm up', 'Warm uq')
    """

  private func store() throws -> RunStore { try RunStore(in: directory, clock: clock) }

  @Test func `a run is available to the next process and read by value`() throws {
    let first = try store()
    _ = try first.start(try Sequences.workout())
    clock.advance(by: .seconds(12))
    let status = try store().settle()
    #expect(status.position?.step.card.title == "Work")
    #expect(status.position?.remaining == .seconds(18))
    #expect(try first.settle() == status)
  }

  @Test func `a second run is refused or replaces the first`() throws {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    #expect(throws: RunError.runActive(title: "Test")) { try store.start(try Sequences.workout()) }
    _ = try store.start(try Sequences.workout(), RunStart(replacing: true))
    #expect(try store.history().map(\.outcome) == [.stopped])
  }

  @Test func `a refused start still anchors the run of another boot`() throws {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    clock.reboot(after: .seconds(4))
    #expect(throws: RunError.runActive(title: "Test")) { try store.start(try Sequences.workout()) }
    clock.setWall(by: .seconds(3600))
    #expect(try store.settle().position?.remaining == .seconds(6))
  }

  @Test func `the first read after the end moves the run to the history, with its own times`() throws {
    let start = clock.now().wall
    let run = try store().start(
      try Sequences.timeline(Sequences.countdown("A", 1), Sequences.countdown("B", 2)))
    clock.advance(by: .seconds(500))
    #expect(try store().settle().run == nil)
    let id = try #require(run.run).runID
    let ended = try #require(try store().endedRun(id: id))
    #expect(ended.endedAt == start.advanced(by: .seconds(3)))
    #expect(
      ended.records.map(\.endedAt) == [start.advanced(by: .seconds(1)), start.advanced(by: .seconds(3))])
  }

  @Test func `a run of another boot is anchored once`() throws {
    _ = try store().start(try Sequences.workout())
    clock.reboot(after: .seconds(12))
    #expect(try store().settle().position?.remaining == .seconds(18))
    clock.setWall(by: .seconds(3600))
    #expect(try store().settle().position?.remaining == .seconds(18))
  }

  @Test func `a command for a passed step is refused`() throws {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    clock.advance(by: .seconds(12))
    #expect(throws: RunError.stepPassed(expected: 0, current: 1)) { try store.perform(.skip, onStep: 0) }
    let skipped = try store.perform(.skip, onStep: 1, notAfter: nil)
    #expect(skipped.endedJustBefore() == nil)
    #expect(throws: RunError.noActiveRun) {
      _ = try store.perform(.stop)
      _ = try store.perform(.pause)
    }
  }

  @Test func `a command reports which step ended right before`() throws {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    clock.advance(by: .seconds(10.5))
    #expect(try store.perform(.skip, notAfter: nil).endedJustBefore()?.index == 0)
    clock.advance(by: .seconds(1))
    #expect(try store.perform(.skip, notAfter: nil).endedJustBefore() == nil, "the user ended that one")
  }

  @Test(arguments: [RunCommand.resume(), .toggle, .restart, .next, .extend(.seconds(5))])
  func `a step that ended before a pause did not end right before the next command`(command: RunCommand)
    throws
  {
    let store = try store()
    _ = try store.start(
      try Sequences.timeline(Sequences.countdown("A", 1), Sequences.countdown("B", 60)))
    clock.advance(by: .seconds(1.5))
    #expect(try store.perform(.pause, notAfter: nil).endedJustBefore()?.index == 0)
    clock.advance(by: .seconds(8))
    #expect(try store.perform(command, notAfter: nil).endedJustBefore() == nil)
  }

  @Test func `a step that ended by itself is reported by the first command after it only`() throws {
    let store = try store()
    _ = try store.start(
      try Sequences.timeline(Sequences.countdown("A", 1), Sequences.countdown("B", 60)))
    clock.advance(by: .seconds(1.5))
    #expect(try store.perform(.extend(.seconds(5)), notAfter: nil).endedJustBefore()?.index == 0)
    #expect(try store.perform(.pause, notAfter: nil).endedJustBefore() == nil)
    #expect(try store.perform(.resume(), notAfter: nil).endedJustBefore() == nil)
    clock.advance(by: .seconds(0.1))
    #expect(try store.perform(.pause, notAfter: nil).endedJustBefore() == nil)
  }

  @Test func `a command after the end leaves the run in the history`() throws {
    let store = try store()
    _ = try store.start(try Sequences.timeline(Sequences.countdown("A", 1)))
    clock.advance(by: .seconds(2))
    #expect(throws: RunError.noActiveRun) { try store.perform(.pause) }
    #expect(try store.history().count == 1)
  }

  @Test func `only the owner can read the store`() throws {
    _ = try store().start(try Sequences.workout())
    let manager = FileManager.default
    let rights = { try manager.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
    #expect(try rights(directory.path) == 0o700)
    for file in try manager.contentsOfDirectory(atPath: directory.path) {
      #expect(try rights(directory.path + "/" + file) == 0o600, "\(file)")
    }
  }

  @Test(arguments: [
    "PRAGMA user_version = 99", "UPDATE component SET version = 99", "PRAGMA application_id = 7",
  ])
  func `a newer or foreign store is refused and stays unchanged`(change: String) throws {
    _ = try store().start(try Sequences.workout())
    do {
      let database = try Database(path: directory.databasePath)
      try database.execute(change)
    }
    let before = try Data(contentsOf: URL(filePath: directory.databasePath))
    let error = #expect(throws: StoreError.self) { try store() }
    switch try #require(error) {
    case .newer(_, let reason): #expect(reason.description.contains(" 99, and this program knows "))
    case .foreign: #expect(change.contains("application_id"))
    default: Issue.record("\(String(describing: error))")
    }
    #expect(try Data(contentsOf: URL(filePath: directory.databasePath)) == before)
  }

  @Test(arguments: [
    "", "ALTER TABLE active_run RENAME TO run", "ALTER TABLE history RENAME COLUMN outcome TO outcame",
    "UPDATE active_run SET snapshot = '{}'",
  ])
  func `a process with the store open leaves it unchanged after a newer version migrates it`(change: String)
    throws
  {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    let newer = try Database(path: directory.databasePath)
    try newer.transaction { () throws(StoreError) in
      try newer.execute("UPDATE component SET version = 99; " + change)
    }
    let error = #expect(throws: StoreError.self) { try store.settle() }
    #expect(
      error
        == .newer(
          path: directory.databasePath,
          reason: "it has runs 99, and this program knows \(RunTables.schema.version)"))
    #expect(throws: StoreError.self) { try store.perform(.pause) }
    #expect(newer.isInPlace && store.notices.isEmpty)
  }

  @Test func `a store that is inspected changes nothing`() throws {
    #expect(try RunStore(inspecting: directory, clock: clock) == nil)
    let writing = try store()
    _ = try writing.start(try Sequences.timeline(Sequences.countdown("Tea", 10)))
    clock.advance(by: .seconds(5))
    let reading = try #require(try RunStore(inspecting: directory, clock: clock))
    #expect(try reading.status() == writing.status())
    #expect(throws: StoreError.readOnly(path: directory.databasePath)) { try reading.perform(.pause) }
    clock.advance(by: .seconds(5))
    #expect(try reading.status().run == nil)
    #expect(try reading.history().isEmpty, "the end isn't written yet")
    #expect(try writing.status().run == nil)
    #expect(try reading.history().count == 1)
  }

  @Test func `a store that is inspected stays readable while other processes write to it`() throws {
    func start(_ count: Int) throws {
      // The last one to close it copies the log into the file.
      let store = try store()
      let tea = try Sequences.timeline(Sequences.countdown("Tea", 10))
      for _ in 1...count { try store.start(tea, replacing: true) }
    }
    try start(1)
    let reading = try #require(try RunStore(inspecting: directory, clock: clock))
    #expect(try reading.status().run != nil)
    try start(50)
    #expect(try reading.history().count == 50)
    #expect(try reading.status().run != nil)
    try start(50)
    #expect(try reading.status().run != nil)
    #expect(try reading.history().count == 100)
  }

  @Test func `threads share a store, and each of their commands counts`() async throws {
    let store = try store()
    _ = try store.start(try Sequences.timeline(Sequences.countdown("Tea", 10)))
    try await withThrowingTaskGroup { group in
      for _ in 1...4 {
        group.addTask { for _ in 1...5 { _ = try store.perform(.extend(.seconds(1))) } }
      }
      try await group.waitForAll()
    }
    #expect(try store.status().position?.remaining == .seconds(30))
  }

  @Test func `a snapshot that was changed is never decoded`() throws {
    let store = try store()
    _ = try store.start(try Sequences.timeline(Sequences.countdown("Old", 1)))
    clock.advance(by: .seconds(5))
    _ = try store.start(try Sequences.workout())
    try store.database.execute(StoreTests.damage)
    #expect(try store.settle().run == nil)
    guard case .damagedStoreMoved(let path, let keptRuns, let keptHistory, let lost, _)? = store.notices.first
    else {
      Issue.record("nothing was said")
      return
    }
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(keptRuns == 0)
    #expect(keptHistory == 1)
    #expect(lost == ["Test"])
    let history = try store.history()
    #expect(history.map(\.outcome) == [.lost, .finished])
    #expect(history.map(\.stepCount) == [0, 1])
  }

  @Test(arguments: [0, 1, 511])
  func `an emptied store is moved aside, with its log`(length: off_t) throws {
    let first = try store()
    _ = try first.start(try Sequences.workout())
    #expect(truncate(directory.databasePath, length) == 0)
    let next = try store()
    guard case .damagedStoreMoved(let path, 0, 0, [], [])? = next.notices.first else {
      Issue.record("\(next.notices)")
      return
    }
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try next.settle().run == nil)
  }

  @Test func `remains of a removed store do not become part of the next one`() throws {
    let first = try store()
    _ = try first.start(try Sequences.workout())
    try FileManager.default.removeItem(atPath: directory.databasePath)
    let next = try store()
    #expect(try next.settle().run == nil)
    #expect(try next.history().isEmpty)
    #expect(try next.database.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
  }

  @Test func `a table with another definition is damage`() throws {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    try store.database.execute("ALTER TABLE history RENAME COLUMN outcome TO outcame")
    _ = try store.start(try Sequences.workout(), RunStart(replacing: true))
    #expect(store.notices == [.damagedStoreMoved(to: try damagedName(), keptRuns: 1, keptHistory: 0)])
  }

  @Test(arguments: ["UPDATE component SET name = 'runt'", "DELETE FROM component"])
  func `tables with a wrong version are damage`(change: String) throws {
    let first = try store()
    let run = try first.start(try Sequences.workout()).run
    try first.database.execute(change)
    let next = try store()
    #expect(next.notices == [.damagedStoreMoved(to: try damagedName(), keptRuns: 1, keptHistory: 0)])
    #expect(try next.settle().run?.runID == run?.runID)
  }

  @Test func `a run missing from the history is reported`() throws {
    do {
      let store = try store()
      for _ in 1...3 { _ = try store.start(try Sequences.workout(), RunStart(replacing: true)) }
    }
    try changeHistoryWithoutIndex("DELETE FROM history WHERE run_id = (SELECT min(run_id) FROM history)")
    let next = try store()
    #expect(next.notices.isEmpty)
    #expect(Set(try next.history().map(\.outcome)) == [.stopped, .lost])
    #expect(next.notices.count == 1)
  }

  @Test func `a run whose id is damaged in the index is listed`() throws {
    do {
      let store = try store()
      for _ in 1...3 { _ = try store.start(try Sequences.workout(), RunStart(replacing: true)) }
    }
    try changeHistoryWithoutIndex("UPDATE history SET run_id = lower(run_id)")
    #expect(try store().history().count == 2)
  }

  /// Changes rows of the history, but not its indexes, which the schema doesn't name meanwhile.
  private func changeHistoryWithoutIndex(_ script: String) throws {
    for script in [
      """
      PRAGMA writable_schema = ON;
      CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name IN ('history_list', 'history_by_sequence');
      DELETE FROM sqlite_schema WHERE name IN ('history_list', 'history_by_sequence');
      """,
      """
      PRAGMA writable_schema = ON;
      \(script);
      INSERT INTO sqlite_schema SELECT * FROM kept;
      """,
    ] {
      try Database(path: directory.databasePath).execute(script)
    }
  }

  @Test func `a violated constraint in an intact store is a program error and not damage`() throws {
    let store = try store()
    for _ in 1...2 { _ = try store.start(try Sequences.workout(), RunStart(replacing: true)) }
    try store.database.execute("CREATE UNIQUE INDEX wrong ON history (outcome)")
    let error = #expect(throws: StoreError.self) {
      _ = try store.start(try Sequences.workout(), RunStart(replacing: true))
    }
    guard case .unexpected? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.notices.isEmpty)
    #expect(try store.settle().run != nil)
  }

  @Test func `a constraint that a damaged index violates leads to a replacement`() throws {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    // The index names a run that is missing from the table.
    let sequence = try #require(try store.settle().run).sequence
    try store.database.execute(
      """
      CREATE UNIQUE INDEX wrong ON history (sequence_id);
      INSERT INTO history VALUES ('A', '\(sequence.id.uuidString)', '', 0, 0, 'finished', 0, 0, 0, 0, 0, '', '', '', '', NULL, NULL);
      PRAGMA writable_schema = ON;
      CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'wrong';
      DELETE FROM sqlite_schema WHERE name = 'wrong';
      """)
    try Database(path: directory.databasePath).execute(
      """
      PRAGMA writable_schema = ON;
      DELETE FROM history;
      INSERT INTO sqlite_schema SELECT * FROM kept;
      """)
    let next = try self.store()
    _ = try next.perform(.stop)
    #expect(next.notices == [.damagedStoreMoved(to: try damagedName(), keptRuns: 1, keptHistory: 0)])
    #expect(try next.history().count == 1)
  }

  @Test
  func `a transaction that cannot be rolled back throws its first error and drops its connection`()
    throws
  {
    struct First: Error {}
    let store = try store()
    let run = try store.start(try Sequences.workout()).run
    let broken = store.database
    #expect(throws: First.self) {
      try broken.transaction("BEGIN IMMEDIATE", undo: "ROLLBACK TO nothing", { $0 }) { throw First() }
    }
    #expect(!broken.isInPlace)
    #expect(try store.settle().run == run)
    #expect(store.database !== broken && store.notices.isEmpty)
  }

  @Test func `an error of a change alongside a command undoes the command`() throws {
    let store = try store()
    let run = try #require(try store.start(try Sequences.workout()).run)
    #expect(throws: StoreError.full(path: "a")) {
      try store.base.transaction { _ throws(StoreError) in
        _ = try store.perform(.pause, on: nil, onStep: nil, at: store.clock.now())
        throw .full(path: "a")
      }
    }
    #expect(try store.settle().run == run)
  }

  private func damagedName() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let name = names.first { $0.contains(".damaged-") && !$0.contains("Z-") }
    return directory.path + "/" + (try #require(name))
  }

  @Test func `a file that is not a database is moved aside`() throws {
    try directory.make()
    try Data(repeating: 0x55, count: 10_000).write(to: URL(filePath: directory.databasePath))
    let store = try store()
    #expect(store.notices.count == 1)
    #expect(try store.settle().run == nil)
    _ = try store.start(try Sequences.workout())
  }

  @Test func `a truncated database is moved aside, and its run kept if it is readable`() throws {
    do { _ = try store().start(try Sequences.workout()) }
    let file = try FileHandle(forUpdating: URL(filePath: directory.databasePath))
    try file.truncate(atOffset: 6000)
    try file.close()
    let store = try store()
    _ = try store.settle()
    #expect(store.notices.count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path).contains { $0.contains("damaged") })
  }

  @Test func `a store that another process replaced is not written again`() throws {
    let old = try store()
    _ = try old.start(try Sequences.workout())
    try old.database.execute(StoreTests.damage)
    // Another process finds the damage and creates a new store.
    let other = try store()
    _ = try other.settle()
    _ = try other.start(try Sequences.timeline(Sequences.countdown("New", 60)))
    #expect(!old.isInPlace)
    _ = try old.perform(.pause)
    #expect(try other.settle().run?.isPaused == true)
    #expect(try old.settle().run?.card.title == "New")
  }

  @Test
  func `a store replaced between the check and the write is not written again`()
    throws
  {
    let old = try store()
    _ = try old.start(try Sequences.workout())
    let aside = directory.path + "/aside"
    try old.repairing { () throws(StoreError) in
      #expect(throws: Never.self) {
        for suffix in ["", "-wal", "-shm"] {
          try FileManager.default.moveItem(atPath: directory.databasePath + suffix, toPath: aside + suffix)
        }
      }
      #expect(throws: StoreError.replaced(path: directory.databasePath)) {
        try old.database.transaction {}
      }
    }
  }

  @Test func `each damaged store keeps a name of its own`() throws {
    for _ in 0..<3 {
      let store = try store()
      _ = try store.start(try Sequences.workout(), RunStart(replacing: true))
      try store.database.execute(StoreTests.damage)
      _ = try store.settle()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.count { $0.contains("damaged") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == 3)
  }

  @Test func `a change that an observer refuses does not happen`() throws {
    struct FailingObserver: RunObserver {
      func runsWereLost(besides known: Set<UUID>, in database: Database, at reading: ClockReading) {}
      func sequence(ofLostRun id: UUID, in database: Database) -> (id: UUID?, title: String?) { (nil, nil) }
      func lastSignOfLife(inBoot bootID: String, of database: Database) -> Duration? { nil }
      func runDidChange(_ change: RunChange, entry: JournalEntry, in database: Database) throws(StoreError) {
        if change.cause != .started { throw .full(path: database.path) }
      }
    }
    let store = try RunStore(in: directory, clock: clock, parts: [], observers: [FailingObserver()])
    _ = try store.start(try Sequences.workout())
    #expect(throws: StoreError.full(path: store.database.path)) { try store.perform(.pause) }
    #expect(try store.settle().run?.isPaused == false)
    #expect(throws: StoreError.full(path: store.database.path)) { try store.perform(.stop) }
    #expect(try store.history().isEmpty)
  }

  @Test func `fifty concurrent commands each succeed, and none is lost`() throws {
    _ = try store().start(try Sequences.workout())
    let (directory, clock) = (directory, clock)
    DispatchQueue.concurrentPerform(iterations: 50) { _ in
      do {
        _ = try RunStore(in: directory, clock: clock).perform(.extend(.seconds(1)))
      } catch {
        Issue.record(error)
      }
    }
    #expect(try store().settle().position?.remaining == .seconds(60))
  }

  @Test(arguments: [Int64.min, -1, 1 << 62, .max])
  func `a reader of events at an entry that never was is at the last one after a repair`(entry: Int64) throws
  {
    let store = try store()
    _ = try store.start(try Sequences.workout())
    let ahead = clock.now().advanced(by: .seconds(3600))
    try store.database.store(EventPosition(entry: entry, at: ahead), ofReader: "a")
    try store.database.execute("ALTER TABLE history RENAME COLUMN outcome TO outcame")
    _ = try store.history()
    #expect(store.notices.count == 1)
    let position = try #require(try store.database.position(ofReader: "a"))
    #expect((0...(try store.database.lastJournalNumber())).contains(position.entry))
    #expect(position.at == clock.now())
    _ = try store.perform(.pause)
    #expect(store.notices.count == 1)
    #expect(
      try store.events(after: position, until: clock.now()).runs.flatMap(\.events).count
        == (entry < 1 ? 3 : 1))
  }

  @Test(arguments: ["active_run", "history"])
  func `a run whose row has a damaged id is kept under its own`(table: String) throws {
    let store = try store()
    let past = try #require(try store.start(try Sequences.workout()).run).runID
    _ = try store.perform(.stop)
    let run = try #require(try store.start(try Sequences.workout()).run).runID
    try store.database.execute(
      """
      UPDATE \(table) SET run_id = iif(run_id LIKE '%0', substr(run_id, 1, 35) || '8', substr(run_id, 1, 35) || '0');
      UPDATE store SET revision = revision + 1
      """)
    #expect(try store.history().map(\.runID) == [past])
    #expect(try store.settle().run?.runID == run)
    #expect(
      store.notices == [.damagedStoreMoved(to: try damagedName(), keptRuns: 1, keptHistory: 1, lost: [])])
    #expect(try store.endedRun(id: past)?.runID == past)
  }

  @Test(arguments: ["active_run", "history"])
  func `a run whose row has a damaged id and text is lost once`(table: String) throws {
    let isPast = table == "history"
    let (past, run): (UUID, UUID)
    do {
      let store = try store()
      past = try #require(try store.start(try Sequences.workout()).run).runID
      _ = try store.perform(.stop)
      run = try #require(try store.start(try Sequences.workout()).run).runID
      if !isPast { try store.database.execute("UPDATE active_run SET snapshot = ''") }
    }
    if isPast {
      try changeHistoryWithoutIndex(
        "UPDATE history SET snapshot = '', run_id = substr(run_id, 1, 35) || iif(run_id LIKE '%0', '8', '0')")
    } else {
      // In the row, the text of the sequence follows.
      let file = URL(filePath: directory.databasePath)
      var content = try Data(contentsOf: file)
      let row = try #require(content.range(of: Data((run.uuidString + "{").utf8)))
      let digit = row.upperBound - 2
      content[digit] = content[digit] == 0x30 ? 0x38 : 0x30
      try content.write(to: file)
    }
    let store = try store()
    let history = try store.history()
    #expect(Set(history.map(\.runID)) == (isPast ? [past] : [past, run]))
    let lost = history.filter { $0.outcome == .lost }
    #expect(lost.map(\.runID) == [isPast ? past : run])
    #expect(lost.map(\.snapshot.sequence.title) == ["Test"])
    #expect(try store.settle().run?.runID == (isPast ? run : nil))
    #expect(store.notices.count == 1)
  }

  @Test func `ended runs that only an index and no journal has are lost, and not without a word`() throws {
    let store = try store()
    for _ in 1...2 { _ = try store.start(try Sequences.workout(), RunStart(replacing: true)) }
    _ = try store.perform(.stop)
    let runs = try store.history().map(\.runID)
    try store.database.execute("DELETE FROM journal")
    try changeHistoryWithoutIndex("DELETE FROM history")
    for read: (RunStore) throws -> Void in [
      { store in
        var known: [String: String] = [:]
        _ = try store.cardTexts(of: store.historySummaries(), &known)
      }, { _ = try $0.endedRun(id: runs[0]) },
      { _ = try $0.endedRunIDs(beginningWith: "F") },
    ] {
      let copy = StateDirectory(path: directory.path + "-\(UUID())")
      defer { try? FileManager.default.removeItem(atPath: copy.path) }
      try FileManager.default.copyItem(atPath: directory.path, toPath: copy.path)
      let next = try RunStore(in: copy, clock: clock)
      try read(next)
      #expect(next.notices.count == 1)
      #expect(try next.history().map(\.runID) == runs)
      #expect(try next.history().map(\.outcome) == [.lost, .lost])
    }
  }

  @Test func `ended runs that the index of their list doesn't have are listed after a repair`() throws {
    let store = try store()
    let run = try #require(try store.start(try Sequences.workout()).run).runID
    _ = try store.perform(.stop)
    try store.database.execute(
      """
      CREATE TABLE other (number INTEGER);
      CREATE INDEX empty ON other (number);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'empty')
        WHERE name = 'history_list';
      """)
    let next = try self.store()
    #expect(try next.historySummaries().map(\.runID) == [run.uuidString])
    #expect(next.notices == [.damagedStoreMoved(to: try damagedName(), keptRuns: 0, keptHistory: 1)])
  }

  @Test func `the runs of a store without its last page are kept`() throws {
    do { _ = try store().start(try Sequences.workout()) }
    let path = directory.databasePath
    let size = try #require(try Database.fileSize(path))
    #expect(truncate(path, off_t(size - 4096)) == 0)
    let store = try store()
    #expect(try store.settle().run != nil)
    #expect(store.notices == [.damagedStoreMoved(to: try damagedName(), keptRuns: 1, keptHistory: 0)])
  }

  @Test func `an active run that only an index has is lost, and not without a word`() throws {
    let store = try store()
    let run = try #require(try store.start(try Sequences.workout()).run).runID
    // Another page of the file, or an empty one, may have taken the place of the page of the table.
    let schema = "UPDATE sqlite_schema SET rootpage ="
    try store.database.execute(
      """
      CREATE TABLE empty (number INTEGER PRIMARY KEY);
      PRAGMA writable_schema = ON;
      \(schema) (SELECT rootpage FROM sqlite_schema WHERE name = 'empty') WHERE name = 'active_run';
      PRAGMA writable_schema = OFF;
      """)
    let next = try self.store()
    #expect(try next.settle().run == nil)
    #expect(try next.history().map(\.runID) == [run])
    #expect(try next.history().map(\.outcome) == [.lost])
    #expect(next.notices.count == 1)
  }

  @Test func `a run without a readable row is lost, and known by its journal`() throws {
    let store = try store()
    let start = clock.now().wall
    let run = try #require(try store.start(try Sequences.workout()).run)
    clock.advance(by: .seconds(20))
    _ = try store.perform(.pause)
    clock.advance(by: .seconds(20))
    let past = try #require(try store.start(try Sequences.workout(), RunStart(source: .timer)).run)
    _ = try store.perform(.stop, on: past.runID)
    let found = clock.now().wall
    try store.database.execute(
      "DELETE FROM active_run; UPDATE history SET snapshot = ''; UPDATE store SET revision = revision + 1")
    let history = try store.history()
    #expect(history.map(\.runID) == [past.runID, run.runID])
    #expect(history.map(\.outcome) == [.lost, .lost])
    #expect(history.map(\.snapshot.startedAt) == [found, start])
    #expect(history.map(\.endedAt) == [found, found])
    #expect(history.map(\.active) == [.zero, .seconds(20)])
    #expect(history.map(\.snapshot.sequence.title) == ["Test", ""])
    let name = String(run.runID.uuidString.prefix(8))
    #expect(
      store.notices == [
        .damagedStoreMoved(to: try damagedName(), keptRuns: 0, keptHistory: 0, lost: [name, "Test"])
      ])
    // The entries of a lost run are no events, and no damage.
    #expect(try store.events(after: .beginning, until: clock.now()).runs.isEmpty)
    try #require(try RunStore(inspecting: directory, clock: clock)).base.check()
    #expect(try store.historySummaries().map(\.steps) == [nil, nil])
    // It stays lost in the next repair, which names only what that one has lost.
    try store.database.execute("UPDATE component SET name = 'runt'")
    let next = try self.store()
    #expect(try next.history() == history)
    guard case .damagedStoreMoved(_, 0, 0, [], _)? = next.notices.last else {
      Issue.record("\(next.notices)")
      return
    }
  }
}
