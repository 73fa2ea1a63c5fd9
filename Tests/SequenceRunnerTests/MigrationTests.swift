import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// A component whose tables change from version to version.
struct MigrationTests {
  /// Notes, which get a mark in version 2 and lose their capitals in version 3.
  private static func notes(_ version: Int) -> SchemaComponent {
    let migrations: [SchemaComponent.Migration] = [
      "ALTER TABLE note ADD COLUMN mark TEXT NOT NULL DEFAULT '-'",
      .change { database throws(StoreError) in
        let texts = try database.rows("SELECT text FROM note") { $0.text(0) }
        for text in texts {
          try database.run("UPDATE note SET text = ? WHERE text = ?", .text(text.lowercased()), .text(text))
        }
      },
      "INSERT INTO missing VALUES (1)",
    ]
    return SchemaComponent(
      name: "notes",
      tables: "CREATE TABLE note (text TEXT NOT NULL) STRICT; INSERT INTO note VALUES ('Eggs')",
      migrations: Array(migrations.prefix(version - 1)))
  }

  private let directory: TemporaryDirectory
  private let state: StateDirectory

  init() throws {
    directory = try TemporaryDirectory()
    state = StateDirectory(path: directory.path)
  }

  private func texts(_ version: Int) throws -> [String] {
    let database = try Database.opened(in: state, components: [MigrationTests.notes(version)])
    #expect(try database.componentVersions().map { "\($0.name) \($0.version)" } == ["notes \(version)"])
    let columns = version > 1 ? "text || mark" : "text"
    return try database.rows("SELECT \(columns) FROM note") { $0.text(0) }
  }

  @Test(arguments: [
    ([1], ["Eggs"]), ([2], ["Eggs-"]), ([3], ["eggs-"]), ([1, 2, 3], ["eggs-"]), ([1, 3, 3], ["eggs-"]),
  ])
  func `a store has the tables of its program, whatever version made it`(versions: [Int], expected: [String])
    throws
  {
    var found: [String] = []
    for version in versions { found = try texts(version) }
    #expect(found == expected)
  }

  @Test func `an open connection knows that it has migrated the store`() throws {
    #expect(try !Database.opened(in: state, components: [MigrationTests.notes(1)]).wasMigrated)
    #expect(try Database.opened(in: state, components: [MigrationTests.notes(2)]).wasMigrated)
    #expect(try !Database.opened(in: state, components: [MigrationTests.notes(2)]).wasMigrated)
  }

  @Test func `a newer version of a component is refused, and a failed migration changes nothing`() throws {
    _ = try texts(3)
    #expect(
      throws: StoreError.newer(path: state.databasePath, reason: "it has notes 3, and this program knows 2")
    ) { try texts(2) }
    #expect(throws: StoreError.self) { try texts(4) }
    #expect(try texts(3) == ["eggs-"])
  }

  @Test func `tables of a version before the first are damage`() throws {
    _ = try texts(1)
    let later = SchemaComponent(name: "notes", version: 2, tables: "CREATE TABLE other (text TEXT) STRICT")
    let error = #expect(throws: StoreError.self) { try Database.opened(in: state, components: [later]) }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try texts(1) == ["Eggs"])
  }

  @Test(arguments: [0, -1, Int64.min])
  func `a version that no program has is damage`(version: Int64) throws {
    _ = try texts(1)
    try Database(path: state.databasePath).run("UPDATE component SET version = ?", .integer(version))
    let error = #expect(throws: StoreError.self) { try texts(1) }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
