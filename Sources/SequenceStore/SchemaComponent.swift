/// The tables that one part of the program owns, from their first version on.
package struct SchemaComponent: Sendable {
  package let name: String
  /// The statements that make the tables of version 1.
  private let tables: String
  /// The migrations from each version to the next, beginning with version 1.
  private let migrations: [Migration]

  /// Another component that the store may not have; `nil` if any may be there.
  private(set) var refused: Refusal?

  /// Whether there is one.
  package var refuses: Bool { refused != nil }

  /// A component whose tables would get wrong next to a part that doesn't know them.
  struct Refusal: Sendable {
    let name: String
    let content: String
    let remedy: String
  }

  package init(name: String, tables: String, migrations: [Migration] = []) {
    self.name = name
    self.tables = tables
    self.migrations = migrations
  }

  /// Returns the component for a store without another component.
  ///
  /// - Parameters:
  ///   - content: the content of the other component, in words.
  ///   - remedy: how a store that has it is opened.
  package func refusing(_ name: String, with content: String, remedy: String) -> SchemaComponent {
    var component = self
    component.refused = Refusal(name: name, content: content, remedy: remedy)
    return component
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
