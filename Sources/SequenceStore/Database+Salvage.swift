extension Database {
  /// Makes something of each row of a damaged table that can be read.
  ///
  /// Reads without an index, which may be damaged itself. A page that can't be read ends the reading, so the table is
  /// then read from its other end, and rows between two such pages are looked up one by one; a row may come twice.
  ///
  /// - Parameter key: the column that the table is sorted by.
  /// - Throws: `StoreError.newer` if a row is of a later version, which would be lost.
  /// - Complexity: O(rows log rows).
  package func readableRows<Result>(
    of table: String, key: String = "rowid", _ columns: String, make: (SQLRow) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    var newer: StoreError?
    func take(_ row: SQLRow) {
      do throws(StoreError) {
        results.append(try make(row))
      } catch {
        // A row that makes no sense is lost.
        if case .newer = error { newer = error }
      }
    }
    let isComplete = ["ASC", "DESC"].contains { order in
      reads("SELECT \(columns) FROM \(table) NOT INDEXED ORDER BY \(key) \(order)", [], take)
    }
    if !isComplete {
      for value in hiddenKeys(of: table, key) {
        // A row in an inner page is found through one of the two pages next to it.
        _ = ["= ?", "<= ? ORDER BY \(key) DESC LIMIT 1"].contains { condition in
          reads("SELECT \(columns) FROM \(table) WHERE \(key) \(condition)", [value], take)
        }
      }
    }
    if let newer { throw newer }
    return results
  }

  package func hasReadableColumn(_ column: String, in table: String) -> Bool {
    var isFound = false
    _ = reads("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", [.text(table), .text(column)]) { _ in
      isFound = true
    }
    return isFound
  }

  /// Returns the keys that rows between two unreadable pages may have: those of an index, or all numbers between.
  private func hiddenKeys(of table: String, _ key: String) -> [SQLValue] {
    var indexes: [String] = []
    _ = reads(
      "SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk' AND NOT partial", [.text(table)]
    ) { indexes.append($0.text(0)) }
    let isNumber = key == "rowid"
    for index in indexes {
      var keys: [SQLValue] = []
      let isReadable = reads("SELECT \(key) FROM \(table) INDEXED BY \(index)", []) { row in
        keys.append(isNumber ? .integer(row.integer(0)) : .text(row.text(0)))
      }
      if isReadable { return keys }
    }
    guard isNumber else { return [] }
    var ends: [Int64] = []
    for order in ["ASC", "DESC"] {
      var last: Int64?
      _ = reads("SELECT rowid FROM \(table) NOT INDEXED ORDER BY rowid \(order)", []) { last = $0.integer(0) }
      if let last { ends.append(last) }
    }
    guard ends.count == 2, ends[0] < ends[1] else { return [] }
    let gap = ends[1].subtractingReportingOverflow(ends[0])
    let isLong = gap.overflow || gap.partialValue > Database.mostLookups
    return (ends[0]...(isLong ? ends[0] + Database.mostLookups : ends[1])).map { .integer($0) }
  }

  /// How many numbers between two unreadable pages are tried.
  private static let mostLookups: Int64 = 1_000_000

  /// Reads rows until one can't be read; returns whether all could.
  private func reads(_ sql: String, _ values: [SQLValue], _ take: (SQLRow) -> Void) -> Bool {
    do throws(StoreError) {
      _ = try rows(sql, values) { take($0) }
      return true
    } catch {
      // The rest is read in another way, or lost to the damage.
      return false
    }
  }
}
