import Foundation
import NotifierLedger
import SequencePlatform
@testable import SequenceConfiguration
import SequenceFiles
import SequencePlanning
@testable import SequenceRunner
@testable import SequenceStore
import TestSupport
import Testing

/// Rows with values that no program writes.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct WrongRowTests {
  private static let values = [
    "INTEGER": ["-1", "57", "\(Int64.min)", "\(Int64.max)", "NULL"],
    "TEXT": ["'x'", "NULL", "hex(zeroblob(500000))"],
    "": ["-1", "\(Int64.min)", "\(Int64.max)", "NULL", "'x'"],
  ]
  /// The values of another type; a table refuses them, but a disk doesn't.
  private static let otherValues = ["INTEGER": ["'x'", "0.5", "x'00'"], "TEXT": ["x'ff00'"], "": ["0.5"]]
  private static let tables = [
    "active_run", "agent_report", "cleared_scope", "component", "history",
    "hook_failure", "journal", "notification", "planning_mark", "reader", "response", "schedule",
    "sqlite_sequence", "store",
  ]
  /// The tables whose rows outlive damage of others, but for the notifications that are planned again.
  private static let keptTables = [
    "active_run", "cleared_scope", "history", "hook_failure", "journal",
    "notification", "reader", "response", "schedule",
  ]
  /// The columns outside of a primary key that can't have any value in any row.
  private static let uniqueColumns: Set = ["run_id", "number", "id"]
  private let clock = ManualClock()
  private let directory: TemporaryDirectory

  /// Makes a store with a row in each table; no process has it open.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try CompleteStore.open(in: StateDirectory(path: directory.path + "/whole"), clock: clock)
    let runs: [([String], Rounds)] = [
      (["A 10s", "B", "C 1h"], 2), (["D 10s", "E 1h"], 3), (["A 10s", "B 1h"], .forever),
    ]
    for (cards, rounds) in runs {
      _ = try store.start(try CardSpec.sequence(cards: cards, rounds: rounds), RunStart(replacing: true))
      clock.advance(by: .seconds(10))
      _ = try store.perform(.pause)
      clock.advance(by: .seconds(1))
      _ = try store.perform(.resume())
      _ = try store.perform(.skip)
    }
    // Its notifications have a style.
    let pictures = SequenceDefinition("E") {
      for title in ["A", "B", "C"] { Card(title, .countdown(.seconds(3600)), image: "/\(title).png") }
    }
    _ = try store.start(Timeline(pictures), RunStart(source: .timer))
    let now = clock.now()
    let entry = try #require(try store.ledger.entries(in: .everything).first { $0.state == .pending })
    let run = try #require(try store.peek(in: store.database, at: now).run)
    try store.changeLedger { ledger throws(StoreError) in
      let shown = ShownNotification(id: 7, epoch: ServerEpoch(busID: "bus", owner: ":1.1"))
      try ledger.present(entry, as: shown, at: now.wall)
      try ledger.deliver(entry, as: shown, at: now.wall)
      for name in ["a", "b"] {
        try ledger.add(
          [NotificationRequest(NotificationIdentifier(name), "A", trigger: .every(.seconds(60)))], at: now)
        _ = try ledger.record(.dismissed, to: entry, activationToken: nil, at: now)
        try ledger.advance(reader: name, to: ResponsePosition(number: 1), at: now)
      }
      let end = NotificationIdentifier.finished(sequence: run.sequence.id)
      for scope in [
        .card(run.card.id, ofSequence: run.sequence.id), NotificationScope(prefix: end.rawValue),
      ] {
        _ = try ledger.clearPlanned(scope, at: now)
      }
      try ledger.store(
        AgentReport(process: 7, startedAt: now.wall, desktop: .available(server: "s"), updatedAt: now.wall))
      try ledger.database.store(dispatchPosition: EventPosition(entry: 1, at: now))
      try ledger.database.store(EventPosition(entry: 2, at: now), ofReader: "other")
    }
    for hook in ["hook", "other"] {
      try HookFailureLog(database: store.database).count(
        .dropped, of: hook, event: "step-end", detail: "queue", at: now.wall)
      let time = try #require(TimeOfDay(hour: 7, minute: 0))
      var schedule = Schedule(
        path: "/\(hook).yaml", sequence: run.sequence.id, title: "A", time: time, days: .daily,
        lead: .seconds(60), choices: ScheduleChoices(without: ["B"]), due: now, day: 20_000)
      schedule.last = Schedule.Decision(day: 19_999, .started)
      _ = try ScheduleTable(store.database).add(schedule)
    }
  }

  /// Uses the store like commands and the agent do; it may be damaged, but nothing may trap.
  private func use(_ directory: StateDirectory) {
    func attempt(_ body: () throws -> Void) {
      // Every error is an answer.
      do { try body() } catch {}
    }
    attempt { _ = try CompleteStore.check(directory, clock: clock) }
    attempt {
      let store = try CompleteStore.open(in: directory, clock: clock)
      attempt { _ = try store.peek().position }
      attempt { _ = try store.historySummaries() }
      attempt { _ = try store.events(after: .beginning, until: clock.now()) { _ in [.seconds(1)] } }
      attempt {
        let position = try store.database.dispatchPosition() ?? .beginning
        _ = try store.events(after: position, until: clock.now())
        _ = try store.eventPosition(at: clock.now(), minus: .seconds(3))
      }
      attempt {
        let runs = try store.history()
        for run in runs { _ = try store.activity(of: run) }
        for id in runs.map(\.runID) + [try store.peek().run?.runID].compactMap(\.self) {
          _ = try store.pauses(of: id)
        }
      }
      attempt { if let run = try store.peek().run { _ = try store.eventPosition(beforeStepOf: run) } }
      attempt {
        let entries = try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: .everything)
        }
        for entry in entries { _ = (entry.reason?.description, entry.isToCome(at: clock.now())) }
      }
      attempt {
        _ = try store.readLedger { ledger throws(StoreError) in try ledger.responses(after: .beginning) }
      }
      attempt { _ = try store.laterNotifications(in: [.everything], atMost: 10) }
      attempt { _ = try store.hasNothingToWaitFor() }
      attempt { _ = try store.readLedger { ledger throws(StoreError) in try ledger.desktop() } }
      attempt { _ = try ScheduleTable(store.database).schedules() }
      attempt { _ = try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min)) }
      clock.advance(by: .seconds(11))
      attempt { _ = try store.perform(.toggle) }
    }
  }

  @Test func `the tables of these tests are those of a store`() throws {
    let database = try Database(path: StateDirectory(path: directory.path + "/whole").databasePath)
    #expect(
      try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) }
        == WrongRowTests.tables)
  }

  @Test(arguments: tables)
  func `no value in a row stops a program`(table: String) throws {
    let whole = StateDirectory(path: directory.path + "/whole").databasePath
    let database = try Database(path: whole)
    let columns = try database.rows("PRAGMA table_info(\(table))") { ($0.text(1), $0.text(2)) }
    try #require(try database.rows("SELECT count(*) FROM \(table)") { $0.integer(0) } != [0])
    let changes = try columns.flatMap { column, type in
      try #require(WrongRowTests.values[type]).map { "\(column) = \($0)" }
    }
    for change in changes {
      let state = StateDirectory(path: directory.path + "/changed")
      try state.make()
      try FileManager.default.copyItem(atPath: whole, toPath: state.databasePath)
      do {
        try Database(path: state.databasePath).execute("UPDATE \(table) SET \(change)")
        use(state)
      } catch {
        // A constraint of the table refuses the value.
      }
      try FileManager.default.removeItem(atPath: state.path)
    }
  }

  /// The rows that outlive damage of others, as texts without the numbers that a repair may change.
  private func keptRows(_ database: Database) throws -> Set<String> {
    var rows: Set<String> = []
    for table in WrongRowTests.keptTables {
      let columns = try database.rows("PRAGMA table_info(\(table))") { $0.text(1) }
        .filter { $0 != "id" && (table != "active_run" || $0 != "number") }
      let condition = table == "notification" ? "kind IS NULL OR state = 'delivered'" : "TRUE"
      let values = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      rows.formUnion(
        try database.rows("SELECT \(values) FROM \(table) NOT INDEXED WHERE \(condition)") {
          "\(table): \($0.text(0))"
        })
    }
    return rows
  }

  /// Sets the statements that make the tables of a store.
  private func setSchema(_ statement: String, _ state: StateDirectory) throws {
    try Database(path: state.databasePath).execute(
      """
      ATTACH '\(StateDirectory(path: directory.path + "/whole").databasePath)' AS whole;
      PRAGMA main.writable_schema = ON;
      UPDATE main.sqlite_schema AS changed SET sql = \(statement);
      """)
  }

  /// Replaces the store if it is damaged; one whose components seem to be newer is not.
  private func isReplaced(_ state: StateDirectory, after table: String) throws -> Bool {
    let parts = [RunTables(observers: [NotificationPlanning()], isAlone: false)] + completeParts
    do {
      return try Database.replaceDamaged(in: state, at: clock.now(), parts: parts) != nil
    } catch StoreError.newer where table == "component" {
      return false
    }
  }

  @Test(arguments: tables)
  func `a value of any kind in a row loses no other row`(table: String) throws {
    let whole = StateDirectory(path: directory.path + "/whole").databasePath
    let sound = try Database(path: whole)
    let rows = try keptRows(sound)
    for name in WrongRowTests.keptTables {
      try #require(rows.count { $0.hasPrefix("\(name):") } > 1, "\(name)")
    }
    let columns = try sound.rows("PRAGMA table_info(\(table))") { ($0.text(1), $0.text(2), $0.integer(5)) }
    let keys = columns.filter { $0.2 > 0 }.map(\.0)
    let key = keys.isEmpty ? "rowid" : keys.joined(separator: ", ")
    var damaged = 0
    for (column, type, _) in columns {
      for value in try #require(WrongRowTests.values[type]) + #require(WrongRowTests.otherValues[type]) {
        let state = StateDirectory(path: directory.path + "/changed")
        try state.make()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: state.path) } }
        try FileManager.default.copyItem(atPath: whole, toPath: state.databasePath)
        // SQLite checks the types and nulls of a table that refused them when the database was opened. The columns of a
        // key refuse nulls in any case.
        try setSchema(
          "replace(replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')'), ' NOT NULL', '')",
          state)
        let open = try Database(path: state.databasePath)
        do {
          try open.execute(
            """
            UPDATE \(table) SET \(column) = \(value) WHERE (\(key)) = (SELECT \(key) FROM \(table) LIMIT 1)
            """)
        } catch {
          // The table has such a key already, or can't have it.
          #expect(
            keys.contains(column) || WrongRowTests.uniqueColumns.contains(column), "\(column) = \(value)")
          continue
        }
        let left = try keptRows(open).intersection(rows)
        try setSchema(
          "(SELECT sql FROM whole.sqlite_schema AS original WHERE original.name = changed.name)", state)
        guard try isReplaced(state, after: table) else { continue }
        damaged += 1
        let kept = try keptRows(Database(path: state.databasePath))
        #expect(left.subtracting(kept).isEmpty, "\(column) = \(value)")
      }
    }
    #expect(damaged > 0)
  }

  /// Overwrites some leaves of a table, and returns how many rows they had; the database must have no log.
  private func overwriteLeaves(
    of table: String, _ choose: (Int) -> [Int], _ state: StateDirectory
  ) throws -> Int {
    let leaves = try Database(path: state.databasePath).rows(
      "SELECT pageno, pgsize, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path",
      .text(table)
    ) { (number: $0.integer(0), size: $0.integer(1), rows: Int($0.integer(2))) }
    try #require(leaves.count > 5)
    let file = try FileHandle(forWritingTo: URL(filePath: state.databasePath))
    let chosen = choose(leaves.count).map { leaves[$0] }
    for leaf in chosen {
      try file.seek(toOffset: UInt64((leaf.number - 1) * leaf.size))
      try file.write(contentsOf: Data(count: Int(leaf.size)))
    }
    try file.close()
    return chosen.reduce(0) { $0 + $1.rows }
  }

  @Test(arguments: ["journal", "history"], [1, 2])
  func `an unreadable page loses only its rows`(table: String, pages: Int) throws {
    let state = StateDirectory(path: directory.path + "/pages")
    do {
      let store = try CompleteStore.open(in: state, clock: clock)
      for _ in 0..<40 {
        _ = try store.start(try CardSpec.sequence(cards: ["A 10h"]))
        for _ in 0..<4 {
          _ = try store.perform(.pause)
          _ = try store.perform(.resume())
        }
        _ = try store.perform(.stop)
      }
      try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let rows = try keptRows(Database(path: state.databasePath)).filter { $0.hasPrefix("\(table):") }
    // In the middle, with readable ones before, between and after them.
    let lost = try overwriteLeaves(of: table, { pages == 1 ? [$0 / 2] : [1, $0 - 2] }, state)
    let parts = [RunTables(observers: [NotificationPlanning()], isAlone: false)] + completeParts
    _ = try #require(try Database.replaceDamaged(in: state, at: clock.now(), parts: parts))
    let kept = try keptRows(Database(path: state.databasePath)).intersection(rows)
    #expect(kept.count == rows.count - lost)
  }

  /// Changes bytes of a store, repairs it, and returns whether it was replaced, with the rows that were lost.
  private func lostRows(
    _ change: (inout Data) -> Void
  ) throws -> (isReplaced: Bool, lost: Set<String>) {
    let whole = StateDirectory(path: directory.path + "/whole").databasePath
    let rows = try keptRows(Database(path: whole))
    let state = StateDirectory(path: directory.path + "/changed")
    try state.make()
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: state.path) } }
    var bytes = try Data(contentsOf: URL(filePath: whole))
    change(&bytes)
    try bytes.write(to: URL(filePath: state.databasePath))
    let parts = [RunTables(observers: [NotificationPlanning()], isAlone: false)] + completeParts
    let moved = try Database.replaceDamaged(in: state, at: clock.now(), parts: parts)
    let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
    #expect(
      !names.contains { $0.contains(".new") || $0.contains(".copy") || $0.contains(".schema") }, "\(names)")
    return (moved != nil, rows.subtracting(try keptRows(Database(path: state.databasePath))))
  }

  @Test func `damage of the schema loses no row`() throws {
    let whole = try Database(path: StateDirectory(path: directory.path + "/whole").databasePath)
    let pages = try whole.rows("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'") {
      Int($0.integer(0))
    }
    try #require(pages.count > 2)
    var replaced = 0
    for page in pages.map({ ($0 - 1) * 4096 }) {
      for place in stride(from: page == 0 ? 100 : 0, to: 4096, by: 109) {
        let (isReplaced, lost) = try lostRows { $0[page + place] ^= 4 }
        replaced += isReplaced ? 1 : 0
        #expect(lost.isEmpty, "byte \(place) of page \(page / 4096 + 1): \(lost)")
      }
      let (isReplaced, lost) = try lostRows {
        $0.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
      }
      #expect(isReplaced && lost.isEmpty, "page \(page / 4096 + 1): \(lost)")
    }
    #expect(replaced > 20)
  }

  @Test func `damage of the header loses no row`() throws {
    // An application id or a version that could be that of another program is refused.
    for place in 0..<100 where !(60..<64).contains(place) && !(68..<72).contains(place) {
      // Each bit of the number of pages: a smaller one hides pages.
      let bits: [UInt8] = 28..<32 ~= place ? [1, 2, 4, 8, 16, 32, 64, 128] : [1, 128]
      for bit in bits {
        let (_, lost) = try lostRows { $0[place] ^= bit }
        #expect(lost.isEmpty, "bit \(bit) of byte \(place): \(lost)")
      }
    }
  }
}

/// The owners of all tables other than those of runs.
private let completeParts: [any StorePart] = [NotificationTables(), PlanningTables()] + CompleteStore.parts
