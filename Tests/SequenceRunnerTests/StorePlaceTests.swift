import Foundation
import Glibc
import SequencePlatform
import Synchronization
import TestSupport
import Testing

@testable import SequenceRunner
@testable import SequenceStore

/// A store whose directory changes while it is open, and an incomplete store.
@Suite(.timeLimit(.minutes(1)))
struct StorePlaceTests {
  private let temporary: TemporaryDirectory
  private let clock: SystemClock
  private var directory: StateDirectory { StateDirectory(path: temporary.path + "/state") }

  init() throws {
    temporary = try TemporaryDirectory()
    clock = try SystemClock()
  }

  private func store() throws -> RunStore { try RunStore(in: directory, clock: clock) }

  private func journalMode(of database: Database) throws -> [String] {
    try database.rows("PRAGMA journal_mode") { $0.text(0) }
  }

  @Test func `a store has its log from the moment it has its name`() throws {
    _ = try store()
    // Byte 18 of the header is the file format's write version: 2 means a write-ahead log.
    let header = try Data(contentsOf: URL(filePath: directory.databasePath)).prefix(20)
    #expect(header[18] == 2 && header[19] == 2)
  }

  @Test func `a store without a log gets one from the first process that opens it`() throws {
    do { try store().database.execute("PRAGMA journal_mode = DELETE") }
    #expect(try journalMode(of: try store().database) == ["wal"])
  }

