import SequencePlatform

/// The statements for a table whose columns are listed once, as the cases of an enum with whole numbers from 0 on.
///
///     enum Column: Int, CodingKey, CaseIterable { case number, runID }
///     static let table = Table("journal", Column.allCases.map(\.stringValue))
package struct Table: Sendable {
  package let names: [String]
  package let columns: String
  package var insert: String { "INSERT" + row }
  package var insertIfNew: String { "INSERT OR IGNORE" + row }
  package var replace: String { "INSERT OR REPLACE" + row }
  /// It is built when it is needed, because a program that only reads has no use for it.
  private var row: String {
    " INTO \(name) (\(columns)) VALUES (\(names.map { _ in "?" }.concatenated(by: ", ")))"
  }
  private let name: String

  /// - Parameter columns: the names of the columns in camel case; the table has them in snake case.
  package init(_ name: String, _ columns: [String]) {
    names = columns.map(Table.name(ofColumn:))
    self.columns = names.concatenated(by: ", ")
    self.name = name
  }

  /// The name of a column in the table: `run_id` for `runID`.
  package static func name(ofColumn column: String) -> String {
    var name: [UInt8] = []
    var isInWord = false
    for letter in column.utf8 {
      let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
      if isInWord, isUppercase { name.append(UInt8(ascii: "_")) }
      name.append(isUppercase ? letter | 0x20 : letter)
      isInWord = !isUppercase
    }
    return String(decoding: name, as: UTF8.self)
  }
}

extension SQLRow {
  package func integer(_ column: some RawRepresentable<Int>) -> Int64 { integer(Int32(column.rawValue)) }

  package func optionalInteger(_ column: some RawRepresentable<Int>) -> Int64? {
    optionalInteger(Int32(column.rawValue))
  }

  package func text(_ column: some RawRepresentable<Int>) -> String { text(Int32(column.rawValue)) }

  package func optionalText(_ column: some RawRepresentable<Int>) -> String? {
    optionalText(Int32(column.rawValue))
  }
}
