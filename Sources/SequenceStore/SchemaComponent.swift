package import SequencePlatform

/// The tables that one part of the program owns, from their first version on.
package struct SchemaComponent: Sendable {
  package let name: String
  /// The version of the statements.
  private let first: Int
  /// The statements that make the tables of the first version.
  private let tables: String
  /// The migrations from each version to the next, beginning with the first.
  private let migrations: [Migration]

  /// Another component that the store may not have; `nil` if any may be there.
  private(set) var refused: Refusal?

  private var completion: (@Sendable (Database) throws(StoreError) -> Void)?

  /// Whether there is one.
  package var refuses: Bool { refused != nil }

  /// A component whose tables would get wrong next to a part that doesn't know them.
  package struct Refusal: Sendable {
    package let name: String
    /// One of its tables, by which it is found if the versions of the components can't be read.
    package let table: String
    /// The content of a store that has both, and how that is opened.
    package let content: LocalizedText
    package let remedy: LocalizedText
    /// The content of a store that has the other component only, and what else to do.
    package let foreignContent: LocalizedText
    package let foreignRemedy: LocalizedText

    package init(
      _ name: String, table: String, content: LocalizedText, remedy: LocalizedText,
      foreignContent: LocalizedText,
      foreignRemedy: LocalizedText
    ) {
      (self.name, self.table) = (name, table)
      (self.content, self.remedy) = (content, remedy)
      (self.foreignContent, self.foreignRemedy) = (foreignContent, foreignRemedy)
    }

    func error(at path: String, hasOwn: Bool) -> StoreError {
      .unsuitable(
        path: path, content: hasOwn ? content : foreignContent, remedy: hasOwn ? remedy : foreignRemedy)
    }
  }

  /// - Parameters:
  ///   - version: the version of the tables; those of an earlier one are taken for damage, whose rows are salvaged.
  ///   - tables: the statements that make them.
  ///   - migrations: the migrations from that version to the next ones.
  package init(name: String, version: Int = 1, tables: String, migrations: [Migration] = []) {
    self.name = name
    first = version
    self.tables = tables
    self.migrations = migrations
  }

  /// Returns the component for a store without another component.
  package func refusing(_ refused: Refusal) -> SchemaComponent {
    var component = self
    component.refused = refused
    return component
  }

  /// Returns the component with work that follows when its tables are made, in the same transaction.
  package func completed(
    by work: @escaping @Sendable (Database) throws(StoreError) -> Void
  ) -> SchemaComponent {
    var component = self
    component.completion = work
    return component
  }

  /// A migration from one version to the next; it runs in a transaction.
  package enum Migration: Sendable, ExpressibleByStringLiteral {
    case statements(String)
    case change(@Sendable (Database) throws(StoreError) -> Void)

    package init(stringLiteral statements: String) { self = .statements(statements) }
  }

  package var version: Int { first + migrations.count }

  /// Makes the tables of a database, or migrates those of an earlier version; in a transaction of the caller.
  ///
  /// - Parameter version: the version of the tables; `nil` if there are none.
  func update(_ database: Database, from version: Int?) throws(StoreError) {
    let isNew = version == nil
    if isNew { try database.execute(tables) }
    let version = version ?? first
    guard version >= first else {
      throw .damaged(path: database.path, reason: "it has \(name) \(version), whose rows must be salvaged")
    }
    for migration in migrations.dropFirst(version - first) {
      switch migration {
      case .statements(let statements): try database.execute(statements)
      case .change(let change): try change(database)
      }
    }
    if isNew { try completion?(database) }
  }
}
