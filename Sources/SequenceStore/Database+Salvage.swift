extension Database {
  /// Makes something of each row of a damaged table that can be read.
  ///
  /// Reads without an index, which may be damaged itself. A page that can't be read ends the reading, so the table is
  /// then read from its other end, and what is between two such pages is looked up row by row; a row may come twice.
  ///
  /// - Parameter key: the column that the table is sorted by.
  /// - Throws: `StoreError.newer` if a row is of a later version, which would be lost.
  /// - Complexity: O(rows), and O(keys between two unreadable pages), at most `mostLookups`.
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
        // A row in an inner page is found through one of the pages beside it.
        _ = ["= ?", "<= ? ORDER BY \(key) DESC LIMIT 1"].contains { condition in
          reads("SELECT \(columns) FROM \(table) WHERE \(key) \(condition)", [value], take)
        }
      }
    }
    if let newer { throw newer }
    return results
  }

  /// Returns the keys that rows between two unreadable pages may have: numbers, or texts of an index of the table.
  private func hiddenKeys(of table: String, _ key: String) -> [SQLValue] {
    guard key == "rowid" else {
      var (indexes, keys): ([String], [SQLValue]) = ([], [])
      _ = reads(
        "SELECT name FROM pragma_index_list(?) WHERE origin = 'c' AND NOT partial", [.text(table)]
      ) { indexes.append($0.text(0)) }
      for index in indexes {
        _ = reads("SELECT \(key) FROM \(table) INDEXED BY \(index)", []) { keys.append(.text($0.text(0))) }
      }
      return keys
    }
    var ends: [Int64] = []
    for order in ["ASC", "DESC"] {
      var last: Int64?
      _ = reads("SELECT rowid FROM \(table) NOT INDEXED ORDER BY rowid \(order)", []) { last = $0.integer(0) }
      if let last { ends.append(last) }
    }
    guard ends.count == 2, ends[0] < ends[1] else { return [] }
    return (ends[0]..<ends[1]).dropFirst().prefix(Database.mostLookups).map { .integer($0) }
  }

  /// How many numbers between two unreadable pages are tried: about a second.
  private static let mostLookups = 1_000_000

  /// Reads rows until one can't be read, and says whether all could.
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
