import Glibc
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

/// Damage of the pages that SQLite reads before any row: the header, and the statements that made the tables.
///
/// They lead to all rows, but hold none. The tables of a store are made in one transaction, so these pages are the same
/// in each store with the same components.
extension Database {
  /// Runs a block on a damaged database whose tables can be found.
  ///
  /// If its schema isn't the known one, that is a copy with the schema pages of a new store. Tables of another version are
  /// in other places.
  static func withKnownSchema(
    _ damaged: Database, _ components: [SchemaComponent], _ lock: borrowing FileLock,
    _ body: (Database) throws(StoreError) -> Void
  ) throws(StoreError) {
    let (copy, model) = (damaged.path + ".copy", damaged.path + ".schema")
    defer { removeLeftovers(copy, model) }
    try makeDraft(model, components, lock) { _ in }
    damaged.tolerateOtherTables()
    // Before the database: closing a descriptor of that ends all locks on it, and then others may remove the log.
    let log = hasLog(damaged.path) ? try content(damaged.path + "-wal") : nil
    // The fields of the header that tell how pages are read, and how many: SQLite reads no page after the last of them.
    let (file, sound) = (try content(damaged.path), try content(model))
    let isReadable =
      file.count >= headerSize && file.prefix(24) == sound.prefix(24)
      && number(file[16..<18]) * number(file[28..<32]) == file.count
    let hasSchema = try damaged.hasSchema(of: Database.untouched(model))
    // Versions that can't be read are taken for the present ones.
    let versions = try damaged.readableRows(of: "component", key: "name", "name, version") {
      (name: $0.text(0), version: $0.integer(1))
    }
    let isEarlier = components.contains { component in
      versions.contains { $0.name == component.name && 0 < $0.version && $0.version < component.version }
    }
    guard !isEarlier, !isReadable || !hasSchema, let bytes = try bytes(of: damaged.path, withSchemaOf: model)
    else { return try body(damaged) }
    try removeDraft(copy)
    try write(bytes, to: copy)
    // Its pages are newer than those of the file.
    if let log { try write(log, to: copy + "-wal") }
    let patched = try Database(path: copy)
    patched.tolerateOtherTables()
    try body(patched)
  }

  /// Makes a table whose statement can be read readable, whatever the others are.
  private func tolerateOtherTables() {
    // If it fails, fewer tables are.
    _ = try? execute("PRAGMA writable_schema = ON")
  }

  /// Whether the statements that made the tables, and the places of these, are readable and those of another database.
  private func hasSchema(of model: Database) throws(StoreError) -> Bool {
    let query = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid"
    func schema(_ database: Database) throws(StoreError) -> [[String]] {
      try database.rows(query) { row in (0..<5).map { row.text($0) } }
    }
    // A schema that can't be read is not that of the model.
    return try schema(model) == (try? schema(self))
  }

  /// Returns the content of a database with the schema pages of a model; `nil` if more than one of them differs, because
  /// the tables are in other places then.
  private static func bytes(
    of path: String, withSchemaOf model: String
  ) throws(StoreError) -> ContiguousArray<UInt8>? {
    let sound = try Database.untouched(model)
    let size = try Int(sound.rows("PRAGMA page_size") { $0.integer(0) }.first ?? 0)
    let pages = try sound.rows("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' ORDER BY pageno") {
      Int($0.integer(0)) - 1
    }
    let known = try content(model)
    var bytes = try content(path)
    guard size > 0, pages.first == 0, let last = pages.last, bytes.count >= (last + 1) * size,
      known.count >= (last + 1) * size
    else { return nil }
    // A file that was cut off lacks the first pages of tables, without which SQLite reads no other table, either.
    bytes.append(contentsOf: repeatElement(0, count: max(0, known.count - bytes.count)))
    let parts = pages.map { page in (page == 0 ? headerSize : page * size)..<(page + 1) * size }
    guard parts.count(where: { bytes[$0] != known[$0] }) <= 1 else { return nil }
    for part in parts { bytes.replaceSubrange(part, with: known[part]) }
    bytes.replaceSubrange(0..<headerSize, with: known[0..<headerSize])
    // The header of the model has its own size, and no free pages, which no row is in.
    let count = UInt32(bytes.count / size)
    bytes.replaceSubrange(28..<32, with: (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) })
    bytes.replaceSubrange(32..<40, with: repeatElement(0, count: 8))
    return bytes
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// The size of the header in the first page (https://www.sqlite.org/fileformat.html).
  private static let headerSize = 100

  private static func content(_ path: String) throws(StoreError) -> ContiguousArray<UInt8> {
    try mapped(path) { () throws(SystemError) in
      ContiguousArray(try readAll(fromFileAt: path, upTo: .max - 65_536))
    }
  }

  private static func write(_ bytes: ContiguousArray<UInt8>, to path: String) throws(StoreError) {
    try mapped(path) { () throws(SystemError) in
      let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
      try writeAll(bytes, to: file.number)
    }
  }
}
