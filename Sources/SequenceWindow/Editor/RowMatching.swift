/// Finds the rows of a changed list among those of before, so that they keep their widgets.
enum RowMatching {
  /// Returns the index of the old row of each new one; `nil` for a row that is new.
  ///
  /// Rows that show the same are found wherever they are; the rest is matched in order, if it is the same kind of row.
  ///
  /// - Complexity: O(rows).
  static func match(_ old: [EditorRow], _ new: [EditorRow]) -> [Int?] {
    var found = [Int?](repeating: nil, count: new.count)
    let start = zip(old, new).prefix { $0.content == $1.content && $0.depth == $1.depth }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { $0.content == $1.content && $0.depth == $1.depth }.count
    for index in 0..<start { found[index] = index }
    for distance in 0..<end { found[new.count - 1 - distance] = old.count - 1 - distance }
    var rest = Array(start..<old.count - end)
    var places = Dictionary(grouping: rest) { old[$0].content }.mapValues { Array($0.reversed()) }
    for index in start..<new.count - end {
      if let place = places[new[index].content]?.popLast() {
        found[index] = place
        rest.removeAll { $0 == place }
      }
    }
    for index in start..<new.count - end where found[index] == nil {
      guard let place = rest.firstIndex(where: { old[$0].isSameKind(as: new[index]) }) else { continue }
      found[index] = rest.remove(at: place)
    }
    return found
  }
}
