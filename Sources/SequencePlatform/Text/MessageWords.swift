/// A word of the user's as it may stand in a message.
package func quote(_ text: String) -> String { "\"\(TextSafety.sanitised(text))\"" }

/// A text from outside as it may stand in a message: short, on one line, without control characters.
package func quoted(_ text: String) -> String {
  let safe = TextSafety.sanitised(text)
  // A single character may be made of any number of marks.
  guard safe.count > 60 || safe.unicodeScalars.count > 240 else { return "\"\(safe)\"" }
  return "\"\(String(String.UnicodeScalarView(safe.unicodeScalars.prefix(240))).prefix(57))…\""
}

/// A text without the white space at its ends.
package func trimmed(_ text: some StringProtocol) -> String {
  String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
}

/// Words as text, such as `a, b or c`.
package func alternatives(_ words: [LocalizedText]) -> LocalizedText {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return LocalizedText("\(listed(Array(words.dropLast()))) or \(last)")
}

package func alternatives(_ words: [String]) -> LocalizedText {
  alternatives(words.map(LocalizedText.init(verbatim:)))
}

/// Words as text, such as `a, b, c`.
package func listed(_ words: [LocalizedText]) -> LocalizedText {
  guard var list = words.first else { return "" }
  for word in words.dropFirst() { list = LocalizedText("\(list), \(word)") }
  return list
}

extension [String] {
  /// `joined` makes types at run time, which alone takes a fortieth of the run time of a short command.
  package func concatenated(by separator: String) -> String {
    var (text, isFirst) = ("", true)
    for part in self {
      if !isFirst { text += separator }
      text += part
      isFirst = false
    }
    return text
  }
}

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
