import CSequenceSQLite
import SequencePlatform

package enum SQLValue {
  case integer(Int64)
  case text(String)
  case null

  /// The value as a text without any loss, for a checksum.
  package var canonical: String {
    switch self {
    case .integer(let number): String(number)
    case .text(let text): "\"" + text
    case .null: "-"
    }
  }

  package static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
  package static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }
  package static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
}

/// A prepared statement, for one thread at a time.
@safe final class Statement: Sendable {
  /// The handle as a number, because a pointer can't be sent to another thread.
  private let address: UInt
  private var handle: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

  init(_ handle: OpaquePointer) { address = UInt(bitPattern: handle) }

  // The result repeats the failure of the last step, which was checked.
  deinit { _ = unsafe sqlite3_finalize(handle) }

  /// Binds the values in order; the status of the first that fails.
  func bind(_ values: [SQLValue]) -> Int32 {
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let status =
        switch value {
        case .integer(let integer): unsafe sqlite3_bind_int64(handle, place, integer)
        case .text(let text):
          unsafe sqlite3_bind_text(
            handle, place, text, Int32(text.utf8.count), sequence_sqlite_transient())
        case .null: unsafe sqlite3_bind_null(handle, place)
        }
      guard status == SQLITE_OK else { return status }
    }
    return SQLITE_OK
  }

  func step() -> Int32 { unsafe sqlite3_step(handle) }

  /// Prepares it for new values; the result repeats the failure of the last step, which was checked.
  func reset() {
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  var instructionCount: Int { Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

  var runCount: Int { Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_RUN, 0)) }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  func value(_ column: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(integer(column))
    default: .text(text(column))
    }
  }

  func text(_ column: Int32) -> String? {
    guard let bytes = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

package struct SQLRow {
  let statement: Statement

  package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  package func optionalInteger(_ column: Int32) -> Int64? {
    statement.isNull(column) ? nil : statement.integer(column)
  }

  package func text(_ column: Int32) -> String { statement.text(column) ?? "" }

  package func optionalText(_ column: Int32) -> String? { statement.text(column) }

  package func value(_ column: Int32) -> SQLValue { statement.value(column) }
}

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
