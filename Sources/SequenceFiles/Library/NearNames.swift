/// Suggestions for a name that does not exist.
package enum NearNames {
  /// Returns the nearest names to a word, at most three.
  ///
  /// A name is near if it begins with the word, or differs from it in at most a third of the letters or in
  /// one letter.
  ///
  /// - Complexity: O(length of the word × length of all names).
  package static func of(_ word: String, among names: [String]) -> [String] {
    let written = Array(word.lowercased())
    // A name this long was not typed from memory.
    guard !written.isEmpty, written.count <= 100 else { return [] }
    let most = max(1, written.count / 3)
    let near = names.compactMap { name -> (distance: Int, name: String)? in
      let known = Array(name.lowercased())
      if known.starts(with: written) { return (0, name) }
      guard abs(known.count - written.count) <= most else { return nil }
      let distance = distance(known, written)
      return distance <= most ? (distance, name) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// Returns the optimal string alignment distance: the number of letters to insert, delete, change or swap
  /// with their neighbor.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
