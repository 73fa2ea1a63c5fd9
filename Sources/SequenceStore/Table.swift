/// The statements for a table whose columns are listed once, as the cases of an enum with whole numbers from 0 on.
///
///     enum Column: Int, CodingKey, CaseIterable { case number, runID }
///     static let table = Table("journal", Column.allCases.map(\.stringValue))
package struct Table: Sendable {
  /// The columns in their order, separated by commas.
  package let columns: String
  /// A statement that inserts a row with a value for each column, in their order.
  package let insert: String
  /// The same, without an effect if there is a row with its key.
  package let insertIfNew: String

  /// - Parameters:
  ///   - name: the name of the table.
  ///   - columns: the names of the columns in camel case; the table has them in snake case.
  package init(_ name: String, _ columns: [String]) {
    self.columns = columns.map(Table.name(ofColumn:)).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let row = "INTO \(name) (\(self.columns)) VALUES (\(places))"
    insert = "INSERT " + row
    insertIfNew = "INSERT OR IGNORE " + row
  }

  /// The name of a column in the table: `run_id` for `runID`.
  package static func name(ofColumn column: String) -> String {
    var name = ""
    var isInWord = false
    for character in column {
      if isInWord, character.isUppercase { name.append("_") }
      name += character.lowercased()
      isInWord = !character.isUppercase
    }
    return name
  }
}

extension SQLRow {
  package func integer(_ column: some RawRepresentable<Int>) -> Int64 { integer(Int32(column.rawValue)) }

  package func optionalInteger(_ column: some RawRepresentable<Int>) -> Int64? {
    optionalInteger(Int32(column.rawValue))
  }

  /// The text of a column; empty for a null.
  package func text(_ column: some RawRepresentable<Int>) -> String { text(Int32(column.rawValue)) }

  package func optionalText(_ column: some RawRepresentable<Int>) -> String? {
    optionalText(Int32(column.rawValue))
  }
}
