/// The tables that one part of the program owns, from their first version on.
package struct SchemaComponent: Sendable {
  /// Names the part in the table of components.
  package let name: String
  /// The migrations from each version to the next; the first one makes the tables.
  package let migrations: [Migration]

  package init(name: String, migrations: [Migration]) {
    self.name = name
    self.migrations = migrations
  }

  /// A migration from one version to the next; it runs in a transaction.
  package enum Migration: Sendable, ExpressibleByStringLiteral {
    /// SQL statements.
    case statements(String)
    /// A change that SQL cannot express.
    case change(@Sendable (Database) throws(StoreError) -> Void)

    package init(stringLiteral statements: String) { self = .statements(statements) }

    func apply(to database: Database) throws(StoreError) {
      switch self {
      case .statements(let statements): try database.execute(statements)
      case .change(let change): try change(database)
      }
    }
  }

  /// The version that this program reads and writes.
  package var version: Int { migrations.count }
}
