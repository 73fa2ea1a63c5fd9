/// The tables that one part of the program owns, from their first version on.
package struct SchemaComponent: Sendable {
  package let name: String
  /// The statements that make the tables of version 1.
  private let tables: String
  /// The migrations from each version to the next, beginning with version 1.
  private let migrations: [Migration]

  package init(name: String, tables: String, migrations: [Migration] = []) {
    self.name = name
    self.tables = tables
    self.migrations = migrations
  }

  /// A migration from one version to the next; it runs in a transaction.
  package enum Migration: Sendable, ExpressibleByStringLiteral {
    case statements(String)
    case change(@Sendable (Database) throws(StoreError) -> Void)

    package init(stringLiteral statements: String) { self = .statements(statements) }
  }

  package var version: Int { 1 + migrations.count }

  /// Makes the tables of a database, or migrates those of an earlier version; in a transaction of the caller.
  ///
  /// - Parameter version: the version of the tables; `nil` if there are none.
  func update(_ database: Database, from version: Int?) throws(StoreError) {
    if version == nil { try database.execute(tables) }
    for migration in migrations.dropFirst((version ?? 1) - 1) {
      switch migration {
      case .statements(let statements): try database.execute(statements)
      case .change(let change): try change(database)
      }
    }
  }
}
