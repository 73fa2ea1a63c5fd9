/// The tables that one part of the program owns in the database, from their first version on.
package struct SchemaComponent: Sendable {
  /// Names the part in the table of components.
  package let name: String
  /// What leads from each version to the next; the first entry makes the tables.
  package let migrations: [String]

  package init(name: String, migrations: [String]) {
    self.name = name
    self.migrations = migrations
  }

  /// The version that this program reads and writes.
  package var version: Int { migrations.count }
}