  @Test func `a failed process leaves the files of another in a directory that was made again`() throws {
    try directory.make()
    let draft = directory.draftPath
    let components = OpenStore.components(of: [RunTables(observers: [], isAlone: false)])
    #expect(throws: StoreError.busy(path: "other")) {
      try Database.withStoreLock(in: directory) { lock throws(StoreError) in
        try Database.makeDraft(draft, components, lock) { _ throws(StoreError) in
          try Database.removeFile(directory.storeLockPath)
          try Database.withStoreLock(in: directory) { _ in }
          try Database.removeDraft(draft)
          try Database.mapped(draft) { () throws(SystemError) in
            _ = try FileDescriptor(opening: draft, O_WRONLY | O_CREAT)
          }
          throw .busy(path: "other")
        }
      }
    }
    #expect(FileManager.default.fileExists(atPath: draft))
  }

  @Test func `who waited for the lock of a removed directory takes that of the new one`() throws {
    try directory.make()
    let path = directory.storeLockPath
    let former = try FileLock(path: path)
    #expect(try former.take())
    let isInPlace = Mutex<Bool?>(nil)
    let waiting = Thread { [directory] in
      let value = try? Database.withStoreLock(in: directory) { lock in lock.isInPlace }
      isInPlace.withLock { $0 = value ?? false }
    }
    waiting.start()
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
      }
    }
    while try descriptors() < 2 {}
    try FileManager.default.removeItem(atPath: directory.path)
    try directory.make()
    try former.release()
    while isInPlace.withLock({ $0 }) == nil {}
    #expect(isInPlace.withLock { $0 } == true)
  }

  @Test func `a process that keeps the store busy delays no waiting process`() throws {
    let store = try store()
    let waiter = try StoreWaiter(store.base)
    let other = try Database(path: directory.databasePath)
    // The change is noticed but cannot be read yet.
    try other.execute("PRAGMA user_version = 1")
    try other.execute("BEGIN IMMEDIATE")
    let begin = clock.now().boot
    try waiter.wait(until: nil)
    // SQLite waits for 5 s by default.
    #expect(clock.now().boot - begin < .seconds(3))
    // The change is read as soon as the other process is done, even if it then writes nothing.
    try other.execute("ROLLBACK")
    try waiter.wait(until: nil)
  }

  @Test(arguments: [true, false])
  func `waiting for a change works after the directory was moved or removed`(isMoved: Bool) throws {
    let store = try store()
    let waiter = try StoreWaiter(store.base)
    if isMoved {
      try FileManager.default.moveItem(atPath: directory.path, toPath: temporary.path + "/old")
    } else {
      try FileManager.default.removeItem(atPath: directory.path)
    }
    // Reaching this deadline would mean that nothing woke the waiter.
    let limit = Duration.seconds(20)
    try waiter.wait(until: clock.now().boot + limit)
    #expect(try store.settle().run == nil)
    let before = clock.now().boot
    _ = try self.store().start(try Sequences.workout())
    while try store.settle().run == nil, clock.now().boot < before + limit {
      try waiter.wait(until: before + limit)
    }
    #expect(try store.settle().run != nil)
    #expect(clock.now().boot < before + limit)
    // Later changes by another process are noticed too.
    try drain(waiter)
    _ = try self.store().perform(.pause)
    try waiter.wait(until: before + limit)
    #expect(clock.now().boot < before + limit)
  }

  /// Consumes all notices so far.
  private func drain(_ waiter: StoreWaiter) throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data([0]))
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    for _ in 0..<3 { try waiter.wait(until: nil, or: [descriptor]) }
  }

  @Test func `recovered data is in the new store from the moment it has its name`() throws {
    let id: UUID?
    do {
      let store = try store()
      _ = try store.start(try Sequences.workout())
      _ = try store.perform(.stop)
      id = try store.start(try Sequences.workout()).run?.runID
      try store.database.execute("UPDATE history SET checksum = ''")
    }
    let reading = clock.now()
    let present = PresentPart { [directory] () throws(StoreError) in
      let size = try Database.fileSize(directory.databasePath)
      #expect(size != nil, "the damaged one is still in its place")
    }
    let moved = try Database.replaceDamaged(
      in: directory, at: reading, parts: [present, RunTables(observers: [], isAlone: false)])
    let path = try #require(moved)
    #expect(id != nil)
    #expect(try Database(path: path).rows("SELECT checksum FROM history") { $0.text(0) } == [""])
    #expect(try store().settle().run?.runID == id)
  }

  @Test func `a damaged store stays in place if no new one can be created`() throws {
    do {
      let store = try store()
      _ = try store.start(try Sequences.workout())
      try store.database.execute("UPDATE active_run SET checksum = ''")
    }
    #expect(throws: StoreError.full(path: "a")) {
      let refusing = PresentPart { () throws(StoreError) in throw .full(path: "a") }
      _ = try Database.replaceDamaged(
        in: directory, at: clock.now(), parts: [refusing, RunTables(observers: [], isAlone: false)])
    }
    #expect(throws: StoreError.self) { try Database(path: directory.databasePath).storedRuns() }
  }

  /// How far a process got with a replacement before it was killed.
  enum Progress: CaseIterable {
    case marked, logMoved, exchanged, exchangedAndNamed, damagedMoved, draftMoved
  }

  @Test(arguments: Progress.allCases)
  func `a replacement that a killed process has begun is finished by the next one`(progress: Progress) throws
  {
    let database = directory.databasePath
    let (aside, draft) = (database + ".damaged-1", database + ".new")
    func move(_ path: String, _ name: String) throws {
      try FileManager.default.moveItem(atPath: path, toPath: name)
    }
    let live = try store()
    let old = try #require(try live.start(try Sequences.workout()).run)
    // A complete draft, of another directory.
    let other = StateDirectory(path: temporary.path + "/other")
    let run = try #require(
      try RunStore(in: other, clock: clock).start(try Sequences.workout()).run)
    try Database(path: other.databasePath).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try move(other.databasePath, draft)
    try Database.beginReplacement(in: directory, aside: aside)
    if progress != .marked { for suffix in ["-wal", "-shm"] { try move(database + suffix, aside + suffix) } }
    switch progress {
    case .marked, .logMoved: break
    case .exchanged: try renameFile(database, to: draft, .exchanging)
    case .exchangedAndNamed:
      try renameFile(database, to: draft, .exchanging)
      try move(draft, aside)
    case .damagedMoved: try move(database, aside)
    case .draftMoved:
      try move(database, aside)
      try move(draft, database)
    }
    #expect(directory.hasStore && !live.isInPlace)
    #expect(throws: StoreError.damaged(path: database, reason: "its repair is not finished")) {
      try RunStore(inspecting: directory, clock: clock)
    }
    // Both a process that has the store open and one that opens it now.
    for store in progress == .logMoved ? [live, try store()] : [try store(), live] {
      #expect(try store.settle().run?.runID == run.runID)
    }
    #expect(
      try (live.notices + store().notices).allSatisfy {
        $0 == .damagedStoreMoved(to: aside, keptRuns: 1, keptHistory: 0)
      })
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!names.contains { $0.hasSuffix(".new") || $0.hasSuffix(".replacement") }, "\(names)")
    // The damaged store has its log.
    let moved = try Database(path: aside).rows("SELECT run_id FROM active_run") { $0.text(0) }
    #expect(moved == [old.runID.uuidString])
  }

  @Test func `a marker that is not complete means that nothing was renamed`() throws {
    let run = try store().start(try Sequences.workout()).run
    for text in ["", "sequence.db.damaged-1", "sequence.db.damaged-1\nff"] {
      try Data(text.utf8).write(to: URL(filePath: directory.databasePath + ".replacement"))
      let next = try store()
      #expect(try next.settle().run == run)
      #expect(next.notices.isEmpty)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!names.contains { $0.hasSuffix(".replacement") }, "\(names)")
  }
}

/// A part without tables that is called last when a store is salvaged.
private struct PresentPart: StorePart {
  var component: SchemaComponent { SchemaComponent(name: "present", tables: "") }

  let salvaged: @Sendable () throws(StoreError) -> Void

  func check(_ database: Database) {}

  func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    try salvaged()
  }
}
